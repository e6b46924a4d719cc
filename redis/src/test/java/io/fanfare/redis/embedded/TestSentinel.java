package io.fanfare.redis.embedded;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real sentinel over servers of {@link TestRedis#freshStandalone}: alone, so that its own word is enough for a
 * failover, which it begins when a master has been silent for a second.
 */
public final class TestSentinel implements AutoCloseable {
    /** Longer than any test; then it ends though the tests have been killed. */
    private static final String ENDS_AFTER_SECONDS = "600";

    private static final String MASTER = "test_master";
    private static final Secret PASSWORD = new Secret("of-the-sentinel");

    private final TestRedis redis;
    private final int port;
    private final Path dir;
    private final Process process;

    private TestSentinel(TestRedis redis, int port, Path dir, Process process) {
        this.redis = redis;
        this.port = port;
        this.dir = dir;
        this.process = process;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** Makes {@code replica} follow {@code master}, and starts a sentinel that knows both. */
    public static TestSentinel over(TestRedis master, TestRedis replica) {
        for (TestRedis each : List.of(master, replica)) {
            ask(each.server(), "CONFIG", "SET", "masterauth", each.password().reveal());
        }
        follow(replica, master.server());
        TestSentinel sentinel = start(master);
        String port = Integer.toString(replica.server().port());
        awaitUntil(
                "the sentinel knows the replica",
                () -> sentinel.command("SENTINEL", "REPLICAS", MASTER).items().stream()
                        .flatMap(known -> known.items().stream())
                        .anyMatch(field -> port.equals(field.asString())));
        return sentinel;
    }

    /** Starts a sentinel over a master that nobody follows. */
    public static TestSentinel start(TestRedis master) {
        try {
            Path dir = Files.createTempDirectory("fanfare-sentinel-test");
            int port = FreePort.find();
            String password = master.password().reveal().replace("\"", "\\\"");
            Path conf = Files.write(
                    dir.resolve("sentinel.conf"),
                    List.of(
                            "port " + port,
                            "bind 127.0.0.1",
                            "dir " + dir,
                            "requirepass " + PASSWORD.reveal(),
                            "sentinel monitor " + MASTER + " 127.0.0.1 "
                                    + master.server().port() + " 1",
                            "sentinel auth-pass " + MASTER + " \"" + password + "\"",
                            "sentinel down-after-milliseconds " + MASTER + " 1000",
                            "sentinel failover-timeout " + MASTER + " 5000"));
            Process process = new ProcessBuilder(
                            "timeout",
                            ENDS_AFTER_SECONDS,
                            ServerBinary.find().path().toString(),
                            conf.toString(),
                            "--sentinel")
                    .redirectErrorStream(true)
                    .redirectOutput(dir.resolve("sentinel.log").toFile())
                    .start();
            TestSentinel sentinel = new TestSentinel(master, port, dir, process);
            awaitUntil("the sentinel answers", sentinel::answers);
            return sentinel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void follow(TestRedis replica, RedisProcess master) {
        ask(replica.server(), "REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
        awaitUntil(
                "it replicates",
                () -> ask(replica.server(), "INFO", "replication").asString().contains("master_link_status:up"));
    }

    /** Options that lead to the master through this sentinel; the first address of the list is nobody's. */
    public RedisOptions options() {
        RedisOptions direct = redis.options();
        return new RedisOptions(
                new Secret(direct.url().reveal().replaceAll("127.0.0.1:\\d+", MASTER)),
                RedisOptions.Mode.SENTINEL,
                direct.namespace(),
                List.of("127.0.0.1:1", "127.0.0.1:" + port),
                PASSWORD,
                Duration.ofSeconds(5),
                direct.commandTimeout(),
                direct.inFlightMax(),
                direct.waitReplicas(),
                direct.waitTimeout());
    }

    /** From now on it watches this server as the master, though the one before lives. */
    public void name(TestRedis master) {
        command("SENTINEL", "REMOVE", MASTER);
        command(
                "SENTINEL",
                "MONITOR",
                MASTER,
                "127.0.0.1",
                Integer.toString(master.server().port()),
                "1");
    }

    /** One command to the sentinel. */
    @CanIgnoreReturnValue
    public Reply command(String... words) {
        try (AdminConnection connection = new AdminConnection(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PASSWORD, AdminConnection.ANSWER_MAX)) {
            return connection.ask(words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean answers() {
        try {
            return !command("PING").isFailure();
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        // Not by force: the signal would end the one that passes it on, and leave the sentinel behind.
        process.destroy();
        try {
            boolean ended = process.waitFor(20, TimeUnit.SECONDS);
            if (ended) {
                for (String file : List.of("sentinel.conf", "sentinel.log")) {
                    Files.deleteIfExists(dir.resolve(file));
                }
                Files.deleteIfExists(dir);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
