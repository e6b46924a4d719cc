package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Status;
import java.io.IOException;

/** The entity Poll. Immutable but for the emojis. */
public final class PollJson {
    private static final Fragment NO_POLL = Json.fields(json -> json.writeNullField("poll"));

    private final EmojiJson emojis;

    PollJson(EmojiJson emojis) {
        this.emojis = emojis;
    }

    /**
     * The poll of a status; its id is that of the status.
     *
     * @param viewer 0 = an anonymous viewer; authors count as having voted, since they cannot
     */
    public void write(JsonGenerator json, Status status, Poll.Standing standing, long viewer) throws IOException {
        Poll poll = status.post().content().poll();
        json.writeStartObject();
        json.writeStringField("id", Long.toString(status.id()));
        json.writeStringField("expires_at", Timestamps.time(poll.endsMillis()));
        json.writeBooleanField("expired", standing.ended());
        json.writeBooleanField("multiple", poll.multiple());
        json.writeNumberField(
                "votes_count",
                standing.votes().stream().mapToLong(Long::longValue).sum());
        json.writeNumberField("voters_count", standing.voters());
        json.writeArrayFieldStart("options");
        for (int i = 0; i < poll.options().size(); i++) {
            json.writeStartObject();
            json.writeStringField("title", poll.options().get(i));
            if (poll.hidesTotals() && !standing.ended()) {
                json.writeNullField("votes_count");
            } else {
                json.writeNumberField("votes_count", standing.votes().get(i));
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        emojis.field(json, emojis.in(poll));
        if (viewer != 0) {
            json.writeBooleanField("voted", !standing.own().isEmpty() || status.authorId() == viewer);
            json.writeArrayFieldStart("own_votes");
            for (int choice : standing.own()) {
                json.writeNumber(choice);
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    /** The field {@code poll} of a status that has one. */
    void field(JsonGenerator json, Status status, RenderContext context) throws IOException {
        if (status.post().content().poll() != null) {
            json.writeFieldName("poll");
            write(json, status, context.poll(status), context.viewer());
        }
    }

    /** The field {@code poll} of a status without one. */
    static void noField(JsonGenerator json, Content content) throws IOException {
        if (content.poll() == null) {
            json.writeRaw(NO_POLL);
        }
    }

    /** The field {@code poll} of an edit: the options without votes. */
    static void editField(JsonGenerator json, Poll poll) throws IOException {
        if (poll == null) {
            return;
        }
        json.writeObjectFieldStart("poll");
        json.writeArrayFieldStart("options");
        for (String option : poll.options()) {
            json.writeStartObject();
            json.writeStringField("title", option);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
