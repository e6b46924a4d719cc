package io.fanfare.client.stream;

import io.fanfare.client.model.Notification;
import io.fanfare.client.model.Status;
import java.time.Instant;

/** An event of a stream. Later versions of the server may send further kinds, which arrive as {@link Other}. */
public sealed interface StreamEvent {
    /** Its position in the log, unique and rising; empty for an event that is not in the log. */
    String id();

    /** Its name as the server sends it, such as {@code status.update}. */
    String name();

    /** Its data as the server sent it, one line of JSON. */
    String json();

    /**
     * A connection is open.
     *
     * @param connection names the connection in the log of the server
     * @param tip the newest number of the log
     * @param floor the oldest number that the log has
     * @param resumed whether the stream continues right after the cursor
     */
    record Hello(
            String id,
            String json,
            String stream,
            String connection,
            String epoch,
            long tip,
            long floor,
            boolean resumed)
            implements StreamEvent {
        @Override
        public String name() {
            return "hello";
        }
    }

    /** A new status. */
    record Posted(String id, String json, Status status) implements StreamEvent {
        @Override
        public String name() {
            return "status";
        }
    }

    /** An edited status, as it is now. The stream may never have sent the former one. */
    record Edited(String id, String json, Status status) implements StreamEvent {
        @Override
        public String name() {
            return "status.update";
        }
    }

    /** A status is gone: drop it. The stream may never have sent it. */
    record Deleted(String id, String json, String statusId, String accountId) implements StreamEvent {
        @Override
        public String name() {
            return "delete";
        }
    }

    /** An account follows another one, or ({@code ended}) no longer. */
    record Followed(String id, String json, String accountId, String targetAccountId, Instant createdAt, boolean ended)
            implements StreamEvent {
        @Override
        public String name() {
            return ended ? "unfollow" : "follow";
        }
    }

    /** A notification of the account of the token. */
    record Notified(String id, String json, Notification notification) implements StreamEvent {
        @Override
        public String name() {
            return "notification";
        }
    }

    /** The counts of an article after new votes. One may be missed or repeated. */
    record Voted(String id, String json, String statusId, String accountId, long votes, long score)
            implements StreamEvent {
        @Override
        public String name() {
            return "vote";
        }
    }

    /**
     * Events that cannot be had any more. The stream continues after them.
     *
     * @param from the first missing number; null = unknown
     * @param to the last missing number; null = unknown
     * @param reason {@code expired}, {@code epoch}, {@code future} or {@code invalid}
     * @param missed how many numbers are missing, those that the filter does not match among them; null = unknown
     * @param afterStatusId the newest status that this stream received before; null = none yet
     */
    record Gap(String id, String json, Long from, Long to, String reason, Long missed, String afterStatusId)
            implements StreamEvent {
        @Override
        public String name() {
            return "gap";
        }
    }

    /** How many matching events this connection has left out, because of {@code max_rate} or a quota. */
    record Limited(String id, String json, long leftOut) implements StreamEvent {
        @Override
        public String name() {
            return "limit";
        }
    }

    /** The reader falls behind: {@code percentFull} of the log is between it and the newest event. */
    record Warned(String id, String json, String code, int percentFull) implements StreamEvent {
        @Override
        public String name() {
            return "warning";
        }
    }

    /** An event of a kind that this version does not know. */
    record Other(String id, String json, String name) implements StreamEvent {}
}
