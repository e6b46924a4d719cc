package io.fanfare.common.store;

import io.fanfare.redis.BoundScript;
import io.fanfare.redis.Reply;
import java.nio.ByteBuffer;
import java.util.List;

/** {@code post.lua}: the names of what it takes, and what it answers. */
final class PostScript {
    /** The fields of the status come after the named arguments. */
    static final BoundScript<KeyName, ArgName> POST = BoundScript.load("post", KeyName.class, ArgName.class);

    private PostScript() {}

    /** KEYS; from {@link #IDEM} on only those that the status needs. */
    enum KeyName {
        USER,
        IDS,
        PROFILE,
        OUTBOX,
        HOME,
        STATS,
        HIGH,
        NORMAL,
        LOW,
        COUNTS,
        PULLED_AUTHORS,
        ARCHIVE_DUE,
        IDEM,
        REBLOGGED,
        COMMENTS_BY,
        UPLOADS,
        MEDIA_DUE,
        TIMERS,
        SCHEDULED,
        SCHEDULED_WORDS
    }

    /** ARGV. */
    enum ArgName {
        NOW,
        SHARD,
        AUTHOR,
        PREFIX,
        LIMITS,
        OUTBOX_END,
        KIND,
        REV,
        DIGEST,
        ORIGINAL,
        MEDIA,
        POLL_ENDS,
        DUE
    }

    /** Packs {@link ArgName#LIMITS}: numbers in the order of the script's header. */
    static byte[] limits(long... numbers) {
        ByteBuffer packed = ByteBuffer.allocate(numbers.length * Double.BYTES);
        for (long number : numbers) {
            packed.putDouble((double) number);
        }
        return packed.array();
    }

    /** The outcome for the status, see the script's header. */
    enum Outcome {
        POSTED,
        REPEATED,
        REPOSTED,
        CONFLICT,
        OUTDATED,
        INACTIVE,
        FULL,
        MEDIA,
        UNSCHEDULED
    }

    /**
     * The script's answer.
     *
     * @param id of the status that was posted, now or by the request that this one repeats; else 0
     * @param author as of now, of a status that was posted now; else null
     */
    record Result(Outcome outcome, long id, Author author) {
        static Result of(Reply reply) {
            List<Reply> items = reply.items();
            return switch (items.get(0).asString()) {
                case "posted" -> new Result(Outcome.POSTED, items.get(1).asLong(), Author.of(items.subList(2, 7)));
                case "repeated" -> new Result(Outcome.REPEATED, items.get(1).asLong(), null);
                case "reposted" -> new Result(Outcome.REPOSTED, items.get(1).asLong(), null);
                case "conflict" -> new Result(Outcome.CONFLICT, 0, null);
                case "outdated" -> new Result(Outcome.OUTDATED, 0, null);
                case "inactive" -> new Result(Outcome.INACTIVE, 0, null);
                case "full" -> new Result(Outcome.FULL, 0, null);
                case "media" -> new Result(Outcome.MEDIA, 0, null);
                case "unscheduled" -> new Result(Outcome.UNSCHEDULED, 0, null);
                default -> throw new IllegalStateException("post answered " + items);
            };
        }
    }

    /**
     * The author's account behind the post.
     *
     * @param rev of what the account says
     * @param last its newest post
     */
    record Author(long rev, long followers, long following, long posts, long last) {
        private static Author of(List<Reply> counters) {
            long[] n = counters.stream().mapToLong(Reply::asLong).toArray();
            return new Author(n[0], n[1], n[2], n[3], n[4]);
        }
    }
}
