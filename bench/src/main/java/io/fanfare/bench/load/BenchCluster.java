package io.fanfare.bench.load;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.ServerInfo;
import io.fanfare.redis.embedded.LocalCluster;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.ServerBinary;
import io.fanfare.server.runtime.EventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A Redis cluster of its own in a temporary folder, on TCP, with its masters and their replicas. Its figures are read
 * on connections of their own. For the command's main thread.
 */
public final class BenchCluster implements AutoCloseable {
    /** Far longer than any pause of a busy machine: no failover belongs to a measurement. */
    private static final String NODE_TIMEOUT = "cluster-node-timeout 60000";

    private final EventLoop loop;
    private final Path folder;
    private final List<RedisProcess> masters;
    private final List<RedisProcess> replicas;
    private final Settings settings;
    private final RedisLink link;

    private BenchCluster(
            EventLoop loop,
            Path folder,
            List<RedisProcess> masters,
            List<RedisProcess> replicas,
            Settings settings,
            RedisLink link) {
        this.loop = loop;
        this.folder = folder;
        this.masters = List.copyOf(masters);
        this.replicas = List.copyOf(replicas);
        this.settings = settings;
        this.link = link;
    }

    /**
     * Starts the servers and joins them; returns when the cluster is complete.
     *
     * @param replicas of each master
     * @param assignments settings, {@code key=value}
     * @throws BenchFailed if a server cannot be started
     */
    public static BenchCluster start(
            EventLoop loop, BenchOptions options, int masters, int replicas, String... assignments) {
        List<RedisProcess> started = new ArrayList<>();
        try {
            BenchRedis.endWithThis();
            Path folder = Files.createTempDirectory("fanfare-bench");
            ServerBinary binary = options.binary() == null ? ServerBinary.find() : ServerBinary.at(options.binary());
            for (int node = 0; node < masters * (1 + replicas); node++) {
                started.add(RedisProcess.start(
                        binary,
                        RedisProcess.Options.in(folder.resolve(Integer.toString(node)))
                                .inCluster()
                                .appendSync(options.appendSync())
                                .extraLines(NODE_TIMEOUT)));
            }
            List<RedisProcess> first = started.subList(0, masters);
            LocalCluster.join(first);
            for (int node = masters; node < started.size(); node++) {
                LocalCluster.replicate(started.get(node), started.get(node % masters), first);
            }
            List<String> all = new ArrayList<>(List.of(assignments));
            all.add("auth.signing-key=stored");
            all.add("redis.mode=cluster");
            all.add("redis.url=" + first.get(0).url().reveal());
            Settings settings = SettingsLoader.load(List.of(SettingsLayer.defaults(), SettingsLayer.flags(all)));
            RedisLink link = loop.await(
                    () -> RedisLink.open(loop.vertx(), settings.redis().options()));
            return new BenchCluster(loop, folder, first, started.subList(masters, started.size()), settings, link);
        } catch (IOException | UncheckedIOException | IllegalStateException e) {
            started.forEach(RedisProcess::kill);
            throw new BenchFailed("the cluster of " + masters + " masters cannot be started: " + e.getMessage());
        }
    }

    public Settings settings() {
        return settings;
    }

    /** A link on the command's event loop. */
    public RedisLink link() {
        return link;
    }

    /** The settings of a server in a process of its own that works on this cluster. */
    public Map<String, String> serverEnvironment() {
        Map<String, String> environment = new HashMap<>(BenchRedis.serverEnvironment(settings));
        environment.put("FANFARE_REDIS_MODE", "cluster");
        environment.put(
                "FANFARE_REDIS_SHARDS", Integer.toString(settings.redis().shards()));
        environment.put(
                "FANFARE_FEEDS_HOME_MAX", Integer.toString(settings.feeds().homeMax()));
        environment.put(
                "FANFARE_FEEDS_HOME_SLACK", Integer.toString(settings.feeds().homeSlack()));
        return environment;
    }

    /** Product, version and allocator of the servers, and how durable they are. */
    public Map<String, String> description() {
        ServerInfo info = info(masters.get(0), "everything");
        return Map.of(
                "redis",
                info.product(),
                "redis allocator",
                info.text("mem_allocator"),
                "redis append-only file",
                info.text("aof_enabled").equals("1") ? "synced " + config(masters.get(0), "appendfsync") : "no",
                "redis replicas",
                replicas.size() / masters.size() + " of each master",
                "redis reached by",
                "TCP");
    }

    /** Processor seconds that each master has used, all its threads. */
    public double[] masterCpuSeconds() {
        return masters.stream().mapToDouble(BenchCluster::cpuSeconds).toArray();
    }

    /** Processor seconds that all replicas have used. */
    public double replicaCpuSeconds() {
        return replicas.stream().mapToDouble(BenchCluster::cpuSeconds).sum();
    }

    /** Messages that all nodes have sent on the cluster bus; see {@code CLUSTER INFO}. */
    public long busMessages() {
        return clusterNumber("cluster_stats_messages_sent");
    }

    /** Messages on the bus that copy a {@code PUBLISH} or {@code SPUBLISH} to another node. */
    public long busPublishes() {
        return clusterNumber("cluster_stats_messages_publish_sent")
                + clusterNumber("cluster_stats_messages_publishshard_sent");
    }

    /** Bytes that all masters have allocated. */
    public long usedMemory() {
        return masters.stream()
                .mapToLong(node -> info(node, "memory").number("used_memory"))
                .sum();
    }

    private long clusterNumber(String name) {
        long all = 0;
        for (List<RedisProcess> nodes : List.of(masters, replicas)) {
            for (RedisProcess node : nodes) {
                for (String line : ask(node, "CLUSTER", "INFO").split("\r\n", -1)) {
                    all += line.startsWith(name + ":") ? Long.parseLong(line.substring(name.length() + 1)) : 0;
                }
            }
        }
        return all;
    }

    private static double cpuSeconds(RedisProcess node) {
        ServerInfo info = info(node, "cpu");
        return Double.parseDouble(info.text("used_cpu_sys")) + Double.parseDouble(info.text("used_cpu_user"));
    }

    private static ServerInfo info(RedisProcess node, String section) {
        return ServerInfo.of(ask(node, "INFO", section));
    }

    private static String config(RedisProcess node, String name) {
        try {
            return node.ask("CONFIG", "GET", name).items().get(1).asString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String ask(RedisProcess node, String... command) {
        try {
            return node.ask(command).asString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        loop.run(link::close);
        masters.forEach(RedisProcess::kill);
        replicas.forEach(RedisProcess::kill);
        BenchRedis.delete(folder);
    }
}
