package io.fanfare.core.posting;

import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.model.Preferences;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.LoopStores;
import io.fanfare.core.post.Composer;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes the posts of requests and stores them: reads the author's preferences, resolves the names in the text, and
 * passes the {@link PostGate}. The script that stores a post also enqueues its fan-out job. Confined to the event loop
 * of its stores.
 */
final class PostWriter {
    /** Posts are made again when the account has changed meanwhile. */
    private static final int ATTEMPTS_MAX = 5;

    private final PostReferences references;
    private final Accounts accounts;
    private final Composer composer;
    private final ViewerRelationshipsReader viewerRelationships;
    private final PostGate gate;
    private final Statuses statuses;
    private final InstantSource clock;

    PostWriter(LoopStores stores, PostGate gate) {
        this.references = new PostReferences(stores);
        this.accounts = stores.accounts();
        this.composer = new Composer(accounts, stores.views().urls().base());
        this.viewerRelationships = stores.viewerRelationships();
        this.gate = gate;
        this.statuses = stores.statuses();
        this.clock = stores.parts().clock();
    }

    /**
     * Stores words as a post. The author's preferences are not read for each post: the script says when those in memory
     * are outdated, and the post is made again.
     */
    Future<Statuses.Posted> write(NewPost request, References read) {
        PostWords words = request.words();
        Future<Optional<Statuses.Posted>> first = words.options().areComplete()
                ? compose(request, read, words, Preferences.PLAIN)
                        .compose(this::admitted)
                        .compose(post -> statuses.postUnrestricted(post, request.once()))
                : accounts.preferencesLately(request.author())
                        .compose(lately -> compose(request, read, lately.preferences())
                                .compose(this::admitted)
                                .compose(post -> statuses.post(post, request.once(), lately.rev())));
        return orAgain(request.author(), first, now -> compose(request, read, now.preferences())
                .compose(post -> statuses.post(post, request.once(), now.rev())));
    }

    /** Stores a repost without words, or finds the one that its author has made before. */
    Future<Statuses.Posted> write(NewPost.Repost request) {
        Future<Status> original = references.reposted(request.author(), request.originalId());
        Future<Visibility> visibility = request.visibility() != null
                ? Future.succeededFuture(request.visibility())
                : accounts.preferences(request.author()).map(Preferences::visibility);
        return Future.all(original, visibility)
                .map(both -> PostFactory.repost(request, visibility.result(), original.result()))
                .compose(this::admitted)
                .compose(repost -> orAgain(
                        request.author(),
                        statuses.postUnrestricted(repost, request.once()),
                        now -> statuses.post(
                                now.preferences().limited() ? repost.noWiderThan(Visibility.UNLISTED) : repost,
                                request.once(),
                                now.rev())));
    }

    /**
     * The result of the first attempt; if that was empty, since the account has changed or a moderator has restricted
     * it, the result of an attempt with the preferences as they are now.
     */
    private Future<Statuses.Posted> orAgain(
            long author,
            Future<Optional<Statuses.Posted>> first,
            Function<Accounts.Preferred, Future<Optional<Statuses.Posted>>> attempt) {
        return first.compose(stored ->
                stored.isPresent() ? Future.succeededFuture(stored.get()) : again(author, attempt, ATTEMPTS_MAX));
    }

    private Future<Statuses.Posted> again(
            long author, Function<Accounts.Preferred, Future<Optional<Statuses.Posted>>> attempt, int left) {
        return accounts.preferencesNow(author).compose(attempt).compose(stored -> {
            if (stored.isPresent()) {
                return Future.succeededFuture(stored.get());
            }
            return left > 1 ? again(author, attempt, left - 1) : Future.failedFuture(changing());
        });
    }

    private static Refusal changing() {
        return Refusal.overloaded("Your account changes all the time: try again in a second.", 1);
    }

    /** Stores a scheduled post and ends its entry in one step, see {@link Statuses#postScheduled}. */
    Future<Optional<Statuses.Posted>> write(long author, ScheduledStatus scheduled) {
        NewPost.Form form = scheduled.subjectId() != 0
                ? new NewPost.Comment(scheduled.subjectId(), scheduled.inReplyToId(), /* alsoQuotes= */ false)
                : new NewPost.Plain(
                        scheduled.inReplyToId(),
                        scheduled.quotedId(),
                        NewPost.UploadsTaken.NONE,
                        scheduled.poll(),
                        /* allowedMentions= */ null);
        NewPost request = new NewPost(author, scheduled.words(), form, scheduled.application(), /* once= */ null);
        Future<Accounts.Preferred> preferred = accounts.preferencesNow(author);
        Future<References> read = references.of(request).map(found -> found.with(scheduled.attachments()));
        return Future.all(preferred, read)
                .compose(both ->
                        compose(request, read.result(), preferred.result().preferences()))
                .compose(this::admitted)
                .compose(post -> statuses.postScheduled(
                        post, scheduled, preferred.result().rev()));
    }

    /** The post of a request as it would be published now. */
    Future<Post> draft(NewPost request, References read) {
        return accounts.preferencesNow(request.author()).compose(now -> compose(request, read, now.preferences()));
    }

    private Future<Post> compose(NewPost request, References read, Preferences preferences) {
        return compose(request, read, request.words().completed(preferences), preferences);
    }

    private Future<Post> compose(NewPost request, References read, PostWords complete, Preferences preferences) {
        return composer.content(complete)
                .map(content -> PostFactory.post(request, complete.options(), content, read, clock.millis()))
                .map(post -> preferences.limited() ? limited(request, post) : post)
                .map(post -> request.limit() == null ? post : post.noWiderThan(Visibility.UNLISTED))
                .compose(this::addressed);
    }

    /** A limited account posts for those who follow it or look for it, as in Mastodon. */
    private static Post limited(NewPost request, Post post) {
        if (request.form() instanceof NewPost.AsArticle) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "A moderator has limited your account: it cannot publish articles. Publish a post, which your"
                            + " followers see.");
        }
        return post.noWiderThan(Visibility.UNLISTED);
    }

    /** A direct message is for the accounts that it names, except for those that block its author or are blocked. */
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

    /** The message that a direct message answers may have other recipients. */
    private Future<Post> answering(Post direct) {
        return statuses.find(direct.root().statusId())
                .map(answered ->
                        direct.answering(answered.orElseThrow(Refusal::unknown).post()));
    }

    /** Counts a post once, however often it is made again. */
    private Future<Post> admitted(Post post) {
        gate.checkRoom(post.authorId());
        return gate.count(post).map(post);
    }
}
