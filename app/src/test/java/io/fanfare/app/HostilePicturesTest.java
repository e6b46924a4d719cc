package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.media.TestClips;
import io.fanfare.media.TestPictures;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Broken and hostile pictures, videos and sounds, sent to a whole server with a heap of 256 MB: each is made or refused
 * with a sentence, and the server goes on.
 */
@Timeout(1200)
class HostilePicturesTest {
    private static final int BROKEN = 60;

    /** Each takes processes of ffmpeg. */
    private static final int BROKEN_CLIPS = 30;

    private static final int MANY_BROKEN = Integer.getInteger("fanfare.tests.files", 300);
    private static final long SEED = 20;
    private static final String BOUNDARY = "----boundary";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(30))
            .build();

    @TempDir
    private static Path folder;

    /** All tests send to one server of each, which goes on in spite of all of them. */
    private static Server atOnce;

    private static Server byJobs;

    private FanfareProcess up;
    private String url;
    private Client ann;

    private record Server(FanfareProcess up, Client ann) {
        private static Server with(String setting) throws Exception {
            FanfareProcess up =
                    FanfareProcess.up(folder.resolve(setting), "--set", "limits.enabled=false", "--set", setting);
            return new Server(up, Client.signUp(up.runtime().httpUrl(), "ann"));
        }
    }

    @BeforeAll
    static void start() throws Exception {
        atOnce = Server.with("media.at-once-pixels=2000000000");
        byJobs = Server.with("media.at-once-pixels=0");
    }

    @BeforeEach
    void sendAtOnce() {
        sendTo(atOnce);
    }

    private void sendTo(Server server) {
        up = server.up();
        url = up.runtime().httpUrl();
        ann = server.ann();
    }

    @AfterEach
    void isAlive() {
        assertThat(up.isAlive()).as(up.output()).isTrue();
    }

    @AfterAll
    static void stop() {
        Stream.of(atOnce, byJobs).filter(Objects::nonNull).forEach(server -> server.up()
                .close());
    }

    /** Unpacked, each would take more than half of the heap. */
    @Test
    void fortyMegapixelsAreRefusedOnASmallHeap() throws Exception {
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> refused = upload(TestPictures.hugePng(8000, 5000));
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("too large");
        }
        assertThat(ann.post(url, "still here")).isNotEmpty();
    }

    @Test
    void picturesOfOneLongRowAreRefusedAndTheLargestRowsAreMade() throws Exception {
        sendExtremes();
    }

    @Test
    void aHostilePictureIsNoAvatarAndNoHeaderAndTheServerGoesOn() throws Exception {
        byte[] row = TestPictures.rawPng(33_177_600, 1, 16, 6, 0, TestPictures.zippedZeros(10));
        assertThat(row).hasSizeLessThan(80);
        for (String part : List.of("avatar", "header")) {
            for (byte[] file : List.of(row, TestPictures.hugePng(8000, 5000))) {
                HttpResponse<String> refused = profile(part, file);
                assertThat(refused.statusCode())
                        .as("%s: %s", part, refused.body())
                        .isEqualTo(422);
                assertThat(refused.body()).containsAnyOf("broken", "too long", "too large");
            }
            HttpResponse<String> taken = profile(part, TestPictures.png(64, 64));
            assertThat(taken.statusCode()).as("%s: %s", part, taken.body()).isEqualTo(200);
        }
        assertThat(ann.post(url, "still here")).isNotEmpty();
    }

    @Test
    void soTheyAreWhenAJobMakesThem() throws Exception {
        sendTo(byJobs);
        sendExtremes();
    }

    /**
     * A decoder takes 265 MB for the row of the first, which is shorter than this sentence, and 134 MB for the second.
     */
    private void sendExtremes() throws Exception {
        byte[] row = TestPictures.rawPng(33_177_600, 1, 16, 6, 0, TestPictures.zippedZeros(10));
        byte[] whole = TestPictures.rawPng(16_777_216, 1, 16, 6, 0, TestPictures.zippedZeros(1 + (16_777_216L << 3)));
        byte[] largest =
                TestPictures.rawPng(32_768, 1012, 16, 6, 0, TestPictures.zippedZeros(1012 * (1 + 32_768L * 8)));
        for (byte[] file : List.of(row, whole)) {
            HttpResponse<String> refused = ended(upload(file));
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(422);
            assertThat(refused.body()).containsAnyOf("broken", "too long");
        }
        HttpResponse<String> made = ended(upload(largest));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
        assertThat(ann.post(url, "still here")).isNotEmpty();
    }

    @Test
    void brokenFilesAreMadeOrRefusedAndTheServerGoesOn() throws Exception {
        makeBrokenFiles(BROKEN);
    }

    @Test
    @Tag("faults")
    void manyBrokenFilesAreMadeOrRefusedAndTheServerGoesOn() throws Exception {
        makeBrokenFiles(MANY_BROKEN);
    }

    @Tag("programs")
    @Test
    void soTheyAreByTheJobsThatMakeLargePictures() throws Exception {
        sendTo(byJobs);
        makeBrokenFiles(BROKEN);
    }

    @Test
    @Tag("faults")
    void soManyAreByTheJobsThatMakeLargePictures() throws Exception {
        sendTo(byJobs);
        makeBrokenFiles(MANY_BROKEN);
    }

    private void makeBrokenFiles(int broken) throws Exception {
        Random random = new Random(SEED);
        List<byte[]> files = List.of(
                TestPictures.withExif(TestPictures.jpeg(640, 480), 6),
                TestPictures.transparentPng(400, 300),
                TestPictures.gif(400, 300),
                TestPictures.hugePng(2000, 1500),
                TestPictures.WEBP,
                TestPictures.WEBP_LOSSLESS);
        int made = 0;
        for (int i = 0; i < broken; i++) {
            HttpResponse<String> answer = ended(upload(TestPictures.mutated(files.get(i % files.size()), random)));
            assertThat(answer.statusCode())
                    .as("seed %d, file %d: %s", SEED, i, answer.body())
                    .isIn(200, 422);
            if (answer.statusCode() == 200) {
                made++;
                assertThat(remove(new JsonObject(answer.body()).getString("id")))
                        .isEqualTo(200);
            }
        }

        System.out.println("seed " + SEED + ": " + made + " of " + broken + " broken files made");
        assertThat(made).isBetween(broken / 20, broken * 19 / 20);
        assertThat(ann.post(url, "still here")).isNotEmpty();
    }

    /** The answer when the picture is made, or cannot be. */
    private HttpResponse<String> ended(HttpResponse<String> answer) throws Exception {
        if (answer.statusCode() != 202) {
            return answer;
        }
        String id = new JsonObject(answer.body()).getString("id");
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> send(request("/api/v1/media/" + id).GET()), shown -> shown.statusCode() != 206);
    }

    @Tag("programs")
    @Test
    void brokenVideosAndSoundsAreTakenOrRefusedAndTheServerGoesOn() throws Exception {
        takeBrokenClips(BROKEN_CLIPS);
    }

    @Test
    @Tag("faults")
    void manyBrokenVideosAndSoundsAreTakenOrRefusedAndTheServerGoesOn() throws Exception {
        takeBrokenClips(MANY_BROKEN);
    }

    private void takeBrokenClips(int broken) throws Exception {
        Random random = new Random(SEED);
        List<byte[]> files = TestClips.all();
        int taken = 0;
        for (int i = 0; i < broken; i++) {
            HttpResponse<String> answer = upload(TestPictures.mutated(files.get(i % files.size()), random));
            assertThat(answer.statusCode())
                    .as("seed %d, file %d: %s", SEED, i, answer.body())
                    .isIn(200, 422);
            if (answer.statusCode() == 200) {
                taken++;
                assertThat(remove(new JsonObject(answer.body()).getString("id")))
                        .isEqualTo(200);
            }
        }

        System.out.println("seed " + SEED + ": " + taken + " of " + broken + " broken videos and sounds taken");
        assertThat(taken).isBetween(broken / 20, broken * 19 / 20);
        assertThat(ann.post(url, "still here")).isNotEmpty();
    }

    private HttpResponse<String> upload(byte[] file) throws Exception {
        return send("POST", "/api/v2/media", "file", file);
    }

    private HttpResponse<String> profile(String part, byte[] file) throws Exception {
        return send("PATCH", "/api/v1/accounts/update_credentials", part, file);
    }

    private HttpResponse<String> send(String method, String path, String part, byte[] file) throws Exception {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(
                ("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + part + "\"; filename=\"x\"\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        body.writeBytes(file);
        body.writeBytes(("\r\n--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII));
        return send(request(path)
                .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body.toByteArray())));
    }

    private int remove(String id) throws Exception {
        return send(request("/api/v1/media/" + id).DELETE()).statusCode();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + ann.token());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
