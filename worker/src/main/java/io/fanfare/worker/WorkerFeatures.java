package io.fanfare.worker;

import io.fanfare.core.LoopStores;
import io.fanfare.core.queue.JobType;
import io.fanfare.worker.account.AccountJobs;
import io.fanfare.worker.feed.FeedJobs;
import io.fanfare.worker.graph.GraphJobs;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.WorkerFeature;
import io.fanfare.worker.handler.WorkerParts;
import io.fanfare.worker.held.HeldJobs;
import io.fanfare.worker.mail.MailJobs;
import io.fanfare.worker.media.MediaJobs;
import io.fanfare.worker.moderation.ModerationJobs;
import io.fanfare.worker.poll.PollJobs;
import io.fanfare.worker.post.PostJobs;
import io.fanfare.worker.push.PushJobs;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * The one list of the features of a worker, which name the handlers of all types of job. A feature that stands in a
 * line of its own may be left out of a build: that build has neither its line nor its folder
 * ({@code LeftOutFeaturesTest}).
 */
final class WorkerFeatures {
    private final List<WorkerFeature> features;

    private WorkerFeatures(List<WorkerFeature> features) {
        this.features = List.copyOf(features);
    }

    /** All of one worker. */
    static WorkerFeatures of(WorkerParts parts) {
        List<WorkerFeature> features = new ArrayList<>();
        // These may be left out of a build.
        features.add(new HeldJobs());
        features.add(new MailJobs(parts));
        features.add(new MediaJobs(parts));
        features.add(new PushJobs(parts));

        List<WorkerFeature> withFiles = List.copyOf(features);
        IntFunction<Future<Void>> deleteDueFiles = shard -> Future.join(withFiles.stream()
                        .map(feature -> feature.deleteDueFiles(shard))
                        .toList())
                .mapEmpty();
        features.addAll(List.of(
                new AccountJobs(),
                new FeedJobs(parts, deleteDueFiles),
                new GraphJobs(),
                new ModerationJobs(),
                new PollJobs(),
                new PostJobs()));
        return new WorkerFeatures(features);
    }

    /** Reads what jobs need. A worker does not start if it fails. */
    Future<Void> start() {
        return Future.all(features.stream().map(WorkerFeature::start).toList()).mapEmpty();
    }

    /** The handlers of all features, on the stores of one connection to Redis. */
    Map<JobType, JobHandler<?>> handlers(LoopStores stores) {
        Map<JobType, JobHandler<?>> all = new EnumMap<>(JobType.class);
        for (WorkerFeature feature : features) {
            feature.handlers(stores).forEach((type, handler) -> {
                if (all.putIfAbsent(type, handler) != null) {
                    throw new IllegalStateException(
                            "two features handle the job type " + type + ": take it out of one, such as "
                                    + feature.getClass().getSimpleName());
                }
            });
        }
        return all;
    }

    /** To be called when no job runs any more. */
    Future<Void> close() {
        return Future.join(features.stream().map(WorkerFeature::close).toList()).mapEmpty();
    }
}
