package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.MediaName;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Uploads;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.media.FakeBucket;
import io.fanfare.media.MediaProcessor;
import io.fanfare.media.MediaStore;
import io.fanfare.media.MediaSweep;
import io.fanfare.media.PictureWork;
import io.fanfare.media.TestMedia;
import io.fanfare.media.TestPictures;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Pictures that are made after their uploads were answered, in a folder and in a bucket. */
@ParameterizedClass
@EnumSource
@Timeout(300)
class LargePictureRoutesTest {
    private static final byte[] LARGE = TestPictures.jpeg(1600, 900);

    /** The services that are not ours. */
    enum Place {
        FOLDER(TestRedis.Kind.STANDALONE),
        FOLDER_AND_CLUSTER(TestRedis.Kind.CLUSTER),
        BUCKET(TestRedis.Kind.STANDALONE);

        private final TestRedis.Kind redis;

        Place(TestRedis.Kind redis) {
            this.redis = redis;
        }
    }

    @Parameter
    Place place;

    @TempDir
    Path folder;

    private TestRedis redis;
    private FakeBucket bucket;
    private String[] settings;
    private ApiServer api;
    private RedisLink link;
    private MediaStore store;
    private MediaProcessor media;
    private User ann;

    @BeforeEach
    void start() {
        redis = place.redis.redis();
        redis.flush();
        bucket = new FakeBucket();
        settings = Stream.of(
                        place == Place.BUCKET ? Stream.of(bucket.settings()) : Stream.<String>empty(),
                        Stream.of(
                                "media.directory=" + folder,
                                "media.at-once-pixels=1000000",
                                "queue.depth-max=50",
                                "media.s3.timeout=1s"))
                .flatMap(each -> each)
                .toArray(String[]::new);
        api = new ApiServer(redis, settings);
        ann = api.signUp("ann");
        link = TestRedis.await(RedisLink.open(api.vertx, redis.options()));
        Settings.Media where = SettingsLoader.defaultsWith(settings).media();
        store = MediaStore.of(api.vertx, where, new Random(), InstantSource.system());
        media = TestMedia.processor(api.vertx, new SecureRandom(), store, where);
    }

    @AfterEach
    void stop() {
        TestRedis.await(link.close());
        media.close();
        api.close();
        bucket.close();
    }

    @CanIgnoreReturnValue
    private Response upload(byte[] file, String... form) {
        return api.sendFile("POST", "/api/v2/media", ann.token(), "file", file, form);
    }

    /** Runs the job as a worker does. */
    @CanIgnoreReturnValue
    private PictureWork.End work(String id) {
        return TestRedis.await(new PictureWork(media, new Uploads(link))
                .run(Long.parseLong(ann.id()), Long.parseLong(id), Future::succeededFuture));
    }

    private void sweep(Duration later) {
        TestRedis.await(new MediaSweep(
                        api.vertx,
                        new Shards(TestSettings.SHARDS),
                        new Uploads(link),
                        store,
                        InstantSource.fixed(Instant.now().plus(later)))
                .run());
    }

