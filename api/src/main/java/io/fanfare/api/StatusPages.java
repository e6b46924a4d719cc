package io.fanfare.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.event.Event;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SurroundingsLoader;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.Surroundings;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.Collection;
import java.util.List;

/**
 * Turns statuses into the bytes that one viewer gets: with their authors, with what they repost and quote, and with the viewer's own flags, all read in one round trip per Redis
 * node. Whether the viewer may see the statuses has been asked before. A status whose author has no account any more is left out of lists, and unknown alone.
 */
final class StatusPages {
    /** About what a status takes as JSON, with its author. */
    private static final int STATUS_BYTES = 1700;

    private final SurroundingsLoader surroundings;
    private final Views views;

    StatusPages(SurroundingsLoader surroundings, Views views) {
        this.surroundings = surroundings;
        this.views = views;
    }

    /** A new status as its author gets it, and the event that tells everybody else. */
    @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared or changed.
    record Posted(byte[] body, Event event) {}

    /**
     * A JSON array in the order given.
     *
     * @param viewer 0 = anonymous
     */
    Future<byte[]> list(List<Status> statuses, long viewer) {
        return list(statuses, viewer, Redis.NOW);
    }

    /** The same for a page that began to be read at a moment: see {@link SurroundingsLoader#load(Collection, long, long)}. */
    Future<byte[]> list(List<Status> statuses, long viewer, long since) {
        int expected = (statuses.size() + 1) * STATUS_BYTES;
        return surroundings
                .load(statuses, viewer, since)
                .map(around -> Json.bytes(json -> array(json, statuses, around), expected));
    }

    /** One status as a JSON object. */
    Future<byte[]> one(Status status, long viewer) {
        return surroundings.load(List.of(status), viewer).map(around -> object(status, around));
    }

    /** A status that was published just now. */
    Future<Posted> posted(Statuses.Posted posted) {
        Status status = posted.status();
        return surroundings.load(posted).map(around -> posted(known(status, around), around));
    }

    private Posted posted(Status status, Surroundings around) {
        byte[] body = Json.bytes(json -> views.newStatus(json, status, around), STATUS_BYTES);
        return new Posted(body, views.posted(status, around));
    }

    /** A status that its author has just deleted: with its source, so that it can be written again. */
    Future<byte[]> deleted(Status status) {
        return surroundings
                .load(List.of(status), status.authorId())
                .map(around -> Json.bytes(json -> {
                    json.writeStartObject();
                    views.statusFields(json, known(status, around), around);
                    json.writeStringField("text", status.text());
                    json.writeEndObject();
                }));
    }

    /** What answers need that show statuses among other things; write them with {@link #write} and {@link #array}. */
    Future<Surroundings> load(Collection<Status> statuses, long viewer) {
        return surroundings.load(statuses, viewer);
    }

    /** The JSON array of those that can be shown. */
    void array(JsonGenerator json, Collection<Status> statuses, Surroundings around) throws IOException {
        json.writeStartArray();
        for (Status status : statuses) {
            if (around.covers(status)) {
                write(json, status, around);
            }
        }
        json.writeEndArray();
    }

    /** One that {@code around} covers, as a JSON object. */
    void write(JsonGenerator json, Status status, Surroundings around) throws IOException {
        views.status(json, status, around);
    }

    private byte[] object(Status status, Surroundings around) {
        return Json.bytes(json -> write(json, known(status, around), around));
    }

    private static Status known(Status status, Surroundings around) {
        if (!around.covers(status)) {
            throw Refusal.unknown();
        }
        return status;
    }
}
