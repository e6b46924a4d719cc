package io.fanfare.api.routes;

import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.request.NewStatus;
import io.fanfare.common.action.Duplicate;
import io.fanfare.common.action.LoopStores;
import io.fanfare.common.action.PostSideEffects;
import io.fanfare.common.action.StatusDeletion;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.publish.NotificationPublisher;
import io.fanfare.common.queue.JobQueue;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Backlinks;
import io.fanfare.common.store.Composer;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.store.WeeklyPosts;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes statuses and takes them back: an author's preferences, the text's names, the write, and what follows it.
 * The store's script decides and enqueues the job; what follows it here makes answers show the new counts, and streams
 * and workers quick. All of that may fail: the job does it again.
 */
public final class Publisher {
    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

    private final Accounts accounts;
    private final ViewerRelationshipsReader viewerRelationships;
    private final Composer composer;
    private final Statuses statuses;
    private final Backlinks backlinks;
    private final Articles articles;
    private final PostSideEffects sideEffects;
    private final StatusDeletion deletion;
    private final NotificationPublisher notificationPublisher;
    private final EventLog events;
    private final JobQueue queue;
    private final MemoryPressure pressure;
    private final StatusRenderer renderer;
    private final RateLimits rates;
    private final WeeklyPosts weeklyPosts;
    private final Counter repeats;

    public Publisher(
            LoopStores stores,
            Composer composer,
            JobQueue queue,
            MemoryPressure pressure,
            StatusRenderer renderer,
            RateLimits rates) {
        this.accounts = stores.accounts();
        this.viewerRelationships = stores.viewerRelationships();
        this.composer = composer;
        this.statuses = stores.statuses();
        this.backlinks = stores.backlinks();
        this.articles = stores.articles();
        this.sideEffects = stores.sideEffects();
        this.deletion = new StatusDeletion(stores, queue);
        this.notificationPublisher = stores.notificationPublisher();
        this.events = stores.events();
        this.queue = queue;
        this.pressure = pressure;
        this.renderer = renderer;
        this.rates = rates;
        this.weeklyPosts = new WeeklyPosts(stores.redis());
        this.repeats = Duplicate.POST.counter(stores.parts().metrics());
    }

    /** Makes a post of words to which nothing is missing any more. */
    interface Draft {
        /**
         * The post of these.
         *
         * @param words with the author's preferences for what was not asked for
         * @param content the same words, with the accounts and tags that they name
         */
        Post post(NewStatus words, Content content);
    }

    /**
     * Publishes words, see {@link Statuses#post(Post, IdempotentRequest)}; answers the status as its author gets it, or
     * the one that the same request made before. Refuses at once when Redis is nearly full.
     *
     * <p>The author's preferences need not be read for each post: the script that publishes says when they have
     * changed, and the post is made again.
     *
     * @param once null = a request that is a new one each time: Redis is not asked
     * @param draft reads what the words refer to. Not asked for a request that is repeated: whoever has lost the answer
     *     gets it also when that is gone by now
     */
    Future<byte[]> publish(long author, NewStatus asked, IdempotentRequest once, Supplier<Future<Draft>> draft) {
        return earlierOr(author, once, () -> draft.get()
                .compose(ready -> asked.isComplete()
                        ? post(ready, asked).compose(post -> post(post, once))
                        : complete(author, asked, once, ready)));
    }

    /**
     * Publishes a post that needs no words; otherwise the same.
     *
     * @param post makes it; not asked for a request that is repeated
     */
    Future<byte[]> publish(long author, IdempotentRequest once, Supplier<Future<Post>> post) {
        return earlierOr(author, once, () -> post.get().compose(made -> post(made, once)));
    }

    private Future<byte[]> earlierOr(long author, IdempotentRequest once, Supplier<Future<byte[]>> now) {
        if (once == null) {
            return now.get();
        }
        return statuses.earlier(author, once)
                .compose(this::published)
                .compose(earlier -> earlier.isPresent() ? Future.succeededFuture(earlier.get()) : now.get());
    }

    private Future<byte[]> complete(long author, NewStatus asked, IdempotentRequest once, Draft draft) {
        return accounts.preferencesLately(author)
                .compose(lately -> post(draft, asked.completed(lately.preferences()))
                        .compose(post -> post(post, once, lately.rev())))
                .compose(body -> body.isPresent()
                        ? Future.succeededFuture(body.get())
                        : completeNow(author, asked, once, draft));
    }

    private Future<byte[]> completeNow(long author, NewStatus asked, IdempotentRequest once, Draft draft) {
        return accounts.preferencesNow(author)
                .compose(now -> post(draft, asked.completed(now.preferences())))
                .compose(post -> post(post, once));
    }

