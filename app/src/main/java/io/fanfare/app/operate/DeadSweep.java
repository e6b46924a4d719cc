package io.fanfare.app.operate;

import io.fanfare.common.id.Id;
import io.fanfare.core.queue.DeadLetter;
import io.fanfare.core.queue.DeadLetters;
import io.fanfare.core.queue.DeadLetters.Filter;
import io.fanfare.core.queue.DeadLetters.Step;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Goes through the dead letters of all shards, portion by portion, for those that match a filter. Looks at no more than
 * a bound and says so. For one use, by one thread.
 */
public final class DeadSweep {
    /** Letters that one sweep looks at. */
    private static final int LOOK_MAX = 1_000_000;

    /** With a rate, letters are taken in so many steps a second. */
    private static final int STEPS_PER_SECOND = 10;

    private final QueueAccess session;
    private final Filter filter;
    private int looked;
    private int more;
    private boolean sawAll = true;

    public DeadSweep(QueueAccess session, Filter filter) {
        this.session = session;
        this.filter = filter;
    }

    /** How many letters matched beyond those that were wanted, as far as was looked. */
    public int more() {
        return more;
    }

    /** Whether every letter was looked at. */
    public boolean sawAll() {
        return sawAll;
    }

    /** The newest that match, up to {@code max}, the newest first. */
    public List<DeadLetter> newest(int max) {
        List<DeadLetter> newest = new ArrayList<>();
        for (int shard : shards()) {
            boolean end = false;
            for (int from = 0; !end && mayLook(); from += DeadLetters.PORTION) {
                int first = from;
                List<DeadLetter> page =
                        session.ask(queue -> queue.deadLetters().page(shard, first, DeadLetters.PORTION));
                looked += page.size();
                end = page.size() < DeadLetters.PORTION;
                page.stream().filter(filter::matches).forEach(newest::add);
                newest.sort(Comparator.comparingLong(DeadLetter::diedAtMillis).reversed());
                while (newest.size() > max) {
                    newest.remove(newest.size() - 1);
                    more++;
                }
            }
        }
        return newest;
    }

    /** Does something to letters of a shard: replays or drops them. */
    public interface Action {
        Future<Step> of(DeadLetters letters, int shard, Filter filter, int skip, int take);
    }

    /**
     * Does it to up to {@code max} letters; to how many it was done.
     *
     * @param rate at most so many per second, 0 = as many as may be
     * @param stop ends it between two steps, once it is down
     */
    public int take(Action action, int max, int rate, CountDownLatch stop) {
        int done = 0;
        long began = System.nanoTime();
        for (int shard : shards()) {
            int skip = 0;
            boolean end = false;
            while (!end && mayLook()) {
                int left = max - done;
                int take = rate == 0 ? left : Math.min(left, Math.max(1, rate / STEPS_PER_SECOND));
                int from = skip;
                Step step = session.ask(queue -> action.of(queue.deadLetters(), shard, filter, from, take));
                done += step.taken();
                looked += step.taken();
                if (step.taken() < take || take == left) {
                    // All of these were looked at for good; else the next step looks at them again.
                    skip += step.stay();
                    looked += step.stay();
                    more += step.matching();
                    end = step.end();
                }
                if (isStopped(stop, rate == 0 ? began : began + done * TimeUnit.SECONDS.toNanos(1) / rate)) {
                    sawAll = false;
                    return done;
                }
            }
        }
        return done;
    }

    /** Waits until the moment; whether it is to stop. */
    private static boolean isStopped(CountDownLatch stop, long untilNanos) {
        try {
            return stop.await(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private boolean mayLook() {
        boolean may = looked < LOOK_MAX && !session.isOver();
        sawAll &= may;
        return may;
    }

    /** All, or that of the account. */
    private int[] shards() {
        return IntStream.range(0, session.shardCount())
                .filter(shard -> filter.owner() == 0 || shard == Id.shard(filter.owner()))
                .toArray();
    }

    /** Letters for programs: where each is, when and why its job was given up, and the job. */
    public static JsonArray json(List<DeadLetter> letters) {
        JsonArray lines = new JsonArray();
        letters.forEach(letter -> lines.add(new JsonObject()
                .put("shard", letter.shard())
                .put("died_at", Terminal.time(letter.diedAtMillis()))
                .put("reason", letter.reason())
                .put("job", letter.job())));
        return lines;
    }

    /** The result of a sweep, for programs. */
    public JsonObject json(String done, int count) {
        return new JsonObject().put(done, count).put("more", more).put("saw_all", sawAll);
    }
}
