package io.fanfare.server.runtime;

import io.fanfare.redis.ClockGuard;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Compares the clocks of all masters of Redis with that of this process. */
final class ClockComparison {
    private static final Command TIME = Command.routed("TIME", null);

    private ClockComparison() {}

    /**
     * Which masters' clocks differ from this one by more than {@link ClockGuard#DIFFERENCE_MAX}, a sentence for each.
     * One that does not answer within {@code max} is left out. For the link's event loop; does not fail.
     */
    static Future<List<String>> differences(RedisLink redis, InstantSource clock, Duration max) {
        List<Future<Optional<String>>> nodes = redis.nodes().stream()
                .map(node -> difference(redis, node, clock, max))
                .toList();
        return Future.join(nodes)
                .map(done ->
                        nodes.stream().flatMap(node -> node.result().stream()).toList());
    }

    private static Future<Optional<String>> difference(
            RedisLink redis, String node, InstantSource clock, Duration max) {
        long sent = clock.millis();
        return redis.sendTo(node, TIME)
                .timeout(max.toMillis(), TimeUnit.MILLISECONDS)
                .map(time -> sentence(node, millis(time), sent, clock.millis()))
                .otherwise(Optional.empty());
    }

    private static long millis(Reply time) {
        return time.items().get(0).asLong() * 1000 + time.items().get(1).asLong() / 1000;
    }

    /** The server read its clock at some moment between those of the question and the answer. */
    private static Optional<String> sentence(String node, long server, long sent, long answered) {
        long ahead = server > answered ? server - answered : Math.min(0, server - sent);
        return Math.abs(ahead) <= ClockGuard.DIFFERENCE_MAX.toMillis()
                ? Optional.empty()
                : Optional.of("The clock of Redis at " + node + " is " + Math.abs(ahead) / 1000 + " s "
                        + (ahead > 0 ? "ahead of" : "behind") + " this process's.");
    }
}
