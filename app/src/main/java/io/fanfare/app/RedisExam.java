package io.fanfare.app;

import static io.fanfare.app.Finding.error;
import static io.fanfare.app.Finding.ok;
import static io.fanfare.app.Finding.warning;

import io.fanfare.redis.ClockGuard;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.ServerInfo;
import io.fanfare.server.runtime.RightsProbe;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The checks of each Redis master by {@code fanfare doctor}. Runs on the event loop of the given link. */
final class RedisExam {
    private static final String AREA = "redis";
    private static final int MAJOR_MIN = 7;
    private static final int FULL_PERCENT = 85;
    private static final int PINGS = 20;
    private static final long PING_SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long CLOCK_WARN_MILLIS = 1000;

    /** As Redis has it by default: a burst of events for a relay that is late. */
    private static final long PUBSUB_MIN_BYTES = 8L << 20;

    private RedisExam() {}

    /** All that the service's own user can find out. Does not fail for a master that does not answer. */
    static Future<List<Finding>> run(
            RedisLink redis, long logBytes, InstantSource clock, LongSupplier nanos, String scratch) {
        List<Future<List<Finding>>> all = new ArrayList<>();
        for (String node : redis.nodes()) {
            all.add(redis.sendTo(node, Command.routed("INFO", null))
                    .map(info -> ofInfo(node, ServerInfo.of(info.asString()).fields(), logBytes))
                    .otherwise(cause -> List.of(silent(node, cause))));
            all.add(clock(redis, node, clock));
            all.add(latency(redis, node, nanos));
        }
        all.add(RightsProbe.run(redis, scratch)
                .map(List.of(ok(AREA, "the user of redis.url has the rights that it needs")))
                .otherwise(cause -> List.of(ofRights(cause))));
        return Future.join(all)
                .map(done ->
                        all.stream().flatMap(each -> each.result().stream()).toList());
    }

    private static Finding ofRights(Throwable cause) {
        return cause instanceof StartFailed
                ? error(
                        AREA,
                        cause.getMessage(),
                        "give the user the rights of the line `user fanfare` in config/redis.conf")
                : error(
                        AREA,
                        "the rights of the user of redis.url could not be tried: " + cause.getMessage(),
                        "mend what keeps Redis from answering, and look again");
    }

    private static Finding silent(String node, Throwable cause) {
        return error(AREA, node + " does not answer: " + cause.getMessage(), "start it, or correct redis.url");
    }

    /** The findings about the INFO reply of a master. */
    static List<Finding> ofInfo(String node, Map<String, String> info, long logBytes) {
        List<Finding> findings = new ArrayList<>();
        String version = info.getOrDefault("redis_version", "0");
        String product = new ServerInfo(info).product();
        findings.add(
                number(version.replaceFirst("\\..*", "")) >= MAJOR_MIN
                        ? ok(AREA, node + " is " + product)
                        : error(AREA, node + " is " + product, "install Redis 7.0 or newer, or Valkey"));
        String policy = info.getOrDefault("maxmemory_policy", "");
        if (!policy.isEmpty()) {
            findings.add(
                    policy.equals("noeviction")
                            ? ok(AREA, node + " evicts nothing (maxmemory-policy noeviction)")
                            : error(
                                    AREA,
                                    node + " has maxmemory-policy " + policy
                                            + " and throws away feeds and jobs when it is full",
                                    "CONFIG SET maxmemory-policy noeviction, also in its redis.conf"));
        }
        memory(node, info, logBytes, findings);
        persistence(node, info, findings);
        return findings;
    }

    private static void memory(String node, Map<String, String> info, long logBytes, List<Finding> findings) {
        long most = number(info.getOrDefault("maxmemory", "0"));
        long used = number(info.getOrDefault("used_memory", "0"));
        long machine = number(info.getOrDefault("total_system_memory", "0"));
        String usage = node + " uses " + MachineExam.mib(used) + " of ";
        if (most == 0) {
            findings.add(warning(
                    AREA,
                    node + " has no maxmemory: the system may kill it when the machine is full",
                    "set maxmemory to about half of its machine's memory"));
            return;
        }
        findings.add(
                used * 100 / most >= FULL_PERCENT
                        ? warning(
                                AREA,
                                usage + MachineExam.mib(most) + " (maxmemory): writes are refused when it is full",
                                "raise maxmemory, or give the data more machines")
                        : ok(AREA, usage + MachineExam.mib(most) + " (maxmemory)"));
        if (machine > 0 && most > machine / 10 * 9) {
            findings.add(warning(
                    AREA,
                    node + " may use " + MachineExam.mib(most) + " of a machine of " + MachineExam.mib(machine)
                            + ", and a rewrite of its file needs more for a while",
                    "set maxmemory to about half of its machine's memory"));
        }
        if (logBytes > most / 2) {
            findings.add(warning(
                    AREA,
                    "stream.log-bytes (" + MachineExam.mib(logBytes) + ") is more than half of maxmemory at " + node,
                    "lower stream.log-bytes, or raise maxmemory"));
        }
    }

    private static void persistence(String node, Map<String, String> info, List<Finding> findings) {
        boolean appends = info.getOrDefault("aof_enabled", "0").equals("1");
        if (!appends) {
            findings.add(warning(
                    AREA,
                    node + " keeps no append-only file: when it ends, it loses what came since its last snapshot",
                    "CONFIG SET appendonly yes and appendfsync always, also in its redis.conf"));
        }
        boolean bad = false;
        for (String field : List.of("aof_last_write_status", "aof_last_bgrewrite_status", "rdb_last_bgsave_status")) {
            String status = info.getOrDefault(field, "ok");
            if (!status.equals("ok") && (appends || field.startsWith("rdb"))) {
                bad = true;
                findings.add(
                        error(
                                AREA,
                                node + " could not write its file (" + field + " is " + status + ")",
                                "make room on its disk and in its memory, and look into its log; then BGREWRITEAOF (docs/operate/disk.md)"));
            }
        }
        if (appends && !bad) {
            findings.add(ok(AREA, node + " writes its append-only file"));
        }
    }

