package io.fanfare.redis.testing;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.redis.Namespace;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.Reply;
import io.fanfare.redis.embedded.LocalCluster;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.secret.Secret;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Real redis-servers for tests. {@link #standalone()} and {@link #cluster()} (three masters) are started once per JVM
 * and shared, so a test calls {@link #flush()} first and leaves them running; a test that kills or reconfigures servers
 * takes {@code fresh...()} and closes it. They do not sync to disk unless asked to. Stopped by a shutdown hook.
 *
 * <pre>{@code
 * @ParameterizedClass
 * @KindsOfRedis
 * record HomesTest(TestRedis.Kind kind) { ... TestRedis redis = kind.redis(); ... }
 * }</pre>
 */
public final class TestRedis implements AutoCloseable {
    /** Every storage test runs on both, see {@link KindsOfRedis}. */
    public enum Kind {
        STANDALONE,
        CLUSTER;

        public TestRedis redis() {
            return this == STANDALONE ? standalone() : cluster();
        }
    }

    /** That of {@link #options()}, whose keys {@link #askAt} and {@link #keys} name without it. */
    public static final Namespace NAMESPACE = Namespace.of("fanfare");

    /** Commands without a key. */
    private static final Set<String> KEYLESS =
            Set.of("CONFIG", "INFO", "TIME", "PING", "REPLICAOF", "FLUSHALL", "CLIENT", "SCRIPT", "CLUSTER");

    /** Commands all of whose words are keys. */
    private static final Set<String> OF_KEYS = Set.of("DEL", "EXISTS", "MGET", "UNLINK", "COPY", "RENAME");

    /** Far beyond what anything takes, since test machines may stand still for seconds. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    /** Longer than a test machine stands still, and shorter than a test waits. */
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private static final Secret PASSWORD = new Secret("for-tests \"only\"");
    private static TestRedis sharedStandalone;
    private static TestRedis sharedCluster;

    private final List<RedisProcess> servers;
    private final List<RedisProcess> replicas = new CopyOnWriteArrayList<>();
    private final RedisOptions.Mode mode;
    private final UnaryOperator<RedisProcess.Options> options;

    private TestRedis(int servers, RedisOptions.Mode mode, UnaryOperator<RedisProcess.Options> options) {
        this.mode = mode;
        this.options = options;
        this.servers = new CopyOnWriteArrayList<>();
        for (int i = 0; i < servers; i++) {
            this.servers.add(RedisProcess.start(options.apply(RedisProcess.Options.in(newDir()))));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** The one standalone server of this JVM; do not stop it. */
    public static synchronized TestRedis standalone() {
        if (sharedStandalone == null) {
            sharedStandalone = freshStandalone(AppendSync.OFF);
        }
        return sharedStandalone;
    }

    /** The three-master cluster of this JVM; do not stop it. */
    public static synchronized TestRedis cluster() {
        if (sharedCluster == null) {
            sharedCluster = freshCluster(AppendSync.OFF);
        }
        return sharedCluster;
    }

    /** A server of one's own. */
    public static TestRedis freshStandalone(AppendSync sync, String... extraLines) {
        return new TestRedis(1, RedisOptions.Mode.STANDALONE, in -> in.password(PASSWORD)
                .appendSync(sync)
                .extraLines(extraLines));
    }

    /** A cluster of one's own, ready. */
    public static TestRedis freshCluster(AppendSync sync, String... extraLines) {
        TestRedis cluster = new TestRedis(3, RedisOptions.Mode.CLUSTER, in -> in.password(PASSWORD)
                .appendSync(sync)
                .extraLines(extraLines)
                .inCluster());
        LocalCluster.join(cluster.servers);
        return cluster;
    }

    /**
     * Starts a replica of a master of {@code freshCluster}, which takes its place soon after it dies, and waits until
     * it has all of its data. {@link #servers} does not have it, {@link #close} stops it.
     */
    public RedisProcess replicaOf(RedisProcess master) {
        RedisProcess replica = RedisProcess.start(options.apply(RedisProcess.Options.in(newDir())));
        replicas.add(replica);
        letReplicate(replica);
        LocalCluster.replicate(replica, master, servers);
        return replica;
    }

    /** Gives a server what it needs to be a replica, after {@link #restart} or {@link #holdReplication}. */
    public void letReplicate(RedisProcess server) {
        ask(server, "CONFIG", "SET", "masterauth", PASSWORD.reveal());
    }

    /** From now on, the replica misses what its master writes. */
    public void holdReplication(RedisProcess master, RedisProcess replica) {
        ask(replica, "CONFIG", "SET", "masterauth", "wrong");
        ask(master, "CLIENT", "KILL", "TYPE", "replica");
        awaitUntil(
                "the replica is cut off",
                () -> ask(replica, "INFO", "replication").asString().contains("master_link_status:down"));
    }

    /**
     * Kills a master of a cluster, whose place a replica takes at once. Elected it would have it as well, but only
     * after {@code cluster-node-timeout}, and on a busy machine only by the second or third election, of which Redis
     * holds one every 20 s.
     */
    public void failOver(RedisProcess master, RedisProcess replica) {
        master.kill();
        ask(replica, "CLUSTER", "FAILOVER", "TAKEOVER");
    }

    /**
     * Kills a server of {@code fresh...()} or a replica, when it still runs, and starts it again on the same port and
     * files; {@link #servers} has the new one in its place. In a cluster it finds its place by itself: one whose
     * replica has taken over becomes a replica.
     */
    @CanIgnoreReturnValue
    public RedisProcess restart(RedisProcess server) {
        server.kill();
        RedisProcess again = RedisProcess.start(
                options.apply(RedisProcess.Options.in(server.dir()).port(server.port())));
        List<RedisProcess> those = servers.contains(server) ? servers : replicas;
        those.set(those.indexOf(server), again);
        return again;
    }

    private static Path newDir() {
        try {
            return Files.createTempDirectory("fanfare-redis-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empties every node. Scripts stay known. */
    public void flush() {
        for (RedisProcess server : servers) {
            ask(server, "FLUSHALL", "SYNC");
        }
    }

    /** Options of a link that lead here, with time-outs that no test waits for. */
    public RedisOptions options() {
        return options(TIMEOUT, 100_000);
    }

    /** The same with another time-out and window. */
    public RedisOptions options(Duration commandTimeout, int inFlightMax) {
        return new RedisOptions(
                server().url(),
                mode,
                NAMESPACE,
                List.of(),
                new Secret(""),
                TIMEOUT,
                commandTimeout,
                inFlightMax,
                0,
                Duration.ofSeconds(1));
    }

    /** A new link, opened; to be closed by the test. Blocks: call it from the test's thread. */
    public RedisLink link(Vertx vertx) {
        return await(RedisLink.open(vertx, options()));
    }

    /** The password for AUTH. */
    public Secret password() {
        return PASSWORD;
    }

    /** The server, or the first of the cluster. */
    public RedisProcess server() {
        return servers.get(0);
    }

    public List<RedisProcess> servers() {
        return List.copyOf(servers);
    }

    /** The server that owns the slot of a key, as the first node sees it. */
    public RedisProcess serverOf(String key) {
        if (mode == RedisOptions.Mode.STANDALONE) {
            return server();
        }
        long slot = ask(server(), "CLUSTER", "KEYSLOT", NAMESPACE.with(key)).asLong();
        for (Reply range : ask(server(), "CLUSTER", "SLOTS").items()) {
            if (range.items().get(0).asLong() <= slot
                    && slot <= range.items().get(1).asLong()) {
                long port = range.items().get(2).items().get(1).asLong();
                return servers.stream()
                        .filter(s -> s.port() == port)
                        .findFirst()
                        .orElseThrow();
            }
        }
        throw new IllegalStateException("nobody owns slot " + slot);
    }

    /**
     * One command past the link, to the server that owns {@code key}; for arranging and asserting. Its keys and
     * channels are named without the namespace. Fails on an error reply.
     */
    @CanIgnoreReturnValue
    public Reply askAt(String key, String... command) {
        return ask(serverOf(key), spelled(command));
    }

    /** The command with its keys as the server has them. */
    public static String[] spelled(String... command) {
        String[] words = command.clone();
        int from = words[0].equals("EVAL") ? 3 : Set.of("MEMORY", "OBJECT").contains(words[0]) ? 2 : 1;
        int to = KEYLESS.contains(words[0])
                ? 0
                : words[0].equals("EVAL")
                        ? from + Integer.parseInt(words[2])
                        : OF_KEYS.contains(words[0]) ? words.length : from + 1;
        for (int i = from; i < to; i++) {
            words[i] = NAMESPACE.with(words[i]);
        }
        return words;
    }

    /** One command past the link to one server, whose keys have the namespace. Fails on an error reply. */
    @CanIgnoreReturnValue
    public static Reply ask(RedisProcess server, String... command) {
        try {
            Reply reply = server.ask(command);
            if (reply instanceof Reply.Failure failure) {
                throw failure.error();
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same with keys that are named without the namespace. */
    @CanIgnoreReturnValue
    public static Reply askIn(RedisProcess server, String... command) {
        return ask(server, spelled(command));
    }

    /**
     * Every key there is, sorted, without the namespace: for assertions on the whole state. One of another namespace is
     * a failure.
     */
    public List<String> keys() {
        TreeSet<String> keys = new TreeSet<>();
        for (RedisProcess server : servers) {
            ask(server, "KEYS", "*")
                    .items()
                    .forEach(key -> keys.add(NAMESPACE
                            .without(key.asString())
                            .orElseThrow(() -> new AssertionError("of no namespace: " + key.asString()))));
        }
        return List.copyOf(keys);
    }

    /** Waits for a future for at most a minute; its failure is thrown as it is when unchecked. */
    @CanIgnoreReturnValue
    public static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("not complete after " + WAIT_MAX, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Waits until a condition holds, for at most a minute. */
    public static void awaitUntil(String what, BooleanSupplier condition) {
        org.awaitility.Awaitility.await(what)
                .atMost(WAIT_MAX)
                .pollInterval(Duration.ofMillis(10))
                .until(condition::getAsBoolean);
    }

    /** Kills the servers and removes their files. */
    @Override
    public void close() {
        for (RedisProcess server :
                Stream.concat(servers.stream(), replicas.stream()).toList()) {
            server.kill();
            deleteTree(server.dir());
        }
    }

    private static void deleteTree(Path dir) {
        if (!Files.exists(dir)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(dir)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
