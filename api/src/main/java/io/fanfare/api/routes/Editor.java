package io.fanfare.api.routes;

import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.request.NewMedia;
import io.fanfare.api.request.NewStatus;
import io.fanfare.common.action.EditSideEffects;
import io.fanfare.common.action.Quotes;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.queue.JobQueue;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Composer;
import io.fanfare.common.store.Edits;
import io.fanfare.common.store.Uploads;
import io.fanfare.common.store.VisibleStatuses;
import io.fanfare.server.http.Parameters;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Edits statuses: the same words as in a new one, with what they name, the write, and what follows it. As with
 * {@link Publisher} the store's script decides and enqueues the job; what follows it here may fail.
 */
public final class Editor {
    private static final Logger LOG = LoggerFactory.getLogger(Editor.class);

    private final Settings.Limits limits;
    private final VisibleStatuses visible;
    private final Composer composer;
    private final Edits edits;
    private final Uploads uploads;
    private final EditSideEffects sideEffects;
    private final Quotes quotes;
    private final JobQueue queue;
    private final MemoryPressure pressure;
    private final RateLimits rates;
    private final InstantSource clock;

    public Editor(
            Settings.Limits limits,
            VisibleStatuses visible,
            Composer composer,
            Edits edits,
            Uploads uploads,
            EditSideEffects sideEffects,
            Quotes quotes,
            JobQueue queue,
            MemoryPressure pressure,
            RateLimits rates,
            InstantSource clock) {
        this.uploads = uploads;
        this.clock = clock;
        this.limits = limits;
        this.visible = visible;
        this.composer = composer;
        this.edits = edits;
        this.sideEffects = sideEffects;
        this.quotes = quotes;
        this.queue = queue;
        this.pressure = pressure;
        this.rates = rates;
    }

    /**
     * Edits a status of the author's, see {@link Edits#edit}; fails with {@link Refusal#unknown} when there is none:
     * somebody else's is as unknown as one that does not exist. Refuses at once when Redis is nearly full.
     */
    Future<Status> edit(long author, long id, Parameters parameters) {
        return visible.find(author, id).compose(status -> {
            NewStatus words = NewStatus.ofEdit(parameters, editable(author, status), limits.textMax());
            QuotePolicy policy = NewStatus.quotePolicy(parameters);
            return pictures(status, words.mediaIds())
                    .map(pictures -> NewMedia.described(pictures, parameters.objects("media_attributes")))
                    .compose(pictures -> words.content(composer)
                            .map(content -> pictures.isEmpty() ? content : content.with(pictures)))
                    .map(content -> forTheSame(status.post(), content))
                    .compose(content -> edit(status, content))
                    .compose(edited -> policy == null ? Future.succeededFuture(edited) : turn(edited, policy));
        });
    }

    /** The status's own, and uploads of its author, in this order. */
    private Future<List<Attachment>> pictures(Status status, List<Long> ids) {
        Map<Long, Attachment> own = status.post().content().attachments().stream()
                .collect(Collectors.toMap(Attachment::id, Function.identity()));
        List<Long> others = ids.stream().filter(id -> !own.containsKey(id)).toList();
        return uploads.require(status.authorId(), others, clock.millis()).map(taken -> {
            Map<Long, Attachment> all = new HashMap<>(own);
            taken.forEach(picture -> all.put(picture.id(), picture));
            return Uploads.together(ids.stream().map(all::get).toList());
        });
    }

    /**
     * Says who may quote a status of the author's from now on; answers the status. Nothing changes without a policy,
     * and of what not everybody may see.
     */
    Future<Status> allow(Status status, QuotePolicy policyOrNull) {
        if (policyOrNull == null || status.visibility().isRestricted()) {
            return Future.succeededFuture(status);
        }
        if (status.isArticle()) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "An article is shown to everybody in the same way, so that everybody may quote it.");
        }
        // Each change is told to all streams, as an edit is.
        return rates.takePost(status.post()).compose(counted -> turn(status, policyOrNull));
    }

    /** Takes a post out of a quote; answers the quote. Never refused for a lack of room. */
    Future<Status> revoke(Status quote, Status quoted) {
        return quotes.revoke(quote, quoted)
                .onSuccess(revoked -> queue.wake(Id.shard(quote.authorId())).onFailure(Editor::leave));
    }

    private Future<Status> turn(Status status, QuotePolicy policy) {
        if (status.visibility().isRestricted()) {
            return Future.succeededFuture(status);
        }
        pressure.check(status.authorId());
        return quotes.allow(status, policy)
                .onSuccess(allowed -> queue.wake(Id.shard(status.authorId())).onFailure(Editor::leave));
    }

    private static Status editable(long author, Status status) {
        if (status.authorId() != author) {
            throw Refusal.unknown();
        }
        if (status.kind() == Post.Kind.REPOST) {
            throw new Refusal(
                    Refusal.Reason.INVALID, "This is a repost without words of its own: there is nothing to edit.");
        }
        if (status.isArticle()) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "Articles cannot be edited, since people have voted for them as they are: delete and publish again.");
        }
        return status;
    }

    /** Who reads a direct message is settled when it is posted. */
    private static Content forTheSame(Post post, Content content) {
        boolean names = post.visibility() == Visibility.DIRECT
                && content.mentions().stream()
                        .anyMatch(mention -> !post.isFor(mention.accountId())
                                && !post.content().mentions().contains(mention));
        if (names) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "An edit adds nobody to a direct message: name only whom it was for, or write a new one.");
        }
        return content;
    }

    private Future<Status> edit(Status status, Content content) {
        pressure.check(status.authorId());
        return rates.takePost(status.post().with(content, 0))
                .compose(counted -> edits.edit(status.authorId(), status.id(), content))
                .map(found -> found.orElseThrow(Refusal::unknown))
                .compose(edited ->
                        edited.changed() ? settled(edited.status()) : Future.succeededFuture(edited.status()));
    }

    /** Answers when the tags have it; never fails. The event leaves beside that. */
    private Future<Status> settled(Status edited) {
        sideEffects.announce(edited).onFailure(Editor::leave);
        queue.wake(Id.shard(edited.authorId())).onFailure(Editor::leave);
        return sideEffects.list(edited).onFailure(Editor::leave).transform(listed -> Future.succeededFuture(edited));
    }

    private static void leave(Throwable cause) {
        LOG.debug("left to the job of the edit cause={}", cause.toString());
    }
}
