package io.fanfare.api.schedule;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.PostOptions;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import java.io.IOException;
import java.util.List;

/** The entity ScheduledStatus. */
public final class ScheduledStatusRenderer {
    private final Views views;

    public ScheduledStatusRenderer(Views views) {
        this.views = views;
    }

    public Answer answer(ScheduledStatus status) {
        return Answer.json(json -> write(json, status));
    }

    public Answer answer(List<ScheduledStatus> all) {
        return Answer.array(all, this::write);
    }

    private void write(JsonGenerator json, ScheduledStatus status) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(status.id()));
        json.writeStringField("scheduled_at", Timestamps.time(status.dueMillis()));
        parts(json, status);
        json.writeEndObject();
    }

    /** The fields {@code params} and {@code media_attachments}. */
    public void parts(JsonGenerator json, ScheduledStatus status) throws IOException {
        json.writeObjectFieldStart("params");
        params(json, status);
        json.writeEndObject();
        json.writeArrayFieldStart("media_attachments");
        for (Attachment attachment : status.attachments()) {
            views.attachments().write(json, attachment);
        }
        json.writeEndArray();
    }

    private static void poll(JsonGenerator json, Poll poll) throws IOException {
        if (poll == null) {
            json.writeNullField("poll");
            return;
        }
        json.writeObjectFieldStart("poll");
        json.writeArrayFieldStart("options");
        for (String option : poll.options()) {
            json.writeString(option);
        }
        json.writeEndArray();
        json.writeNumberField("expires_in", poll.endsMillis() / 1000);
        json.writeBooleanField("multiple", poll.multiple());
        json.writeBooleanField("hide_totals", poll.hidesTotals());
        json.writeEndObject();
    }

    private static void params(JsonGenerator json, ScheduledStatus status) throws IOException {
        PostWords words = status.words();
        PostOptions options = words.options();
        json.writeStringField("text", words.text());
        poll(json, status.poll());
        if (status.attachments().isEmpty()) {
            json.writeNullField("media_ids");
        } else {
            json.writeArrayFieldStart("media_ids");
            for (Attachment attachment : status.attachments()) {
                json.writeString(Long.toString(attachment.id()));
            }
            json.writeEndArray();
        }
        json.writeObjectField("sensitive", options.sensitive());
        json.writeStringField("spoiler_text", words.spoilerText().isEmpty() ? null : words.spoilerText());
        json.writeStringField(
                "visibility",
                options.visibility() == null ? null : options.visibility().wire());
        json.writeStringField("language", options.language());
        json.writeNullField("scheduled_at");
        json.writeNullField("idempotency");
        json.writeBooleanField("with_rate_limit", false);
        if (status.inReplyToId() == 0) {
            json.writeNullField("in_reply_to_id");
        } else {
            json.writeNumberField("in_reply_to_id", status.inReplyToId());
        }
        json.writeNullField("application_id");
        json.writeStringField("quoted_status_id", status.quotedId() == 0 ? null : Long.toString(status.quotedId()));
        json.writeStringField(
                "quote_approval_policy",
                options.quotePolicy() == null ? null : options.quotePolicy().wire());
    }
}
