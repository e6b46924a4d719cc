package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.oauth.AuthorizationCodes;
import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Secrets;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.Reply;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.runtime.RuntimeFile;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the data folder, their readers, and the secrets that must not be in them. */
class SecretsAtRestTest {
    /** Far beyond what anything takes, since test machines may be busy. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path dir;

    @Test
    void noFileHasASecretThatOpensAnythingNorWhatWasDeletedOnceItIsRewrittenAndOnlyTheOwnerReadsAny() throws Exception {
        Path data = dir.resolve("data");
        try (FanfareProcess up = FanfareProcess.up(data)) {
            String url = up.runtime().httpUrl();
            Client alice = Client.signUp(url, "alice");
            JsonObject ticket = new JsonObject(
                    send(alice, "POST", url + "/api/v1/streaming/tickets").body());
            Settings settings = settings(up.runtime());
            String code = RemoteStores.askRedis(settings, redis -> new AuthorizationCodes(redis, new SecureRandom())
                    .issue(new AuthorizationCodes.Approval(
                            new Login(1, 0), "client", "https://app.example/cb", Set.of("read"), "")));
            List<String> words = randomWords();
            List<String> keptWords = randomWords();
            String deleted = alice.post(url, String.join(" ", words));
            assertThat(alice.post(url, String.join(" ", keptWords))).isNotEmpty();
            assertThat(holding(data, words)).as("before it is deleted").isNotEmpty();
            assertThat(send(alice, "DELETE", url + "/api/v1/statuses/" + deleted)
                            .statusCode())
                    .isEqualTo(200);

            String[] secrets = {alice.token(), ticket.getString("ticket"), code, Client.PASSWORD, signature(alice)};
            for (String secret : secrets) {
                assertThat(holding(data, secret)).isEmpty();
            }
            String signingKey = Files.readString(data.resolve("signing-key")).strip();
            assertThat(signingKey).matches("hex:[0-9a-f]{64}");
            assertThat(holding(data, signingKey.substring(4))).containsExactly("signing-key");

            RedisProcess redis = RedisProcess.running(data.resolve("redis")).orElseThrow();
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
                // The log of events has the words of a delete for those whose filter has shown the status, four days
                // long: as if they were over. Again and again, since a rewrite holds what is there when it begins.
                TestRedis.askIn(redis, "DEL", Keys.BUS_BATCHES);
                Reply begun = redis.ask("BGREWRITEAOF"); // Or one is under way.
                assertThat(begun).isNotNull();
                assertThat(holding(data, words)).isEmpty();
            });
            // A rewrite may replace the listed files before they are read.
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(holding(data, keptWords))
                    .as("compressed, yet to be found")
                    .isNotEmpty());
            assertThat(rightsOfOthers(data)).isEmpty();
            assertThat(up.stop(WAIT_MAX)).as(up.output()).isZero();
            assertThat(rightsOfOthers(data)).isEmpty();
        }
    }

    @Test
    void theServiceUsesASocketThatOnlyItsOwnerReachesAndNoPort() throws Exception {
        Path data = dir.resolve("data");
        try (FanfareProcess up = FanfareProcess.up(data)) {
            Path socket = data.toRealPath().resolve("redis/redis.sock");
            assertThat(up.runtime().settings().get("redis.url"))
                    .startsWith("unix://fanfare:")
                    .endsWith("@" + socket);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
                    .isEqualTo("rwx------");
            RedisProcess redis = RedisProcess.running(data.resolve("redis")).orElseThrow();
            assertThat(redis.ask("CONFIG", "GET", "port").items().get(1).asString())
                    .isEqualTo("0");
        }
    }

    @Test
    void whereThePathIsTooLongForASocketAPortOfTheLoopbackAddressDoes() throws Exception {
        Path data = dir.resolve("a folder with a long name ".repeat(4).strip()).resolve("data");
        Files.createDirectories(data.getParent());
        try (FanfareProcess up = FanfareProcess.up(data)) {
            assertThat(up.output()).contains("too long for a Unix socket");
            assertThat(up.runtime().settings().get("redis.url"))
                    .matches("redis://fanfare:[0-9a-f]+@127\\.0\\.0\\.1:\\d+");
            assertThat(Client.signUp(up.runtime().httpUrl(), "alice").token()).isNotEmpty();
        }
    }

    @Test
    @Tag("programs")
    void theKeyOfAnEarlierReleaseMovesOutOfRedisAndIsGoodAsBefore() throws Exception {
        Path data = dir.resolve("data");
        byte[] key = new byte[32];
        new Random(1).nextBytes(key);
        String hex = HexFormat.of().formatHex(key);
        Path redisDir = Files.createDirectories(data.resolve("redis"));
        try (RedisProcess before = RedisProcess.start(RedisProcess.Options.in(redisDir))) {
            TestRedis.askIn(before, "HSET", Keys.META, "signing-key", hex);
        }
        Files.setPosixFilePermissions(redisDir, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (FanfareProcess up = FanfareProcess.up(data)) {
            assertThat(Files.readString(data.resolve("signing-key"))).isEqualTo("hex:" + hex + "\n");
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(holding(data, hex))
                    .containsExactly("signing-key"));
            assertThat(rightsOfOthers(data.resolve("redis"))).isEmpty();
            assertThat(up.stop(WAIT_MAX)).isZero();
        }
        Files.setPosixFilePermissions(data.resolve("signing-key"), PosixFilePermissions.fromString("rw-r--r--"));
        try (FanfareProcess again = FanfareProcess.start(data, "up", "--port", "0")) {
            assertThat(again.awaitExit(WAIT_MAX)).isEqualTo(1);
            assertThat(again.output()).contains("other users of the machine can read the signing key", "chmod 600");
        }
    }

    @Test
    void aRewriteComesAsOftenAsIsSetHoweverOftenTheServiceIsStarted() throws IOException {
        Duration day = Duration.ofDays(1);
        Instant now = Instant.parse("2030-01-02T03:04:05Z");
        Path files = Files.createDirectories(dir.resolve("appendonlydir"));
        for (int seed = 0; seed < 100; seed++) {
            assertThat(RewriteTimes.untilNext(day, new Random(seed))).isBetween(Duration.ofHours(21), day);
            assertThat(RewriteTimes.untilFirst(dir, day, now, new Random(seed))).isBetween(Duration.ofHours(21), day);
        }
        Path base = Files.createFile(files.resolve("appendonly.aof.7.base.rdb"));
        Map<Integer, Duration> untilBySinceHours = new TreeMap<>();
        for (int sinceHours : List.of(0, 12, 23, 30, 1000)) {
            Files.setLastModifiedTime(base, FileTime.from(now.minus(Duration.ofHours(sinceHours))));
            untilBySinceHours.put(sinceHours, RewriteTimes.untilFirst(dir, day, now, new Random(sinceHours)));
        }
        untilBySinceHours.forEach((since, until) ->
                assertThat(until).as("rewritten %s h ago", since).isBetween(Duration.ofHours(1), Duration.ofHours(24)));
        assertThat(untilBySinceHours.get(12)).isBetween(Duration.ofHours(9), Duration.ofHours(12));
        assertThat(untilBySinceHours.get(1000)).isLessThan(Duration.ofHours(2));
    }

    @Test
    @Tag("programs")
    void theServerRewritesItsFileByItself() throws Exception {
        Path data = dir.resolve("data");
        Files.createDirectories(data);
        EmbeddedRedis redis = EmbeddedRedis.start(data, TestRedis.NAMESPACE, Duration.ofSeconds(2), () -> {});
        try {
            RedisProcess server = RedisProcess.running(data.resolve("redis")).orElseThrow();
            TestRedis.ask(server, "SET", "user:{1}:1", "words that go");
            TestRedis.ask(server, "DEL", "user:{1}:1");
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(holding(data, "words that go"))
                    .isEmpty());
        } finally {
            redis.close();
        }
    }

    /** Short and many, since a rewritten file is compressed: some of them stand in it as they are. */
    private static List<String> randomWords() {
        SecureRandom random = new SecureRandom();
        return Stream.generate(() -> Secrets.draw(random, 6).replaceAll("[-_]", "x"))
                .limit(20)
                .toList();
    }

