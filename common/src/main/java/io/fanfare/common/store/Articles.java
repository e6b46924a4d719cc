package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Owns the keys of {@code {articles}}: votes, voters and rankings of articles, all in one slot, so that a vote is one
 * script. An article is known here by the id of its status, which contains the time of its publication. As in homes, an
 * id in a ranking proves nothing: its status says whether it lives and who may see it.
 */
public class Articles {
    /** Seconds that a vote is worth: 200 votes are worth a day. */
    public static final long VOTE_SECONDS = 432;

    /** How long an article can be voted on. */
    public static final Duration VOTING = Duration.ofDays(7);

    private static final Script VOTE = Script.load("article_vote");
    private static final Script DELETE = Script.load("article_delete");
    private static final Script PAGE = Script.load("article_page");

    private final Redis redis;
    private final Limits limits;
    private final Supplier<String> now;

    /**
     * Bounds of the rankings.
     *
     * @param rankingMax entries of each ranking; beyond them the lowest are dropped
     * @param bestVotes votes from which on an article is among the best
     * @param bestMax entries of the list of the best
     * @param tombstone how long a deleted article is remembered after its voting would have ended
     */
    public record Limits(int rankingMax, int bestVotes, int bestMax, Duration tombstone) {}

    public Articles(Redis redis, Limits limits) {
        this(redis, limits, () -> "");
    }

    /** For tests: {@code now} answers milliseconds in place of the server's clock. */
    Articles(Redis redis, Limits limits, Supplier<String> now) {
        this.redis = redis;
        this.limits = limits;
        this.now = now;
    }

    /** A place in the ranking by score. */
    public record Ranked(long id, long score) {
        /** The votes that the score consists of beside the time. */
        public long votes() {
            return (score - seconds(id)) / VOTE_SECONDS;
        }
    }

    /**
     * How an article stands.
     *
     * @param voted whether the viewer has voted; empty for an anonymous viewer, and after the voting
     */
    public record Standing(long votes, long score, Optional<Boolean> voted) {}

    /** A voter; {@code number} is that of the vote, from 1 on, and the cursor of the list of voters. */
    public record Voter(long account, long number) {}

    /** The score of an article: the seconds of its publication and those of its votes. */
    public static long score(long id, long votes) {
        return seconds(id) + VOTE_SECONDS * votes;
    }

    private static long seconds(long id) {
        return Id.epochMillis(id) / 1000;
    }

    /**
     * Ranks a published article with the vote of its author; the votes that it has then. Doing it again changes
     * nothing. A deleted article stays away: {@link Refusal#unknown}.
     */
    public Future<Long> add(long id, long author) {
        return vote(id, author, "");
    }

    /**
     * Counts a vote; the votes then. A second vote changes nothing. Ranks the article if its publication has not done
     * that yet. Fails with {@link Refusal} when the voting is over, and when the article is deleted.
     */
    public Future<Long> vote(long id, long author, long voter) {
        return vote(id, author, Long.toString(voter));
    }

    private Future<Long> vote(long id, long author, String voter) {
        return redis.send(VOTE.call(
                        keys(id),
                        now.get(),
                        id,
                        author,
                        voter,
                        limits.bestVotes(),
                        limits.rankingMax(),
                        limits.bestMax()))
                .map(answer -> {
                    List<Reply> words = answer.items();
                    return switch (words.get(0).asString()) {
                        case "gone" -> throw Refusal.unknown();
                        case "closed" ->
                            throw new Refusal(
                                    Refusal.Reason.INVALID, "Voting closed: articles can be voted on for seven days.");
                        default -> words.get(1).asLong();
                    };
                });
    }

    /** Takes a deleted article out of every ranking. Doing it again changes nothing, and no late vote undoes it. */
    public Future<Void> remove(long id) {
        return redis.send(
                        DELETE.call(keys(id), now.get(), id, limits.tombstone().toMillis()))
                .mapEmpty();
    }

    private static List<String> keys(long id) {
        return List.of(
                Keys.article(id), Keys.voters(id), Keys.ARTICLES_BY_SCORE, Keys.ARTICLES_BY_TIME, Keys.BEST_ARTICLES);
    }

