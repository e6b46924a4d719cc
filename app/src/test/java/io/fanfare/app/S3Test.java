package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.media.BucketCheck;
import io.fanfare.media.FakeBucket;
import io.fanfare.media.MediaStore;
import io.fanfare.media.RawBucket;
import io.fanfare.media.StoredFile;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
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
 * Against an S3 server by others, S3Proxy, which compares signatures of version 4. It runs in a process of its own, on
 * jars of its own that Maven fetches.
 */
@Tag("clients")
@Timeout(300)
class S3Test {
    private static final String NAME = "0123456789abcdef0123456789abcdef.png";
    private static final String ACCESS_KEY = "access";
    private static final String SECRET_KEY = "secret/with+signs=";
    private static final Pattern LISTENING = Pattern.compile("Started ServerConnector.*\\{127\\.0\\.0\\.1:(\\d+)\\}");

    @TempDir
    static Path dir;

    private static Process server;
    private static int port;

    private final Vertx vertx = Vertx.vertx();

    @BeforeAll
    static void start() throws Exception {
        Path objects = dir.resolve("objects");
        Path unused = Files.createDirectories(objects.resolve(FakeBucket.NAME));
        Path settings = Files.writeString(dir.resolve("s3proxy.conf"), """
                s3proxy.authorization=aws-v4
                s3proxy.endpoint=http://127.0.0.1:0
                s3proxy.identity=%s
                s3proxy.credential=%s
                jclouds.provider=filesystem-nio2
                jclouds.identity=unused
                jclouds.credential=unused
                jclouds.filesystem.basedir=%s
                """.formatted(ACCESS_KEY, SECRET_KEY, objects));
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlogback.configurationFile=" + ClientScripts.SCRIPTS.resolve("s3proxy/logback.xml"),
                        "-cp",
                        ClientScripts.s3proxy(dir) + File.separator + "*",
                        "org.gaul.s3proxy.Main",
                        "--properties",
                        settings.toString())
                .redirectErrorStream(true);
        // Else the names of files have no letters beyond ASCII.
        builder.environment().put("LC_ALL", "C.UTF-8");
        server = builder.start();
        BufferedReader output = server.inputReader();
        String line = output.readLine();
        while (line != null && !LISTENING.matcher(line).find()) {
            System.out.println("s3proxy: " + line);
            line = output.readLine();
        }
        Matcher listening = LISTENING.matcher(String.valueOf(line));
        assertThat(listening.find()).as("s3proxy has started").isTrue();
        port = Integer.parseInt(listening.group(1));
        // Else it stops when the pipe is full.
        Thread reader = new Thread(() -> output.lines().forEach(more -> {}), "s3proxy output");
        reader.setDaemon(true);
        reader.start();
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (server != null) {
            server.destroy();
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static String[] settings(String... more) {
        List<String> all = new ArrayList<>(List.of(
                "media.directory=" + dir.resolve("media"),
                "media.s3.endpoint=http://127.0.0.1:" + port,
                "media.s3.bucket=" + FakeBucket.NAME,
                "media.s3.access-key=" + ACCESS_KEY,
                "media.s3.secret-key=" + SECRET_KEY));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private String remedy(String... more) {
        return remedy(InstantSource.system(), more);
    }

    private String remedy(InstantSource clock, String... more) {
        Settings settings = SettingsLoader.defaultsWith(settings(more));
        return TestRedis.await(new BucketCheck(vertx, settings.media().s3(), new Random(1), clock).run())
                .map(BucketCheck.Trouble::sentence)
                .orElse("none");
    }

    @Test
    void theBucketIsTriedAndWhatIsWrongIsNamed() {
        assertThat(remedy()).isEqualTo("none");
        assertThat(remedy("media.s3.access-key=other")).contains("correct media.s3.access-key");
        assertThat(remedy("media.s3.secret-key=other")).contains("correct media.s3.secret-key");
        assertThat(remedy("media.s3.secret-key=" + SECRET_KEY + "x")).contains("correct media.s3.secret-key");
        assertThat(remedy("media.s3.bucket=none-of-it")).contains("make the bucket");
        for (int minutes : new int[] {-20, 20}) {
            assertThat(remedy(() -> Instant.now().plusSeconds(60L * minutes))).contains("set the clock");
        }
        assertThat(remedy(() -> Instant.now().plusSeconds(60))).isEqualTo("none");
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

    /** The signature covers the key as it is written in the address. */
    @Test
    void keysWithSignsAreSignedAsTheServerReadsThem() throws IOException {
        Path file = dir.resolve("bytes");
        byte[] bytes = new byte[70_000];
        new Random(5).nextBytes(bytes);
        Path written = Files.write(file, bytes);
        Settings settings = SettingsLoader.defaultsWith(settings());
        List<String> paths = List.of("plain/key.png", "a%20b/c%2Bd%3D%26.png", "%C3%A4%E5%B8%96-_.~.png");
        try (RawBucket bucket = new RawBucket(vertx, settings.media().s3())) {
            for (String path : paths) {
                assertThat(bucket.size(path)).isEmpty();
                bucket.put(path, written, "image/png");
                assertThat(bucket.size(path)).hasValue(bytes.length);
                assertThat(bucket.get(path, 69_000, 1000).orElseThrow().getBytes())
                        .isEqualTo(Arrays.copyOfRange(bytes, 69_000, 70_000));
                assertThat(bucket.get(path, 0, bytes.length).orElseThrow().getBytes())
                        .isEqualTo(bytes);
                bucket.delete(path);
                bucket.delete(path);
                assertThat(bucket.size(path)).isEmpty();
                assertThat(bucket.get(path, 0, 1)).isEmpty();
            }
        }
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
        for (String setting : settings("media.s3.secret-key=other", "http.port=0", "management.port=0")) {
            arguments.add("--set");
            arguments.add(setting);
        }
        try (FanfareProcess up =
                FanfareProcess.start(Files.createTempDirectory(dir, "up"), "up", arguments.toArray(String[]::new))) {
            assertThat(up.awaitExit(Duration.ofSeconds(60))).isPositive();
            assertThat(up.output()).contains("correct media.s3.secret-key").doesNotContain("at io.fanfare");
        }
    }
}
