package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fanfare.common.model.MediaName;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@Tag("slow")
class S3MediaStoreTest {
    private final Vertx vertx = Vertx.vertx();
    private final FakeBucket bucket = new FakeBucket();
    private final SecureRandom names = new SecureRandom();

    @TempDir
    Path folder;

    private MediaStore store;

    @BeforeEach
    void open() {
        // Patient: a request that a busy machine holds up would be sent, and counted, once more.
        store = store();
    }

    @AfterEach
    void stop() {
        TestRedis.await(vertx.close());
        bucket.close();
    }

    private MediaStore store(String... more) {
        return MediaStore.of(vertx, settings(more).media(), new Random(1), InstantSource.system());
    }

    private Settings settings(String... more) {
        List<String> all = new ArrayList<>(List.of(bucket.settings()));
        all.add("media.directory=" + folder);
        all.addAll(List.of(more));
        return SettingsLoader.defaultsWith(all.toArray(String[]::new));
    }

    private String published(MediaStore where, byte[] bytes) throws IOException {
        String name = MediaName.draw(names, "png");
        TestRedis.await(where.publish(Files.write(where.draft(), bytes), name));
        return name;
    }

    private List<Path> drafts() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void aDraftGoesToTheBucketWithItsTypeAndIsGoneHere() throws IOException {
        byte[] bytes = new byte[3 << 20];
        new Random(2).nextBytes(bytes);
        String name = published(store, bytes);

        assertThat(bucket.keys()).containsExactly(MediaName.key(name));
        assertThat(bucket.bytes(MediaName.key(name))).isEqualTo(bytes);
        assertThat(bucket.type(MediaName.key(name))).isEqualTo("image/png");
        assertThat(drafts()).isEmpty();
        assertThat(TestRedis.await(store.find(name)).map(StoredFile::bytes)).contains((long) bytes.length);
        assertThat(TestRedis.await(store().find(name)).map(StoredFile::bytes))
                .as("another process, which has to ask")
                .contains((long) bytes.length);
    }

    @Test
    void aPictureIsDeletedWithItsSmallSizeHoweverOften() throws IOException {
        String name = published(store, new byte[] {1});
        TestRedis.await(store.publish(Files.write(store.draft(), new byte[] {2}), MediaName.small(name)));
        assertThat(bucket.keys()).hasSize(2);

        TestRedis.await(store.delete(name));
        bucket.refuse(404, "NoSuchKey");
        TestRedis.await(store.delete(name));

        assertThat(bucket.keys()).isEmpty();
        assertThat(TestRedis.await(store.find(name))).isEmpty();
    }

    @Test
    void aDeleteInABucketThatIsNotThereFailsAndIsNotTriedAgain() {
        bucket.refuse(404, "NoSuchBucket");
        String name = MediaName.draw(names, "jpg");

        S3Failure failure = catchThrowableOfType(S3Failure.class, () -> TestRedis.await(store.delete(name)));

        assertThat(failure).hasMessageContaining("NoSuchBucket");
        assertThat(bucket.requests()).hasSize(1);
    }

    @Test
    void aPassingFailureIsTriedThreeTimes() throws IOException {
        bucket.refuse(503, "SlowDown");
        bucket.next(request -> request.connection().close().onFailure(closed -> {}));
        String name = published(store, new byte[] {1, 2, 3});

        assertThat(bucket.bytes(MediaName.key(name))).containsExactly(1, 2, 3);
        assertThat(bucket.requests()).hasSize(3);
    }

    @Test
    void aBucketThatIsSilentOrRefusesEndsInASentenceForClients() throws IOException {
        MediaStore hasty = store("media.s3.timeout=500ms");
        for (int i = 0; i < 3; i++) {
            bucket.next(request -> {});
        }
        Path draft = Files.write(store.draft(), new byte[] {1});
        String name = MediaName.draw(names, "jpg");
        long began = System.nanoTime();

        Refusal silent = catchThrowableOfType(Refusal.class, () -> TestRedis.await(hasty.publish(draft, name)));

        assertThat(silent.reason()).isEqualTo(Refusal.Reason.OVERLOADED);
        assertThat(silent.retrySeconds()).isPositive();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
        assertThat(bucket.requests()).hasSize(3);
        bucket.refuse(403, "AccessDenied");
        Refusal refused = catchThrowableOfType(Refusal.class, () -> TestRedis.await(store.publish(draft, name)));
        assertThat(refused.reason()).isEqualTo(Refusal.Reason.OVERLOADED);
        assertThat(bucket.requests()).as("not tried again").hasSize(4);
    }

