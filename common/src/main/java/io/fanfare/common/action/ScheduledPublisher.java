package io.fanfare.common.action;

import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Preferences;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Composer;
import io.fanfare.common.store.ScheduledStatuses;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.VisibleStatuses;
import io.fanfare.common.store.WeeklyPosts;
import io.vertx.core.Future;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes what was scheduled, as if its author posted it now: with the author's preferences, the accounts that the
 * text names and what it answers as they are by then. The script that publishes ends the entry, so that however often a
 * job comes there is one status; its fan-out job does all else. What can never be published is dropped. Confined to one
 * event loop.
 */
public final class ScheduledPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduledPublisher.class);

    private final ScheduledStatuses scheduled;
    private final Statuses statuses;
    private final Accounts accounts;
    private final VisibleStatuses visible;
    private final Composer composer;
    private final InstantSource clock;
    private final WeeklyPosts weeklyPosts;

    public ScheduledPublisher(LoopStores stores) {
        this.scheduled = new ScheduledStatuses(stores.redis());
        this.statuses = stores.statuses();
        this.accounts = stores.accounts();
        this.visible = new VisibleStatuses(statuses, accounts, stores.viewerRelationships());
        this.clock = stores.parts().clock();
        this.weeklyPosts = new WeeklyPosts(stores.redis());
        this.composer = new Composer(stores.accounts(), stores.settings().http().publicUrl());
    }

    /**
     * Publishes an entry of the author's that is scheduled for this moment; does nothing when there is none any more.
     * Fails when it may be published later, with {@code Refusal(OVERLOADED)} when too many jobs wait.
     */
    public Future<Void> publish(long author, long id, long dueMillis) {
        return scheduled
                .find(author, id)
                .compose(found -> found.isPresent() && found.get().dueMillis() == dueMillis
                        ? publish(author, found.get())
                        : Future.succeededFuture());
    }

    private Future<Void> publish(long author, ScheduledStatus status) {
        return accounts.preferencesNow(author)
                .compose(now -> post(author, status, now.preferences()))
                .compose(post -> statuses.postScheduled(post, status))
                .onSuccess(posted -> posted.filter(done -> !done.repeated())
                        .ifPresent(done -> weeklyPosts.add(done.status().id())))
                .<Void>mapEmpty()
                .recover(cause -> cause instanceof Refusal refusal && refusal.reason() != Refusal.Reason.OVERLOADED
                        ? drop(author, status, refusal)
                        : Future.failedFuture(cause));
    }

    /** The text is nobody's business, nor is what it answers. */
    private Future<Void> drop(long author, ScheduledStatus status, Refusal refusal) {
        return scheduled.drop(author, status).map(dropped -> {
            if (dropped) {
                LOG.info(
                        "scheduled status not published account={} scheduled={} reason={}",
                        author,
                        status.id(),
                        refusal.reason());
            }
            return null;
        });
    }

    private Future<Post> post(long author, ScheduledStatus status, Preferences preferences) {
        Future<Status> repliedTo = visible.named(author, status.inReplyToId());
        Future<Status> quoted = visible.quotable(author, status.quotedId());
        return Future.all(repliedTo, quoted)
                .compose(both -> composer.content(
                        status.text(),
                        status.spoilerText(),
                        status.sensitive() == null ? preferences.sensitive() : status.sensitive(),
                        status.language() == null ? preferences.language() : status.language(),
                        status.place()))
                .map(content -> Post.of(
                                author,
                                status.visibility() == null ? preferences.visibility() : status.visibility(),
                                content.with(status.attachments()).with(poll(status)),
                                repliedTo.result(),
                                quoted.result(),
                                status.application())
                        .quotedBy(status.quotePolicy() == null ? preferences.quotePolicy() : status.quotePolicy()));
    }

    /** People can vote for as long as was said, from now on. */
    private Poll poll(ScheduledStatus status) {
        Poll poll = status.poll();
        return poll == null
                ? null
                : new Poll(poll.options(), clock.millis() + poll.endsMillis(), poll.multiple(), poll.hidesTotals());
    }
}
