package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.event.Event;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Status;
import java.io.IOException;

/**
 * Renders stored records as the JSON of the Mastodon client API (entities Account, Status), straight to bytes: the one place that does. Used by the API, and for events by
 * whoever appends them.
 */
public final class Views {
    /** @param publicUrl base of absolute URLs, without a trailing slash */
    public Views(String publicUrl) {
        throw new UnsupportedOperationException();
    }

    public void account(JsonGenerator json, Account account) throws IOException {
        throw new UnsupportedOperationException();
    }

    public void status(JsonGenerator json, Status status, Account author) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** The event of a new status: its body is the viewer-neutral Status. */
    public Event posted(Status status, Account author) {
        throw new UnsupportedOperationException();
    }

    /** {@code {"id","account_id","deleted":true}}: never the text. */
    public Event deleted(Status status) {
        throw new UnsupportedOperationException();
    }

    /** {@code {"account_id","target_account_id","created_at"}}. */
    public static Event followed(long follower, long followee, long edge) {
        throw new UnsupportedOperationException();
    }

    public static Event unfollowed(long follower, long followee, long edge) {
        throw new UnsupportedOperationException();
    }
}
