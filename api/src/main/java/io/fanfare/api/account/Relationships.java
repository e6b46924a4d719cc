package io.fanfare.api.account;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.common.model.RelationshipDetails;
import io.fanfare.common.model.RelationshipState;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.Timestamps;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The Mastodon entity Relationship, and the extension {@code relationship_state} of account lists. */
public final class Relationships {
    private Relationships() {}

    /** The answer to what a call has changed between its viewer and the account in its path. */
    public static Future<Answer> one(ViewerRelationshipsReader viewerRelationships, Call call) {
        long account = call.id();
        return viewerRelationships
                .details(call.viewer(), List.of(account))
                .map(details -> Answer.json(json -> write(json, account, details)));
    }

    /** How a viewer stands to an account. */
    public static void write(JsonGenerator json, long account, RelationshipDetails details) throws IOException {
        ViewerRelationships relationships = details.relationships();
        RelationshipState relation = relationships.relation(account);
        json.writeStartObject();
        json.writeStringField("id", Long.toString(account));
        json.writeBooleanField("following", relation.following());
        json.writeBooleanField("showing_reblogs", relationships.wantsRepostsOf(account));
        json.writeBooleanField("notifying", details.notifying().contains(account));
        languages(json, details.languages().get(account));
        json.writeBooleanField("followed_by", relation.followedBy());
        json.writeBooleanField("blocking", relationships.blocks(account));
        json.writeBooleanField("blocked_by", relationships.isBlockedBy(account));
        json.writeBooleanField("muting", relationships.mutes(account));
        json.writeBooleanField("muting_notifications", relationships.mutesNotifications(account));
        json.writeStringField("muting_expires_at", end(account, relationships));
        json.writeBooleanField("requested", details.requested().contains(account));
        json.writeBooleanField("requested_by", details.requestedBy().contains(account));
        json.writeBooleanField("domain_blocking", false);
        json.writeBooleanField("endorsed", details.endorsed().contains(account));
        json.writeStringField("note", details.note(account));
        json.writeEndObject();
    }

    private static void languages(JsonGenerator json, List<String> codesOrNull) throws IOException {
        if (codesOrNull == null) {
            json.writeNullField("languages");
            return;
        }
        json.writeArrayFieldStart("languages");
        for (String code : codesOrNull) {
            json.writeString(code);
        }
        json.writeEndArray();
    }

    /** When a mute ends; null = never. */
    public static String end(long account, ViewerRelationships relationships) {
        long end = relationships.muteEnd(account);
        return end == Long.MAX_VALUE ? null : Timestamps.time(end);
    }

    /**
     * {@code none}, {@code following}, {@code follower}, {@code mutual}, {@code self} for the viewer; null when nobody
     * in particular is looking.
     */
    public static String state(long account, ViewerRelationships relationships) {
        if (relationships.viewer() == 0) {
            return null;
        }
        return relationships.viewer() == account
                ? "self"
                : relationships.relation(account).name().toLowerCase(Locale.ROOT);
    }
}
