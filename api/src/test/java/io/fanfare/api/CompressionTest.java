package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answers are compressed, and for whom. */
class CompressionTest {
    private static final String HOME = "/api/v1/timelines/home";
    private static final String EMOJIS = "/api/v1/custom_emojis";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static ApiServer api;
    private static ApiServer.User ann;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        api = new ApiServer(TestRedis.standalone());
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(60))
                .build();
        ann = api.signUp("ann");
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 20; i++) {
            StringBuilder text = new StringBuilder();
            while (text.length() < 140) {
                text.append(Integer.toString(random.nextInt(100_000), 36)).append(' ');
            }
            assertThat(api.publish(ann, text.toString())).isNotEmpty();
        }
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "GZIP", "deflate, gzip;q=1.0, *;q=0.5", "br, *", "x-gzip", "gzip ; q=0.001"})
    void aPageIsTheSameCompressed(String accepted) throws Exception {
        HttpResponse<byte[]> plain = get(HOME, "identity");
        HttpResponse<byte[]> compressed = get(HOME, accepted);

        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(plain.headers().firstValue("Vary")).contains("accept-encoding");
        assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(compressed.headers().firstValue("Vary")).contains("accept-encoding");
        assertThat(text(unpacked(compressed.body()))).isEqualTo(text(plain.body()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "br", "gzip;q=0", "gzip; q=0.000, deflate", "*;q=0", "gzipped", "identity, *;q=0.0"})
    void aClientThatDoesNotAcceptGzipReceivesPlainText(String accepted) throws Exception {
        HttpResponse<byte[]> answer = get(HOME, accepted);

        assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(text(answer.body())).startsWith("[{");
    }

    /** Nobody counts them, so that each must cost next to nothing. */
    @Test
    void constantAnswersAreTheSameEachTime() throws Exception {
        byte[] plain = get("/openapi.yaml", "identity").body();
        byte[] first = get("/openapi.yaml", "gzip").body();

        assertThat(text(unpacked(first))).isEqualTo(text(plain));
        assertThat(first).hasSizeLessThan(plain.length / 4);
        assertThat(get("/openapi.yaml", "gzip").body()).isEqualTo(first);
    }

    @Test
    void theListOfEmojisIsTheOneOfNow() throws Exception {
        for (String file : new String[] {"a.png", "b.png"}) {
            String key = Keys.emojis(0);
            for (int i = 0; i < 40; i++) {
                TestRedis.standalone().askAt(key, "HSET", key, "emoji" + i, file);
            }
            TestRedis.standalone().askAt(key, "HSET", key, "-", file.equals("a.png") ? "1" : "2");
            await().atMost(PATIENCE)
                    .until(() -> text(get(EMOJIS, "identity").body()).contains(file));

            byte[] compressed = get(EMOJIS, "gzip").body();

            assertThat(text(unpacked(compressed)))
                    .isEqualTo(text(get(EMOJIS, "identity").body()));
            assertThat(get(EMOJIS, "gzip").body()).isEqualTo(compressed);
        }
    }

    @Test
    void aHomePageOfThirtyKilobytesTakesFewerThanFour() throws Exception {
        assertThat(get(HOME, "identity").body()).hasSizeGreaterThan(30_000);
        assertThat(get(HOME, "gzip").body()).hasSizeLessThan(4096);
    }

    @Test
    void shortAnswersPicturesAndAnswersToWritesStayPlain() throws Exception {
        for (String path : new String[] {"/health", "/avatars/default.png", "/api/v1/accounts/1"}) {
            assertThat(get(path, "gzip").headers().firstValue("Content-Encoding"))
                    .as(path)
                    .isEmpty();
        }
        HttpRequest post = request("/api/v1/statuses", "gzip")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("status=" + "word+".repeat(90)))
                .build();
        HttpResponse<byte[]> posted = client.send(post, BodyHandlers.ofByteArray());
        assertThat(posted.statusCode()).isEqualTo(200);
        assertThat(posted.body()).hasSizeGreaterThan(1024);
        assertThat(posted.headers().firstValue("Content-Encoding")).isEmpty();
    }

    /** Its length would tell of the token in the form, beside what the address says. */
    @Test
    void thePageToLogInAtStaysPlain() throws Exception {
        String redirect = "urn:ietf:wg:oauth:2.0:oob";
        String app = api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", redirect)
                .text("/client_id");
        String page = "/oauth/authorize?response_type=code&client_id=" + app + "&redirect_uri=" + redirect;
        HttpResponse<byte[]> form = get(page, "gzip");

        assertThat(form.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(text(form.body())).hasSizeGreaterThan(1024).contains("form_token");
    }

    @Test
    void nothingIsCompressedWhereTheSettingsSaySo() throws Exception {
        try (ApiServer plain = new ApiServer(TestRedis.standalone(), "http.compress-answers=false")) {
            HttpRequest get = HttpRequest.newBuilder(URI.create(plain.url() + "/api/v2/instance"))
                    .timeout(Duration.ofSeconds(60))
                    .header("Accept-Encoding", "gzip")
                    .build();
            HttpResponse<byte[]> answer = client.send(get, BodyHandlers.ofByteArray());
            assertThat(answer.body()).hasSizeGreaterThan(1024);
            assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
            assertThat(answer.headers().firstValue("Vary")).isEmpty();
        }
    }

    private static HttpResponse<byte[]> get(String path, String accepted) throws IOException, InterruptedException {
        return client.send(request(path, accepted).build(), BodyHandlers.ofByteArray());
    }

    private static HttpRequest.Builder request(String path, String accepted) {
        return HttpRequest.newBuilder(URI.create(api.url() + path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + ann.token())
                .header("Accept-Encoding", accepted);
    }

    private static byte[] unpacked(byte[] bytes) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
