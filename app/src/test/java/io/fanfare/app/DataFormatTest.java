package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Meta;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Data that a newer release has changed, as this release meets it. */
@Timeout(240)
class DataFormatTest {
    private static final Duration END_MAX = Duration.ofMinutes(1);
    private static final String REFUSED =
            " has format 3, made by Fanfare 9.9.9; this is Fanfare development, which reads"
                    + " format 2: run Fanfare 9.9.9 or a newer one, or restore a backup from before that upgrade";

    private static final String FORMER =
            " has format 1, made by Fanfare 0.1.0; this is Fanfare development, which reads format 2: run Fanfare"
                    + " 0.1.0, or begin with an empty Redis and another data folder: nothing converts it";

    @TempDir
    Path dir;

    @Test
    @Tag("programs")
    void everyCommandRefusesADataSetOfANewerFormatWithASentence() throws Exception {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            join(redis);
            assertThat(redis.askAt(Keys.META, "HGET", Keys.META, "format-by").asString())
                    .isEqualTo("development");
            redis.askAt(Keys.META, "HSET", Keys.META, "format", "3", "format-by", "9.9.9");
            String url = "redis.url=" + redis.options().url().reveal();

            for (String command : List.of(
                    "admin verify",
                    "admin queue stats",
                    "admin queue workers",
                    "admin reports list",
                    "admin apps list",
                    "admin stats memory",
                    "admin accounts find ann",
                    "backup " + dir.resolve("file"))) {
                List<String> line = new ArrayList<>(List.of(command.split(" ")));
                line.addAll(List.of("--set", url, "--data", dir.resolve("none").toString()));
                CommandRun run = CommandRun.of(line);
                assertThat(run.status()).as(command + run.err()).isEqualTo(1);
                assertThat(run.err())
                        .as(command)
                        .contains("fanfare: the data set" + REFUSED)
                        .doesNotContain("\tat ");
            }
            for (String command : List.of("up", "worker", "api", "stream")) {
                ends(command, dir.resolve(command), "the data set" + REFUSED, "--set", url, "--set", "http.port=0");
            }
            CommandRun doctor = CommandRun.of(List.of(
                    "doctor", "--set", url, "--data", dir.resolve("none").toString()));
            assertThat(doctor.status()).isEqualTo(2);
            assertThat(doctor.out()).contains("the data set" + REFUSED);
        }
    }

    @Test
    void everyCommandRefusesAFolderOfANewerFormatWithASentence() throws Exception {
        Path data = Files.createDirectory(dir.resolve("data"));
        Files.writeString(data.resolve("format.yaml"), "format: \"3\"\nby: \"9.9.9\"\n");
        String sentence = "the data folder " + data + REFUSED;

        for (String command : List.of("up", "worker", "api", "stream")) {
            ends(command, data, sentence);
        }
        CommandRun stats = CommandRun.of(List.of("admin", "queue", "stats", "--data", data.toString()));
        assertThat(stats.status()).isEqualTo(1);
        assertThat(stats.err()).contains(sentence);
        CommandRun doctor = CommandRun.of(List.of("doctor", "--data", data.toString()));
        assertThat(doctor.status()).isEqualTo(2);
        assertThat(doctor.out()).contains(sentence);
        assertThat(data.resolve("redis")).doesNotExist();
    }

    @Test
    void aNewFolderIsMarkedAndTheDoctorNamesTheMark() throws Exception {
        Path data = dir.resolve("data");
        try (DataFolder folder = DataFolder.take(data)) {
            Path mark = folder.path().resolve(FormatFile.NAME);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mark)))
                    .isEqualTo("rw-------");
            assertThat(Files.readString(mark)).contains("format: \"2\"", "by: \"development\"");
        }
        assertThat(CommandRun.of(List.of("doctor", "--data", data.toString())).out())
                .contains("the data folder " + data + " has format 2, made by Fanfare development");
    }

    @Test
    void dataThatIsOlderThanMarksIsReadAndItsFolderMarked() throws Exception {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        join(redis);
        redis.askAt(Keys.META, "HDEL", Keys.META, "format-by");
        assertThat(join(redis)).isEqualTo(16);
        Path data = Files.createDirectory(dir.resolve("data"));
        Files.writeString(data.resolve("signing-key"), "of an older release");
        try (DataFolder folder = DataFolder.take(data)) {
            assertThat(FormatFile.read(folder.path())).isPresent();
        }
    }

    @Test
    void everyCommandRefusesADataSetWithoutANamespaceWithASentence() throws Exception {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            TestRedis.ask(redis.server(), "HSET", "{meta}", "shards", "16", "format", "1", "format-by", "0.1.0");
            String url = "redis.url=" + redis.options().url().reveal();
            for (String command : List.of("admin queue stats", "admin verify", "backup " + dir.resolve("file"))) {
                List<String> line = new ArrayList<>(List.of(command.split(" ")));
                line.addAll(List.of("--set", url, "--data", dir.resolve("none").toString()));
                CommandRun run = CommandRun.of(line);
                assertThat(run.status()).as(command + run.err()).isEqualTo(1);
                assertThat(run.err())
                        .as(command)
                        .contains("fanfare: the data set" + FORMER)
                        .doesNotContain("\tat ");
            }
            ends("up", dir.resolve("up"), "the data set" + FORMER, "--set", url, "--set", "http.port=0");
            CommandRun doctor = CommandRun.of(List.of(
                    "doctor", "--set", url, "--data", dir.resolve("none").toString()));
            assertThat(doctor.status()).isEqualTo(2);
            assertThat(doctor.out()).contains("the data set" + FORMER);
            assertThat(TestRedis.ask(redis.server(), "KEYS", "*").items())
                    .as("nothing was written")
                    .hasSize(1);
        }
    }

    @Test
    void aFolderOfFormatOneIsRefusedWithASentenceByAStartAndByTheDoctor() throws Exception {
        Path data = Files.createDirectory(dir.resolve("data"));
        Files.writeString(data.resolve("format.yaml"), "format: \"1\"\nby: \"0.1.0\"\n");
        String sentence = "the data folder " + data + FORMER;
        ends("up", data, sentence);
        assertThat(CommandRun.of(List.of("doctor", "--data", data.toString())).out())
                .contains(sentence);
    }

    @Test
    void aFolderWithoutAMarkWhoseRedisHasOtherDataIsRefusedAndLeftAsItIs() throws Exception {
        Path data = Files.createDirectory(dir.resolve("data"));
        try (EmbeddedRedis redis = EmbeddedRedis.start(data, TestRedis.NAMESPACE, Duration.ofDays(1), () -> {})) {
            redis.requireNamespace();
            RedisProcess server = RedisProcess.running(data.resolve("redis")).orElseThrow();
            TestRedis.ask(server, "SET", "other:{meta}", "x");
            assertThatThrownBy(redis::requireNamespace)
                    .isInstanceOf(StartFailed.class)
                    .hasMessageContaining("has data, but none in the namespace fanfare: set redis.namespace as it was");
            TestRedis.ask(server, "HSET", "{meta}", "shards", "16", "format", "1", "format-by", "0.1.0");
            assertThatThrownBy(redis::requireNamespace)
                    .isInstanceOf(StartFailed.class)
                    .hasMessageContaining("the data in ")
                    .hasMessageContaining(FORMER);
            TestRedis.askIn(server, "HSET", Keys.META, "shards", "16", "format", "2");
            redis.requireNamespace();
        }
        try (DataFolder folder = DataFolder.take(data)) {
            assertThat(FormatFile.read(folder.path()))
                    .as("its own release reads it")
                    .isEmpty();
            folder.mark();
            assertThat(FormatFile.read(folder.path())).isPresent();
        }
    }

    @CanIgnoreReturnValue
    private static int join(TestRedis redis) {
        Vertx vertx = Vertx.vertx();
        try {
            RedisLink link = redis.link(vertx);
            Shards shards = TestRedis.await(new Meta(link, new SecureRandom()).join(16));
            TestRedis.await(link.close());
            return shards.count();
        } finally {
            TestRedis.await(vertx.close());
        }
    }

    private static void ends(String command, Path data, String sentence, String... arguments) throws Exception {
        try (FanfareProcess process = FanfareProcess.start(data, command, arguments)) {
            assertThat(process.awaitExit(END_MAX)).as(process.output()).isEqualTo(1);
            assertThat(process.output()).contains("fanfare: " + sentence).doesNotContain("\tat ");
        }
    }
}
