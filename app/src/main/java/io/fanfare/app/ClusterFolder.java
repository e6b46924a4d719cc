package io.fanfare.app;

import io.fanfare.failure.Reason;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.embedded.LocalCluster;
import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The servers of {@code cluster up}, each in a folder named by its port. {@code cluster.properties} has the password
 * and, once the cluster is complete, its shape: with it the nodes are started as they were, by what they know of each
 * other. All methods block.
 */
final class ClusterFolder implements AutoCloseable {
    /** The distance from a node's port to its cluster bus port; redis-server uses the same one by default. */
    static final int BUS_ABOVE = 10_000;

    /** Soon enough for somebody who tries out what a failover does. */
    private static final String NODE_TIMEOUT = "cluster-node-timeout 5000";

    private final Secret password;
    private final List<RedisProcess> nodes = new CopyOnWriteArrayList<>();
    private volatile boolean closing;

    private ClusterFolder(Secret password) {
        this.password = password;
    }

    /** How many servers, and the port of the first; the others follow it. Masters come first, then replicas in turn. */
    record Shape(int masters, int replicas, int port) {
        int nodes() {
            return masters * (1 + replicas);
        }

        int last() {
            return port + nodes() - 1;
        }

        @Override
        public String toString() {
            return masters + " masters with " + replicas + (replicas == 1 ? " replica" : " replicas")
                    + " each on the ports " + port + " to " + last();
        }
    }

    /**
     * Starts the servers and waits until they are a cluster. Fails with {@link StartFailed}, and leaves nothing
     * running, when a port is taken or the folder has a cluster of another shape.
     */
    static ClusterFolder start(Path data, Shape shape) {
        Path file = data.resolve("cluster.properties");
        try {
            Properties known = read(file);
            String made = known.getProperty("shape");
            if (made != null && !made.equals(shape.toString())) {
                throw new StartFailed(data + " holds a cluster of " + made
                        + ": ask for the same, or choose another folder with --data DIR");
            }
            known.putIfAbsent("password", EmbeddedRedis.randomPassword());
            write(file, known);
            requireFree(data, shape);
            ClusterFolder cluster = new ClusterFolder(new Secret(known.getProperty("password")));
            Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "cluster-stop"));
            try {
                cluster.startNodes(data, shape);
                if (made == null) {
                    cluster.join(data, shape);
                    known.setProperty("shape", shape.toString());
                    write(file, known);
                } else {
                    LocalCluster.awaitJoined(cluster.nodes);
                }
            } catch (IOException | RuntimeException e) {
                cluster.close();
                throw e;
            }
            return cluster;
        } catch (IOException | UncheckedIOException | RedisError | IllegalStateException e) {
            throw new StartFailed("the cluster in " + data + " cannot be started: " + Reason.of(e));
        }
    }

    /** A server that an earlier, killed command has left on the folder is stopped when its place is taken. */
    private static void requireFree(Path data, Shape shape) {
        for (int port = shape.port(); port <= shape.last(); port++) {
            RedisProcess.running(data.resolve(Integer.toString(port))).ifPresent(RedisProcess::stop);
            for (int each : new int[] {port, port + BUS_ABOVE}) {
                if (!isFree(each)) {
                    throw new StartFailed(
                            "port " + each + " is taken: " + shape + ", which others of the cluster reach " + BUS_ABOVE
                                    + " above; choose others with --port BASE");
                }
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private void startNodes(Path data, Shape shape) {
        for (int port = shape.port(); port <= shape.last(); port++) {
            start(RedisProcess.Options.in(data.resolve(Integer.toString(port)))
                    .port(port)
                    .inCluster(port + BUS_ABOVE)
                    .password(password)
                    .extraLines(NODE_TIMEOUT, "masterauth " + password.reveal()));
        }
    }

    private synchronized void start(RedisProcess.Options options) {
        if (!closing) {
            nodes.add(RedisProcess.start(options));
        }
    }

    /** Also what an earlier start has begun and not finished: no user has seen that cluster, so it holds nothing. */
    private void join(Path data, Shape shape) throws IOException {
        for (RedisProcess node : nodes) {
            if (node.ask("CLUSTER", "RESET", "HARD").isFailure()) {
                throw new StartFailed(
                        data.resolve(Integer.toString(node.port()))
                                + " holds keys of a server that is no part of this cluster: choose another folder with --data DIR");
            }
        }
        List<RedisProcess> masters = List.copyOf(nodes).subList(0, shape.masters());
        LocalCluster.join(masters);
        for (int i = shape.masters(); i < nodes.size(); i++) {
            LocalCluster.replicate(nodes.get(i), masters.get(i % shape.masters()), masters);
        }
    }

    /** In the order of their ports. */
    List<RedisProcess> nodes() {
        return List.copyOf(nodes);
    }

    /** The address of the first node, through which a service finds the cluster. */
    Secret url() {
        return nodes.get(0).url();
    }

    /** Whether the servers end because they are to. */
    boolean isClosing() {
        return closing;
    }

    /** Ends them cleanly, all at once. */
    @Override
    public void close() {
        closing = true;
        stop();
    }

    private synchronized void stop() {
        nodes.parallelStream().forEach(RedisProcess::stop);
        nodes.clear();
    }

    private static Properties read(Path file) throws IOException {
        Properties known = new Properties();
        if (Files.exists(file)) {
            try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                known.load(in);
            }
        }
        return known;
    }

    private static void write(Path file, Properties known) throws IOException {
        Files.deleteIfExists(file);
        PrivateFiles.create(file);
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            known.store(out, "The cluster that `fanfare cluster up` has made in this folder.");
        }
    }
}
