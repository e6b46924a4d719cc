package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The marks of a data set that moves from one Redis to another ({@code fanfare migrate}), in {@link Keys#META}. The
 * source has {@link #MOVING} while it is copied, and {@link #MOVED} right before the copy becomes the data set; the
 * target has {@link #ARRIVING} until the copy is complete, and {@link #ARRIVED} from then on.
 */
public final class Moves {
    public static final String MOVING = "moving";
    public static final String MOVED = "moved";
    public static final String ARRIVING = "arriving";
    public static final String ARRIVED = "arrived";

    /** All fields, and that of {@link ShardRaise}: none of them goes along with the data. */
    public static final List<String> FIELDS = List.of(MOVING, MOVED, ARRIVING, ARRIVED, ShardRaise.MARK);

    /** How often a running process looks for marks. */
    public static final Duration LOOK_EVERY = Duration.ofSeconds(2);

    private static final Command READ = Command.of("HMGET", Keys.META, FIELDS.toArray());

    private Moves() {}

    /**
     * One mark, {@code <token> <ms> <replicas> <place>}.
     *
     * @param token of the move, the same on both sides
     * @param millis when the mark was made
     * @param replicas {@code min-replicas-to-write} of the source before its writes were closed; -1 = they are open
     * @param place the address of the other side, without user and password
     */
    public record Mark(String token, long millis, int replicas, String place) {
        /** As it is stored. */
        public String text() {
            return token + " " + millis + " " + replicas + " " + place;
        }

        /** Whether the writes of the source were about to be closed, or are. */
        public boolean isClosed() {
            return replicas >= 0;
        }

        private static Optional<Mark> of(Reply stored) {
            if (stored.isNil()) {
                return Optional.empty();
            }
            String[] words = stored.asString().split(" ", 4);
            return Optional.of(new Mark(words[0], Long.parseLong(words[1]), Integer.parseInt(words[2]), words[3]));
        }
    }

    /** All marks of a data set. */
    public record Marks(Optional<Mark> moving, Optional<Mark> moved, Optional<Mark> arriving, Optional<Mark> arrived) {}

    /** Reads the marks. */
    public static Future<Marks> read(Redis redis) {
        return redis.send(READ)
                .map(Reply::items)
                .map(fields -> new Marks(
                        Mark.of(fields.get(0)),
                        Mark.of(fields.get(1)),
                        Mark.of(fields.get(2)),
                        Mark.of(fields.get(3))));
    }

    /**
     * Why a running process must not write to the data set any more.
     *
     * @param status a few words for monitors
     * @param sentence says what to do
     */
    public record Refusal(String status, String sentence) {}

    /**
     * Reads whether a running process may write; empty = it may.
     *
     * @param shards the number of shards that the process was started with
     */
    public static Future<Optional<Refusal>> refusal(Redis redis, int shards) {
        return redis.send(Command.of("HMGET", Keys.META, MOVED, ARRIVING, ShardRaise.MARK, "shards"))
                .map(Reply::items)
                .map(fields -> refusal(fields.get(0), fields.get(1))
                        .map(sentence -> new Refusal("the data have moved", sentence))
                        .or(() -> ShardRaise.refusal(fields.get(2))
                                .or(() -> ShardRaise.outdated(shards, fields.get(3)))
                                .map(sentence -> new Refusal("the number of shards changes", sentence))));
    }

    /** Why no process is to work on the data set, by the fields of both marks; empty = it may. */
    static Optional<String> refusal(Reply moved, Reply arriving) {
        return Mark.of(moved).map(Moves::moved).or(() -> Mark.of(arriving)
                .map(mark -> "the copy of the data from " + mark.place() + " that began at "
                        + Instant.ofEpochMilli(mark.millis())
                        + " is not complete: wait for `fanfare migrate`, or run it again"));
    }

    private static String moved(Mark mark) {
        return "the data moved to " + mark.place() + " at " + Instant.ofEpochMilli(mark.millis())
                + ": set redis.url to it and start again; to stay here and give up what was written there since, run"
                + " `fanfare migrate --reopen`";
    }
}