    private static Settings settings(RuntimeFile runtime) {
        return SettingsLoader.load(
                List.of(SettingsLayer.defaults(), SettingsLayer.of("the runtime file", runtime.settings())));
    }

    /** The end of the token, without which it is none. */
    private static String signature(Client client) {
        return client.token().substring(client.token().lastIndexOf('.') + 1);
    }

    private static HttpResponse<String> send(Client as, String method, String url) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create(url))
                        .header("Authorization", "Bearer " + as.token())
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .timeout(WAIT_MAX)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static List<String> holding(Path data, String text) throws IOException {
        return holding(data, List.of(text));
    }

    /** The files of a folder in which one of the texts stands; some may go while they are looked at. */
    private static List<String> holding(Path data, List<String> texts) throws IOException {
        List<String> holding = new ArrayList<>();
        for (Path file : all(data)) {
            try {
                String bytes = Files.isRegularFile(file)
                        ? new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                        : "";
                if (texts.stream().anyMatch(bytes::contains)) {
                    holding.add(data.relativize(file).toString());
                }
            } catch (NoSuchFileException gone) {
                // Rewritten meanwhile.
            }
        }
        return holding;
    }

    private static List<String> rightsOfOthers(Path data) throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path file : all(data)) {
            try {
                String rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                // Lucene makes files as the umask says, in a folder that only its owner enters.
                boolean shut = Files.isRegularFile(file)
                        && data.relativize(file).startsWith("search")
                        && Files.getPosixFilePermissions(file.getParent()).equals(FOLDER);
                if (!shut && !rights.endsWith("------")) {
                    wide.add(rights + " " + data.relativize(file));
                }
            } catch (NoSuchFileException gone) {
                // Rewritten meanwhile.
            }
        }
        return wide;
    }

    /** The files and folders below a folder, but those that go while it is walked: Redis rewrites its file. */
    private static List<Path> all(Path data) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(data, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                found.add(folder);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                found.add(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }
        });
        return found;
    }
}