    @Test
    void aFileDeletedElsewhereIsGoneWhenItIsOpened() throws IOException {
        String name = published(store, new byte[] {1, 2, 3});
        StoredFile known = TestRedis.await(store.find(name)).orElseThrow();
        TestRedis.await(store("media.s3.timeout=1s").delete(name));

        assertThat(TestRedis.await(known.open(0, 3))).isEmpty();
        assertThat(TestRedis.await(store.find(name))).isEmpty();
    }

    @Test
    void draftsAreTemporaryFilesOfTheMachineWhereThereIsNoFolder() throws IOException {
        MediaStore without = store("media.directory=");
        Path draft = Files.write(without.draft(), new byte[] {1});

        TestRedis.await(without.deleteDrafts(Instant.now().minusSeconds(60)));
        assertThat(draft).exists();
        TestRedis.await(without.deleteDrafts(Instant.now().plusSeconds(60)));
        assertThat(draft).doesNotExist();
        Files.delete(draft.getParent());
    }

    /** The bucket holds what was published and not deleted, whatever fails in between. */
    @Test
    void theBucketHasWhatASetHas() throws IOException {
        long seed = new SecureRandom().nextLong();
        System.out.println("S3MediaStoreTest seed " + seed);
        Random random = new Random(seed);
        TreeSet<String> model = new TreeSet<>();
        for (int step = 0; step < 120; step++) {
            if (random.nextInt(4) == 0) {
                bucket.refuse(random.nextBoolean() ? 500 : 503, "InternalError");
            }
            if (model.isEmpty() || random.nextInt(3) > 0) {
                boolean unused = model.add(published(store, new byte[] {(byte) step}));
            } else {
                String name = model.floor(model.stream()
                        .skip(random.nextInt(model.size()))
                        .findFirst()
                        .orElseThrow());
                deleteUntilDone(name);
                boolean unused = model.remove(name);
            }
        }

        assertThat(bucket.keys())
                .containsExactlyInAnyOrderElementsOf(
                        model.stream().map(MediaName::key).toList());
    }

    /** As the sweep does. */
    private void deleteUntilDone(String name) {
        for (int i = 0; i < 5; i++) {
            try {
                TestRedis.await(store.delete(name));
                return;
            } catch (S3Failure again) {
                assertThat(again.isPassing()).isTrue();
            }
        }
        throw new AssertionError("never deleted");
    }

    private Optional<BucketCheck.Trouble> check() {
        return TestRedis.await(
                new BucketCheck(vertx, settings().media().s3(), new Random(3), InstantSource.system()).run());
    }

    @Test
    void theCheckOfABucketLeavesNothingBehind() {
        assertThat(check()).isEmpty();
        assertThat(bucket.requests())
                .extracting(request -> request.substring(0, request.indexOf(' ')))
                .containsExactly("PUT", "GET", "DELETE", "HEAD");
        assertThat(bucket.keys()).isEmpty();
    }

    @Test
    void theCheckSaysWhatIsWrongAndWhatToDo() {
        bucket.refuse(403, "InvalidAccessKeyId");
        assertThat(check().orElseThrow().sentence()).contains("pictures").contains("correct media.s3.access-key");
        bucket.refuse(403, "SignatureDoesNotMatch");
        assertThat(check().orElseThrow().remedy()).contains("media.s3.secret-key");
        bucket.refuse(404, "NoSuchBucket");
        assertThat(check().orElseThrow().remedy()).contains("make the bucket");
        bucket.refuse(403, "AccessDenied");
        assertThat(check().orElseThrow().remedy()).contains("s3:PutObject");
        bucket.next(request -> request.response()
                .setStatusCode(301)
                .putHeader("x-amz-bucket-region", "eu-north-1")
                .end("<Error><Code>PermanentRedirect</Code></Error>")
                .onFailure(gone -> {}));
        BucketCheck.Trouble elsewhere = check().orElseThrow();
        assertThat(elsewhere.remedy()).isEqualTo("set media.s3.region to eu-north-1");
        assertThat(elsewhere.passing()).isFalse();
    }

    @Test
    void aBucketThatDoesNotAnswerIsATroubleThatMayPass() {
        bucket.close();
        BucketCheck.Trouble trouble = check().orElseThrow();

        assertThat(trouble.passing()).isTrue();
        assertThat(trouble.sentence()).contains("does not answer").contains("media.s3.endpoint");
    }
}
