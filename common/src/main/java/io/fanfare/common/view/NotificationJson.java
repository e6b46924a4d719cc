package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.NotificationGroupKey;
import io.fanfare.common.model.Status;
import java.io.IOException;

/** The entity Notification. Immutable but for the parts that it is made of. */
public final class NotificationJson {
    private final AccountJson accounts;
    private final StatusJson statuses;

    NotificationJson(AccountJson accounts, StatusJson statuses) {
        this.accounts = accounts;
        this.statuses = statuses;
    }

    /**
     * A notification.
     *
     * @param status the status that it is about; null = none
     */
    public void write(
            JsonGenerator json, Notification notification, Account actor, Status status, RenderContext context)
            throws IOException {
        String id = Long.toString(notification.id());
        json.writeStartObject();
        json.writeStringField("id", id);
        json.writeStringField("type", notification.type().wire());
        json.writeStringField("created_at", Timestamps.time(Id.epochMillis(notification.id())));
        json.writeStringField("group_key", NotificationGroupKey.of(notification).wire());
        json.writeFieldName("account");
        accounts.write(json, actor);
        if (status != null) {
            json.writeFieldName("status");
            statuses.write(json, status, context);
        }
        json.writeEndObject();
    }
}
