package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Uploads;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.media.FakeBucket;
import io.fanfare.media.MediaStore;
import io.fanfare.media.MediaSweep;
import io.fanfare.media.TestPictures;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pictures whose files are in a bucket: what clients see is what {@link MediaRoutesTest} sees of a folder. */
@Timeout(120)
class BucketRoutesTest {

    @TempDir
    Path folder;

    private final TestRedis redis = TestRedis.Kind.STANDALONE.redis();
    private final FakeBucket bucket = new FakeBucket();
    private ApiServer api;
    private User ann;

    @BeforeEach
    void start() {
        redis.flush();
        api = new ApiServer(redis, settings());
        ann = api.signUp("ann");
    }

    @AfterEach
    void stop() {
        api.close();
        bucket.close();
    }

    private String[] settings(String... more) {
        return Stream.of(
                        Stream.of(bucket.settings()),
                        Stream.of("media.directory=" + folder, "media.s3.timeout=1s"),
                        Stream.of(more))
                .flatMap(each -> each)
                .toArray(String[]::new);
    }

    private Response upload(byte[] file) {
        return api.sendFile("POST", "/api/v2/media", ann.token(), "file", file);
    }

    @Test
    void aPictureIsServedWholeAndInPartsWithTheHeadersOfAFile() throws Exception {
        Response answer = upload(TestPictures.jpeg(1600, 900));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        String url = answer.text("/url");
        assertThat(bucket.keys()).hasSize(2);
        MediaFiles.await(folder, 0);

        HttpResponse<byte[]> whole = MediaFiles.fetch("GET", url);
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(whole.body())
                .isEqualTo(bucket.bytes(bucket.keys().stream()
                        .filter(key -> !key.contains("small"))
                        .findFirst()
                        .orElseThrow()));
        assertThat(whole.headers().map())
                .containsEntry("content-type", List.of("image/jpeg"))
                .containsEntry("x-content-type-options", List.of("nosniff"))
                .containsEntry("cache-control", List.of("public, max-age=31536000, immutable"));
        assertThat(whole.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("sandbox");
        HttpResponse<byte[]> head = MediaFiles.fetch("HEAD", url);
        assertThat(head.headers().firstValueAsLong("Content-Length").orElseThrow())
                .isEqualTo(whole.body().length);
        HttpResponse<byte[]> part = MediaFiles.fetch("GET", url, "Range", "bytes=2-5");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).containsExactly(whole.body()[2], whole.body()[3], whole.body()[4], whole.body()[5]);
        assertThat(part.headers().firstValue("Content-Range")).contains("bytes 2-5/" + whole.body().length);
        assertThat(MediaFiles.fetch("GET", url, "Range", "bytes=" + whole.body().length + "-")
                        .statusCode())
                .isEqualTo(416);
        String tag = head.headers().firstValue("ETag").orElseThrow();
        assertThat(MediaFiles.fetch("GET", url, "If-None-Match", tag).statusCode())
                .isEqualTo(304);
        assertThat(MediaFiles.fetch("GET", url.replaceAll("[0-9a-f]{32}", "0".repeat(32)))
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void aPictureThatNoStatusUsesLeavesTheBucketAfterADay() throws Exception {
        String url = upload(TestPictures.jpeg(1600, 900)).text("/url");
        RedisLink link = TestRedis.await(RedisLink.open(api.vertx, redis.options()));
        Settings.Media media = SettingsLoader.defaultsWith(settings()).media();
        MediaStore store = MediaStore.of(api.vertx, media, new Random(1), InstantSource.system());
        MediaSweep sweep = new MediaSweep(
                api.vertx,
                new Shards(TestSettings.SHARDS),
                new Uploads(link),
                store,
                InstantSource.fixed(Instant.now().plus(Duration.ofHours(25))));

        bucket.refuse(503, "SlowDown");
        assertThatThrownBy(() -> TestRedis.await(sweep.run())).hasMessageContaining("SlowDown");
        assertThat(bucket.keys()).as("it comes again").isNotEmpty();
        TestRedis.await(sweep.run());

        assertThat(bucket.keys()).isEmpty();
        assertThat(MediaFiles.fetch("GET", url).statusCode()).isEqualTo(404);
        TestRedis.await(link.close());
    }

    @Test
    void aBucketThatDoesNotWorkIs503AndLeavesNoDrafts() throws Exception {
        bucket.refuse(403, "AccessDenied");
        Response refused = upload(TestPictures.jpeg(320, 200));

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isPresent();
        assertThat(refused.text("/error")).contains("The store of pictures does not answer");
        MediaFiles.await(folder, 0);
        String waiting = Keys.uploads(Long.parseLong(ann.id()));
        assertThat(redis.askAt(waiting, "EXISTS", waiting).asLong())
                .as("what was not stored does not count")
                .isZero();
        assertThat(upload(TestPictures.jpeg(320, 200)).status()).isEqualTo(200);
    }

    @Test
    void halfAFileDoesNotLookLikeAWholeOne() throws Exception {
        String url = upload(TestPictures.jpeg(320, 200)).text("/url");
        long bytes = MediaFiles.fetch("HEAD", url)
                .headers()
                .firstValueAsLong("Content-Length")
                .orElseThrow();
        bucket.next(request -> request.response()
                .setStatusCode(206)
                .putHeader("Content-Length", Long.toString(bytes))
                .write("half")
                .onComplete(written -> request.connection().close().onFailure(closed -> {})));

        assertThatThrownBy(() -> MediaFiles.fetch("GET", url)).isInstanceOf(IOException.class);
        assertThat(MediaFiles.fetch("GET", url).body()).hasSize((int) bytes);
    }

    @Test
    void readersAreSentToThePublicAddressOfTheBucket() throws Exception {
        try (ApiServer other = new ApiServer(redis, settings("media.s3.public-url=https://cdn.example.org/p"))) {
            User bob = other.signUp("bob");
            String url = other.sendFile("POST", "/api/v2/media", bob.token(), "file", TestPictures.jpeg(320, 200))
                    .text("/url");
            HttpResponse<byte[]> sent = MediaFiles.fetch("GET", url);

            assertThat(sent.statusCode()).isEqualTo(302);
            String key = sent.headers().firstValue("Location").orElseThrow();
            assertThat(key).startsWith("https://cdn.example.org/p/");
            assertThat(bucket.keys()).contains(key.substring("https://cdn.example.org/p/".length()));
            assertThat(other.get("/", null).header("Content-Security-Policy").orElseThrow())
                    .contains("img-src 'self' data: blob: ")
                    .contains(" https://cdn.example.org;");
        }
    }
}
