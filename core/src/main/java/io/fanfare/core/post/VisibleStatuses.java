package io.fanfare.core.post;

import io.fanfare.common.model.Account;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/**
 * Finds statuses that somebody asks for by name. What the asker may not see is as unknown as what does not exist, and
 * so is what a suspended account has written: nobody can like it or answer it either.
 */
public final class VisibleStatuses {
    private final Statuses statuses;
    private final Accounts accounts;
    private final ViewerRelationshipsReader viewerRelationships;

    public VisibleStatuses(Statuses statuses, Accounts accounts, ViewerRelationshipsReader viewerRelationships) {
        this.statuses = statuses;
        this.accounts = accounts;
        this.viewerRelationships = viewerRelationships;
    }

    /** The status of that id; fails with {@link Refusal#unknown} when the viewer (0 = anonymous) may not see it. */
    public Future<Status> find(long viewer, long id) {
        return statuses.find(id)
                .map(found -> found.orElseThrow(Refusal::unknown))
                .compose(status -> {
                    Future<Map<Long, Account>> author = accounts.load(List.of(status.authorId()));
                    Future<ViewerRelationships> relationships = viewerRelationships.over(viewer, List.of(status));
                    return Future.all(author, relationships).map(read -> {
                        if (author.result().isEmpty() || !relationships.result().maySee(status)) {
                            throw Refusal.unknown();
                        }
                        return status;
                    });
                });
    }

    /**
     * The status that a like, repost or comment of this one goes to: itself, or the one that it only reposts. Both must
     * be visible.
     */
    public Future<Status> subject(long viewer, long id) {
        return find(viewer, id)
                .compose(status -> status.kind() == Post.Kind.REPOST
                        ? find(viewer, status.subjectId())
                        : Future.succeededFuture(status));
    }

    /** The same of what a status names: null for the id 0, by which it names nothing. */
    public Future<Status> named(long viewer, long id) {
        return id == 0 ? Future.succeededFuture() : subject(viewer, id);
    }

    /**
     * The status that somebody wants to quote: as {@link #named}, and refused when its author does not let the viewer.
     * Its author may quote it whatever the policy says, for the same followers also a status that is for followers
     * only.
     */
    public Future<Status> quotable(long viewer, long id) {
        return named(viewer, id).compose(named -> {
            if (named == null || (named.authorId() == viewer && named.visibility() != Visibility.DIRECT)) {
                return Future.succeededFuture(named);
            }
            Status quoted = passedOn(named);
            return switch (quoted.post().quoteTerms().policy()) {
                case PUBLIC -> Future.succeededFuture(quoted);
                case FOLLOWERS ->
                    viewerRelationships.of(viewer, List.of(quoted.authorId())).map(relationships -> {
                        if (!relationships.follows(quoted.authorId())) {
                            throw notQuotable("Only those who follow its author may quote this post.");
                        }
                        return quoted;
                    });
                case NOBODY -> throw notQuotable("Its author lets nobody quote this post.");
            };
        });
    }

    private static Refusal notQuotable(String sentence) {
        return new Refusal(Refusal.Reason.INVALID, sentence);
    }

    /** The status to be reposted or quoted, null = none; refuses a direct message. */
    public static Status passedOn(Status original) {
        if (original != null && original.visibility() == Visibility.DIRECT) {
            throw new Refusal(
                    Refusal.Reason.INVALID, "This is a direct message: it can be neither reposted nor quoted.");
        }
        if (original != null && original.visibility() == Visibility.PRIVATE) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "This status is for its author's followers only: it can be neither reposted nor quoted.");
        }
        return original;
    }

    /**
     * The id of what an act on this status was done to: what it only passes on, else itself; also when that is hidden
     * or gone. To take back, not to show.
     */
    public Future<Long> actedOn(long id) {
        return statuses.find(id).map(found -> found.map(Status::subjectId).orElse(id));
    }

    /** The statuses, of these, that the viewer may see, in the requested order. */
    public Future<List<Status>> load(long viewer, List<Long> ids) {
        return statuses.load(ids).compose(living -> viewerRelationships
                .over(viewer, living.values())
                .map(relationships -> ids.stream()
                        .filter(living::containsKey)
                        .map(living::get)
                        .filter(relationships::maySee)
                        .toList()));
    }
}