    /**
     * The articles behind a place, highest score first; empty = from the top. A walk repeats no article, since scores
     * never fall. It skips only those that votes have lifted above the place of the walk meanwhile.
     */
    public Future<List<Ranked>> byScore(Optional<Ranked> after, int limit) {
        return redis.send(PAGE.call(
                        List.of(Keys.ARTICLES_BY_SCORE),
                        after.<Object>map(Ranked::score).orElse(""),
                        after.<Object>map(Ranked::id).orElse(""),
                        limit))
                .map(page -> {
                    List<Ranked> ranked = new ArrayList<>();
                    List<Reply> words = page.items();
                    for (int i = 0; i < words.size(); i += 2) {
                        ranked.add(new Ranked(
                                words.get(i).asLong(), words.get(i + 1).asLong()));
                    }
                    return ranked;
                });
    }

    /** The articles older than one, newest first. */
    public Future<List<Long>> byTime(long maxId, int limit) {
        return newest(Keys.ARTICLES_BY_TIME, maxId, limit);
    }

    /** The same of those with enough votes. */
    public Future<List<Long>> best(long maxId, int limit) {
        return newest(Keys.BEST_ARTICLES, maxId, limit);
    }

    private Future<List<Long>> newest(String key, long maxId, int limit) {
        return redis.send(Command.of("ZRANGE", key, "(" + maxId, "-inf", "BYSCORE", "REV", "LIMIT", 0, limit))
                .map(Statuses::longs);
    }

    /** Who has voted, the latest first, before a vote; nobody once the voting is over. */
    public Future<List<Voter>> voters(long id, long maxNumber, int limit) {
        Command range =
                Command.of("ZRANGE", Keys.voters(id), "(" + maxNumber, "-inf", "BYSCORE", "REV", "LIMIT", 0, limit);
        return redis.send(range).compose(accounts -> {
            List<Long> ids = Statuses.longs(accounts);
            if (ids.isEmpty()) {
                return Future.succeededFuture(List.of());
            }
            return redis.send(Command.of("ZMSCORE", Keys.voters(id), ids.toArray()))
                    .map(numbers -> voters(ids, numbers.items()));
        });
    }

    private static List<Voter> voters(List<Long> accounts, List<Reply> numbers) {
        List<Voter> voters = new ArrayList<>();
        for (int i = 0; i < accounts.size(); i++) {
            // The voting may have ended between the two commands.
            if (!numbers.get(i).isNil()) {
                voters.add(new Voter(accounts.get(i), numbers.get(i).asLong()));
            }
        }
        return voters;
    }

    /**
     * How these stand, in one pipelined round trip, and none when there are none. Deleted ones are left out, and those
     * that are not ranked yet.
     *
     * @param authors author by article
     * @param viewer 0 = anonymous
     */
    public Future<Map<Long, Standing>> standings(Map<Long, Long> authors, long viewer) {
        if (authors.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<Long> ids = List.copyOf(authors.keySet());
        return BatchedPipeline.send(redis, lookUps(ids, authors, viewer)).map(replies -> {
            Map<Long, Standing> standings = new LinkedHashMap<>();
            for (int i = 0; i < ids.size(); i++) {
                Reply votes = replies.get(2 * i);
                if (!votes.isNil()) {
                    List<Reply> voted = replies.get(2 * i + 1).items();
                    // The author has always voted: without that vote the set has gone.
                    boolean open = viewer != 0 && !voted.get(1).isNil();
                    standings.put(
                            ids.get(i),
                            new Standing(
                                    votes.asLong(),
                                    score(ids.get(i), votes.asLong()),
                                    open ? Optional.of(!voted.get(0).isNil()) : Optional.empty()));
                }
            }
            return standings;
        });
    }

    private static List<Command> lookUps(Collection<Long> ids, Map<Long, Long> authors, long viewer) {
        List<Command> commands = new ArrayList<>();
        for (long id : ids) {
            commands.add(Command.of("HGET", Keys.article(id), "votes"));
            commands.add(Command.of("ZMSCORE", Keys.voters(id), viewer, authors.get(id)));
        }
        return commands;
    }
}
