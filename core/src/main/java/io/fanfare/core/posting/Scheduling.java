package io.fanfare.core.posting;

import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.PostOptions;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.core.LoopStores;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Keeps posts that are to be published later, by {@link ScheduledPublisher}. Confined to the event loop of its stores.
 */
public final class Scheduling {
    private final PostReferences references;
    private final ScheduledStatuses scheduled;
    private final PostGate gate;
    private final PostWriter writer;

    public Scheduling(LoopStores stores, ScheduledStatuses scheduled, PostGate gate) {
        this.references = new PostReferences(stores);
        this.scheduled = scheduled;
        this.gate = gate;
        this.writer = new PostWriter(stores, gate);
    }

    /**
     * Schedules a post, see {@link ScheduledStatuses#schedule}, or finds what the same request has scheduled before.
     * Passes the gate and the review now, not when it is published.
     *
     * @param request of a {@link NewPost.Plain}
     */
    public Future<ScheduledStatus> schedule(NewPost request, long dueMillis) {
        return earlier(request)
                .compose(earlier ->
                        earlier.isPresent() ? Future.succeededFuture(earlier.get()) : scheduleNow(request, dueMillis));
    }

    private Future<Optional<ScheduledStatus>> earlier(NewPost request) {
        return request.once() == null
                ? Future.succeededFuture(Optional.empty())
                : scheduled.earlier(request.author(), request.once());
    }

    private Future<ScheduledStatus> scheduleNow(NewPost request, long dueMillis) {
        gate.checkRoom(request.author());
        // Reading the references stores new descriptions of uploads, so a refusal comes before it where it can.
        requireNotDirect(request, /* repliedTo= */ null);
        return gate.review()
                .requireNew(request, dueMillis)
                .compose(isNew -> references.of(request))
                .compose(read -> {
                    requireNotDirect(request, read.repliedTo());
                    return gate.review()
                            .of(request, read, dueMillis, gate, writer)
                            .compose(reviewed -> keep(reviewed, read, dueMillis));
                });
    }

    private Future<ScheduledStatus> keep(NewPost request, References read, long dueMillis) {
        ScheduledStatus status = request.kept(read, dueMillis);
        return gate.count(Post.of(request.author(), Visibility.PUBLIC, content(status)))
                .compose(counted -> scheduled.schedule(request.author(), status, request.once()));
    }

    /** The recipients of a direct message are settled when it is sent. */
    private static void requireNotDirect(NewPost request, Status repliedTo) {
        PostOptions options = request.words().options();
        if (PostFactory.visibility(request, options, repliedTo) == Visibility.DIRECT) {
            throw new Refusal(
                    Refusal.Reason.INVALID, "A direct message cannot be scheduled: send it without scheduled_at.");
        }
    }

    private static Content content(ScheduledStatus status) {
        PostWords words = status.words();
        return new Content(
                        words.text(),
                        words.spoilerText(),
                        /* sensitive= */ false,
                        words.options().language(),
                        List.of(),
                        List.of(),
                        words.place())
                .with(status.attachments())
                .with(status.poll());
    }
}
