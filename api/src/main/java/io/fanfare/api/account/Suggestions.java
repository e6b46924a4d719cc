package io.fanfare.api.account;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Accounts that a viewer may want to follow: first the followees of the viewer's latest followees, by how many of these
 * follow them; then recent authors of the public timeline, by their followers. Nobody is suggested whom the viewer
 * follows, blocks, mutes or has dismissed, who blocks the viewer, or who does not want to be suggested
 * ({@link io.fanfare.common.model.ProfileSettings#discoverable}). Reads at most {@value #FOLLOWEES_MAX} lists of
 * {@value #EACH_MAX} accounts for each request. Confined to one event loop.
 */
public final class Suggestions {
    private static final int FOLLOWEES_MAX = 50;
    private static final int EACH_MAX = 50;

    /** How many accounts are looked at more closely. */
    private static final int CANDIDATES_MAX = 200;

    /** Public posts whose authors are candidates. */
    private static final int RECENT_MAX = 80;

    /** The newest dismissals that are kept. */
    static final int DISMISSED_MAX = 500;

    private final Redis redis;
    private final Accounts accounts;
    private final PublicTimelines publicTimelines;
    private final ViewerRelationshipsReader viewerRelationships;
    private final InstantSource clock;

    public Suggestions(
            Redis redis,
            Accounts accounts,
            PublicTimelines publicTimelines,
            ViewerRelationshipsReader viewerRelationships,
            InstantSource clock) {
        this.redis = redis;
        this.accounts = accounts;
        this.publicTimelines = publicTimelines;
        this.viewerRelationships = viewerRelationships;
        this.clock = clock;
    }

    /**
     * An account and why it is suggested.
     *
     * @param followees of the viewer who follow the account, among those that were looked at; 0 = it posts lately
     */
    public record Suggestion(Account account, int followees) {}

    /** The best of them, at most {@code limit}. */
    public Future<List<Suggestion>> of(long viewer, int limit) {
        Command followed = Command.of("ZRANGE", Keys.following(viewer), 0, FOLLOWEES_MAX - 1, "REV");
        Command dismissed = Command.of("ZRANGE", Keys.dismissedSuggestions(viewer), 0, -1);
        Future<List<Reply>> own = BatchedPipeline.send(redis, List.of(followed, dismissed));
        Future<Page<Status>> recent = publicTimelines.all(viewer, PageRequest.newest(RECENT_MAX));
        return Future.all(own, recent)
                .compose(read -> followees(Statuses.longs(own.result().get(0))).compose(counts -> {
                    Set<Long> candidates = candidates(counts, recent.result().items());
                    candidates.remove(viewer);
                    candidates.removeAll(Set.copyOf(Statuses.longs(own.result().get(1))));
                    return load(viewer, candidates, counts, limit);
                }));
    }

    /** How many of these follow each of the accounts that they have followed last; nobody who hides it. */
    private Future<Map<Long, Integer>> followees(List<Long> followees) {
        List<Command> commands = new ArrayList<>(followees.size());
        for (long followee : followees) {
            commands.add(Command.of("ZRANGE", Keys.following(followee), 0, EACH_MAX - 1, "REV"));
        }
        Future<Map<Long, Account>> people = accounts.load(followees);
        Future<List<Reply>> lists = BatchedPipeline.send(redis, commands);
        return Future.all(people, lists).map(both -> {
            Map<Long, Integer> counts = new HashMap<>();
            for (int i = 0; i < followees.size(); i++) {
                Account followee = people.result().get(followees.get(i));
                if (followee == null || !followee.profileSettings().hidesFollows()) {
                    Statuses.longs(lists.result().get(i)).forEach(account -> counts.merge(account, 1, Integer::sum));
                }
            }
            return counts;
        });
    }

    private static Set<Long> candidates(Map<Long, Integer> counts, List<Status> recent) {
        Set<Long> candidates = new LinkedHashSet<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<Long, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(CANDIDATES_MAX)
                .forEach(entry -> candidates.add(entry.getKey()));
        recent.forEach(status -> candidates.add(status.authorId()));
        return candidates;
    }

    private Future<List<Suggestion>> load(long viewer, Set<Long> candidates, Map<Long, Integer> counts, int limit) {
        Future<Map<Long, Account>> people = accounts.load(candidates);
        Future<ViewerRelationships> relationships = viewerRelationships.of(viewer, candidates);
        return Future.all(people, relationships).map(both -> people.result().values().stream()
                .filter(account -> account.profileSettings().discoverable()
                        && !account.profileSettings().limited())
                .filter(account -> isNew(relationships.result(), account.id()))
                .map(account -> new Suggestion(account, counts.getOrDefault(account.id(), 0)))
                .sorted(Comparator.comparingInt(Suggestion::followees)
                        .thenComparingLong(suggestion -> suggestion.account().followersCount())
                        .reversed()
                        .thenComparingLong(suggestion -> suggestion.account().id()))
                .limit(limit)
                .toList());
    }

    private static boolean isNew(ViewerRelationships relationships, long account) {
        return relationships.shows(account) && !relationships.relation(account).following();
    }

    /** Suggests the account to the viewer no more. The newest {@value #DISMISSED_MAX} dismissals are kept. */
    public Future<Void> dismiss(long viewer, long account) {
        String key = Keys.dismissedSuggestions(viewer);
        return BatchedPipeline.send(
                        redis,
                        List.of(
                                Command.of("ZADD", key, clock.millis(), account),
                                Command.of("ZREMRANGEBYRANK", key, 0, -DISMISSED_MAX - 1)))
                .mapEmpty();
    }
}
