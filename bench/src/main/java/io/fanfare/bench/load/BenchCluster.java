package io.fanfare.bench.load;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.RedisOptions;
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
import java.util.function.UnaryOperator;

/**
 * A Redis cluster of its own in a temporary folder, on TCP, with its masters and their replicas. Its figures are read
 * on connections of their own. For the command's main thread.
 */
public final class BenchCluster implements AutoCloseable {
    /** Far longer than any pause of a busy machine: no failover belongs to a measurement. */
    public static final List<String> WITHOUT_FAILOVERS = List.of("cluster-node-timeout 60000");

    private final EventLoop loop;
    private final Path folder;
    private final UnaryOperator<RedisProcess.Options> node;
    private final ServerBinary binary;
    private final List<RedisProcess> masters;
    private final List<RedisProcess> replicas;
    private final Settings settings;
    private final RedisLink link;

    private BenchCluster(
            EventLoop loop,
            Path folder,
            UnaryOperator<RedisProcess.Options> node,
            ServerBinary binary,
            List<RedisProcess> masters,
            List<RedisProcess> replicas,
            Settings settings,
            RedisLink link) {
        this.loop = loop;
        this.folder = folder;
        this.node = node;
        this.binary = binary;
        this.masters = new ArrayList<>(masters);
        this.replicas = new ArrayList<>(replicas);
        this.settings = settings;
        this.link = link;
    }

    /**
     * Starts the servers and joins them; returns when the cluster is complete.
     *
     * @param replicas of each master
     * @param nodeLines further lines of redis.conf, such as {@link #WITHOUT_FAILOVERS}
     * @param assignments settings, {@code key=value}
     * @throws BenchFailed if a server cannot be started
     */
    public static BenchCluster start(
            EventLoop loop,
            BenchOptions options,
            int masters,
            int replicas,
            List<String> nodeLines,
            String... assignments) {
        List<RedisProcess> started = new ArrayList<>();
        UnaryOperator<RedisProcess.Options> node =
                in -> in.inCluster().appendSync(options.appendSync()).extraLines(nodeLines.toArray(String[]::new));
        try {
            BenchRedis.endWithThis();
            Path folder = Files.createTempDirectory("fanfare-bench");
            ServerBinary binary = options.binary() == null ? ServerBinary.find() : ServerBinary.at(options.binary());
            for (int i = 0; i < masters * (1 + replicas); i++) {
                started.add(RedisProcess.start(
                        binary, node.apply(RedisProcess.Options.in(folder.resolve(Integer.toString(i))))));
            }
            List<RedisProcess> first = started.subList(0, masters);
            LocalCluster.join(first);
            for (int i = masters; i < started.size(); i++) {
                LocalCluster.replicate(started.get(i), started.get(i % masters), first);
            }
            List<String> all = new ArrayList<>(List.of(assignments));
            all.add("auth.signing-key=stored");
            all.add("redis.mode=cluster");
            all.add("redis.url=" + url(started));
            Settings settings = SettingsLoader.load(List.of(SettingsLayer.defaults(), SettingsLayer.flags(all)));
            RedisLink link = loop.await(
                    () -> RedisLink.open(loop.vertx(), settings.redis().options()));
            return new BenchCluster(
                    loop, folder, node, binary, first, started.subList(masters, started.size()), settings, link);
        } catch (IOException | UncheckedIOException | IllegalStateException e) {
            started.forEach(RedisProcess::kill);
            throw new BenchFailed("the cluster of " + masters + " masters cannot be started: " + e.getMessage());
        }
    }

    /** Names all nodes, since any of them may be away when a process looks for the others. */
    private static String url(List<RedisProcess> nodes) {
        return RedisOptions.urlWith(
                        nodes.get(0).url(),
                        nodes.stream().map(each -> "127.0.0.1:" + each.port()).toList())
                .reveal();
    }

    public Settings settings() {
        return settings;
    }

    /** The present masters. {@link ClusterFaults} replaces them. */
    List<RedisProcess> masters() {
        return masters;
    }

    /** The replica of each master, in the same order. {@link ClusterFaults} replaces them. */
    List<RedisProcess> replicas() {
        return replicas;
    }

    /** Starts a node again that has been killed, on its port and files. */
    RedisProcess restart(RedisProcess ended) {
        return RedisProcess.start(
                binary, node.apply(RedisProcess.Options.in(ended.dir()).port(ended.port())));
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
