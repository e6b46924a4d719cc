package io.fanfare.core.posting;

import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.view.RenderContext;
import io.fanfare.core.LoopStores;
import io.fanfare.core.graph.Backlinks;
import io.fanfare.core.held.Finding;
import io.fanfare.core.notification.NotificationPublisher;
import io.fanfare.core.post.Announcer;
import io.fanfare.core.post.Duplicate;
import io.fanfare.core.post.PostSideEffects;
import io.fanfare.core.view.Hydrator;
import io.fanfare.redis.RedisError;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes posts, comments, articles and reposts: reads the statuses that a request refers to, stores the post, and
 * announces it. The steps after the store show new counts at once, and are repeated by the post's job when they fail.
 *
 * <p>Confined to the event loop of its stores.
 */
public final class Posting {
    private static final Logger LOG = LoggerFactory.getLogger(Posting.class);

    private final PostReferences references;
    private final PostWriter writer;
    private final PostGate gate;
    private final Statuses statuses;
    private final Backlinks backlinks;
    private final Articles articles;
    private final PostSideEffects sideEffects;
    private final NotificationPublisher notificationPublisher;
    private final Hydrator hydrator;
    private final EventBodies bodies;
    private final Announcer announcer;
    private final Counter repeats;

    public Posting(LoopStores stores, Announcer announcer, PostGate gate) {
        this.references = new PostReferences(stores);
        this.writer = new PostWriter(stores, gate);
        this.gate = gate;
        this.statuses = stores.statuses();
        this.backlinks = stores.backlinks();
        this.articles = stores.articles();
        this.sideEffects = stores.sideEffects();
        this.notificationPublisher = stores.notificationPublisher();
        this.hydrator = stores.hydrator();
        this.bodies = new EventBodies(stores.views());
        this.announcer = announcer;
        this.repeats = Duplicate.POST.counter(stores.parts().metrics());
    }

    /**
     * A published status.
     *
     * @param context as its author sees it
     * @param limit the signal by which it is at most unlisted; null = none
     */
    public record Published(Status status, RenderContext context, Finding limit) {}

    /**
     * Publishes words, see {@link Statuses#post(Post, IdempotentRequest)}, or finds the status that the same request
     * made before. A repeated request does not read what the words refer to: a client that lost the answer gets it even
     * if that is gone by now. A request that a signal holds fails with {@code Refusal(INVALID)}, see
     * {@link PostReview}.
     */
    public Future<Published> publish(NewPost request) {
        if (request.form() instanceof NewPost.Comment comment && comment.alsoQuotes()) {
            return commentAndQuote(request, comment);
        }
        return earlier(request.author(), request.once())
                .compose(earlier -> earlier.isPresent()
                        ? announce(earlier.get())
                        : gate.review()
                                .requireNew(request, /* dueMillis= */ 0)
                                .compose(isNew -> references.of(request))
                                .compose(read -> publish(request, read)));
    }

    /** Reposts a status without words, or finds the repost that its author has made before. */
    public Future<Published> repost(NewPost.Repost request) {
        return earlier(request.author(), request.once())
                .compose(earlier -> earlier.isPresent()
                        ? announce(earlier.get())
                        : writer.write(request).compose(this::announce));
    }

    private Future<Optional<Statuses.Posted>> earlier(long author, IdempotentRequest onceOrNull) {
        return onceOrNull == null ? Future.succeededFuture(Optional.empty()) : statuses.earlier(author, onceOrNull);
    }

    private Future<Published> publish(NewPost request, References read) {
        return gate.review().of(request, read, /* dueMillis= */ 0, gate, writer).compose(reviewed -> writer.write(
                        reviewed, read)
                .compose(this::announce)
                .map(published -> new Published(published.status(), published.context(), reviewed.limit())));
    }

    /**
     * Publishes a comment, and the same words as a quote of the status above it. When only the quote fails, the comment
     * stays. A repeated request repeats both: the process may have ended between the two.
     */
    private Future<Published> commentAndQuote(NewPost request, NewPost.Comment comment) {
        long author = request.author();
        Future<Status> subject = references.quotable(author, comment.subjectId());
        return earlier(author, request.once())
                .compose(earlier -> earlier.isPresent()
                        ? announce(earlier.get())
                        : subject.compose(status -> references.ofComment(author, comment, status))
                                .compose(read -> publish(request, read)))
                .compose(published -> subject.compose(status -> quote(request, status))
                        .recover(Posting::withoutQuote)
                        .map(published));
    }

    private Future<Published> quote(NewPost comment, Status subject) {
        // No client's key ends with a space.
        IdempotentRequest once = comment.once() == null
                ? null
                : new IdempotentRequest(
                        comment.once().key() + " ", comment.once().values());
        NewPost request = new NewPost(
                comment.author(), comment.words(), NewPost.Plain.quoting(subject.id()), comment.application(), once);
        return earlier(request.author(), once)
                .compose(earlier ->
                        earlier.isPresent() ? announce(earlier.get()) : publish(request, References.quoting(subject)));
    }

    /** A refusal, or a failure of Redis, ends only the quote. Any other failure is a mistake of ours, and stays one. */
    static Future<Published> withoutQuote(Throwable cause) {
        if (cause instanceof Refusal || cause instanceof RedisError) {
            LOG.debug("comment published without its repost cause={}", cause.toString());
            return Future.succeededFuture();
        }
        return Future.failedFuture(cause);
    }

    private Future<Published> announce(Statuses.Posted posted) {
        if (posted.repeated()) {
            repeats.increment();
        }
        return tryToLink(posted).compose(linked -> hydrator.load(posted)).map(context -> announce(posted, context));
    }

    private Published announce(Statuses.Posted posted, RenderContext context) {
        Status status = posted.status();
        if (!context.covers(status)) {
            throw Refusal.unknown();
        }
        if (!posted.repeated() && status.visibility() == Visibility.DIRECT) {
            announcer.wake(status.authorId());
        } else if (!posted.repeated()) {
            announcer.announce(bodies.posted(status, context));
        }
        return new Published(status, context, /* limit= */ null);
    }

    /**
     * Adds the status to the lists of the statuses that it refers to; never fails. A repeated request may come long
     * after its status: a status that was deleted meanwhile must not be counted again.
     */
    private Future<Void> tryToLink(Statuses.Posted posted) {
        return link(posted).recover(cause -> {
            LOG.debug("links left to their job cause={}", cause.toString());
            return Future.succeededFuture();
        });
    }

    private Future<Void> link(Statuses.Posted posted) {
        Status status = posted.status();
        if (status.isArticle()) {
            return articles.add(status); // Does nothing for a deleted article.
        }
        if (status.kind() == Post.Kind.DIRECT) {
            return posted.repeated()
                    ? Future.succeededFuture()
                    : Future.join(sideEffects.converse(status), backlinks.add(status))
                            .mapEmpty();
        }
        if (!Backlinks.has(status)) {
            return Future.succeededFuture();
        }
        Future<Void> linked = backlinks
                .add(status)
                .onSuccess(added -> added.forEach(this::announceNotification))
                .mapEmpty();
        return posted.repeated()
                ? linked.compose(done -> statuses.find(status.id()))
                        .compose(living -> living.isPresent() ? Future.succeededFuture() : backlinks.takeBack(status))
                : linked;
    }

    private void announceNotification(Backlinks.Added added) {
        notificationPublisher
                .announce(added.account(), added.notification())
                .onFailure(cause -> LOG.debug("notification left to its job cause={}", cause.toString()));
    }
}
