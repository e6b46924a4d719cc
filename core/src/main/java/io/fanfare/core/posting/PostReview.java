package io.fanfare.core.posting;

import io.fanfare.common.model.Content;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Detail;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.held.Finding;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.held.Signal;
import io.fanfare.core.held.Signals;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/**
 * Reviews the posts of clients by signals of abuse before they are published: a post without a signal passes, others
 * are published as unlisted or wait for a moderator. The answer to the author says which. Off until a feature calls
 * {@link #use}; then the posts of accounts that {@link Signals} does not cover pass without a command. One event loop.
 */
public final class PostReview {
    /** The code of a post that waits. */
    public static final String HELD = "ERR_HELD";

    private static final String FIELD = "status";

    /** Null = off. */
    private Signals signals;

    private HeldStatuses held;

    /** Switches the review on; before the first request. */
    public void use(Signals found, HeldStatuses kept) {
        signals = found;
        held = kept;
    }

    private boolean covers(long author) {
        return signals != null && signals.cover(author);
    }

    /**
     * Fails as {@link #of} does when the same request waits already: then its pictures are no uploads any more, so that
     * it could not be read again.
     */
    Future<Void> requireNew(NewPost request, long dueMillis) {
        boolean hasPictures = request.form() instanceof NewPost.Plain plain
                && !plain.uploads().ids().isEmpty();
        if (!hasPictures || !covers(request.author())) {
            return Future.succeededFuture();
        }
        return held.waiting(request.author(), digest(request, dueMillis))
                .compose(signal -> signal.isEmpty()
                        ? Future.succeededFuture()
                        : Future.failedFuture(waits(request, signal.get())));
    }

    /**
     * The request as it is to be published. Fails with {@code Refusal(INVALID)} when a signal holds it: it is kept for
     * a moderator, once; its code is {@value #HELD}. An article, and a post that a moderator must not read, is refused
     * without being kept.
     *
     * @param dueMillis when it is to be published; 0 = now
     * @param gate counts a post that is kept
     */
    Future<NewPost> of(NewPost request, References read, long dueMillis, PostGate gate, PostWriter writer) {
        if (!covers(request.author())) {
            return Future.succeededFuture(request);
        }
        return writer.draft(request, read).compose(post -> signals.find(post, Content.NONE)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(request)
                        : review(request, read, dueMillis, gate, post, found.get())));
    }

    private Future<NewPost> review(
            NewPost request, References read, long dueMillis, PostGate gate, Post post, Finding found) {
        if (request.form() instanceof NewPost.AsArticle) {
            return refuse("Your article was not published: " + found.signal().reason()
                    + ". Publish a post instead, or try again when your account is older.");
        }
        if (!found.holds()) {
            return Future.succeededFuture(post.visibility() == Visibility.PUBLIC ? request.limitedBy(found) : request);
        }
        if (post.visibility().isRestricted()) {
            return refuse("Your post was not published: " + found.signal().reason()
                    + ". Moderators do not read posts for followers and direct messages: change this one, or publish it"
                    + " for everybody, where a moderator looks at it first.");
        }
        gate.checkRoom(request.author());
        return gate.count(post)
                .compose(counted -> held.hold(
                        request.author(), request.kept(read, dueMillis), found.signal(), digest(request, dueMillis)))
                .compose(kept -> Future.failedFuture(waits(request, found.signal())));
    }

    /** A digest of everything by which two posts of an author differ, as the client sent it. */
    private static String digest(NewPost request, long dueMillis) {
        String form = request.form() instanceof NewPost.Plain plain
                ? plain.inReplyToId() + " " + plain.quotedId() + " "
                        + plain.uploads().ids() + " " + lines(plain.poll())
                : request.form().toString();
        PostWords words = request.words();
        return Statuses.digest(List.of(
                words.text(),
                words.spoilerText(),
                words.options() + " " + words.place(),
                form,
                Long.toString(dueMillis)));
    }

    private static String lines(Poll pollOrNull) {
        return pollOrNull == null ? "" : pollOrNull.lines();
    }

    private static Refusal waits(NewPost request, Signal signal) {
        boolean quotes = request.form() instanceof NewPost.Comment comment && comment.alsoQuotes();
        String sentence = Finding.holdSentence(signal) + (quotes ? " It is published as a comment only." : "");
        return new Refusal(Reason.INVALID, sentence, Map.of(FIELD, List.of(new Detail(HELD, sentence))));
    }

    /**
     * Fails with {@code Refusal(INVALID)} when a new version of a post adds a signal: what is published can neither
     * wait nor become unlisted.
     *
     * @param before the content of the version before
     */
    Future<Void> requirePlain(Post edited, Content before) {
        if (!covers(edited.authorId())) {
            return Future.succeededFuture();
        }
        return signals.find(edited, before)
                .compose(found -> found.isEmpty() || (!found.get().holds() && edited.visibility() != Visibility.PUBLIC)
                        ? Future.succeededFuture()
                        : refuse("Your edit was not stored: "
                                + found.get().signal().reason() + ". Write a new post instead."));
    }

    private static <T> Future<T> refuse(String sentence) {
        return Future.failedFuture(new Refusal(Reason.INVALID, sentence));
    }
}
