package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.embedded.RedisProcess;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fanfare cluster up}, as an operator runs it. */
@Tag("programs")
class ClusterCommandTest {
    private static final Duration STOP_MAX = Duration.ofSeconds(60);
    private static final Vertx vertx = Vertx.vertx();

    @TempDir
    Path temp;

    @AfterAll
    static void closeVertx() {
        await(vertx.close());
    }

    @Test
    void aClusterTakesWritesAndHasThemAfterAStopAndAfterAKill() throws Exception {
        Path data = temp.resolve("cluster");
        int port = freePorts(6);
        String url;
        try (FanfareProcess cluster = start(data, port)) {
            url = url(cluster);
            assertThat(cluster.output().lines().filter(line -> line.endsWith(" master")))
                    .hasSize(3);
            assertThat(cluster.output()).contains("replica of port " + port);
            write(url, "first");
            assertThat(cluster.stop(STOP_MAX)).isIn(0, 143);
        }
        awaitGone(data, port);
        try (FanfareProcess cluster = start(data, port)) {
            assertThat(url(cluster)).isEqualTo(url);
            assertThat(read(url)).isEqualTo("first");
            write(url, "second");
            cluster.kill();
        }
        try (FanfareProcess cluster = start(data, port)) {
            assertThat(read(url)).isEqualTo("second");
            assertThat(cluster.stop(STOP_MAX)).isIn(0, 143);
        }
        awaitGone(data, port);

        CommandRun other = run(data, port, "--masters", "4");
        assertThat(other.status()).isEqualTo(1);
        assertThat(other.err()).contains("holds a cluster of 3 masters with 1 replica each");
    }

    @Test
    void aPortThatIsTakenIsNamedAndNothingIsLeftRunning() throws Exception {
        int port = freePorts(6);
        Path data = temp.resolve("taken");
        for (int taken : List.of(port + 1, port + 10_002)) {
            try (ServerSocket socket = new ServerSocket(taken, 1, InetAddress.getLoopbackAddress())) {
                CommandRun run = run(data, port);
                assertThat(run.status()).isEqualTo(1);
                assertThat(run.err())
                        .contains("port " + socket.getLocalPort() + " is taken")
                        .contains("--port");
            }
        }
        assertThat(RedisProcess.running(data.resolve("" + port))).isEmpty();
    }

    @Test
    void impossibleClustersAreRefusedWithASentence() {
        assertThat(run(temp.resolve("few"), 7000, "--masters", "2").err()).contains("at least 3 masters");
        assertThat(run(temp.resolve("high"), 60_000).err()).contains("--port");
    }

    private static FanfareProcess start(Path data, int port) {
        FanfareProcess cluster =
                FanfareProcess.start(data, "cluster", "up", "--masters", "3", "--replicas", "1", "--port", "" + port);
        cluster.awaitOutput("Ctrl-C stops it");
        return cluster;
    }

    private static CommandRun run(Path data, int port, String... more) {
        List<String> line = new ArrayList<>(List.of("cluster", "up", "--port", "" + port, "--data", data.toString()));
        line.addAll(List.of(more));
        return CommandRun.of(line);
    }

    private static String url(FanfareProcess cluster) {
        return cluster.output()
                .lines()
                .filter(line -> line.startsWith("  redis.url: "))
                .findFirst()
                .orElseThrow()
                .substring("  redis.url: ".length());
    }

    private static void write(String url, String value) {
        RedisLink link = link(url);
        for (String key : keys()) {
            assertThat(await(link.send(Command.of("SET", key, value))).asString())
                    .isEqualTo("OK");
        }
        await(link.close());
    }

    /** The value that all keys have; fails if they differ. */
    private static String read(String url) {
        RedisLink link = link(url);
        List<String> values = keys().stream()
                .map(key -> await(link.send(Command.of("GET", key))).asString())
                .distinct()
                .toList();
        await(link.close());
        assertThat(values).hasSize(1);
        return values.get(0);
    }

    /** On every master. */
    private static List<String> keys() {
        return IntStream.range(0, 30).mapToObj(i -> "key" + i).toList();
    }

    private static RedisLink link(String url) {
        return await(RedisLink.open(
                vertx,
                SettingsLoader.defaultsWith("redis.mode=cluster", "redis.url=" + url)
                        .redis()
                        .options()));
    }

    private static void awaitGone(Path data, int port) {
        for (int node = port; node < port + 6; node++) {
            Path dir = data.resolve("" + node);
            awaitUntil("the server of " + dir + " is gone", () -> RedisProcess.running(dir)
                    .isEmpty());
        }
    }

    /** The first of so many in a row that are free, and those 10000 above; below the range of other programs' ports. */
    private static int freePorts(int count) {
        int first = new Random()
                .ints(10_000, 18_000)
                .filter(port -> IntStream.range(port, port + count).allMatch(p -> isFree(p) && isFree(p + 10_000)))
                .findFirst()
                .orElseThrow();
        return first;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
