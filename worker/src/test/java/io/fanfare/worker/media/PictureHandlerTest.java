package io.fanfare.worker.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Upload;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Uploads;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.disk.DiskSpace;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.media.DiskMediaStore;
import io.fanfare.media.FolderMediaStore;
import io.fanfare.media.MediaProcessor;
import io.fanfare.media.MediaStore;
import io.fanfare.media.PassingMediaStore;
import io.fanfare.media.PictureWork;
import io.fanfare.media.TestMedia;
import io.fanfare.media.TestPictures;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.worker.handler.Feeds;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The outcomes of the job of a large picture; the work itself has its own test. */
class PictureHandlerTest {
    @TempDir
    Path folder;

    private final Vertx vertx = Vertx.vertx();
    private Feeds feeds;
    private Uploads uploads;
    private MediaProcessor media;
    private RuntimeException away;
    private DiskReserve disk = DiskReserve.none();
    private Duration later = Duration.ZERO;
    private long ann;

    @BeforeEach
    void open() {
        feeds = Feeds.on(TestRedis.Kind.STANDALONE.redis());
        uploads = new Uploads(feeds.stores.redis());
        ann = feeds.users(1)[0];
        MediaStore store = new Failing(new FolderMediaStore(vertx, DiskMediaStore.in(folder, new SecureRandom())));
        media = TestMedia.processor(
                vertx, new SecureRandom(), store, SettingsLoader.defaultsWith().media());
    }

    @AfterEach
    void close() {
        media.close();
        feeds.close();
        TestRedis.await(vertx.close());
    }

    /** A store that may be away when a source is fetched. */
    private final class Failing extends PassingMediaStore {
        private Failing(MediaStore store) {
            super(store);
        }

        @Override
        public Future<Boolean> fetch(String name, Path draft) {
            return away == null ? super.fetch(name, draft) : Future.failedFuture(away);
        }
    }

    private PictureHandler handler(MediaProcessor of) {
        InstantSource clock = () -> Instant.now().plus(later);
        return new PictureHandler(new PictureWork(of, uploads), disk, clock, new Random(1));
    }

    private Job.Picture begun() throws IOException {
        Path received = Files.write(folder.resolve("received"), TestPictures.jpeg(40, 30));
        Upload.Pending pending =
                feeds.get(() -> media.check(received).compose(checked -> new PictureWork(media, uploads)
                        .begin(ann, checked, Attachment.Focus.CENTRE, "", 100)));
        return new Job.Picture(ann, pending.id());
    }

    private Upload upload(Job.Picture job) {
        return feeds.get(() -> uploads.find(ann, job.upload())).orElseThrow();
    }

    private static void assertPutOff(Outcome outcome, boolean counts) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Retry.class, retry -> {
            assertThat(retry.countsAttempt()).isEqualTo(counts);
            assertThat(retry.delayMillis()).isBetween(500L, 450_000L);
            assertThat(retry.reason()).doesNotContain(folder());
        });
    }

    private static String folder() {
        return System.getProperty("java.io.tmpdir");
    }

    @Test
    void theJobMakesThePictureHoweverOftenItRuns() throws IOException {
        Job.Picture job = begun();
        assertThat(feeds.run(handler(media), job)).containsExactly(Outcome.DONE);
        Upload made = upload(job);
        assertThat(made).isInstanceOf(Upload.Ready.class);
        assertThat(feeds.run(handler(media), job)).containsExactly(Outcome.DONE);
        assertThat(upload(job)).isEqualTo(made);
        assertThat(feeds.run(handler(media), new Job.Picture(ann, job.upload() + 4)))
                .containsExactly(Outcome.DONE);
    }

    @Test
    void ofABatchAProcessMakesAsManyAsItMayAndPutsOffTheOthers() throws IOException {
        Job.Picture first = begun();
        Job.Picture second = begun();
        List<Outcome> outcomes = feeds.run(handler(media), first, second);

        assertThat(outcomes.get(0)).isEqualTo(Outcome.DONE);
        assertPutOff(outcomes.get(1), false);
        assertThat(feeds.run(handler(media), second)).containsExactly(Outcome.DONE);
    }

    @Test
    void aPictureWaitsForRoomOnTheDisk() throws IOException {
        Job.Picture job = begun();
        DiskSpace.Volume full = new DiskSpace.Volume(1L << 30, 100L << 30);
        disk = new DiskReserve(
                SettingsLoader.defaultsWith().disk(), List.of(folder), null, path -> full, InstantSource.system());
        disk.look();

        assertPutOff(feeds.run(handler(media), job).get(0), false);
        assertThat(upload(job)).isInstanceOf(Upload.Pending.class);

        disk = DiskReserve.none();
        assertThat(feeds.run(handler(media), job)).containsExactly(Outcome.DONE);
        assertThat(upload(job)).isInstanceOf(Upload.Ready.class);
    }

    @Test
    void aStoreThatIsAwayIsWaitedForAndNotForEver() throws IOException {
        Job.Picture job = begun();
        away = Refusal.overloaded("away", 5);
        assertPutOff(feeds.run(handler(media), job).get(0), false);
        away = new IllegalStateException("/some/file");
        later = Duration.ofMinutes(59);
        assertPutOff(feeds.run(handler(media), job).get(0), true);
        assertThat(upload(job)).isInstanceOf(Upload.Pending.class);

        later = Duration.ofMinutes(61);
        assertThat(feeds.run(handler(media), job)).containsExactly(Outcome.DONE);
        assertThat(upload(job)).isEqualTo(new Upload.Failed(job.upload(), Upload.Cause.LOST));
        assertThat(feeds.members(Keys.mediaDue(Id.shard(ann)))).hasSize(1);
    }

    @Test
    void aProcessWithoutFilesLeavesThePictureToOthersForAWhile() throws IOException {
        Job.Picture job = begun();
        assertPutOff(feeds.run(handler(null), job).get(0), false);
        later = Duration.ofMinutes(59);
        assertPutOff(feeds.run(handler(null), job).get(0), false);
        assertThat(upload(job)).isInstanceOf(Upload.Pending.class);

        later = Duration.ofMinutes(61);
        assertThat(feeds.run(handler(null), job)).containsExactly(Outcome.DONE);
        assertThat(upload(job)).isEqualTo(new Upload.Failed(job.upload(), Upload.Cause.LOST));
        assertThat(feeds.members(Keys.mediaDue(Id.shard(ann))))
                .as("its source goes with the next sweep")
                .hasSize(2);
    }
}
