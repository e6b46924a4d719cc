package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.media.BucketCheck;
import io.fanfare.common.media.FakeBucket;
import io.fanfare.common.media.MediaStore;
import io.fanfare.common.media.StoredFile;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.TestRedis;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Against an S3 server by others, s3rver. It knows who may sign, and compares no signature of version 4. Needs node
 * with npm, as {@link ClientsTest} does.
 */
@Tag("clients")
@Timeout(300)
class S3Test {
    private static final String NAME = "0123456789abcdef0123456789abcdef.png";
    private static final Pattern LISTENING = Pattern.compile("listening on \\S+:(\\d+)");

    @TempDir
    static Path dir;

    private static Process server;
    private static int port;

    private final Vertx vertx = Vertx.vertx();

    @BeforeAll
    static void start() throws Exception {
        Path node = ClientScripts.node(dir);
        server = new ProcessBuilder(
                        "node",
                        "node_modules/s3rver/bin/s3rver.js",
                        "--directory",
                        Files.createDirectory(dir.resolve("objects")).toString(),
                        "--address",
                        "127.0.0.1",
                        "--port",
                        "0",
                        "--silent",
                        "--configure-bucket",
                        FakeBucket.NAME)
                .directory(node.toFile())
                .redirectErrorStream(true)
                .start();
        BufferedReader said = server.inputReader();
        String line = said.readLine();
        while (line != null && !LISTENING.matcher(line).find()) {
            System.out.println("s3rver: " + line);
            line = said.readLine();
        }
        Matcher listening = LISTENING.matcher(String.valueOf(line));
        assertThat(listening.find()).as("s3rver has started").isTrue();
        port = Integer.parseInt(listening.group(1));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (server != null) {
            server.destroy();
            assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static String[] settings(String... more) {
        List<String> all = new ArrayList<>(List.of(
                "media.directory=" + dir.resolve("media"),
                "media.s3.endpoint=http://127.0.0.1:" + port,
                "media.s3.bucket=" + FakeBucket.NAME,
                "media.s3.access-key=S3RVER",
                "media.s3.secret-key=S3RVER"));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private String remedy(String... more) {
        Settings settings = SettingsLoader.defaultsWith(settings(more));
        return TestRedis.await(
                        new BucketCheck(vertx, settings.media().s3(), new Random(1), InstantSource.system()).run())
                .map(BucketCheck.Trouble::sentence)
                .orElse("none");
    }

    @Test
    void theBucketIsTriedAndWhatIsWrongIsNamed() {
        assertThat(remedy()).isEqualTo("none");
        assertThat(remedy("media.s3.access-key=other")).contains("correct media.s3.access-key");
        assertThat(remedy("media.s3.bucket=none-of-it")).contains("make the bucket");
        TestRedis.await(vertx.close());
    }

    @Test
    void filesAreStoredFoundReadInPartsAndDeleted() throws IOException {
        Settings settings = SettingsLoader.defaultsWith(settings());
        MediaStore store = MediaStore.of(vertx, settings.media(), new Random(1), InstantSource.system());
        MediaStore other = MediaStore.of(vertx, settings.media(), new Random(2), InstantSource.system());
        byte[] bytes = new byte[5 << 20];
        new Random(3).nextBytes(bytes);

        assertThat(TestRedis.await(store.find(NAME))).isEmpty();
        TestRedis.await(store.publish(Files.write(store.draft(), bytes), NAME));
        StoredFile found = TestRedis.await(other.find(NAME)).orElseThrow();
        assertThat(found.bytes()).isEqualTo(bytes.length);
        assertThat(TestRedis.await(found.open(7, 1 << 20)).orElseThrow().length())
                .isEqualTo(1 << 20);
        TestRedis.await(store.delete(NAME));
        TestRedis.await(store.delete(NAME));
        assertThat(TestRedis.await(store.find(NAME))).isEmpty();
        TestRedis.await(vertx.close());
    }

    @Test
    void aServiceServesWhatItHasStoredThere() throws Exception {
        TestRedis redis = TestRedis.Kind.STANDALONE.redis();
        redis.flush();
        Settings settings = SettingsLoader.defaultsWith(settings());
        MediaStore store = MediaStore.of(vertx, settings.media(), new Random(1), InstantSource.system());
        byte[] bytes = new byte[1 << 20];
        new Random(4).nextBytes(bytes);
        TestRedis.await(store.publish(Files.write(store.draft(), bytes), NAME));
        try (InProcessServer server = new InProcessServer(redis, settings())) {
            HttpClient client = vertx.createHttpClient();
            Buffer whole = TestRedis.await(client.request(HttpMethod.GET, server.port(), "127.0.0.1", "/media/" + NAME)
                    .compose(request -> request.send())
                    .compose(response -> response.body()));
            assertThat(whole.getBytes()).isEqualTo(bytes);
        }
        TestRedis.await(store.delete(NAME));
        TestRedis.await(vertx.close());
    }

    @Test
    void upStopsWithASentenceWhenTheBucketRefuses() throws Exception {
        List<String> arguments = new ArrayList<>();
        for (String setting : settings("media.s3.access-key=other", "http.port=0", "management.port=0")) {
            arguments.add("--set");
            arguments.add(setting);
        }
        try (FanfareProcess up =
                FanfareProcess.start(Files.createTempDirectory(dir, "up"), "up", arguments.toArray(String[]::new))) {
            assertThat(up.awaitExit(Duration.ofSeconds(60))).isPositive();
            assertThat(up.output()).contains("correct media.s3.access-key").doesNotContain("at io.fanfare");
        }
    }
}
