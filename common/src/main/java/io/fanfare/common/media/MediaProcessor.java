package io.fanfare.common.media;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes pictures on a bounded pool off the event loops: {@code media.decodes-at-once} run,
 * {@code media.decodes-waiting} wait, more are refused with {@code OVERLOADED}. One per process, shared by its event
 * loops; each future completes on the context that asked.
 */
public final class MediaProcessor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MediaProcessor.class);

    private final Vertx vertx;
    private final SecureRandom random;
    private final MediaStore store;
    private final PictureMaker maker;
    private final UploadSlots slots;
    private final ThreadPoolExecutor pool;

    public MediaProcessor(Vertx vertx, SecureRandom random, MediaStore store, Settings.Media settings) {
        this.vertx = vertx;
        this.random = random;
        this.store = store;
        this.maker = new PictureMaker(settings.pixelsMax());
        this.slots = new UploadSlots(settings.uploadsAtOnce());
        this.pool = new ThreadPoolExecutor(
                settings.decodesAtOnce(),
                settings.decodesAtOnce(),
                1,
                TimeUnit.MINUTES,
                settings.decodesWaiting() == 0
                        ? new SynchronousQueue<>()
                        : new ArrayBlockingQueue<>(settings.decodesWaiting()),
                task -> {
                    Thread thread = new Thread(task, "fanfare-pictures");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
    }

    /**
     * A picture that is made and whole on the disk, but that no reader sees yet.
     *
     * @param name that its files will have
     */
    public record Made(String name, Rendition rendition, Path original, Path small) {}

    /** The store of its files. */
    public MediaStore store() {
        return store;
    }

    /** Of the files that this process receives. */
    public UploadSlots slots() {
        return slots;
    }

    /** Makes a picture of an uploaded file, which stays the caller's. Fails as {@link PictureMaker#make} does. */
    public Future<Made> make(PictureUse use, Path upload) {
        return run(() -> {
            Path cleaned = store.draft();
            Path original = store.draft();
            Path small = store.draft();
            boolean made = false;
            try {
                Rendition rendition = maker.make(use, upload, cleaned, original, small);
                made = true;
                return new Made(MediaName.draw(random, rendition.extension()), rendition, original, small);
            } finally {
                boolean unused = Files.deleteIfExists(cleaned);
                if (!made) {
                    delete(original, small);
                }
            }
        });
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
        return vertx.executeBlocking(
                () -> {
                    delete(made.original(), made.small());
                    return null;
                },
                /* ordered= */ false);
    }

    /** The file of this name; empty when there is none. */
    public Future<Optional<StoredFile>> find(String name) {
        return store.find(name);
    }

    private <T> Future<T> run(Callable<T> task) {
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
            LOG.warn("picture not processed cause={}", failure.toString());
            result.completeExceptionally(failure);
        }
    }

    private static void delete(Path... drafts) throws IOException {
        for (Path draft : drafts) {
            boolean unused = Files.deleteIfExists(draft);
        }
    }

    /** Ends the pool; what waits is not done. */
    @Override
    public void close() {
        pool.shutdownNow().forEach(waiting -> {});
    }
}
