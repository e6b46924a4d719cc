package io.fanfare.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Relation;
import io.fanfare.common.model.Sight;
import io.fanfare.common.store.Sights;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The Mastodon entity Relationship, and the extension {@code relationship_state} of account lists. */
final class Relationships {
    private Relationships() {}

    /** The answer to what a call has changed between its viewer and the account in its path. */
    static Future<Answer> one(Sights sights, Call call) {
        long account = call.id();
        return sights.of(call.viewer(), List.of(account))
                .map(sight -> Answer.json(json -> write(json, account, sight)));
    }

    /** How a viewer stands to an account. */
    static void write(JsonGenerator json, long account, Sight sight) throws IOException {
        Relation relation = sight.relation(account);
        json.writeStartObject();
        json.writeStringField("id", Long.toString(account));
        json.writeBooleanField("following", relation.following());
        json.writeBooleanField("showing_reblogs", sight.wantsRepostsOf(account));
        json.writeBooleanField("notifying", false);
        json.writeNullField("languages");
        json.writeBooleanField("followed_by", relation.followedBy());
        json.writeBooleanField("blocking", sight.blocks(account));
        json.writeBooleanField("blocked_by", sight.isBlockedBy(account));
        json.writeBooleanField("muting", sight.mutes(account));
        json.writeBooleanField("muting_notifications", sight.mutesNotifications(account));
        json.writeNullField("muting_expires_at");
        json.writeBooleanField("requested", false);
        json.writeBooleanField("requested_by", false);
        json.writeBooleanField("domain_blocking", false);
        json.writeBooleanField("endorsed", false);
        json.writeStringField("note", "");
        json.writeEndObject();
    }

    /** {@code none}, {@code following}, {@code follower}, {@code mutual}, {@code self} for the viewer; null when nobody in particular is looking. */
    static String state(long account, Sight sight) {
        if (sight.viewer() == 0) {
            return null;
        }
        return sight.viewer() == account
                ? "self"
                : sight.relation(account).name().toLowerCase(Locale.ROOT);
    }
}
