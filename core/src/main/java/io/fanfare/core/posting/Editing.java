package io.fanfare.core.posting;

import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Uploads;
import io.fanfare.core.LoopStores;
import io.fanfare.core.post.Announcer;
import io.fanfare.core.post.Composer;
import io.fanfare.core.post.EditSideEffects;
import io.fanfare.core.post.Edits;
import io.fanfare.core.post.Quotes;
import io.fanfare.core.post.VisibleStatuses;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Edits statuses and changes who may quote them. As with {@link Posting} the script that stores the change enqueues its
 * job, which repeats the steps after it when they fail. Confined to the event loop of its stores.
 */
public final class Editing {
    private static final Logger LOG = LoggerFactory.getLogger(Editing.class);

    private final VisibleStatuses visible;
    private final Composer composer;
    private final Edits edits;
    private final Uploads uploads;
    private final EditSideEffects sideEffects;
    private final Quotes quotes;
    private final Announcer announcer;
    private final PostGate gate;
    private final InstantSource clock;

    public Editing(LoopStores stores, Announcer announcer, PostGate gate) {
        this.visible = new VisibleStatuses(stores.statuses(), stores.accounts(), stores.viewerRelationships());
        this.composer = new Composer(stores.accounts(), stores.views().urls().base());
        this.edits = stores.edits();
        this.uploads = new Uploads(stores.redis());
        this.sideEffects = stores.editSideEffects();
        this.quotes = stores.quotes();
        this.announcer = announcer;
        this.gate = gate;
        this.clock = stores.parts().clock();
    }

    /**
     * A new version of a status.
     *
     * @param edited as {@link #editable} has found it
     * @param words with complete options but for the language, which may be null
     * @param mediaIds pictures of the status, and uploads of its author, in order
     * @param descriptions changes of some of them
     * @param quotePolicy who may quote it from now on; null = as before
     */
    public record Edit(
            Status edited,
            PostWords words,
            List<Long> mediaIds,
            List<MediaDescription> descriptions,
            QuotePolicy quotePolicy) {
        public Edit {
            mediaIds = List.copyOf(mediaIds);
            descriptions = List.copyOf(descriptions);
        }
    }

    /**
     * Finds a status that the author may edit. Fails with {@link Refusal#unknown} for an id that does not exist, and
     * for a status of another author.
     */
    public Future<Status> editable(long author, long id) {
        return visible.find(author, id).map(status -> {
            if (status.authorId() != author) {
                throw Refusal.unknown();
            }
            if (status.kind() == Post.Kind.REPOST) {
                throw invalid("This is a repost without words of its own: there is nothing to edit.");
            }
            if (status.isArticle()) {
                throw invalid(
                        "Articles cannot be edited, since people have voted for them as they are: delete and publish again.");
            }
            return status;
        });
    }

    /** Stores the new version, see {@link Edits#edit}. Refuses at once when Redis is nearly full. */
    public Future<Status> edit(Edit edit) {
        Status status = edit.edited();
        return pictures(status, edit)
                .compose(pictures -> composer.content(edit.words())
                        .map(content -> pictures.isEmpty() ? content : content.with(pictures)))
                .map(content -> requireSameReaders(status.post(), content))
                .compose(content -> store(status, content))
                .compose(stored -> edit.quotePolicy() == null
                        ? Future.succeededFuture(stored)
                        : change(stored, edit.quotePolicy()));
    }

    /** The status's own pictures, and uploads of its author, in the order of the edit. */
    private Future<List<Attachment>> pictures(Status status, Edit edit) {
        Map<Long, Attachment> own = status.post().content().attachments().stream()
                .collect(Collectors.toMap(Attachment::id, Function.identity()));
        List<Long> others =
                edit.mediaIds().stream().filter(id -> !own.containsKey(id)).toList();
        return uploads.require(status.authorId(), others, clock.millis()).map(taken -> {
            Map<Long, Attachment> all = new HashMap<>(own);
            taken.forEach(picture -> all.put(picture.id(), picture));
            return described(
                    Uploads.together(edit.mediaIds().stream().map(all::get).toList()), edit.descriptions());
        });
    }

    private static List<Attachment> described(List<Attachment> pictures, List<MediaDescription> changes) {
        List<Attachment> described = new ArrayList<>(pictures);
        for (MediaDescription change : changes) {
            described.replaceAll(
                    picture -> picture.id() == change.id() ? picture.with(change.text(), change.focus()) : picture);
        }
        return described;
    }

    /** The recipients of a direct message are settled when it is posted. */
    private static Content requireSameReaders(Post post, Content content) {
        boolean names = post.visibility() == Visibility.DIRECT
                && content.mentions().stream()
                        .anyMatch(mention -> !post.isFor(mention.accountId())
                                && !post.content().mentions().contains(mention));
        if (names) {
            throw invalid("An edit adds nobody to a direct message: name only whom it was for, or write a new one.");
        }
        return content;
    }

    private Future<Status> store(Status status, Content content) {
        gate.checkRoom(status.authorId());
        Post edited = status.post().with(content, 0);
        return gate.review()
                .requirePlain(edited, status.post().content())
                .compose(plain -> gate.count(edited))
                .compose(counted -> edits.edit(status.authorId(), status.id(), content))
                .map(found -> found.orElseThrow(Refusal::unknown))
                .compose(stored ->
                        stored.changed() ? announced(stored.status()) : Future.succeededFuture(stored.status()));
    }

    /** Ends when the lists of tags have the edit; never fails. The event is appended meanwhile. */
    private Future<Status> announced(Status edited) {
        sideEffects.announce(edited).onFailure(Editing::leave);
        announcer.wake(edited.authorId());
        return sideEffects.list(edited).onFailure(Editing::leave).transform(listed -> Future.succeededFuture(edited));
    }

    private static void leave(Throwable cause) {
        LOG.debug("left to the job of the edit cause={}", cause.toString());
    }

    /**
     * Changes who may quote a status of the author's. Nothing changes without a policy, and for a status that not
     * everybody may see.
     */
    public Future<Status> allow(Status status, QuotePolicy policyOrNull) {
        if (policyOrNull == null || status.visibility().isRestricted()) {
            return Future.succeededFuture(status);
        }
        if (status.isArticle()) {
            throw invalid("An article is shown to everybody in the same way, so that everybody may quote it.");
        }
        // Every stream receives the change, as it receives an edit.
        return gate.count(status.post()).compose(counted -> change(status, policyOrNull));
    }

    private Future<Status> change(Status status, QuotePolicy policy) {
        if (status.visibility().isRestricted()) {
            return Future.succeededFuture(status);
        }
        gate.checkRoom(status.authorId());
        return quotes.allow(status, policy).onSuccess(allowed -> announcer.wake(status.authorId()));
    }

    /** Marks a status as sensitive for a moderator, or takes that back. Never refused for a lack of room. */
    public Future<Status> mark(Status status, boolean on) {
        return quotes.mark(status, on).onSuccess(marked -> announcer.wake(status.authorId()));
    }

    /** Takes a post out of a quote, and returns the quote. Never refused for a lack of room. */
    public Future<Status> revoke(Status quote, Status quoted) {
        return quotes.revoke(quote, quoted).onSuccess(revoked -> announcer.wake(quote.authorId()));
    }

    private static Refusal invalid(String sentence) {
        return new Refusal(Refusal.Reason.INVALID, sentence);
    }
}
