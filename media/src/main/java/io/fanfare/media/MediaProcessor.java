package io.fanfare.media;

import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.MediaName;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.failure.Reason;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes pictures in child processes, on a bounded pool off the event loops: {@code media.decodes-at-once} run,
 * {@code media.decodes-waiting} wait and take turns by account, more are refused with {@code OVERLOADED}. A large one
 * can be kept as a source and made later, by any process: by threads of their own, as many again. Previews of videos
 * are made one at a time beside both, so that no video holds up a picture. One per process, shared by its event loops;
 * each future completes on the caller's context.
 */
public final class MediaProcessor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MediaProcessor.class);

    /** A file is stored without a preview when this long another is being made. */
    private static final long PREVIEW_WAIT_MILLIS = 1000;

    /** Files whose frames are read at a time. */
    private static final int HEADS_AT_ONCE = 2;

    /** A child that waits from one check to the next ends, so that a quiet server keeps no memory for pictures. */
    private static final long IDLE_CHECK_MILLIS = 300_000;

    private final Vertx vertx;
    private final SecureRandom random;
    private final MediaStore store;
    private final PictureCheck check;
    private final PictureProcesses pictures;
    private final long idleTimer;
    private final ClipMaker clips;
    private final UploadSlots slots;
    private final ThreadPoolExecutor heads;
    private final PictureQueue queue;
    private final ThreadPoolExecutor sources;
    private final ThreadPoolExecutor previews;
    private final Semaphore turns;

    public MediaProcessor(Vertx vertx, SecureRandom random, MediaStore store, Settings.Media settings) {
        this(vertx, random, store, settings, Confinement.once(Ffmpeg.searchPath()));
    }

    private MediaProcessor(
            Vertx vertx,
            SecureRandom random,
            MediaStore store,
            Settings.Media settings,
            Supplier<Confinement> confinement) {
        this(
                vertx,
                random,
                store,
                settings,
                confinement,
                new PictureProcesses(
                        store::draft,
                        confinement,
                        List.of(),
                        settings.decodeTimeout().toSeconds()));
    }

    /** @param pictures the children that decode, which are closed with this */
    MediaProcessor(
            Vertx vertx,
            SecureRandom random,
            MediaStore store,
            Settings.Media settings,
            Supplier<Confinement> confinement,
            PictureProcesses pictures) {
        this.vertx = vertx;
        this.random = random;
        this.store = store;
        this.check = new PictureCheck(settings.pixelsMax());
        this.pictures = pictures;
        this.idleTimer = vertx.setPeriodic(IDLE_CHECK_MILLIS, now -> pictures.endIdle());
        this.clips = new ClipMaker(settings, check, pictures, Ffmpeg.of(settings, Ffmpeg.searchPath(), confinement));
        this.slots = new UploadSlots(settings);
        int decodes = settings.decodesAtOnce();
        this.heads = pool("fanfare-heads", HEADS_AT_ONCE, settings.uploadsAtOnce());
        this.queue = new PictureQueue(pool("fanfare-pictures", decodes, Integer.MAX_VALUE), settings.decodesWaiting());
        // A step with a turn finds a thread, or one that is about to be free.
        this.sources = pool("fanfare-sources", decodes, decodes);
        this.previews = pool("fanfare-previews", 1, settings.uploadsAtOnce());
        this.turns = new Semaphore(decodes);
    }

    private static ThreadPoolExecutor pool(String name, int threads, int waiting) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(waiting), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * A file that is made and whole on the disk, but that no reader sees yet.
     *
     * @param name that its files will have
     * @param bytes of both
     */
    public record Made(String name, Rendition rendition, Path original, Path small, long bytes) {
        /** The attachment for a record, without an id. */
        public Attachment attachment(Attachment.Focus focus, String description) {
            return new Attachment(
                    0,
                    name,
                    rendition.width(),
                    rendition.height(),
                    rendition.smallWidth(),
                    rendition.smallHeight(),
                    rendition.blurhash(),
                    focus,
                    description,
                    rendition.clip());
        }
    }

    /**
     * A file that was received and can be made into a picture, by its frames, with the bytes that a decoder gets. The
     * holder makes, keeps or drops it.
     */
    public static final class Checked {
        private final PictureHead head;
        private final Path cleaned;
        private final long bytes;

        private Checked(PictureHead head, Path cleaned, long bytes) {
            this.head = head;
            this.cleaned = cleaned;
            this.bytes = bytes;
        }

        /** The bytes that the file of its source would have. */
        public long bytes() {
            return bytes;
        }

        /** How long its picture takes to be made: as many pixels as a plain JPEG has that takes as long. */
        public long cost() {
            return head.cost();
        }

        /** How the camera was held, which what is kept of the file does not say: 1 to 8 as in EXIF. */
        public int orientation() {
            return head.orientation();
        }
    }

    /** The store of its files. */
    public MediaStore store() {
        return store;
    }

    /** The slots of the files that this process receives. */
    public UploadSlots slots() {
        return slots;
    }

    /**
     * Takes over an uploaded video or sound as it is; empty when the file is neither, and stays the caller's then.
     * Fails as {@link ClipMaker#store} does; a preview that cannot be made soon is left out.
     */
    public Future<Optional<Made>> makeClip(Path upload) {
        return run(heads, () -> ClipHead.read(upload))
                .compose(head -> head.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : clip(head.get(), upload).map(Optional::of));
    }

    private Future<Made> clip(ClipHead head, Path upload) {
        return blocking(() -> stored(head, upload)).compose(original -> {
            Path small = store.draft();
            return preview(head, original, small).compose(preview -> {
                Rendition rendition = ClipMaker.rendition(head, preview);
                return blocking(() -> {
                    boolean made = false;
                    try {
                        Made clip = made(rendition, original, small);
                        made = true;
                        return clip;
                    } finally {
                        if (!made) {
                            delete(original, small);
                        }
                    }
                });
            });
        });
    }

    private Made made(Rendition rendition, Path original, Path small) throws IOException {
        return made(MediaName.draw(random, rendition.extension()), rendition, original, small);
    }

    private static Made made(String name, Rendition rendition, Path original, Path small) throws IOException {
        long bytes = Files.size(original) + (rendition.smallWidth() > 0 ? Files.size(small) : 0);
        return new Made(name, rendition, original, small, bytes);
    }

    private Path stored(ClipHead head, Path upload) throws IOException {
        Path original = store.draft();
        boolean stored = false;
        try {
            clips.store(head, upload, original);
            stored = true;
            return original;
        } finally {
            if (!stored) {
                delete(original);
            }
        }
    }

    /** Never fails. */
    private Future<Optional<Rendition>> preview(ClipHead head, Path original, Path small) {
        if (!clips.hasPreviews()) {
            return Future.succeededFuture(Optional.empty());
        }
        CompletableFuture<Optional<Rendition>> result = new CompletableFuture<>();
        Runnable task = () -> complete(result, () -> clips.preview(head, original, small, store::draft));
        try {
            previews.execute(task);
        } catch (RejectedExecutionException fullOrClosed) {
            return Future.succeededFuture(Optional.empty());
        }
        long unused = vertx.setTimer(PREVIEW_WAIT_MILLIS, late -> {
            if (previews.remove(task)) {
                LOG.debug("no preview reason=others are being made");
                result.complete(Optional.empty());
            }
        });
        return Future.fromCompletionStage(result, vertx.getOrCreateContext()).otherwise(Optional.empty());
    }

    /** The use of a picture that is to stand in the place of the small size of this file. */
    public static PictureUse previewOf(String name) {
        return MediaName.small(name).endsWith(".png") ? PictureUse.PREVIEW_PNG : PictureUse.PREVIEW;
    }

    /** A file with another small size, which is made {@linkplain #previewOf for it}; both are used up by it. */
    public Future<Made> with(Made made, Made preview) {
        return this.<Made>blocking(() -> {
                    delete(made.small(), preview.small());
                    return made(made.name(), with(made.rendition(), preview), made.original(), preview.original());
                })
                .recover(cause ->
                        discard(made).eventually(() -> discard(preview)).transform(gone -> Future.failedFuture(cause)));
    }

    private static Rendition with(Rendition rendition, Made preview) {
        Rendition small = preview.rendition();
        return new Rendition(
                rendition.extension(),
                rendition.width(),
                rendition.height(),
                small.width(),
                small.height(),
                small.blurhash(),
                rendition.clip());
    }

    /**
     * A copy of a file under another name, with another small size, which is used up by it: the name of a file never
     * gets another content. Empty when there is no such file.
     */
    public Future<Optional<Made>> copy(Attachment attachment, Made preview) {
        Path original = store.draft();
        Future<Optional<Made>> copying = store.fetch(attachment.name(), original)
                .compose(there -> this.<Optional<Made>>blocking(
                        () -> there ? Optional.of(copied(attachment, original, preview)) : Optional.empty()));
        return copying.transform(done -> done.succeeded() && done.result().isPresent()
                ? copying
                : discard(new Made(attachment.name(), preview.rendition(), original, preview.original(), 0))
                        .transform(gone -> copying));
    }

    private Made copied(Attachment attachment, Path original, Made preview) throws IOException {
        try (FileChannel channel = FileChannel.open(original, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        delete(preview.small());
        String extension = attachment.name().substring(attachment.name().indexOf('.') + 1);
        Rendition rendition = new Rendition(
                extension, attachment.width(), attachment.height(), 0, 0, attachment.blurhash(), attachment.clip());
        return made(MediaName.draw(random, extension), with(rendition, preview), original, preview.original());
    }

    private Made made(PictureUse use, PictureHead head, Path cleaned) throws IOException {
        Path original = store.draft();
        Path small = store.draft();
        boolean made = false;
        try {
            Made picture = made(pictures.make(use, head, cleaned, original, small), original, small);
            made = true;
            return picture;
        } finally {
            if (!made) {
                delete(original, small);
            }
        }
    }

    /**
     * Reads the frames of an uploaded file, which stays the caller's, without decoding it. Costs time in proportion to
     * its bytes, so that it does not wait for pictures that are processed. Fails as {@link PictureCheck#check} does,
     * and with {@code Refusal(OVERLOADED)} when too many files wait.
     */
    public Future<Checked> check(Path upload) {
        return run(heads, () -> {
            Path cleaned = store.draft();
            boolean checked = false;
            try {
                PictureHead head = check.check(upload, cleaned);
                Checked whole = new Checked(head, cleaned, Files.size(cleaned));
                checked = true;
                return whole;
            } finally {
                if (!checked) {
                    delete(cleaned);
                }
            }
        });
    }

    /**
     * Makes a picture of a checked file, which is used up by it. Fails as {@link PictureProcesses#make} does, and with
     * {@code Refusal(OVERLOADED)} when too many pictures wait.
     *
     * @param account which waits for it
     */
    public Future<Made> make(long account, PictureUse use, Checked checked) {
        Future<Made> making = run(task -> queue.execute(account, task), () -> made(use, checked.head, checked.cleaned));
        return making.transform(end -> drop(checked).transform(dropped -> making));
    }

    /** Deletes what was checked. */
    public Future<Void> drop(Checked checked) {
        return blocking(() -> {
            delete(checked.cleaned);
            return null;
        });
    }

    /** The name of a new source. */
    public String drawSource() {
        return MediaName.drawSource(random);
    }

    /**
     * Keeps what was checked as a source of this name: for good when this completes. It is used up by it. To be called
     * when the name is noted, so that no file is without one.
     */
    public Future<Void> keep(Checked checked, String source) {
        Future<Void> keeping = this.<Void>blocking(() -> {
                    try (FileChannel channel = FileChannel.open(checked.cleaned, StandardOpenOption.WRITE)) {
                        channel.force(true);
                    }
                    return null;
                })
                .compose(written -> store.publish(checked.cleaned, source));
        return keeping.recover(cause -> drop(checked).transform(dropped -> keeping));
    }

    /**
     * The right to make a picture of a source: {@code media.decodes-at-once} of a process have it at a time, so that
     * sources do not wait among the files of requests. What is answered gives it back, once; empty = not now.
     */
    public Optional<Runnable> turn() {
        return turns.tryAcquire() ? Optional.of(turns::release) : Optional.empty();
    }

    /**
     * Makes a picture of a source, which stays. Fails as {@link PictureProcesses#make} does; empty when there is no
     * such source.
     *
     * @param orientation of {@link Checked}
     */
    public Future<Optional<Made>> make(PictureUse use, String source, int orientation) {
        Path fetched = store.draft();
        Future<Optional<Made>> making = store.fetch(source, fetched)
                .compose(there -> there
                        ? run(sources, () -> Optional.of(madeOfSource(use, fetched, orientation)))
                        : Future.succeededFuture(Optional.empty()));
        return making.transform(end -> this.<Void>blocking(() -> {
                    delete(fetched);
                    return null;
                })
                .transform(deleted -> making));
    }

    private Made madeOfSource(PictureUse use, Path fetched, int orientation) throws IOException {
        Path cleaned = store.draft();
        try {
            return made(use, check.check(fetched, cleaned).turned(orientation), cleaned);
        } finally {
            delete(cleaned);
        }
    }

    /**
     * Gives the files of a picture their names. To be called when its record exists, so that no file is without one.
     * When it fails, the drafts are gone.
     */
    public Future<Void> publish(Made made) {
        Future<Void> small = made.rendition().smallWidth() > 0
                ? store.publish(made.small(), MediaName.small(made.name()))
                : Future.succeededFuture();
        return small.compose(done -> store.publish(made.original(), made.name()))
                .recover(cause -> discard(made).transform(gone -> Future.failedFuture(cause)));
    }

    /** Deletes the drafts of a picture. */
    public Future<Void> discard(Made made) {
        return blocking(() -> {
            delete(made.original(), made.small());
            return null;
        });
    }

    private <T> Future<T> blocking(Callable<T> task) {
        return vertx.executeBlocking(task, /* ordered= */ false);
    }

    /** The file of this name; empty when there is none. */
    public Future<Optional<StoredFile>> find(String name) {
        return store.find(name);
    }

    private <T> Future<T> run(Executor pool, Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            pool.execute(() -> complete(result, task));
        } catch (RejectedExecutionException fullOrClosed) {
            return Future.failedFuture(Refusal.overloaded(
                    "Too many pictures are waiting to be processed: try again in a few seconds.", 5));
        }
        return Future.fromCompletionStage(result, vertx.getOrCreateContext());
    }

    private static <T> void complete(CompletableFuture<T> result, Callable<T> task) {
        try {
            result.complete(task.call());
        } catch (Refusal refusal) {
            result.completeExceptionally(refusal);
        } catch (Exception | StackOverflowError failure) {
            LOG.warn("picture not processed cause={}", Reason.kind(failure));
            result.completeExceptionally(failure);
        } finally {
            // Of an error that ends the thread, such as too little memory, the caller is notified all the same.
            result.completeExceptionally(new IllegalStateException("a picture has ended its thread"));
        }
    }

    private static void delete(Path... drafts) throws IOException {
        for (Path draft : drafts) {
            boolean unused = Files.deleteIfExists(draft);
        }
    }

    /** Ends the threads; what waits is not done. */
    @Override
    public void close() {
        boolean unused = vertx.cancelTimer(idleTimer);
        queue.close();
        for (ThreadPoolExecutor each : List.of(heads, sources, previews)) {
            each.shutdownNow().forEach(waiting -> {});
        }
        pictures.close();
    }
}
