package io.fanfare.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Relation;
import java.io.IOException;
import java.util.Locale;

/** The Mastodon entity Relationship, and the extension {@code relationship_state} of account lists. */
final class Relationships {
    private Relationships() {}

    /** How a viewer stands to an account. */
    static void write(JsonGenerator json, long account, Relation relation) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(account));
        json.writeBooleanField("following", relation.following());
        json.writeBooleanField("showing_reblogs", relation.following());
        json.writeBooleanField("notifying", false);
        json.writeNullField("languages");
        json.writeBooleanField("followed_by", relation.followedBy());
        json.writeBooleanField("blocking", false);
        json.writeBooleanField("blocked_by", false);
        json.writeBooleanField("muting", false);
        json.writeBooleanField("muting_notifications", false);
        json.writeNullField("muting_expires_at");
        json.writeBooleanField("requested", false);
        json.writeBooleanField("requested_by", false);
        json.writeBooleanField("domain_blocking", false);
        json.writeBooleanField("endorsed", false);
        json.writeStringField("note", "");
        json.writeEndObject();
    }

    /** {@code none}, {@code following}, {@code follower}, {@code mutual}, {@code self} for the viewer; null when nobody is looking ({@code viewer} 0). */
    static String state(long viewer, long account, Relation relation) {
        if (viewer == 0) {
            return null;
        }
        return viewer == account ? "self" : relation.name().toLowerCase(Locale.ROOT);
    }
}
