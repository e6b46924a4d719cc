package io.fanfare.api.render;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import io.fanfare.core.posting.Posting;
import io.fanfare.core.view.Hydrator;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.Collection;
import java.util.List;

/**
 * Turns statuses into the bytes that one viewer gets: with their authors, with what they repost and quote, and with the
 * viewer's own flags, all read in one round trip per Redis node. Whether the viewer may see the statuses has been asked
 * before. A status whose author has no account any more is left out of lists, and unknown alone.
 */
public final class StatusRenderer {
    /** About what a status takes as JSON, with its author. */
    private static final int STATUS_BYTES = 1700;

    private static final byte[] NO_STATUSES = {'[', ']'};

    private final Hydrator hydrator;
    private final Views views;

    public StatusRenderer(Hydrator hydrator, Views views) {
        this.hydrator = hydrator;
        this.views = views;
    }

    /**
     * A JSON array in the order given.
     *
     * @param viewer 0 = anonymous
     */
    public Future<byte[]> list(List<Status> statuses, long viewer) {
        return list(statuses, viewer, Redis.NOW);
    }

    /** The same for a page that began to be read at a moment: see {@link Hydrator#load(Collection, long, long)}. */
    public Future<byte[]> list(List<Status> statuses, long viewer, long since) {
        if (statuses.isEmpty()) {
            return Future.succeededFuture(NO_STATUSES);
        }
        int expected = (statuses.size() + 1) * STATUS_BYTES;
        return hydrator.load(statuses, viewer, since)
                .map(context -> Json.bytes(json -> array(json, statuses, context), expected));
    }

    /** One status as a JSON object. */
    public Future<byte[]> one(Status status, long viewer) {
        return hydrator.load(List.of(status), viewer).map(context -> object(status, context));
    }

    /** The versions of a status, of which the last is the newest, as a JSON array. */
    public Future<byte[]> history(List<Status> versions, long viewer) {
        Status newest = versions.get(versions.size() - 1);
        return hydrator.load(List.of(newest), viewer).map(context -> {
            var unused = known(newest, context);
            return Json.bytes(json -> {
                json.writeStartArray();
                for (Status version : versions) {
                    views.statuses().edit(json, version, context);
                }
                json.writeEndArray();
            });
        });
    }

    /** A status as its author sees it who has just published it. */
    public byte[] published(Posting.Published published) {
        return Json.bytes(
                json -> {
                    if (published.limit() == null) {
                        views.statuses().uncached(json, published.status(), published.context());
                        return;
                    }
                    json.writeStartObject();
                    views.statuses().fields(json, published.status(), published.context());
                    json.writeObjectFieldStart("limited_by");
                    json.writeStringField("signal", published.limit().signal().wire());
                    json.writeStringField("reason", published.limit().limitSentence());
                    json.writeEndObject();
                    json.writeEndObject();
                },
                STATUS_BYTES);
    }

    /**
     * A status that its author has just deleted: with its source, so that it can be written again. Also of a repost
     * whose original nobody is shown any more, since it has been done.
     */
    public Future<byte[]> deleted(Status status) {
        return hydrator.load(List.of(status), status.authorId())
                .map(context -> Json.bytes(json -> {
                    if (!context.accounts().containsKey(status.authorId())) {
                        throw Refusal.unknown();
                    }
                    json.writeStartObject();
                    views.statuses().fields(json, status, context);
                    json.writeStringField("text", status.text());
                    json.writeEndObject();
                }));
    }

    /**
     * Loads the data to render statuses as part of another answer; write them with {@link #write} and {@link #array}.
     */
    public Future<RenderContext> load(Collection<Status> statuses, long viewer) {
        return hydrator.load(statuses, viewer);
    }

    /** The JSON array of those that can be shown. */
    public void array(JsonGenerator json, Collection<Status> statuses, RenderContext context) throws IOException {
        json.writeStartArray();
        for (Status status : statuses) {
            if (context.covers(status)) {
                write(json, status, context);
            }
        }
        json.writeEndArray();
    }

    /** One that {@code around} covers, as a JSON object. */
    public void write(JsonGenerator json, Status status, RenderContext context) throws IOException {
        views.statuses().write(json, status, context);
    }

    private byte[] object(Status status, RenderContext context) {
        return Json.bytes(json -> write(json, known(status, context), context));
    }

    private static Status known(Status status, RenderContext context) {
        if (!context.covers(status)) {
            throw Refusal.unknown();
        }
        return status;
    }
}
