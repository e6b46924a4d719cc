package io.fanfare.worker.media;

import io.fanfare.common.store.Uploads;
import io.fanfare.core.LoopStores;
import io.fanfare.core.queue.JobType;
import io.fanfare.media.MediaSweep;
import io.fanfare.media.PictureWork;
import io.fanfare.media.S3Failure;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.WorkerFeature;
import io.fanfare.worker.handler.WorkerParts;
import io.vertx.core.Future;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Large pictures, and the files of deleted statuses. May be left out of a build. */
public final class MediaJobs implements WorkerFeature {
    private static final Logger LOG = LoggerFactory.getLogger(MediaJobs.class);

    private final WorkerParts parts;

    /** Null = this process has no store of files. */
    private final MediaSweep sweep;

    public MediaJobs(WorkerParts parts) {
        this.parts = parts;
        this.sweep = parts.media() == null
                ? null
                : new MediaSweep(
                        parts.vertx(),
                        parts.shards(),
                        new Uploads(parts.redis()),
                        parts.media().store(),
                        parts.clock());
    }

    @Override
    public Future<Void> start() {
        if (sweep == null) {
            LOG.info("large pictures are left to other workers: neither media.directory nor a bucket is set");
        } else {
            sweep.startDrafts();
        }
        return Future.succeededFuture();
    }

    @Override
    public Map<JobType, JobHandler<?>> handlers(LoopStores stores) {
        PictureWork work = new PictureWork(parts.media(), new Uploads(stores.redis()));
        return Map.of(JobType.PICTURE, new PictureHandler(work, parts.disk(), parts.clock(), parts.random()));
    }

    /**
     * A process without the folder of the pictures leaves their files to those that have it. A bucket that does not
     * work holds up no job: API processes try again each minute.
     */
    @Override
    public Future<Void> deleteDueFiles(int shard) {
        if (sweep == null) {
            return Future.succeededFuture();
        }
        return sweep.run(shard)
                .recover(cause -> cause instanceof S3Failure ? Future.succeededFuture() : Future.failedFuture(cause));
    }
}
