package io.fanfare.verify;

import io.fanfare.core.queue.QueueStats;
import io.fanfare.redis.Redis;
import io.fanfare.verify.Difference.Identity;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Differences that are looked at again before they count, since the service goes on meanwhile. A difference is
 * confirmed once two further looks have shown it and, where jobs could explain it, the queues of its shards were seen
 * empty before one of these looks: every job that was there at the first look has then run. A difference whose shards
 * are never seen so stays in flux. One event loop.
 */
final class Recheck {
    /** Before each further look: ten seconds together. */
    private static final List<Long> PAUSES_MILLIS = List.of(100L, 900L, 3000L, 6000L);

    private static final int LOOKS_MIN = 2;

    /** Differences in doubt that are held at most, about; then they are settled before the walk goes on. */
    private static final int HELD_MAX = 10_000;

    /** The account or key to look at again. */
    sealed interface Place {
        /**
         * An account.
         *
         * @param entry of the account in the index of names; empty = it was not looked for there
         */
        record Account(long id, String entry) implements Place {}

        record Key(String name) implements Place {}
    }

    /** A difference that is no doubt any more, and where it was seen. */
    record Confirmed(Place place, Difference difference) {}

    /** The result of the further looks. */
    record Settled(List<Confirmed> confirmed, List<Difference> inFlux) {}

    private static final class Doubt {
        private final Place place;
        private Difference last;
        private int looks;
        private boolean quiet;

        Doubt(Place place, Difference first) {
            this.place = place;
            this.last = first;
        }

        boolean isConfirmed() {
            return looks >= LOOKS_MIN && (quiet || !last.kind().byJobs());
        }
    }

    private final Redis redis;
    private final LongFunction<Future<Void>> pause;
    private final Supplier<Future<List<QueueStats>>> queues;
    private final Function<Place, Future<Findings>> look;
    private final Map<Identity, Doubt> pending = new LinkedHashMap<>();

    /** The differences confirmed since the settling began. */
    private final Set<Identity> settled = new HashSet<>();

    Recheck(
            Redis redis,
            LongFunction<Future<Void>> pause,
            Supplier<Future<List<QueueStats>>> queues,
            Function<Place, Future<Findings>> look) {
        this.redis = redis;
        this.pause = pause;
        this.queues = queues;
        this.look = look;
    }

    void add(Place place, List<Difference> differences) {
        differences.forEach(difference -> pending.putIfAbsent(difference.identity(), new Doubt(place, difference)));
    }

    boolean areMany() {
        return pending.size() >= HELD_MAX;
    }

    /** Looks again until nothing is in doubt any more, or the pauses are over. */
    Future<Settled> settle() {
        List<Confirmed> confirmed = new ArrayList<>();
        settled.clear();
        return Pages.each(
                        redis,
                        PAUSES_MILLIS,
                        millis -> pending.isEmpty() ? Future.succeededFuture() : lookAgain(millis, confirmed))
                .map(done -> {
                    List<Difference> inFlux =
                            pending.values().stream().map(doubt -> doubt.last).toList();
                    pending.clear();
                    return new Settled(confirmed, inFlux);
                });
    }

    private Future<Void> lookAgain(long millis, List<Confirmed> confirmed) {
        return pause.apply(millis)
                .compose(done -> queues.get())
                .compose(stats -> Pages.each(redis, places(), place -> look.apply(place)
                        .map(found -> compare(place, found.differences, stats))))
                .map(done -> {
                    Iterator<Doubt> doubts = pending.values().iterator();
                    while (doubts.hasNext()) {
                        Doubt doubt = doubts.next();
                        if (doubt.isConfirmed()) {
                            settled.add(doubt.last.identity());
                            confirmed.add(new Confirmed(doubt.place, doubt.last));
                            doubts.remove();
                        }
                    }
                    return null;
                });
    }

    private List<Place> places() {
        return pending.values().stream().map(doubt -> doubt.place).distinct().toList();
    }

    private Void compare(Place place, List<Difference> differences, List<QueueStats> stats) {
        Map<Identity, Difference> now = new LinkedHashMap<>();
        differences.forEach(difference -> now.put(difference.identity(), difference));
        pending.values().removeIf(doubt -> doubt.place.equals(place) && !now.containsKey(doubt.last.identity()));
        now.keySet().removeAll(settled);
        now.forEach((identity, difference) -> {
            Doubt known = pending.putIfAbsent(identity, new Doubt(place, difference));
            if (known != null) {
                known.looks++;
                known.last = difference;
                known.quiet |= difference.shards().stream()
                        .allMatch(shard ->
                                shard >= stats.size() || stats.get(shard).isQuiet());
            }
        });
        return null;
    }
}