    private static Future<List<Finding>> clock(RedisLink redis, String node, InstantSource clock) {
        long sent = clock.millis();
        return redis.sendTo(node, Command.routed("TIME", null))
                .map(time -> List.of(ofClock(
                        node,
                        time.items().get(0).asLong() * 1000
                                + time.items().get(1).asLong() / 1000,
                        sent,
                        clock.millis())))
                .otherwise(List.of());
    }

    /** The server read its clock at some moment between those of the question and the answer. */
    static Finding ofClock(String node, long server, long sent, long answered) {
        long ahead = server > answered ? server - answered : Math.min(0, server - sent);
        String what = String.format(
                Locale.ROOT,
                "the clock of %s is %.1f s %s that of this machine",
                node,
                Math.abs(ahead) / 1000.0,
                ahead < 0 ? "behind" : "ahead of");
        String remedy = "keep the clocks of all machines with NTP";
        if (Math.abs(ahead) > ClockGuard.DIFFERENCE_MAX.toMillis()) {
            return error(AREA, what + ": posts and follows are refused", remedy);
        }
        return Math.abs(ahead) > CLOCK_WARN_MILLIS
                ? warning(AREA, what, remedy)
                : ok(AREA, "the clock of " + node + " agrees with that of this machine");
    }

    private static Future<List<Finding>> latency(RedisLink redis, String node, LongSupplier nanos) {
        Future<List<Long>> times = Future.succeededFuture(new ArrayList<>());
        for (int i = 0; i < PINGS; i++) {
            times = times.compose(measured -> {
                long sent = nanos.getAsLong();
                return redis.sendTo(node, Command.routed("PING", null)).map(pong -> {
                    measured.add(nanos.getAsLong() - sent);
                    return measured;
                });
            });
        }
        return times.map(all -> List.of(ofLatency(node, all))).otherwise(List.of());
    }

    static Finding ofLatency(String node, List<Long> pings) {
        List<Long> sorted = pings.stream().sorted().toList();
        long median = sorted.get(sorted.size() / 2);
        String what = String.format(
                Locale.ROOT,
                "%s answers a PING in %.2f ms (median of %d; the slowest %.2f ms)",
                node,
                median / 1e6,
                sorted.size(),
                sorted.get(sorted.size() - 1) / 1e6);
        return median > PING_SLOW_NANOS
                ? warning(
                        AREA,
                        what,
                        "bring it nearer, or find out what keeps it busy: each request waits for it several times")
                : ok(AREA, what);
    }

    /**
     * Checks the settings of each node, which only an administrator of Redis may read; a remark takes their place if
     * the link's user may not.
     */
    static Future<List<Finding>> configuration(RedisLink redis) {
        List<Future<List<Finding>>> all = new ArrayList<>();
        for (String node : redis.nodes()) {
            Future<Reply> sync = redis.sendTo(node, Command.routed("CONFIG", null, "GET", "appendfsync"));
            Future<Reply> limit =
                    redis.sendTo(node, Command.routed("CONFIG", null, "GET", "client-output-buffer-limit"));
            all.add(
                    Future.join(sync, limit)
                            .map(done -> List.of(
                                    ofSync(node, value(sync.result())), ofBufferLimit(node, value(limit.result()))))
                            .otherwise(
                                    cause -> List.of(
                                            ok(
                                                    AREA,
                                                    "the settings of " + node
                                                            + " cannot be read by this user; as its administrator: CONFIG GET appendfsync should say always, and CONFIG GET client-output-buffer-limit at least 8 MiB for pubsub"))));
        }
        return Future.join(all)
                .map(done ->
                        all.stream().flatMap(each -> each.result().stream()).toList());
    }

    private static String value(Reply pair) {
        return pair.items().get(1).asString();
    }

    static Finding ofSync(String node, String sync) {
        return switch (sync) {
            case "always" -> ok(AREA, node + " syncs each write (appendfsync always)");
            case "everysec" -> ok(AREA, node + " syncs once a second: a crash loses up to two seconds");
            default ->
                warning(
                        AREA,
                        node + " leaves syncing to the system (appendfsync " + sync + "): a crash loses up to a minute",
                        "CONFIG SET appendfsync always, also in its redis.conf");
        };
    }

    /** {@code <class> <hard bytes> <soft bytes> <soft seconds>}, of each class; 0 = no limit. */
    static Finding ofBufferLimit(String node, String limits) {
        String[] words = limits.split(" ", -1);
        for (int i = 0; i + 2 < words.length; i += 4) {
            if (words[i].equals("pubsub")) {
                long hard = number(words[i + 1]);
                long soft = number(words[i + 2]);
                if ((hard > 0 && hard < PUBSUB_MIN_BYTES) || (soft > 0 && soft < PUBSUB_MIN_BYTES)) {
                    return warning(
                            AREA,
                            node + " cuts off stream processes in a burst of events (client-output-buffer-limit pubsub "
                                    + hard + " " + soft + ")",
                            "CONFIG SET client-output-buffer-limit \"pubsub 33554432 8388608 60\", also in its redis.conf");
                }
            }
        }
        return ok(AREA, node + " buffers a burst of events (client-output-buffer-limit pubsub)");
    }

    private static long number(String digits) {
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : 0;
    }
}