    private Future<Post> post(Draft draft, NewStatus complete) {
        return complete.content(composer)
                .map(content -> draft.post(complete, content))
                .compose(this::addressed);
    }

    /** A direct message is for those whom it names, but for those who block its author or are blocked. */
    private Future<Post> addressed(Post post) {
        if (post.visibility() != Visibility.DIRECT) {
            return Future.succeededFuture(post);
        }
        List<Long> named = post.content().mentions().stream()
                .map(Content.Mention::accountId)
                .filter(account -> account != post.authorId())
                .distinct()
                .toList();
        Future<Post> addressed = viewerRelationships
                .of(post.authorId(), named)
                .map(relationships -> post.to(named.stream()
                        .filter(account -> !relationships.isBlockedBy(account) && !relationships.blocks(account))
                        .toList()));
        return post.root() == null ? addressed : addressed.compose(this::answering);
    }

    /** Who is answered may be others than who reads the answer. */
    private Future<Post> answering(Post direct) {
        return statuses.find(direct.root().statusId())
                .map(answered ->
                        direct.answering(answered.orElseThrow(Refusal::unknown).post()));
    }

    private Future<byte[]> post(Post post, IdempotentRequest once) {
        pressure.check(post.authorId());
        return count(post).compose(counted -> statuses.post(post, once)).compose(this::published);
    }

    /**
     * Empty = the author's preferences have changed since {@code rev}, see {@link Statuses#post(Post,
     * IdempotentRequest, long)}.
     */
    private Future<Optional<byte[]>> post(Post post, IdempotentRequest once, long rev) {
        pressure.check(post.authorId());
        return count(post).compose(counted -> statuses.post(post, once, rev)).compose(this::published);
    }

    /**
     * Against what its author may publish in a day. What turns out to be outdated, and is tried again, counts twice.
     */
    private Future<Void> count(Post post) {
        return rates.takePost(post);
    }

    private Future<Optional<byte[]>> published(Optional<Statuses.Posted> posted) {
        return posted.isPresent()
                ? published(posted.get()).map(Optional::of)
                : Future.succeededFuture(Optional.empty());
    }

    private Future<byte[]> published(Statuses.Posted posted) {
        if (posted.repeated()) {
            repeats.increment();
        } else if (posted.status().kind() != Post.Kind.REPOST) {
            weeklyPosts.add(posted.status().id());
        }
        return tell(posted).compose(told -> renderer.posted(posted)).map(shown -> announced(posted, shown));
    }

    /**
     * Never fails. A repeated request may come long after its status: one that was deleted meanwhile must not be
     * counted anew.
     */
    private Future<Void> tell(Statuses.Posted posted) {
        Status status = posted.status();
        if (status.isArticle()) {
            // A deleted one is not ranked again.
            return echoed(articles.add(status));
        }
        if (status.kind() == Post.Kind.DIRECT) {
            // A deleted one must not come back.
            return posted.repeated() ? Future.succeededFuture() : echoed(converse(status));
        }
        if (!Backlinks.has(status)) {
            return Future.succeededFuture();
        }
        Future<Void> told = backlinks
                .tell(status)
                .onSuccess(words -> words.forEach(this::announce))
                .mapEmpty();
        return echoed(
                posted.repeated()
                        ? told.compose(done -> statuses.find(status.id()))
                                .compose(living ->
                                        living.isPresent() ? Future.succeededFuture() : backlinks.takeBack(status))
                        : told);
    }

    private Future<Void> converse(Status direct) {
        return Future.join(sideEffects.converse(direct), backlinks.tell(direct)).mapEmpty();
    }

    private void announce(Backlinks.Told word) {
        notificationPublisher
                .announce(word.account(), word.notification())
                .onFailure(cause -> LOG.debug("notification left to its job cause={}", cause.toString()));
    }

    private byte[] announced(Statuses.Posted posted, StatusRenderer.Posted shown) {
        if (!posted.repeated() && shown.event() == null) {
            wake(posted.status().authorId());
        } else if (!posted.repeated()) {
            append(shown.event());
        }
        return shown.body();
    }

    /** See {@link StatusDeletion#byAuthor}. */
    Future<Status> delete(long author, long id, boolean keepsPictures) {
        return deletion.byAuthor(author, id, keepsPictures);
    }

    private void append(Event event) {
        events.append(event)
                .onFailure(cause -> LOG.debug("event left to its job event={} cause={}", event.id(), cause.toString()));
        wake(event.actor());
    }

    private void wake(long author) {
        queue.wake(Id.shard(author)).onFailure(cause -> LOG.debug("workers not woken cause={}", cause.toString()));
    }

    private static Future<Void> echoed(Future<Void> told) {
        return told.recover(cause -> {
            LOG.debug("far sides left to their job cause={}", cause.toString());
            return Future.succeededFuture();
        });
    }
}
