package io.fanfare.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Turns statuses into the bytes that one viewer gets: with their authors, who are loaded in one round trip per Redis node, and the viewer's own flags. The one place that does,
 * so that what is the same for every viewer can be cached here.
 */
final class StatusPages {
    private final Accounts accounts;
    private final Views views;

    StatusPages(Accounts accounts, Views views) {
        this.accounts = accounts;
        this.views = views;
    }

    /**
     * A JSON array in the order given.
     *
     * @param viewer 0 = anonymous
     */
    Future<byte[]> list(List<Status> statuses, long viewer) {
        Set<Long> authors = statuses.stream().map(Status::authorId).collect(Collectors.toSet());
        return accounts.load(authors).map(loaded -> Json.bytes(json -> array(json, statuses, loaded, viewer)));
    }

    /** One status as a JSON object. */
    byte[] one(Status status, Account author, long viewer) {
        return Json.bytes(json -> {
            json.writeStartObject();
            views.statusFields(json, status, author);
            flags(json, viewer);
            json.writeEndObject();
        });
    }

    /** A status that its author has just deleted: with its source, so that it can be written again. */
    byte[] deleted(Status status, Account author) {
        return Json.bytes(json -> {
            json.writeStartObject();
            views.statusFields(json, status, author);
            flags(json, status.authorId());
            json.writeStringField("text", status.text());
            json.writeEndObject();
        });
    }

    private void array(JsonGenerator json, List<Status> statuses, Map<Long, Account> authors, long viewer)
            throws IOException {
        json.writeStartArray();
        for (Status status : statuses) {
            Account author = authors.get(status.authorId());
            if (author != null) {
                json.writeStartObject();
                views.statusFields(json, status, author);
                flags(json, viewer);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    /** What the viewer did with the status. Liking, reposting and bookmarking come with their endpoints. */
    private static void flags(JsonGenerator json, long viewer) throws IOException {
        if (viewer != 0) {
            json.writeBooleanField("favourited", false);
            json.writeBooleanField("reblogged", false);
            json.writeBooleanField("muted", false);
            json.writeBooleanField("bookmarked", false);
            json.writeBooleanField("pinned", false);
            json.writeArrayFieldStart("filtered");
            json.writeEndArray();
        }
    }
}
