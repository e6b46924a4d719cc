package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.MediaName;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Upload;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.Uploads;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.media.PictureWork.End;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Pictures that are made by a job: whatever is cut, however often it comes. */
@ParameterizedClass
@KindsOfRedis
@Timeout(300)
class PictureWorkTest {
    private static final int DEPTH_MAX = 100;
    private static final byte[] PICTURE = TestPictures.jpeg(40, 30);
    private static final Settings.Media SETTINGS =
            SettingsLoader.defaultsWith("media.decodes-at-once=4").media();
    private static final Supplier<Confinement> CONFINEMENT = Confinement.once(Ffmpeg.searchPath());
    private static final Supplier<Future<Void>> HELD = Future::succeededFuture;

    private static Children children;

    @Parameter
    TestRedis.Kind kind;

    @TempDir
    Path folder;

    private final List<MediaProcessor> opened = new ArrayList<>();
    private StoreFixture f;
    private MediaStore store;
    private Worker worker;
    private long ann;

    /** Pictures by the statuses that have them, which stay. */
    private final Map<Long, Attachment> posted = new HashMap<>();

    /** One for all tests and all workers that are killed: to start a child takes most of a second of a processor. */
    private static final class Children extends PictureProcesses {
        private Children(Path folder) {
            super(
                    () -> folder.resolve("draft"),
                    CONFINEMENT,
                    List.of("-XX:TieredStopAtLevel=1"),
                    SETTINGS.decodeTimeout().toSeconds());
        }

        @Override
        public void close() {
            // At the end of all.
        }

        private void end() {
            super.close();
        }
    }

    @BeforeAll
    static void start(@TempDir Path drafts) {
        children = new Children(drafts);
    }

    @AfterAll
    static void end() {
        children.end();
    }

