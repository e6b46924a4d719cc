package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Counts votes. Those that come while others are on their way to Redis go together, since most of what a script takes
 * for one vote it takes for many: the first of them waits for nothing. Confined to its link's event loop.
 */
final class VoteCounter {
    /** Votes of one call: it stops Redis for a millisecond at most. */
    private static final int CALL_MAX = 50;

    private static final int WAITING_MAX = 20_000;
    private static final Script VOTE = Script.load("article_vote");

    private final Redis redis;
    private final Queue<Vote> waiting = new ArrayDeque<>();
    private int onTheWay;
    private boolean due;

    VoteCounter(Redis redis) {
        this.redis = redis;
    }

    private record Vote(long id, long voter, long good, Promise<String> outcome) {}

    /**
     * The outcome of a vote, in the words of article_vote.lua. Fails as SATURATED when {@value #WAITING_MAX} votes wait
     * already.
     *
     * @param good score with which the article is among the best
     */
    Future<String> count(long id, long voter, long good) {
        Promise<String> outcome = Promise.promise();
        Vote vote = new Vote(id, voter, good, outcome);
        redis.afterTurn(() -> add(vote));
        return outcome.future();
    }

    private void add(Vote vote) {
        if (waiting.size() + onTheWay >= WAITING_MAX) {
            vote.outcome().fail(new RedisError(RedisError.Kind.SATURATED, WAITING_MAX + " votes wait already"));
            return;
        }
        waiting.add(vote);
        if (!due && maySend()) {
            due = true;
            redis.afterTurn(this::send);
        }
    }

    private boolean maySend() {
        return onTheWay == 0 ? !waiting.isEmpty() : waiting.size() >= CALL_MAX;
    }

    private void send() {
        due = false;
        while (maySend()) {
            List<Vote> votes = new ArrayList<>(CALL_MAX);
            while (!waiting.isEmpty() && votes.size() < CALL_MAX) {
                votes.add(waiting.remove());
            }
            send(votes);
        }
    }

    private void send(List<Vote> votes) {
        List<String> keys = new ArrayList<>(3 * votes.size() + 2);
        List<Object> args = new ArrayList<>(3 * votes.size());
        keys.add(Keys.ARTICLES_BY_SCORE);
        keys.add(Keys.BEST_ARTICLES);
        for (Vote vote : votes) {
            keys.add(Keys.article(vote.id()));
            keys.add(Keys.articleVoters(vote.id()));
            keys.add(Keys.articleBallots(vote.id()));
            args.add(vote.id());
            args.add(vote.voter());
            args.add(vote.good());
        }
        onTheWay += votes.size();
        redis.send(VOTE.call(keys, args.toArray())).onComplete(reply -> answer(votes, reply), cause -> {
            onTheWay -= votes.size();
            votes.forEach(vote -> vote.outcome().fail(cause));
            send();
        });
    }

    private void answer(List<Vote> votes, Reply reply) {
        onTheWay -= votes.size();
        List<Reply> outcomes = reply.items();
        for (int i = 0; i < votes.size(); i++) {
            votes.get(i).outcome().complete(outcomes.get(i).asString());
        }
        send();
    }
}
