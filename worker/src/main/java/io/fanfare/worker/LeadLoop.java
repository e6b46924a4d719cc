package io.fanfare.worker;

import io.fanfare.common.settings.Settings;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.Shareable;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The event loop of a process that asks Redis for all of them: looks for work and for dead workers, counts. The first
 * that wants to, until it leaves, or Redis has not answered it for so long that it or its link must hang. Safe for
 * every thread.
 */
final class LeadLoop implements Shareable {
    private static final String PROCESS = "process";

    private final LongSupplier nanos;
    private final Map<String, Consumer<Collection<Integer>>> loops = new ConcurrentHashMap<>();

    /** None, or one. */
    private final Map<String, Lead> lead = new ConcurrentHashMap<>();

    /** @param answeredNanos when Redis answered it last; at first, when it took over */
    private record Lead(String loop, long answeredNanos) {}

    private LeadLoop(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** That of the process. */
    static LeadLoop of(Vertx vertx, LongSupplier nanos) {
        return vertx.sharedData()
                .<String, LeadLoop>getLocalMap("lead-loop")
                .computeIfAbsent(PROCESS, none -> new LeadLoop(nanos));
    }

    /** A lead without an answer for so long hangs: four times the longest pause between two of its questions. */
    static long silenceNanos(Settings.Queue settings) {
        return 4 * Math.max(settings.poll().toNanos(), settings.reap().toNanos());
    }

    /** Whether this loop is the one. */
    boolean isLed(String loop) {
        return isLed(loop, Long.MAX_VALUE);
    }

    /**
     * The same; takes over from one that has had no answer for so long. Asking does not keep the lead,
     * {@link #answered} does: the link of one loop may be broken while others work.
     *
     * @param silenceNanos see {@link #silenceNanos(Settings.Queue)}
     */
    boolean isLed(String loop, long silenceNanos) {
        long now = nanos.getAsLong();
        Lead current = lead.compute(
                PROCESS,
                (process, before) ->
                        before == null || (!before.loop().equals(loop) && now - before.answeredNanos() > silenceNanos)
                                ? new Lead(loop, now)
                                : before);
        return current.loop().equals(loop);
    }

    /** Redis has answered a question of this loop, whoever leads by now. */
    void answered(String loop) {
        long now = nanos.getAsLong();
        lead.computeIfPresent(PROCESS, (process, before) -> before.loop().equals(loop) ? new Lead(loop, now) : before);
    }

    /** Takes part in what is found. */
    void join(String loop, Consumer<Collection<Integer>> found) {
        loops.put(loop, found);
    }

    /** It asks no more; another one may. */
    void leave(String loop) {
        loops.remove(loop);
        lead.computeIfPresent(PROCESS, (process, before) -> before.loop().equals(loop) ? null : before);
    }

    /** Passes shards with waiting jobs to all event loops. */
    void found(Collection<Integer> shards) {
        if (!shards.isEmpty()) {
            loops.values().forEach(loop -> loop.accept(shards));
        }
    }
}