    /** The parts of a process that may be killed. */
    private record Worker(MediaProcessor media, Uploads uploads, PictureWork work) {}

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        ann = f.users(1)[0];
        store = new FolderMediaStore(f.vertx(), DiskMediaStore.in(folder, new SecureRandom()));
        worker = worker(store, f.link);
    }

    @AfterEach
    void close() {
        opened.forEach(MediaProcessor::close);
        f.close();
    }

    private Worker worker(MediaStore files, Redis redis) {
        return worker(files, redis, /* accountBytesMax= */ 0);
    }

    private Worker worker(MediaStore files, Redis redis, long accountBytesMax) {
        MediaProcessor media =
                new MediaProcessor(f.vertx(), new SecureRandom(), files, SETTINGS, CONFINEMENT, children);
        opened.add(media);
        Uploads uploads = new Uploads(redis, accountBytesMax);
        return new Worker(media, uploads, new PictureWork(media, uploads));
    }

    /** The steps of a process, before or after one of which it is killed: those of Redis and those of its store. */
    private static final class Cut {
        private final boolean executes;
        private final Promise<Void> died = Promise.promise();
        private Future<?> last = Future.succeededFuture();
        private int left;
        private boolean dead;

        private Cut(int left, boolean executes) {
            this.left = left;
            this.executes = executes;
        }

        private <T> Future<T> pass(Supplier<Future<T>> step) {
            if (!dead && left-- > 0) {
                return step.get();
            }
            if (!dead) {
                dead = true;
                last = executes ? step.get() : last;
                last.onComplete(end -> died.tryComplete());
            }
            return Promise.<T>promise().future();
        }

        private Redis redis(Redis redis) {
            return new Redis() {
                @Override
                public Future<Reply> send(Command command) {
                    return pass(() -> redis.send(command));
                }

                @Override
                public Future<List<Reply>> pipeline(List<Command> commands) {
                    return pass(() -> redis.pipeline(commands));
                }
            };
        }

        private MediaStore store(MediaStore store) {
            return new PassingMediaStore(store) {
                @Override
                public Future<Void> publish(Path draft, String name) {
                    return pass(() -> store.publish(draft, name));
                }

                @Override
                public Future<Optional<StoredFile>> find(String name) {
                    return pass(() -> store.find(name));
                }

                @Override
                public Future<Boolean> fetch(String name, Path draft) {
                    return pass(() -> store.fetch(name, draft));
                }

                @Override
                public Future<Void> delete(String name) {
                    return pass(() -> store.delete(name));
                }

                @Override
                public Future<Void> deleteDrafts(Instant before) {
                    return pass(() -> store.deleteDrafts(before));
                }
            };
        }
    }

    private Future<Upload.Pending> begin(Worker by, byte[] file) {
        Path received = store.draft();
        try {
            Files.write(received, file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return by.media()
                .check(received)
                .compose(checked -> by.work().begin(ann, checked, Attachment.Focus.CENTRE, "a flag", DEPTH_MAX))
                .eventually(() -> {
                    try {
                        Files.delete(received);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return Future.succeededFuture();
                });
    }

    private Upload.Pending begun(byte[] file) {
        return f.get(() -> begin(worker, file));
    }

    @CanIgnoreReturnValue
    private End run(long id) {
        return f.get(() -> worker.work().run(ann, id, HELD));
    }

    private Optional<Upload> find(long id) {
        return f.get(() -> worker.uploads().find(ann, id));
    }

    private Attachment ready(long id) {
        return find(id).map(found -> ((Upload.Ready) found).picture()).orElseThrow();
    }

    private Set<Long> records() {
        return f.hash(Keys.uploads(ann)).keySet().stream().map(Long::valueOf).collect(Collectors.toSet());
    }

    private void sweep(Duration later) {
        f.get(() -> new MediaSweep(
                        f.vertx(),
                        new Shards(TestSettings.SHARDS),
                        new Uploads(f.link),
                        store,
                        InstantSource.fixed(Instant.now().plus(later)))
                .run());
    }

    /** Names, and of a draft its path. */
    private Set<String> files() {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException | UncheckedIOException deletedMeanwhile) {
            return files();
        }
    }

    private static Set<String> of(String... names) {
        return Arrays.stream(names)
                .flatMap(name -> Stream.of(name, MediaName.small(name)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private String[] namesOfPosted() {
        return posted.values().stream().map(Attachment::name).toArray(String[]::new);
    }

    /** As they are noted for the account: media id to bytes, and their sum. */
    private Map<String, Long> counted() {
        return f.hash(Keys.mediaBytes(ann)).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> Long.valueOf(entry.getValue())));
    }

    /** The same, counted on the disk from the names that records and statuses have. */
    private Map<String, Long> bytesOfAll() {
        Map<String, Long> bytes = new HashMap<>();
        posted.values().forEach(picture -> bytes.put(Long.toString(picture.id()), bytesOf(of(picture.name()))));
        f.hash(Keys.uploads(ann)).forEach((id, line) -> {
            Upload upload = Upload.of(line).orElseThrow();
            if (upload instanceof Upload.Ready ready) {
                bytes.put(id, bytesOf(of(ready.picture().name())));
            } else if (upload instanceof Upload.Pending pending) {
                bytes.put(id, bytesOf(Set.of(pending.source())));
            }
        });
        if (!bytes.isEmpty()) {
            bytes.put("all", bytes.values().stream().mapToLong(Long::longValue).sum());
        }
        return bytes;
    }

    private long bytesOf(Set<String> names) {
        return names.stream()
                .mapToLong(name -> {
                    try {
                        return Files.size(MediaName.place(folder, name));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .sum();
    }

    private List<String> jobs() {
        return f.jobs(Id.shard(ann), "normal");
    }

    private void dropJobs() {
        String lane = Keys.lane(Id.shard(ann), "normal");
        f.redis.askAt(lane, "DEL", lane);
    }

    @Test
    void aPictureIsMadeByItsJobAndItsSourceGoes() {
        byte[] lying = TestPictures.withExif(PICTURE, 6);
        Upload.Pending pending = begun(lying);

        assertThat(find(pending.id())).contains(pending);
        assertThat(pending.description()).isEqualTo("a flag");
        assertThat(files()).containsExactly(pending.source());
        assertThat(MediaName.isName(pending.source())).as("is served").isFalse();
        assertThat(jobs()).containsExactly("picture.1 " + ann + " " + pending.id() + " 0");
        assertThat(run(pending.id())).isEqualTo(End.DONE);

        Attachment made = ready(pending.id());
        assertThat(made.width()).as("turned upright").isEqualTo(30);
        assertThat(made.description()).isEqualTo("a flag");
        assertThat(files()).isEqualTo(of(made.name()));
        assertThat(f.members(Keys.mediaDue(Id.shard(ann))))
                .containsExactly(made.name() + " " + ann + " " + pending.id());
        assertThat(run(pending.id())).isEqualTo(End.DONE);
        assertThat(ready(pending.id())).isEqualTo(made);
        sweep(Duration.ofHours(23));
        assertThat(files()).isEqualTo(of(made.name()));
        sweep(Duration.ofHours(25));
        assertThat(files()).isEmpty();
        assertThat(records()).isEmpty();
    }

    @Test
    void theSourceHasNoMetadataOfItsAuthor() throws IOException {
        byte[] noted = TestPictures.withExif(PICTURE, 3);
        Upload.Pending pending = begun(noted);

        byte[] kept = Files.readAllBytes(MediaName.place(folder, pending.source()));
        assertThat(new String(noted, StandardCharsets.ISO_8859_1)).contains("Exif");
        assertThat(new String(kept, StandardCharsets.ISO_8859_1)).doesNotContain("Exif");
        assertThat(pending.orientation()).isEqualTo(3);
    }

    @Test
    void aDescriptionSentWhileThePictureIsMadeStays() {
        Upload.Pending pending = begun(PICTURE);
        Attachment.Focus focus = new Attachment.Focus(0.5, -0.25);
        Optional<Upload> described =
                f.get(() -> worker.uploads().describe(ann, pending.id(), "two\nlines - - -", focus));
        assertThat(described)
                .contains(new Upload.Pending(pending.id(), pending.source(), 1, focus, "two\nlines - - -"));

        run(pending.id());

        assertThat(ready(pending.id()).description()).isEqualTo("two\nlines - - -");
        assertThat(ready(pending.id()).focus()).isEqualTo(focus);
    }

    @Test
    void anUnfinishedOrFailedUploadIsNotPosted() {
        Upload.Pending pending = begun(PICTURE);
        assertThatThrownBy(() ->
                        f.get(() -> worker.uploads().require(ann, List.of(pending.id()), System.currentTimeMillis())))
                .isInstanceOf(Refusal.class)
                .hasMessage("Cannot attach files that have not finished processing. Try again in a moment!");
        long overdue = System.currentTimeMillis() + Duration.ofHours(3).toMillis();
        assertThatThrownBy(() -> f.get(() -> worker.uploads().require(ann, List.of(pending.id()), overdue)))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("could not be processed");
        f.get(() -> worker.work().giveUp(ann, pending.id()));
        assertThatThrownBy(() ->
                        f.get(() -> worker.uploads().require(ann, List.of(pending.id()), System.currentTimeMillis())))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("could not be processed");
        assertThat(files()).isEmpty();
    }

    @Test
    void aFileThatIsBrokenDeeperInsideFailsForGoodAndGoes() {
        Upload.Pending pending = begun(broken());

        assertThat(run(pending.id())).isEqualTo(End.DONE);

        assertThat(find(pending.id())).contains(new Upload.Failed(pending.id(), Upload.Cause.BROKEN));
        assertThat(files()).isEmpty();
        assertThat(run(pending.id())).isEqualTo(End.DONE);
        assertThat(f.get(() -> worker.uploads().describe(ann, pending.id(), "x", null)))
                .contains(new Upload.Failed(pending.id(), Upload.Cause.BROKEN));
        sweep(Duration.ofHours(25));
        assertThat(records()).isEmpty();
        assertThat(f.members(Keys.mediaDue(Id.shard(ann)))).isEmpty();
    }

    @Test
    void aSourceThatIsLostFailsTheUpload() throws IOException {
        Upload.Pending pending = begun(PICTURE);
        Files.delete(MediaName.place(folder, pending.source()));

        assertThat(run(pending.id())).isEqualTo(End.DONE);
        assertThat(find(pending.id())).contains(new Upload.Failed(pending.id(), Upload.Cause.LOST));
    }

    @Test
    void anUploadThatIsRemovedOrTooManyLeavesNothing() {
        Upload.Pending pending = begun(PICTURE);
        assertThat(f.get(() -> worker.uploads().remove(ann, pending.id()))).isTrue();
        assertThat(run(pending.id())).isEqualTo(End.DONE);
        sweep(Duration.ZERO);
        assertThat(files()).isEmpty();

        String uploads = Keys.uploads(ann);
        for (int i = 1; i <= Uploads.WAITING_MAX; i++) {
            f.redis.askAt(uploads, "HSET", uploads, Integer.toString(i), "x");
        }
        assertThatThrownBy(() -> begun(PICTURE)).isInstanceOf(Refusal.class).hasMessageContaining("At most 100");
        f.redis.askAt(uploads, "DEL", uploads);
        assertThat(files()).isEmpty();
        assertThat(f.members(Keys.mediaDue(Id.shard(ann)))).isEmpty();
    }

    @Test
    void anAccountHasAsManyBytesOfFilesAsItMayAndASourceCountsUntilItsPictureDoes() {
        Upload.Pending first = begun(PICTURE);
        long source = bytesOf(Set.of(first.source()));
        assertThat(counted()).isEqualTo(Map.of(Long.toString(first.id()), source, "all", source));
        run(first.id());
        run(first.id());
        long picture = bytesOf(of(ready(first.id()).name()));
        assertThat(counted()).isEqualTo(Map.of(Long.toString(first.id()), picture, "all", picture));

        long max = picture + source;
        Worker limited = worker(store, f.link, max);
        Upload.Pending second = f.get(() -> begin(limited, PICTURE));
        assertThatThrownBy(() -> f.get(() -> begin(limited, PICTURE)))
                .isInstanceOfSatisfying(Refusal.class, refused -> {
                    assertThat(refused.reason()).isEqualTo(Refusal.Reason.INVALID);
                    assertThat(refused)
                            .hasMessageContainingAll(
                                    "has " + max + " bytes", "may have " + max, source + " more", "Delete posts");
                });
        assertThat(records()).containsExactlyInAnyOrder(first.id(), second.id());
        f.get(() -> limited.uploads().remove(ann, second.id()));
        f.get(() -> limited.uploads().remove(ann, second.id()));
        assertThat(counted()).isEqualTo(Map.of(Long.toString(first.id()), picture, "all", picture));
        f.get(() -> begin(limited, PICTURE));
    }

    /** Until an account has another file, its pictures of former versions are in no sum. */
    @Test
    void aDeletedUploadWithoutANotedLengthFreesNothing() {
        Upload.Pending pending = begun(PICTURE);
        Upload.Pending of = begun(PICTURE);
        String noted = Keys.mediaBytes(ann);
        long bytes = bytesOf(Set.of(of.source()));
        f.redis.askAt(noted, "HDEL", noted, Long.toString(pending.id()));
        f.redis.askAt(noted, "HSET", noted, "all", Long.toString(bytes));

        f.get(() -> worker.uploads().remove(ann, pending.id()));

        assertThat(counted()).isEqualTo(Map.of(Long.toString(of.id()), bytes, "all", bytes));
    }

    @Test
    void aFullLaneRefusesUploadsAndNothingIsLeftBehind() {
        String lane = Keys.lane(Id.shard(ann), "normal");
        f.redis.askAt(lane, "EVAL", "for i = 1, " + DEPTH_MAX + " do redis.call('LPUSH', KEYS[1], i) end", "1", lane);

        assertThatThrownBy(() -> begun(PICTURE)).isInstanceOfSatisfying(Refusal.class, refused -> {
            assertThat(refused.reason()).isEqualTo(Refusal.Reason.OVERLOADED);
            assertThat(refused.retrySeconds()).isPositive();
        });
        assertThat(files()).isEmpty();
        assertThat(records()).isEmpty();
        assertThat(f.members(Keys.mediaDue(Id.shard(ann)))).isEmpty();
    }

    @Test
    void twoRunsAtOnceMakeOnePicture() {
        // Each time starts a child, as only one is kept.
        for (int i = 0; i < 3; i++) {
            Upload.Pending pending = begun(PICTURE);
            Worker other = worker(store, f.link);
            f.get(() -> Future.join(
                            worker.work().run(ann, pending.id(), HELD),
                            other.work().run(ann, pending.id(), HELD))
                    .mapEmpty());

            assertThat(files()).isEqualTo(of(ready(pending.id()).name()));
            assertThat(f.get(() -> worker.uploads().remove(ann, pending.id()))).isTrue();
            sweep(Duration.ZERO);
        }
    }

    @Test
    void aProcessMakesAsManyAsItMayAndOneWithoutFilesNone() {
        Upload.Pending pending = begun(PICTURE);
        List<Runnable> turns = new ArrayList<>();
        for (Optional<Runnable> turn = worker.media().turn();
                turn.isPresent();
                turn = worker.media().turn()) {
            turns.add(turn.get());
        }

        assertThat(run(pending.id())).isEqualTo(End.BUSY);
        assertThat(f.get(() -> new PictureWork(null, worker.uploads()).run(ann, pending.id(), HELD)))
                .isEqualTo(End.ELSEWHERE);
        turns.get(0).run();
        assertThat(run(pending.id())).isEqualTo(End.DONE);
        assertThat(ready(pending.id()).width()).isEqualTo(40);
    }

    /** A full disk, a folder that is away: what is thrown at once takes no turn along. */
    @Test
    void aRunThatThrowsGivesItsTurnBack() {
        Upload.Pending pending = begun(PICTURE);
        Worker failing = worker(
                new PassingMediaStore(store) {
                    @Override
                    public Path draft() {
                        throw new UncheckedIOException(new IOException("no room"));
                    }
                },
                f.link);
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> f.get(() -> failing.work().run(ann, pending.id(), HELD)))
                    .isInstanceOf(UncheckedIOException.class);
        }
        assertThat(failing.media().turn()).isPresent();
        assertThat(run(pending.id())).isEqualTo(End.DONE);
    }

    @Test
    void aRunWithoutItsLeaseChangesNothing() {
        Upload.Pending pending = begun(PICTURE);
        for (int allowed = 0; allowed < 2; allowed++) {
            int[] left = {allowed};
            Supplier<Future<Void>> held =
                    () -> left[0]-- > 0 ? Future.succeededFuture() : Future.failedFuture(new IllegalStateException());
            assertThatThrownBy(() -> f.get(() -> worker.work().run(ann, pending.id(), held)))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(find(pending.id())).contains(pending);
        }
        TestRedis.awaitUntil("drafts are gone", () -> files().size() <= 3);
        run(pending.id());
        sweep(Duration.ofHours(2));
        assertThat(files()).isEqualTo(of(ready(pending.id()).name()));
    }

    /** Each step of Redis and of the store is the last one, done or not. */
    @Test
    void whereverTheRequestIsKilledNothingIsLeftThatDoesNotEnd() {
        for (boolean executes : new boolean[] {false, true}) {
            int step = 0;
            boolean whole = false;
            for (; !whole; step++) {
                Cut cut = new Cut(step, executes);
                Worker killed = worker(cut.store(store), cut.redis(f.link));
                whole = f.get(() -> Future.any(
                                begin(killed, PICTURE).map(true),
                                cut.died.future().map(false))
                        .map(first -> !cut.dead));

                Set<Long> there = records();
                assertThat(jobs()).as("record and job come together").hasSize(there.size());
                assertThat(counted()).isEqualTo(bytesOfAll());
                there.forEach(this::run);
                Set<String> named = there.stream()
                        .flatMap(id -> of(ready(id).name()).stream())
                        .collect(Collectors.toCollection(TreeSet::new));
                sweep(Duration.ofHours(2));
                assertThat(files()).as("step " + step + " executes " + executes).isEqualTo(named);
                sweep(Duration.ofHours(25));
                assertThat(files()).isEmpty();
                assertThat(f.members(Keys.mediaDue(Id.shard(ann)))).isEmpty();
                dropJobs();
            }
            assertThat(step).as("steps: the note, the file, the record").isEqualTo(4);
        }
    }

    @Test
    void whereverTheJobIsKilledItsNextRunMakesThePicture() {
        for (byte[] file : List.of(PICTURE, broken())) {
            boolean good = file == PICTURE;
            for (boolean executes : new boolean[] {false, true}) {
                int step = 0;
                boolean whole = false;
                for (; !whole; step++) {
                    Upload.Pending pending = begun(file);
                    Cut cut = new Cut(step, executes);
                    Worker killed = worker(cut.store(store), cut.redis(f.link));
                    whole = f.get(() -> Future.any(killed.work().run(ann, pending.id(), HELD), cut.died.future())
                            .map(first -> !cut.dead));

                    assertThat(run(pending.id())).isEqualTo(End.DONE);
                    assertThat(counted()).isEqualTo(bytesOfAll());
                    sweep(Duration.ofHours(2));
                    if (good) {
                        assertThat(files())
                                .as("step " + step + " executes " + executes)
                                .isEqualTo(of(ready(pending.id()).name()));
                    } else {
                        assertThat(find(pending.id()).orElseThrow()).isInstanceOf(Upload.Failed.class);
                        assertThat(files()).isEmpty();
                    }
                    sweep(Duration.ofHours(25));
                    assertThat(files()).isEmpty();
                    assertThat(f.members(Keys.mediaDue(Id.shard(ann)))).isEmpty();
                    dropJobs();
                }
                assertThat(step).isGreaterThan(good ? 8 : 4);
            }
        }
    }

    @Test
    void inAnyOrderOfOperationsEveryFileIsNamedOrDue() {
        for (int round = 0; round < 6; round++) {
            long seed = new SecureRandom().nextLong();
            try {
                new Model(new Random(seed)).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    /** Random operations on uploads, checked at each moment against the promises about the files. */
    private final class Model {
        private final Random random;
        private final List<Long> known = new ArrayList<>();

        private Model(Random random) {
            this.random = random;
        }

        private void run() {
            for (int i = 0; i < 60; i++) {
                step();
                hold();
            }
            sweep(Duration.ofHours(25));
            dropJobs();
            assertThat(records()).isEmpty();
            assertThat(files()).isEqualTo(of(namesOfPosted()));
            assertThat(counted()).isEqualTo(bytesOfAll());
            assertThat(f.members(Keys.mediaDue(Id.shard(ann)))).isEmpty();
        }

        private void step() {
            long id = known.isEmpty() ? 1 : known.get(random.nextInt(known.size()));
            switch (random.nextInt(10)) {
                case 0, 1 ->
                    known.add(begun(random.nextInt(4) == 0 ? broken() : PICTURE).id());
                case 2, 3 -> PictureWorkTest.this.run(id);
                case 4 -> {
                    Cut cut = new Cut(random.nextInt(10), random.nextBoolean());
                    Worker killed = worker(cut.store(store), cut.redis(f.link));
                    f.get(() -> Future.any(killed.work().run(ann, id, HELD), cut.died.future())
                            .mapEmpty());
                }
                case 5 -> f.get(() -> worker.uploads().describe(ann, id, "said " + random.nextInt(), null));
                case 6 -> f.get(() -> worker.uploads().remove(ann, id));
                case 7 -> sweep(Duration.ofMinutes(random.nextInt(3 * 60)));
                case 8 -> deleteStatus(random.nextBoolean());
                default -> post(id);
            }
        }

        private void post(long id) {
            Optional<Upload> upload = find(id);
            if (upload.isPresent() && upload.get() instanceof Upload.Ready ready) {
                Content content = Content.of("look").with(List.of(ready.picture()));
                Status made = f.get(() -> f.stores
                        .statuses()
                        .post(Post.of(ann, Visibility.PUBLIC, content), null)
                        .map(Statuses.Posted::status));
                posted.put(made.id(), ready.picture());
            } else {
                assertThatThrownBy(() ->
                                f.get(() -> worker.uploads().require(ann, List.of(id), System.currentTimeMillis())))
                        .isInstanceOf(Refusal.class);
            }
        }

        private void deleteStatus(boolean keepsPictures) {
            Optional<Long> status = posted.keySet().stream().findFirst();
            if (status.isPresent()) {
                f.get(() -> f.stores.statuses().delete(ann, status.get(), keepsPictures));
                posted.remove(status.get());
            }
        }

        private void hold() {
            assertThat(counted()).as("bytes of what is named").isEqualTo(bytesOfAll());
            Set<String> named = new TreeSet<>(of(namesOfPosted()));
            for (Map.Entry<String, String> record : f.hash(Keys.uploads(ann)).entrySet()) {
                Upload upload = Upload.of(record.getValue()).orElseThrow();
                if (upload instanceof Upload.Ready ready) {
                    named.addAll(of(ready.picture().name()));
                } else if (upload instanceof Upload.Pending pending) {
                    named.add(pending.source());
                }
            }
            Set<String> files = files();
            assertThat(files).as("what is named is there").containsAll(named);
            files.removeAll(named);
            files.removeIf(name -> !name.contains(".")); // Drafts.
            Set<String> due = f.members(Keys.mediaDue(Id.shard(ann))).stream()
                    .flatMap(member -> {
                        String name = member.split(" ", 2)[0];
                        return MediaName.isSource(name) ? Stream.of(name) : of(name).stream();
                    })
                    .collect(Collectors.toSet());
            assertThat(due).as("what is not named is due").containsAll(files);
        }
    }

    /** One whose frames are good, and whose data is not. */
    private static byte[] broken() {
        byte[] png = TestPictures.png(40, 30);
        byte[] data = new byte[64];
        new Random(1).nextBytes(data);
        // In the middle of what is compressed.
        System.arraycopy(data, 0, png, png.length / 2, Math.min(data.length, png.length / 4));
        return png;
    }

    @Test
    void aBucketHasTheSourceUntilItIsMade() throws Exception {
        try (FakeBucket bucket = new FakeBucket()) {
            String[] assignments = Stream.concat(
                            Stream.of(bucket.settings()), Stream.of("media.directory=" + folder, "media.s3.timeout=1s"))
                    .toArray(String[]::new);
            store = MediaStore.of(
                    f.vertx(), SettingsLoader.defaultsWith(assignments).media(), new Random(1), InstantSource.system());
            worker = worker(store, f.link);
            Upload.Pending pending = begun(PICTURE);
            assertThat(bucket.keys()).containsExactly(MediaName.key(pending.source()));
            assertThat(bucket.type(MediaName.key(pending.source()))).isEqualTo("application/octet-stream");
            assertThat(files()).isEmpty();

            bucket.refuse(403, "AccessDenied");
            assertThatThrownBy(() -> run(pending.id())).isInstanceOf(Refusal.class);
            bucket.next(request -> request.response()
                    .setStatusCode(206)
                    .putHeader("Content-Length", "100000")
                    .write("half")
                    .onComplete(written -> request.connection().close().onFailure(closed -> {})));
            assertThat(run(pending.id())).isEqualTo(End.DONE);

            Attachment made = ready(pending.id());
            assertThat(bucket.keys())
                    .containsExactlyInAnyOrder(MediaName.key(made.name()), MediaName.key(MediaName.small(made.name())));
            assertThat(files()).as("drafts").isEmpty();

            bucket.refuse(403, "AccessDenied");
            assertThatThrownBy(() -> begun(PICTURE)).isInstanceOf(Refusal.class);
            sweep(Duration.ofHours(2));
            assertThat(files()).isEmpty();
            assertThat(bucket.keys()).hasSize(2);
        }
    }
}
