package io.fanfare.app;

import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.Reply;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fanfare cluster}: a Redis cluster on this machine, for trying out. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Runs a Redis cluster on this machine, for trying out.")
final class ClusterCommand {
    /** Masters vote on failovers: fewer than three are no majority once one has died. */
    private static final int MASTERS_MIN = 3;

    private static final String LOOPBACK = "127.0.0.1:";

    private static final int NODES_MAX = 64;
    private static final int PORT_MAX = 65_535 - ClusterFolder.BUS_ABOVE;

    @Command(
            name = "up",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Starts redis-servers on the loopback address as one cluster, until Ctrl-C. The data stays.")
    int up(
            @Option(
                            names = "--masters",
                            paramLabel = "N",
                            defaultValue = "3",
                            description = "Servers that share the data. Default: ${DEFAULT-VALUE}.")
                    int masters,
            @Option(
                            names = "--replicas",
                            paramLabel = "N",
                            defaultValue = "1",
                            description = "Replicas of each. Default: ${DEFAULT-VALUE}.")
                    int replicas,
            @Option(
                            names = "--data",
                            paramLabel = "DIR",
                            defaultValue = "cluster-data",
                            description = "Folder of their files. Default: ./${DEFAULT-VALUE}.")
                    Path data,
            @Option(
                            names = "--port",
                            paramLabel = "BASE",
                            defaultValue = "7000",
                            description =
                                    "Port of the first; each takes one more, and the one 10000 above it. Default: ${DEFAULT-VALUE}.")
                    int port)
            throws IOException {
        ClusterFolder.Shape shape = new ClusterFolder.Shape(masters, replicas, port);
        if (masters < MASTERS_MIN
                || replicas < 0
                || replicas > NODES_MAX
                || masters > NODES_MAX
                || shape.nodes() > NODES_MAX) {
            throw new StartFailed("a cluster has at least " + MASTERS_MIN + " masters, and here at most " + NODES_MAX
                    + " servers: change --masters or --replicas");
        }
        if (port < 1 || shape.last() > PORT_MAX) {
            throw new StartFailed("the ports " + port + " to " + shape.last() + " are not between 1 and " + PORT_MAX
                    + ": change --port");
        }
        try (DataFolder folder = DataFolder.take(data);
                ClusterFolder cluster = ClusterFolder.start(folder.path(), shape)) {
            System.out.println(welcome(cluster, shape, folder.path()));
            List<RedisProcess> nodes = cluster.nodes();
            CompletableFuture.allOf(nodes.stream()
                            .map(node -> node.onExit().thenRun(() -> reportEnd(cluster, node)))
                            .toArray(CompletableFuture[]::new))
                    .join();
            return cluster.isClosing() ? 0 : 1;
        }
    }

    private static void reportEnd(ClusterFolder cluster, RedisProcess node) {
        if (!cluster.isClosing()) {
            System.out.println("The server on port " + node.port() + " has ended; its log: "
                    + node.dir().resolve("redis.log"));
        }
    }

    private static String welcome(ClusterFolder cluster, ClusterFolder.Shape shape, Path data) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("The Redis cluster is ready: " + shape + ", data in " + data);
        for (RedisProcess node : cluster.nodes()) {
            lines.add(String.format(Locale.ROOT, "  port %d  pid %-8d %s", node.port(), node.pid(), role(node)));
        }
        lines.add("Settings of every process that uses it:");
        lines.add("  redis.mode: cluster");
        String url = RedisOptions.urlWith(
                        cluster.url(),
                        cluster.nodes().stream()
                                .map(node -> LOOPBACK + node.port())
                                .toList())
                .reveal();
        lines.add("  redis.url: " + url);
        lines.add("For example:");
        // Other users of the machine can read arguments.
        lines.add("  FANFARE_REDIS_MODE=cluster FANFARE_REDIS_URL=" + url + " " + Invocation.command() + " up");
        lines.add("Ctrl-C stops it; the data stays, and the same command starts it again.");
        lines.add("");
        return String.join(System.lineSeparator(), lines);
    }

    /** After a failover, another one than at first. */
    private static String role(RedisProcess node) throws IOException {
        List<Reply> role = node.ask("ROLE").items();
        return role.get(0).asString().equals("slave")
                ? "replica of port " + role.get(2).asLong()
                : "master";
    }
}