    /** The files with a name. */
    private List<String> files() {
        if (place == Place.BUCKET) {
            return bucket.keys();
        }
        return MediaFiles.in(folder).stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> name.contains("."))
                .sorted()
                .toList();
    }

    private Response show(String id) {
        return api.get("/api/v1/media/" + id, ann.token());
    }

    @Test
    void aLargePictureIsAnsweredAtOnceAndReadyByAndBy() {
        Response begun = upload(LARGE, "description", "a flag", "focus", "0.5,-0.25");

        assertThat(begun.status()).as(begun.body()).isEqualTo(202);
        assertThat(begun.json().path("url").isNull()).isTrue();
        assertThat(begun.json().path("preview_url").isNull()).isTrue();
        assertThat(begun.text("/type")).isEqualTo("image");
        assertThat(begun.text("/description")).isEqualTo("a flag");
        String id = begun.text("/id");
        Response waiting = show(id);
        assertThat(waiting.status()).isEqualTo(206);
        assertThat(waiting.body()).isEqualTo(begun.body());
        Response described =
                api.send("PUT", "/api/v1/media/" + id, ann.token(), "application/json", "{\"description\":\"x\"}");
        assertThat(described.status()).isEqualTo(206);
        assertThat(described.text("/description")).isEqualTo("x");
        assertThat(described.text("/meta/focus/y")).isEqualTo("-0.25");

        work(id);

        Response ready = show(id);
        assertThat(ready.status()).isEqualTo(200);
        assertThat(ready.text("/description")).isEqualTo("x");
        assertThat(ready.text("/meta/original/size")).isEqualTo("1600x900");
        assertThat(ready.text("/meta/focus/y")).isEqualTo("-0.25");
        assertThat(api.get(ready.text("/url").replace(api.url(), ""), null).status())
                .isEqualTo(200);
        Response posted = api.post("/api/v1/statuses", ann.token(), "media_ids[]", id);
        assertThat(posted.text("/media_attachments/0/url")).isEqualTo(ready.text("/url"));
        sweep(Duration.ofHours(25));
        assertThat(files()).hasSize(2);
    }

    @Test
    void theOlderWayAnswersWhenThePictureIsReadyAndSoDoSmallOnes() {
        Response older = api.sendFile("POST", "/api/v1/media", ann.token(), "file", LARGE);
        assertThat(older.status()).isEqualTo(200);
        assertThat(older.text("/url")).startsWith(api.url());

        Response small = upload(TestPictures.jpeg(1000, 1000));
        assertThat(small.status()).isEqualTo(200);
        assertThat(upload(TestPictures.jpeg(1000, 1001)).status()).isEqualTo(202);
        assertThat(upload(TestPictures.png(500, 500)).status()).isEqualTo(200);
        assertThat(upload(TestPictures.png(500, 501)).status()).isEqualTo(202);
    }

    @Test
    void aPictureInProcessingIsNeitherPostedNorScheduled() {
        String id = upload(LARGE).text("/id");
        String later = Instant.now().plus(Duration.ofHours(2)).toString();
        for (String[] form :
                List.of(new String[] {"media_ids[]", id}, new String[] {"media_ids[]", id, "scheduled_at", later})) {
            Response refused = api.post("/api/v1/statuses", ann.token(), form);
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.text("/error"))
                    .isEqualTo("Cannot attach files that have not finished processing. Try again in a moment!");
        }
        String post = api.publish(ann, "words");
        assertThat(api.send(
                                "PUT",
                                "/api/v1/statuses/" + post,
                                ann.token(),
                                "application/json",
                                "{\"status\":\"words\",\"media_ids\":[\"" + id + "\"]}")
                        .status())
                .isEqualTo(422);
        assertThat(show(id).status()).isEqualTo(206);
        work(id);
        assertThat(api.post("/api/v1/statuses", ann.token(), "media_ids[]", id, "scheduled_at", later)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aPictureThatFailsIsReportedAndTakesNoRoomOnTheDisk() {
        byte[] broken = TestPictures.png(1200, 900);
        for (int i = broken.length / 2; i < broken.length * 3 / 4; i++) {
            broken[i] ^= 0x55;
        }
        String id = upload(broken).text("/id");
        assertThat(show(id).status()).isEqualTo(206);

        work(id);

        Response failed = show(id);
        assertThat(failed.status()).isEqualTo(422);
        assertThat(failed.text("/error")).contains("broken");
        assertThat(api.send("PUT", "/api/v1/media/" + id, ann.token(), "application/json", "{\"description\":\"x\"}")
                        .status())
                .isEqualTo(422);
        assertThat(api.post("/api/v1/statuses", ann.token(), "media_ids[]", id).text("/error"))
                .contains("could not be processed");
        assertThat(files()).isEmpty();
        assertThat(api.delete("/api/v1/media/" + id, ann.token()).status()).isEqualTo(200);
        assertThat(show(id).status()).isEqualTo(404);
    }

    @Test
    void aPictureInProcessingCanBeDeletedByItsOwnerOnly() {
        User bob = api.signUp("bob");
        String id = upload(LARGE).text("/id");
        assertThat(api.get("/api/v1/media/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(api.delete("/api/v1/media/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(api.delete("/api/v1/media/" + id, ann.token()).status()).isEqualTo(200);
        assertThat(show(id).status()).isEqualTo(404);

        assertThat(work(id)).isEqualTo(PictureWork.End.DONE);
        sweep(Duration.ZERO);
        assertThat(files()).isEmpty();
    }

    @Test
    void noAddressLeadsToASource() {
        upload(LARGE);
        String source = files().get(0).replaceAll(".*/", "");
        assertThat(MediaName.isSource(source)).isTrue();
        for (String name : List.of(source, source.replace(".source", ".jpg"), source.replace(".source", ""))) {
            assertThat(api.get("/media/" + name, ann.token()).status()).as(name).isEqualTo(404);
        }
    }

    @Test
    void aHostileUploadIsRefusedAtOnce() {
        assertThat(upload("<html><script>alert(1)</script>".getBytes(StandardCharsets.US_ASCII))
                        .text("/error"))
                .contains("no picture");
        assertThat(upload(TestPictures.hugePng(8000, 5000)).text("/error")).contains("too large");
        assertThat(upload(Arrays.copyOf(TestPictures.png(1600, 900), 100)).status())
                .isEqualTo(422);
        assertThat(upload(LARGE, "focus", "left").status()).isEqualTo(422);
        assertThat(files()).isEmpty();
        TestRedis.awaitUntil("no draft is left", () -> drafts() == 0);
    }

    private long drafts() {
        try (Stream<Path> all = Files.list(folder.resolve("tmp"))) {
            return all.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anUnprocessedPictureFailsAfterTwoHoursAndGoesAfterADay() {
        String id = upload(LARGE).text("/id");
        Clock later = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(121));
        try (ApiServer then = new ApiServer(redis, later, settings)) {
            Response failed = then.get("/api/v1/media/" + id, ann.token());
            assertThat(failed.status()).as(failed.body()).isEqualTo(422);
            assertThat(failed.text("/error")).contains("upload it again");
        }
        sweep(Duration.ofHours(25));
        assertThat(files()).isEmpty();
        assertThat(show(id).status()).isEqualTo(404);
    }

    @Test
    void aFullQueueRefusesLargePicturesAloneAndLeavesNothing() {
        String lane = Keys.lane(Id.shard(Long.parseLong(ann.id())), "normal");
        redis.askAt(lane, "EVAL", "for i = 1, 50 do redis.call('LPUSH', KEYS[1], i) end", "1", lane);

        Response refused = upload(LARGE);
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isPresent();
        assertThat(files()).isEmpty();
        String uploads = Keys.uploads(Long.parseLong(ann.id()));
        assertThat(redis.askAt(uploads, "EXISTS", uploads).asLong()).isZero();
        assertThat(upload(TestPictures.jpeg(320, 200)).status()).isEqualTo(200);
    }

    @Test
    void aBucketThatDoesNotWorkIs503AndLeavesNothing() {
        if (place != Place.BUCKET) {
            return;
        }
        bucket.refuse(403, "AccessDenied");
        Response refused = upload(LARGE);
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isPresent();
        TestRedis.awaitUntil("no draft is left", () -> drafts() == 0);
        assertThat(upload(LARGE).status()).isEqualTo(202);
    }
}
