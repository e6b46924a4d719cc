package io.fanfare.core.feed;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.graph.Follows;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * All stores on one way to Redis, wired as a process wires them. Events are left out: they are no business of stores.
 */
public record Stores(
        Accounts accounts, Statuses statuses, Homes homes, Graph graph, Timelines timelines, Follows follows) {
    public static Stores on(Redis redis, Settings settings, long seed) {
        return on(redis, settings, seed, Rules.ALL);
    }

    public static Stores on(Redis redis, Settings settings, long seed, Rules rules) {
        return on(redis, settings, seed, rules, rules.remembered());
    }

    /** The same for one of several requests of a process, which share what it remembers. */
    public static Stores on(Redis redis, Settings settings, long seed, Rules rules, Rules.Remembered remembered) {
        return on(redis, settings, seed, rules, remembered, Archive.none());
    }

    public static Stores on(
            Redis redis, Settings settings, long seed, Rules rules, Rules.Remembered remembered, Archive archive) {
        Statuses statuses = rules.statuses(redis, settings, archive);
        Homes homes = rules.homes(redis, settings);
        Graph graph = rules.graph(redis, settings);
        return new Stores(
                new Accounts(redis, new Shards(settings.redis().shards()), new Random(seed)),
                statuses,
                homes,
                graph,
                rules.timelines(new Rules.TimelinesParts(
                        redis,
                        homes,
                        statuses,
                        new ViewerRelationshipsReader(redis, InstantSource.system()),
                        remembered,
                        new PulledAuthors(redis, new Shards(settings.redis().shards()), hurryingClock()),
                        new Random(seed),
                        settings.feeds())),
                rules.follows(graph, homes, statuses, new EventLog(redis, new Random(seed), settings.stream())));
    }

    /** At each look at the clock a lease has passed, so that each reading asks who is pulled. */
    private static LongSupplier hurryingClock() {
        AtomicLong clock = new AtomicLong();
        return () -> clock.addAndGet(2 * PulledAuthors.LEASE.toNanos());
    }

    /** Follows that tell nobody. */
    public static class QuietFollows extends Follows {
        public QuietFollows(Graph graph, Homes homes, Statuses statuses, EventLog events) {
            super(graph, homes, statuses, events, (account, notification) -> Future.succeededFuture());
        }

        @Override
        protected Future<Void> append(Event event) {
            return Future.succeededFuture();
        }
    }
}
