package io.fanfare.bench.replay;

import io.fanfare.bench.input.SocialGraph;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The contents that every home must have at rest: all acknowledged posts of the reader and of those the reader follows,
 * newest first. Deliberately naive - it knows nothing of queues, pages and caps - and computed from the answers to the
 * posts alone. Immutable.
 */
final class ExpectedHomes {
    private final SocialGraph graph;
    private final List<List<Long>> byAuthor;

    ExpectedHomes(SocialGraph graph, Ledger ledger) {
        this.graph = graph;
        this.byAuthor = new ArrayList<>(graph.users());
        for (int user = 0; user < graph.users(); user++) {
            byAuthor.add(new ArrayList<>());
        }
        for (int post = 0; post < ledger.posts(); post++) {
            if (ledger.id(post) != 0) {
                byAuthor.get(ledger.author(post)).add(ledger.id(post));
            }
        }
    }

    /** Status ids, newest first, without an upper bound. */
    List<Long> of(int user) {
        List<Long> ids = new ArrayList<>(byAuthor.get(user));
        for (int followee : graph.followees(user)) {
            ids.addAll(byAuthor.get(followee));
        }
        ids.sort(Comparator.reverseOrder());
        return ids;
    }

    /** How many entries all homes together get: what the run delivers. */
    long deliveries() {
        long count = 0;
        for (int user = 0; user < graph.users(); user++) {
            count += (long) byAuthor.get(user).size() * (graph.followerCount(user) + 1L);
        }
        return count;
    }
}
