package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How the number of shards of a data set is raised ({@code fanfare migrate --shards}). Ids contain their shard, so no
 * key changes: accounts stay in their shards, and new ones are also drawn into the new shards. A process with the
 * former number neither serves nor delivers to these. Therefore {@link #MARK} keeps every process from writing before
 * the number changes, and a process that was started with another number than that of the data set does not write.
 */
public final class ShardRaise {
    /** The field of {@link Keys#META} that is there while the number is raised: {@code <token> <ms> <number>}. */
    public static final String MARK = "raising";

    private static final Script BEGIN = Script.load("raise_begin");
    private static final Script END = Script.load("raise_shards");

    private final Redis redis;

    public ShardRaise(Redis redis) {
        this.redis = redis;
    }

    /**
     * One mark.
     *
     * @param token of the run that has made it
     * @param millis when it was made
     * @param shards the number that the data set is to have
     */
    public record Mark(String token, long millis, int shards) {
        private String text() {
            return token + " " + millis + " " + shards;
        }

        private static Optional<Mark> of(Reply stored) {
            if (stored.isNil()) {
                return Optional.empty();
            }
            String[] words = stored.asString().split(" ", 3);
            return Optional.of(new Mark(words[0], Long.parseLong(words[1]), Integer.parseInt(words[2])));
        }
    }

    /** The mark of this data set; empty = its number of shards is not being raised. */
    public Future<Optional<Mark>> mark() {
        return redis.send(Command.of("HGET", Keys.META, MARK)).map(Mark::of);
    }

    /**
     * Marks the data set, in place of a mark that an earlier run has left: no process starts or writes from now on.
     *
     * @return false: the data are moving, have moved or are arriving ({@link Moves}); nothing has changed
     */
    public Future<Boolean> begin(Mark mark) {
        return redis.send(BEGIN.call(List.of(Keys.META), mark.text())).map(done -> done.asLong() == 1);
    }

    /**
     * Raises the number of shards and removes the mark.
     *
     * @return false: another run has replaced the mark, or the number is as high already; nothing has changed
     */
    public Future<Boolean> complete(Mark mark) {
        return end(mark, Integer.toString(mark.shards()));
    }

    /** Removes the mark and leaves the number as it is; false = it is not the mark of the data set any more. */
    public Future<Boolean> giveUp(Mark mark) {
        return end(mark, "");
    }

    private Future<Boolean> end(Mark mark, String shards) {
        return redis.send(END.call(List.of(Keys.META), mark.text(), shards)).map(done -> done.asLong() == 1);
    }

    /** Why no process is to work on the data set, by the field of the mark; empty = it may. */
    static Optional<String> refusal(Reply marked) {
        return Mark.of(marked)
                .map(mark -> "the number of shards is being raised to " + mark.shards() + " since "
                        + Instant.ofEpochMilli(mark.millis()) + ": wait for `fanfare migrate --shards " + mark.shards()
                        + "`, or run it again");
    }

    /**
     * Why a running process must not write any more, by the number of the data set; empty = it may.
     *
     * @param own the number that the process was started with
     */
    static Optional<String> outdated(int own, Reply stored) {
        return stored.isNil() || stored.asLong() == own
                ? Optional.empty()
                : Optional.of("the data set has " + stored.asLong() + " shards now, and this process was started with "
                        + own + ": start it again, with redis.shards: " + stored.asLong()
                        + " where that setting is set");
    }
}
