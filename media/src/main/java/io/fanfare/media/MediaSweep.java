package io.fanfare.media;

import io.fanfare.common.id.Shards;
import io.fanfare.common.store.Uploads;
import io.fanfare.common.store.Uploads.Due;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the files of pictures that nobody has posted for a day, of deleted statuses, and of profiles that have
 * others. Every step may be repeated, by whatever process: first nobody can post the picture any more, then its files
 * go, then its entry. Runs once a minute in each event loop that takes uploads, and in the job after a delete. Confined
 * to one event loop.
 */
public final class MediaSweep {
    private static final Logger LOG = LoggerFactory.getLogger(MediaSweep.class);
    private static final Duration EVERY = Duration.ofMinutes(1);

    /** Pictures of a shard that one run deletes. */
    private static final int BATCH = 100;

    /** No upload takes so long. */
    private static final Duration DRAFT_LIFE = Duration.ofHours(1);

    private final Vertx vertx;
    private final Shards shards;
    private final Uploads uploads;
    private final MediaStore store;
    private final InstantSource clock;
    private boolean running;

    public MediaSweep(Vertx vertx, Shards shards, Uploads uploads, MediaStore store, InstantSource clock) {
        this.vertx = vertx;
        this.shards = shards;
        this.uploads = uploads;
        this.store = store;
        this.clock = clock;
    }

    /** Begins to run by itself, until the verticle is undeployed. */
    public void start() {
        long unused = vertx.setPeriodic(EVERY.toMillis(), tick -> tick());
    }

    /** The same for a process that sweeps shards only when jobs ask for it: what its crashes have left. */
    public void startDrafts() {
        long unused = vertx.setPeriodic(EVERY.toMillis(), tick -> deleteDrafts()
                .onFailure(failure -> LOG.debug("drafts not swept cause={}", failure.toString())));
    }

    private void tick() {
        if (!running) {
            running = true;
            run().onComplete(done -> running = false, failure -> {
                running = false;
                LOG.debug("pictures not swept cause={}", failure.toString());
            });
        }
    }

    /** All shards once, and the drafts that crashes have left. */
    public Future<Void> run() {
        List<Future<Void>> all = IntStream.range(0, shards.count())
                .mapToObj(shard -> run(shard, BATCH))
                .toList();
        return Future.join(all).compose(done -> deleteDrafts());
    }

    private Future<Void> deleteDrafts() {
        return store.deleteDrafts(clock.instant().minus(DRAFT_LIFE));
    }

    /** One shard once. */
    public Future<Void> run(int shard) {
        return run(shard, BATCH);
    }

    private Future<Void> run(int shard, int limit) {
        return uploads.due(shard, clock.millis(), limit)
                .compose(due -> Future.join(due.stream().map(this::delete).toList()))
                .mapEmpty();
    }

    private Future<Void> delete(Due due) {
        return uploads.claim(due)
                .compose(claimed -> claimed
                        ? store.delete(due.name()).compose(gone -> uploads.deleted(due))
                        : Future.succeededFuture());
    }
}
