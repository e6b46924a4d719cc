package io.fanfare.core.queue;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The jobs that were given up, for operators: look, give a new life, let go. Confined to the event loop of its link;
 * made by {@link JobQueue#deadLetters}.
 */
public final class DeadLetters {
    /** The most letters of one list. */
    public static final int LIST_MAX = 10_000;

    /** Letters that one look is about: a few milliseconds. */
    public static final int PORTION = 500;

    /** As in {@code lua/lib/dead.lua}: type, and the account that the job belongs to. */
    private static final Pattern JOB = Pattern.compile("\\d+ \\d+ \\d+ ([a-z_]+)\\.\\d+ ?(\\d*).*");

    private static final Script REPLAY = Script.load("replay");
    private static final Script DROP = Script.load("dead_drop");

    private final RedisLink redis;
    private final Supplier<Object> now;

    /** @param now the scripts' argument of that name */
    DeadLetters(RedisLink redis, Supplier<Object> now) {
        this.redis = redis;
        this.now = now;
    }

    /** Up to {@code max} letters of a shard, the newest first, after passing over {@code from}. */
    public Future<List<DeadLetter>> page(int shard, int from, int max) {
        requireListable(max);
        String key = Keys.dead(shard);
        return redis.send(Command.of("ZRANGE", key, from, from + max - 1, "REV", "WITHSCORES"))
                .map(reply -> letters(shard, reply));
    }

    /**
     * Which letters.
     *
     * @param type of their jobs, as on the wire; empty = any
     * @param owner the account that their jobs belong to; 0 = any
     * @param error a text in their reasons; empty = any
     * @param job the whole line of their job; empty = any
     */
    public record Filter(String type, long owner, String error, String job) {
        public static final Filter ANY = new Filter("", 0);

        /** A filter for any reason. */
        public Filter(String type, long owner) {
            this(type, owner, "", "");
        }

        /** Whether it is a letter of these. What does not decode has no type and belongs to nobody. */
        public boolean matches(DeadLetter letter) {
            if (!letter.reason().contains(error) || !(job.isEmpty() || job.equals(letter.job()))) {
                return false;
            }
            if (type.isEmpty() && owner == 0) {
                return true;
            }
            Matcher line = JOB.matcher(letter.job());
            return line.matches()
                    && (type.isEmpty() || type.equals(line.group(1)))
                    && (owner == 0 || line.group(2).equals(Long.toString(owner)));
        }

        private Object ownerText() {
            return owner == 0 ? "" : (Object) Long.toString(owner);
        }
    }

    /**
     * The result of one look at some letters.
     *
     * @param taken how many were replayed or dropped
     * @param stay letters that were looked at and stay: the next look passes over them
     * @param matching how many of those match the filter: there were more than were to be taken
     * @param end whether there are no letters behind these
     */
    public record Step(int taken, int stay, int matching, boolean end) {}

    /**
     * Lets up to {@code take} of the next {@link #PORTION} letters of a shard, the longest dead first, wait again as if
     * new.
     *
     * @param skip letters at the beginning that have been looked at and stay
     */
    public Future<Step> replay(int shard, Filter filter, int skip, int take) {
        List<String> keys = List.of(Keys.dead(shard), Keys.lane(shard, Lane.NORMAL.key()), Keys.queueStats(shard));
        return redis.send(REPLAY.call(
                        keys,
                        now.get(),
                        skip,
                        PORTION,
                        take,
                        filter.type(),
                        filter.ownerText(),
                        filter.error(),
                        filter.job()))
                .map(DeadLetters::step);
    }

    /** Lets go of letters for good; else as {@link #replay}. */
    public Future<Step> drop(int shard, Filter filter, int skip, int take) {
        List<String> keys = List.of(Keys.dead(shard), Keys.queueStats(shard));
        return redis.send(DROP.call(
                        keys, skip, PORTION, take, filter.type(), filter.ownerText(), filter.error(), filter.job()))
                .map(DeadLetters::step);
    }

    private static Step step(Reply reply) {
        int taken = (int) reply.items().get(0).asLong();
        int stay = (int) reply.items().get(1).asLong();
        int matching = (int) reply.items().get(2).asLong();
        return new Step(taken, stay, matching, taken + stay < PORTION);
    }

    private static List<DeadLetter> letters(int shard, Reply reply) {
        List<Reply> pairs = reply.flat();
        List<DeadLetter> letters = new ArrayList<>(pairs.size() / 2);
        for (int i = 0; i < pairs.size(); i += 2) {
            String letter = pairs.get(i).asString();
            int tab = letter.indexOf('\t');
            long died = (long) Double.parseDouble(pairs.get(i + 1).asString());
            letters.add(new DeadLetter(shard, died, letter.substring(0, Math.max(0, tab)), letter.substring(tab + 1)));
        }
        return letters;
    }

    private static void requireListable(int max) {
        if (max < 1 || max > LIST_MAX) {
            throw new IllegalArgumentException("can list 1 to " + LIST_MAX + " dead letters, not " + max);
        }
    }
}
