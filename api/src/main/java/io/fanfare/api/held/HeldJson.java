package io.fanfare.api.held;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.schedule.ScheduledStatusRenderer;
import io.fanfare.common.model.Account;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import io.fanfare.core.held.HeldStatus;
import java.io.IOException;

/** The entity HeldStatus, an extension: a ScheduledStatus that waits for a moderator. */
final class HeldJson {
    private final ScheduledStatusRenderer scheduled;
    private final Views views;

    HeldJson(ScheduledStatusRenderer scheduled, Views views) {
        this.scheduled = scheduled;
        this.views = views;
    }

    /** @param author for a moderator; null = the author reads it */
    void write(JsonGenerator json, HeldStatus held, Account author) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(held.id()));
        json.writeStringField("created_at", Timestamps.time(held.sinceMillis()));
        json.writeStringField("expires_at", Timestamps.time(held.endsMillis()));
        long due = held.status().dueMillis();
        json.writeStringField("scheduled_at", due == 0 ? null : Timestamps.time(due));
        json.writeStringField("signal", held.signal().wire());
        json.writeStringField("reason", held.signal().reason());
        long subject = held.status().subjectId();
        json.writeStringField("comment_on_id", subject == 0 ? null : Long.toString(subject));
        scheduled.parts(json, held.status());
        if (author != null) {
            json.writeFieldName("account");
            views.accounts().write(json, author);
        }
        json.writeEndObject();
    }
}
