package io.fanfare.api.routes;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.request.NewPoll;
import io.fanfare.api.request.NewStatus;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.store.ScheduledStatuses;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** Keeps what is to be published later, and shows it. A worker publishes it. */
public final class Scheduler {
    private final ScheduledStatuses scheduled;
    private final MemoryPressure pressure;
    private final RateLimits rates;
    private final Views views;

    public Scheduler(ScheduledStatuses scheduled, MemoryPressure pressure, RateLimits rates, Views views) {
        this.scheduled = scheduled;
        this.pressure = pressure;
        this.rates = rates;
        this.views = views;
    }

    /**
     * Schedules words, see {@link ScheduledStatuses#schedule}; answers what the same request has scheduled before.
     * Refuses at once when Redis is nearly full. It counts as a post now, not when it is published.
     *
     * @param poll null = none
     * @param pictures reads those that it takes over, and fails when what it refers to cannot be seen. Not asked for a
     *     request that is repeated
     */
    Future<ScheduledStatus> schedule(
            Call call, NewStatus asked, NewPoll poll, long dueMillis, Supplier<Future<List<Attachment>>> pictures) {
        long author = call.viewer();
        IdempotentRequest once = poll == null
                ? asked.once(call.idempotencyKey(), "post", "scheduled", dueMillis)
                : asked.once(call.idempotencyKey(), "post", "scheduled", dueMillis, poll);
        if (once == null) {
            return scheduleNow(call, asked, poll, dueMillis, pictures, null);
        }
        return scheduled
                .earlier(author, once)
                .compose(earlier -> earlier.isPresent()
                        ? Future.succeededFuture(earlier.get())
                        : scheduleNow(call, asked, poll, dueMillis, pictures, once));
    }

    private Future<ScheduledStatus> scheduleNow(
            Call call,
            NewStatus asked,
            NewPoll poll,
            long dueMillis,
            Supplier<Future<List<Attachment>>> pictures,
            IdempotentRequest once) {
        long author = call.viewer();
        pressure.check(author);
        return pictures.get().compose(read -> {
            ScheduledStatus status = new ScheduledStatus(
                    0,
                    dueMillis,
                    asked.text(),
                    asked.visibility(),
                    asked.spoilerText(),
                    asked.sensitive(),
                    asked.language(),
                    asked.inReplyToId(),
                    asked.quotedId(),
                    asked.place(),
                    read,
                    poll == null ? null : poll.at(0),
                    call.principal().application(),
                    asked.quotePolicy());
            return rates.takePost(Post.of(author, Visibility.PUBLIC, content(status)))
                    .compose(counted -> scheduled.schedule(author, status, once));
        });
    }

    private static Content content(ScheduledStatus status) {
        return new Content(
                        status.text(),
                        status.spoilerText(),
                        /* sensitive= */ false,
                        status.language(),
                        List.of(),
                        List.of(),
                        status.place())
                .with(status.attachments())
                .with(status.poll());
    }

    Answer answer(ScheduledStatus status) {
        return Answer.json(json -> write(json, status));
    }

    Answer answer(List<ScheduledStatus> all) {
        return Answer.array(all, this::write);
    }

    private void write(JsonGenerator json, ScheduledStatus status) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(status.id()));
        json.writeStringField("scheduled_at", Timestamps.time(status.dueMillis()));
        json.writeObjectFieldStart("params");
        params(json, status);
        json.writeEndObject();
        json.writeArrayFieldStart("media_attachments");
        for (Attachment attachment : status.attachments()) {
            views.attachments().write(json, attachment);
        }
        json.writeEndArray();
        json.writeEndObject();
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
        json.writeStringField("text", status.text());
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
        json.writeObjectField("sensitive", status.sensitive());
        json.writeStringField("spoiler_text", status.spoilerText().isEmpty() ? null : status.spoilerText());
        json.writeStringField(
                "visibility",
                status.visibility() == null ? null : status.visibility().wire());
        json.writeStringField("language", status.language());
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
                status.quotePolicy() == null ? null : status.quotePolicy().wire());
    }
}
