package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Publishes how articles stand after votes, for streams that ask for it: however many votes an article gets between two
 * calls of {@link #publish}, one line. They are not in the event log, which would keep each for days. A line may be
 * lost, since each has the score that counts all votes so far. Confined to its link's event loop.
 */
final class VoteEvents {
    /** Articles that can wait; votes for others are counted all the same, and not published. */
    static final int WAITING_MAX = 2000;

    /** Articles of one call: it stops Redis for a fraction of a millisecond. */
    private static final int CALL_MAX = 200;

    private static final Script PUBLISH = Script.load("article_publish");

    private final Redis redis;
    private final Set<Long> waiting = new LinkedHashSet<>();

    VoteEvents(Redis redis) {
        this.redis = redis;
    }

    /** A vote for the article was counted. */
    void counted(long id) {
        if (waiting.size() < WAITING_MAX) {
            waiting.add(id);
        }
    }

    /**
     * Publishes the articles that have been voted on since the last call; never fails. What could not be published is
     * tried with the next call.
     */
    Future<Void> publish() {
        List<Long> ids = new ArrayList<>(waiting);
        waiting.clear();
        List<Future<Void>> calls = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += CALL_MAX) {
            calls.add(publish(ids.subList(from, Math.min(from + CALL_MAX, ids.size()))));
        }
        return Future.join(calls).<Void>mapEmpty().otherwiseEmpty();
    }

    private Future<Void> publish(List<Long> ids) {
        List<Object> args = new ArrayList<>(ids.size() + 1);
        args.add(new Command.Named(Keys.VOTES_CHANNEL));
        args.addAll(ids);
        return redis.send(PUBLISH.call(List.of(Keys.ARTICLES_BY_SCORE), args.toArray()))
                .onFailure(unsent -> ids.forEach(this::counted))
                .mapEmpty();
    }
}
