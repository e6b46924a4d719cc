package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.runtime.RedisNodesFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The node of {@code redis.url} fails over, and others are to find the data all the same. */
class KnownNodesTest {
    private static final Duration END_MAX = Duration.ofMinutes(1);

    @TempDir
    Path dir;

    @Test
    @Tag("programs")
    void everyProcessOnTheDataFolderFindsAClusterWhoseNamedNodeIsDown() throws Exception {
        Path data = dir.resolve("data");
        try (TestRedis redis = TestRedis.freshCluster(AppendSync.OFF, "cluster-node-timeout 2000")) {
            RedisProcess named = redis.server();
            RedisProcess replica = redis.replicaOf(named);
            String url = "redis.url=" + redis.options().url().reveal();
            try (FanfareProcess up = FanfareProcess.up(
                    data, "--set", url, "--set", "redis.mode=cluster", "--set", "auth.argon-memory-kib=64")) {
                awaitUntil("the replica is kept", () -> nodes(data).contains("127.0.0.1:" + replica.port()));
                Path file = data.resolve(RedisNodesFile.NAME);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
                assertThat(Files.readString(file))
                        .doesNotContain(redis.password().reveal());
                redis.failOver(named, replica);
                awaitUntil("the service has gone on", () -> up.output().contains("redis lost"));

                assertThat(run(data, "admin", "verify")).contains("differences");
                try (FanfareProcess worker = FanfareProcess.start(data, "worker", "--set", "management.port=0")) {
                    worker.awaitOutput("ready role=worker");
                }
                assertThat(up.stop(END_MAX)).as(up.output()).isZero();
            }
            // Neither mode nor the other nodes are said now.
            try (FanfareProcess again = FanfareProcess.up(data, "--set", url)) {
                assertThat(run(data, "admin", "queue", "stats")).contains("done");
                assertThat(again.stop(END_MAX)).as(again.output()).isZero();
            }
            assertThat(run(data, "admin", "queue", "stats", "--set", url)).contains("done");
        }
    }

    @Test
    void modeAndShardsAreThoseOfTheDataWhereNobodySaysThem() throws Exception {
        TestRedis redis = TestRedis.cluster();
        redis.flush();
        String url = "redis.url=" + redis.options().url().reveal();
        Path data = Files.createDirectory(dir.resolve("data"));
        try (FanfareProcess worker = FanfareProcess.start(
                data, "worker", "--set", url, "--set", "redis.mode=cluster", "--set", "redis.shards=4")) {
            worker.awaitOutput("ready role=worker");
        }

        assertThat(run(Files.createDirectory(dir.resolve("other")), "admin", "queue", "stats", "--set", url))
                .contains("done");
    }

    @Test
    void aCommandThatFindsNoNodeNamesEachOfThem() throws Exception {
        int one = FreePort.find();
        int other = FreePort.find();
        Path data = Files.createDirectory(dir.resolve("data"));
        RedisOptions redis = TestRedis.standalone().options();
        RedisNodesFile.of(TestSettings.redis(redis.alone("127.0.0.1:" + one)), List.of("127.0.0.1:" + other))
                .write(data);
        CommandRun stats = CommandRun.of(List.of(
                "admin", "queue", "stats", "--set", "redis.url=redis://127.0.0.1:" + one, "--data", data.toString()));
        assertThat(stats.status()).isEqualTo(1);
        assertThat(stats.err())
                .contains("none of the nodes of redis.url can be used")
                .contains("127.0.0.1:" + one)
                .contains("127.0.0.1:" + other);
    }

    private static List<String> nodes(Path data) {
        return RedisNodesFile.read(data).map(RedisNodesFile::nodes).orElse(List.of());
    }

    /** Run in this process, which knows no more of the nodes than another one. */
    private static String run(Path data, String... command) {
        CommandRun run = CommandRun.of(Stream.concat(Stream.of(command), Stream.of("--data", data.toString()))
                .toList());
        assertThat(run.status()).as(run.out() + run.err()).isZero();
        return run.out().toLowerCase(Locale.ROOT);
    }
}
