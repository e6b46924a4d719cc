package io.fanfare.core.post;

import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.graph.Backlinks;
import io.fanfare.core.post.Edits.Turned;
import io.vertx.core.Future;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Quote policies of statuses, the end of single quotes, and the marks of moderators. The status itself holds them: one
 * script writes it and enqueues the job, which notifies streams and takes an ended quote out of the quoted status's
 * list. The API does the latter at once, so that its answer shows the new count. Doing any of it again changes nothing.
 */
public final class Quotes {
    private static final Logger LOG = LoggerFactory.getLogger(Quotes.class);

    private final Edits edits;
    private final Statuses statuses;
    private final Backlinks backlinks;
    private final EditSideEffects editSideEffects;

    public Quotes(Edits edits, Statuses statuses, Backlinks backlinks, EditSideEffects editSideEffects) {
        this.edits = edits;
        this.statuses = statuses;
        this.backlinks = backlinks;
        this.editSideEffects = editSideEffects;
    }

    /**
     * Says who may quote a status from now on; quotes that there are stay. Fails with {@link Refusal#unknown} when it
     * is gone, and with {@code Refusal(OVERLOADED)} when too many jobs wait.
     */
    public Future<Status> allow(Status status, QuotePolicy policy) {
        return edits.quotableBy(policy, Reference.to(status))
                .map(turned -> known(turned).status());
    }

    /**
     * Marks a status as sensitive whatever its author chooses, or takes that back. Fails with {@link Refusal#unknown}
     * when it is gone.
     */
    public Future<Status> mark(Status status, boolean on) {
        return edits.mark(Reference.to(status), on).map(turned -> known(turned).status());
    }

    /**
     * Takes what a status quotes out of it; it keeps its own words. Fails as {@link #allow} does, and also when it
     * quotes something else.
     *
     * @param quoted which is its author's to say
     */
    public Future<Status> revoke(Status quote, Status quoted) {
        return edits.unquote(Reference.to(quote), quoted.id())
                .map(Quotes::known)
                .compose(turned -> backlinks
                        .takeBackQuote(turned.status())
                        .onFailure(cause -> LOG.debug("far side left to its job cause={}", cause.toString()))
                        .transform(done -> Future.succeededFuture(turned.status())));
    }

    private static Turned known(Optional<Turned> turned) {
        return turned.orElseThrow(Refusal::unknown);
    }

    /** The steps after the first of each, see {@link io.fanfare.core.queue.JobType#QUOTE_TERMS}. */
    public Future<Void> finish(long author, long status, long change) {
        return statuses.find(status)
                .compose(found -> found.isPresent()
                        ? finish(found.get(), change)
                        // What a deleted status quoted is told by the job of the delete.
                        : Future.succeededFuture());
    }

    private Future<Void> finish(Status status, long change) {
        Future<Void> announced = editSideEffects.announce(status, change);
        return status.post().quoteTerms().revoked()
                ? Future.join(announced, backlinks.takeBackQuote(status)).mapEmpty()
                : announced;
    }
}
