package io.fanfare.api.search;

import io.fanfare.api.endpoint.ResourceLinks;
import io.fanfare.api.search.SearchIndex.Request;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Searches texts. The index proposes statuses, the newest first; shown is what lives, what the viewer may see, and what
 * lists show: nothing of accounts that the viewer blocks or mutes. Of others only public statuses are found, and only
 * of accounts that are {@linkplain io.fanfare.common.model.ProfileSettings#indexable indexable}, unless the viewer is
 * named in them; of limited accounts only what the viewer follows.
 */
final class StatusSearch {
    /** Proposals that one answer looks at; more hidden ones in a row end it. */
    private static final int PROPOSALS = 100;

    private static final int ROUNDS_MAX = 15;

    private final SearchIndex index;
    private final ResourceLinks resourceLinks;
    private final Accounts accounts;
    private final Statuses statuses;
    private final ViewerRelationshipsReader viewerRelationships;

    /** @param index null = none: nothing is found */
    StatusSearch(
            SearchIndex index,
            ResourceLinks resourceLinks,
            Accounts accounts,
            Statuses statuses,
            ViewerRelationshipsReader viewerRelationships) {
        this.index = index;
        this.resourceLinks = resourceLinks;
        this.accounts = accounts;
        this.statuses = statuses;
        this.viewerRelationships = viewerRelationships;
    }

    /**
     * Which part of what is found.
     *
     * @param author 0 = of any
     * @param above exclusive, 0 = from the oldest on
     * @param below exclusive, {@link Id#MAX} = up to the newest
     */
    record Window(long author, long above, long below, int offset, int limit) {}

    /**
     * The statuses found, the newest first; none for an anonymous viewer, as in Mastodon. Refuses a query that cannot
     * be read, and fails with {@code Refusal(OVERLOADED)} when too many wait.
     */
    Future<List<Status>> find(long viewer, String text, Window window) {
        if (index == null || viewer == 0) {
            return Future.succeededFuture(List.of());
        }
        SearchQuery query = SearchQuery.parse(text);
        return names(query).compose(names -> {
            Request request = new Request(query, viewer, names, window.author(), window.above(), window.below());
            return more(request, window, new ArrayList<>(), ROUNDS_MAX);
        });
    }

    /** Ids by the names as they are written in the query. */
    private Future<Map<String, Long>> names(SearchQuery query) {
        Map<String, String> written = new HashMap<>();
        for (SearchQuery.Clause clause : query.clauses()) {
            if (clause.kind() == SearchQuery.Kind.FROM) {
                resourceLinks.username(clause.value()).ifPresent(name -> written.put(clause.value(), name));
            }
        }
        if (written.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        return accounts.idsByUsername(new HashSet<>(written.values())).map(ids -> {
            Map<String, Long> found = new HashMap<>();
            written.forEach((as, name) -> {
                if (ids.containsKey(name)) {
                    found.put(as, ids.get(name));
                }
            });
            return found;
        });
    }

    /** A chain of a few at most: {@value #ROUNDS_MAX}. */
    private Future<List<Status>> more(Request request, Window window, List<Status> shown, int rounds) {
        return index.search(request, PROPOSALS)
                .compose(ids -> shown(request.viewer(), ids).compose(found -> {
                    shown.addAll(found);
                    int wanted = window.offset() + window.limit();
                    boolean end = ids.size() < PROPOSALS || shown.size() >= wanted || rounds == 1;
                    return end
                            ? Future.succeededFuture(shown.stream()
                                    .skip(window.offset())
                                    .limit(window.limit())
                                    .toList())
                            : more(request.olderThan(ids.get(ids.size() - 1)), window, shown, rounds - 1);
                }));
    }

    private Future<List<Status>> shown(long viewer, List<Long> ids) {
        if (ids.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        return statuses.load(ids).compose(living -> {
            Set<Long> authors = new HashSet<>();
            living.values().forEach(status -> authors.add(status.authorId()));
            Future<Map<Long, Account>> loaded = accounts.load(authors);
            Future<ViewerRelationships> relationships = viewerRelationships.over(viewer, living.values());
            return Future.all(loaded, relationships).map(both -> ids.stream()
                    .map(living::get)
                    .filter(Objects::nonNull)
                    .filter(relationships.result()::shows)
                    .filter(status -> isFound(
                            relationships.result(), status, loaded.result().get(status.authorId())))
                    .toList());
        });
    }

    private static boolean isFound(ViewerRelationships relationships, Status status, Account authorOrNull) {
        long viewer = relationships.viewer();
        boolean own = status.authorId() == viewer
                || status.post().content().mentions().stream().anyMatch(mention -> mention.accountId() == viewer);
        return authorOrNull != null
                && (own
                        || (status.visibility() == Visibility.PUBLIC
                                && authorOrNull.profileSettings().indexable()
                                && (!authorOrNull.profileSettings().limited()
                                        || relationships.follows(status.authorId()))));
    }
}
