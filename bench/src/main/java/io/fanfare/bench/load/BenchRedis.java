package io.fanfare.bench.load;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.failure.Reason;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.ServerInfo;
import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.ServerBinary;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The Redis that a scenario works on: a server of its own in a temporary folder, or one that runs somewhere and is
 * empty. Knows what it is and how much processor time it has used. For the command's main thread.
 */
public final class BenchRedis implements AutoCloseable {
    private static final long LAZY_FREE_MILLIS = 20;
    private static final long FILE_POLL_MILLIS = 100;
    private static final long FILE_MAX_NANOS = TimeUnit.MINUTES.toNanos(30);

    private final EventLoop loop;
    private final RedisProcess process;
    private final Path folder;
    private final Settings settings;
    private final RedisLink link;

    /**
     * @param process null = it was there already
     * @param folder to be removed in the end; null = it stays
     */
    private BenchRedis(EventLoop loop, RedisProcess process, Path folder, Settings settings, RedisLink link) {
        this.loop = loop;
        this.process = process;
        this.folder = folder;
        this.settings = settings;
        this.link = link;
    }

    /**
     * Starts or joins one; fails with {@link BenchFailed} or the link's own error. {@code assignments} are settings,
     * {@code key=value}.
     */
    public static BenchRedis open(EventLoop loop, BenchOptions options, String... assignments) {
        if (options.url() != null) {
            BenchRedis joined = open(loop, null, null, options.url(), assignments);
            if (joined.number("DBSIZE") != 0) {
                joined.close();
                throw new BenchFailed("the Redis at --url holds data: a benchmark wants an empty one");
            }
            return joined;
        }
        try {
            endWithThis();
            Path folder = Files.createTempDirectory("fanfare-bench");
            RedisProcess.Options onPort = RedisProcess.Options.in(folder).appendSync(options.appendSync());
            RedisProcess process = RedisProcess.start(
                    binary(options), options.socket() ? onPort.socket(folder.resolve("redis.sock")) : onPort);
            return open(loop, process, folder, process.url().reveal(), assignments);
        } catch (IOException | IllegalStateException e) {
            throw new BenchFailed("no redis-server can be started: " + e.getMessage());
        }
    }

    /**
     * The same, in a folder of its own that stays with its files when this is closed. Fails with {@link BenchFailed}
     * also when there is such a folder.
     */
    public static BenchRedis openIn(Path folder, EventLoop loop, BenchOptions options, String... assignments) {
        if (Files.exists(folder)) {
            throw new BenchFailed(folder + " exists already: name a new folder");
        }
        try {
            endWithThis();
            RedisProcess process = RedisProcess.start(
                    binary(options), RedisProcess.Options.in(folder).appendSync(options.appendSync()));
            return open(loop, process, null, process.url().reveal(), assignments);
        } catch (IllegalStateException e) {
            throw new BenchFailed("no redis-server can be started: " + e.getMessage());
        }
    }

    private static ServerBinary binary(BenchOptions options) {
        return options.binary() == null ? ServerBinary.find() : ServerBinary.at(options.binary());
    }

