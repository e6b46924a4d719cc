package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.NotificationGroupKey;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Warning;
import java.io.IOException;

/** The entity Notification. Immutable but for the parts that it is made of. */
public final class NotificationJson {
    private final AccountJson accounts;
    private final StatusJson statuses;
    private final WarningJson warnings;

    NotificationJson(AccountJson accounts, StatusJson statuses, WarningJson warnings) {
        this.accounts = accounts;
        this.statuses = statuses;
        this.warnings = warnings;
    }

    /**
     * A notification.
     *
     * @param status the status that it is about; null = none
     * @param warning the warning that it is about; null = none
     */
    public void write(
            JsonGenerator json,
            Notification notification,
            Account actor,
            Status status,
            Warning warning,
            RenderContext context)
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
        if (warning != null) {
            json.writeFieldName("moderation_warning");
            warnings.write(json, warning, actor);
        }
        json.writeEndObject();
    }
}