    /** Ends Redis, servers and peers with this process, also when a scenario is interrupted. */
    static void endWithThis() {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly),
                        "bench-end"));
    }

    private static BenchRedis open(
            EventLoop loop, RedisProcess process, Path folder, String url, String... assignments) {
        List<String> all = new ArrayList<>(List.of(assignments));
        all.add("auth.signing-key=stored"); // Where the servers under load find it.
        all.add("redis.url=" + url);
        Settings settings = SettingsLoader.load(List.of(SettingsLayer.defaults(), SettingsLayer.flags(all)));
        RedisLink link =
                loop.await(() -> RedisLink.open(loop.vertx(), settings.redis().options()));
        return new BenchRedis(loop, process, folder, settings, link);
    }

    public Settings settings() {
        return settings;
    }

    /** The settings of a server in a process of its own that works on this Redis. */
    public Map<String, String> serverEnvironment() {
        return serverEnvironment(settings);
    }

    static Map<String, String> serverEnvironment(Settings settings) {
        return Map.of(
                "FANFARE_REDIS_URL",
                settings.redis().url().reveal(),
                "FANFARE_AUTH_SIGNING_KEY",
                "stored",
                "FANFARE_HTTP_PORT",
                "0",
                // The connections of one load rest while the others run.
                "FANFARE_HTTP_IDLE_TIMEOUT",
                "10m",
                "FANFARE_LIMITS_ENABLED",
                "false");
    }

    /** A link on the command's event loop. */
    public RedisLink link() {
        return link;
    }

    /** Product, version, allocator and whether every write is synced: what figures depend on. */
    public Map<String, String> description() {
        ServerInfo info = info("everything");
        Map<String, String> description = new TreeMap<>();
        description.put("redis", info.product());
        description.put("redis allocator", info.text("mem_allocator"));
        description.put("redis append-only file", info.text("aof_enabled").equals("1") ? "yes" : "no");
        description.put(
                "redis reached by", settings.redis().url().reveal().startsWith("unix:") ? "a Unix socket" : "TCP");
        return description;
    }

    /** Processor seconds that the server has used, all its threads. */
    public double cpuSeconds() {
        ServerInfo info = info("cpu");
        return Double.parseDouble(info.text("used_cpu_sys")) + Double.parseDouble(info.text("used_cpu_user"));
    }

    /**
     * Calls and microseconds by command, since the server started. Commands of scripts count for themselves and within
     * their {@code evalsha}.
     */
    public Map<String, long[]> commandStats() {
        Map<String, long[]> stats = new HashMap<>();
        info("commandstats").fields().forEach((name, text) -> {
            String[] parts = text.split("[=,]", -1);
            stats.put(
                    name.substring("cmdstat_".length()),
                    new long[] {Long.parseLong(parts[1]), Long.parseLong(parts[3])});
        });
        return stats;
    }

    /**
     * How often the server has read from a client's connection: the round trips, if each of them fits into one read and
     * nobody else sends anything.
     */
    public long reads() {
        return info("stats").number("total_reads_processed");
    }

    /** A command without a key that answers a number. */
    long number(String command) {
        return loop.await(() -> link.send(Command.routed(command, null))).asLong();
    }

    /** The eight commands on which Redis spent most time since {@code before}, see {@link #commandStats}. */
    public String topCommands(Map<String, long[]> before) {
        Map<String, long[]> after = commandStats();
        List<String> parts = new ArrayList<>();
        after.entrySet().stream()
                .map(entry -> {
                    long[] was = before.getOrDefault(entry.getKey(), new long[2]);
                    return Map.entry(
                            entry.getKey(), new long[] {entry.getValue()[0] - was[0], entry.getValue()[1] - was[1]});
                })
                .sorted(Comparator.comparingLong(entry -> -entry.getValue()[1]))
                .limit(8)
                .forEach(entry -> parts.add(String.format(
                        "%s %.2f s (%.1f us x %,d)",
                        entry.getKey(),
                        entry.getValue()[1] / 1e6,
                        (double) entry.getValue()[1] / Math.max(1, entry.getValue()[0]),
                        entry.getValue()[0])));
        return String.join(", ", parts);
    }

    /** The number in a STRING; 0 when there is none. */
    public long counter(String key) {
        return loop.await(() -> readCounter(key));
    }

    /** Waits until a STRING counts so far, or the time is over. */
    public void awaitCounter(String key, long number, long atMostNanos) {
        boolean unused = loop.await(() -> readCounter(key).map(counter -> counter >= number), atMostNanos, 2);
    }

    private Future<Long> readCounter(String key) {
        return link.send(Command.of("GET", key)).map(reply -> reply.isNil() ? 0 : reply.asLong());
    }

    /** Bytes that the server has allocated for all that it holds, when it has freed what was removed. */
    public long usedMemory() {
        ServerInfo memory = info("memory");
        while (memory.number("lazyfree_pending_objects") > 0) {
            loop.run(() -> loop.vertx().timer(LAZY_FREE_MILLIS, TimeUnit.MILLISECONDS));
            memory = info("memory");
        }
        return memory.number("used_memory");
    }

    /**
     * Has the server write its append-only file as if it were new, without what was overwritten, also one that has kept
     * none until now; answers the bytes. It keeps the file from then on.
     */
    public long writeFile() {
        awaitFile();
        boolean keepsFile = info("persistence").number("aof_enabled") == 1;
        loop.run(() -> link.send(
                keepsFile
                        ? Command.routed("BGREWRITEAOF", null)
                        : Command.routed("CONFIG", null, "SET", "appendonly", "yes")));
        awaitFile();
        ServerInfo info = info("persistence");
        if (!info.text("aof_last_bgrewrite_status").equals("ok")) {
            throw new BenchFailed("the append-only file was not written, see redis.log: is the disk full?");
        }
        return info.number("aof_current_size");
    }

    private void awaitFile() {
        if (!loop.await(this::isFileAtRest, FILE_MAX_NANOS, FILE_POLL_MILLIS)) {
            throw new BenchFailed("the append-only file was not written in time, see redis.log");
        }
    }

    private Future<Boolean> isFileAtRest() {
        return link.send(Command.routed("INFO", null, "persistence"))
                .map(reply -> ServerInfo.of(reply.asString()))
                .map(info -> info.number("aof_rewrite_in_progress") == 0 && info.number("aof_rewrite_scheduled") == 0);
    }

    /** Bytes of the append-only file; 0 when the server keeps none. */
    public long fileBytes() {
        ServerInfo info = info("persistence");
        return info.number("aof_enabled") == 1 ? info.number("aof_current_size") : 0;
    }

    /** Whether this process has started the server. */
    public boolean isOwn() {
        return process != null;
    }

    /** {@code MEMORY USAGE} of a key, bytes; 0 when there is none. */
    public long memoryUsage(String key) {
        Reply reply = loop.await(() -> link.send(Command.routed("MEMORY", key, "USAGE", key, "SAMPLES", 0)));
        return reply.isNil() ? 0 : reply.asLong();
    }

    /** Elements of a list or of a sorted set. */
    public long length(String key, boolean list) {
        return loop.await(() -> link.send(Command.of(list ? "LLEN" : "ZCARD", key)))
                .asLong();
    }

    private ServerInfo info(String section) {
        return ServerInfo.of(loop.await(() -> link.send(Command.routed("INFO", null, section)))
                .asString());
    }

    @Override
    public void close() {
        loop.run(link::close);
        if (process == null) {
            return;
        }
        if (folder == null) {
            process.stop();
        } else {
            process.kill();
            delete(folder);
        }
    }

    /** With all that is in it; says so when it cannot. */
    public static void delete(Path folder) {
        try {
            PrivateFiles.remove(folder);
        } catch (IOException e) {
            System.err.println("not removed: " + folder + ": " + Reason.of(e));
        }
    }
}
