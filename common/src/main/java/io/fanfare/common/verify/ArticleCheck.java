package io.fanfare.common.verify;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.verify.Difference.Kind;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Compares articles with their statuses, their votes with their voters, and their places in rankings with their votes.
 * One event loop.
 */
final class ArticleCheck {
    private final Redis redis;

    ArticleCheck(Redis redis) {
        this.redis = redis;
    }

    /**
     * How an article stands.
     *
     * @param votes 0 = it is not ranked
     * @param places scores in the ranking of all articles and in those of its groups; those that do not have it are
     *     left out
     */
    private record Facts(
            long id, boolean lives, long votes, boolean gone, long voters, List<String> groups, List<Long> places) {
        static Facts of(long id, List<Reply> replies) {
            List<Reply> status = replies.get(0).items();
            List<Reply> article = replies.get(1).items();
            boolean lives = !status.get(0).isNil()
                    && status.get(1).isNil()
                    && !status.get(2).isNil();
            List<String> groups = article.get(2).isNil()
                    ? List.of()
                    : List.of(article.get(2).asString().split(" ", -1));
            return new Facts(
                    id,
                    lives,
                    StatusCheck.number(article.get(0)),
                    !article.get(1).isNil(),
                    replies.get(2).asLong(),
                    groups,
                    new ArrayList<>(places(replies.subList(3, 4))));
        }

        static List<Long> places(List<Reply> scores) {
            return scores.stream()
                    .filter(score -> !score.isNil())
                    .map(StatusCheck::number)
                    .toList();
        }

        /** What is wrong with it; empty = nothing. */
        String fault() {
            boolean ranked = votes > 0 && !gone;
            if (lives && votes == 0 && !gone) {
                return "is not ranked";
            }
            if (!lives && ranked) {
                return "is ranked, but does not exist";
            }
            if (ranked && voters > 0 && voters != votes) {
                return "counts " + votes + " votes, and has " + voters + " voters";
            }
            long score = Article.score(id, votes);
            return ranked && places.stream().anyMatch(place -> place != score)
                    ? "has the scores " + places + ", and should have " + score
                    : "";
        }
    }

    /** Looks at some articles. */
    Future<Void> look(Collection<Long> ids, Findings findings) {
        if (ids.isEmpty()) {
            return Future.succeededFuture();
        }
        List<Command> commands = new ArrayList<>();
        for (long id : ids) {
            commands.add(Command.of("HMGET", Keys.status(id), "uid", "gone", "title"));
            commands.add(Command.of("HMGET", Keys.article(id), "votes", "gone", "groups"));
            commands.add(Command.of("ZCARD", Keys.articleVoters(id)));
            commands.add(Command.of("ZSCORE", Keys.ARTICLES_BY_SCORE, id));
        }
        return BatchedPipeline.send(redis, commands)
                .map(replies -> {
                    List<Facts> facts = new ArrayList<>();
                    int i = 0;
                    for (long id : ids) {
                        facts.add(Facts.of(id, replies.subList(4 * i, 4 * i + 4)));
                        i++;
                    }
                    return facts;
                })
                .compose(this::placesInGroups)
                .map(facts -> {
                    for (Facts article : facts) {
                        if (!article.fault().isEmpty()) {
                            String detail = "article " + article.id() + " " + article.fault();
                            findings.add(new Difference(
                                    Kind.ARTICLE, article.id(), 0, 0, 0, Keys.article(article.id()), detail));
                        }
                    }
                    return null;
                });
    }

    private Future<List<Facts>> placesInGroups(List<Facts> facts) {
        List<Command> commands = new ArrayList<>();
        for (Facts article : facts) {
            for (String group : article.groups()) {
                commands.add(Command.of("ZSCORE", Keys.articlesByScore(group), article.id()));
            }
        }
        return BatchedPipeline.send(redis, commands).map(replies -> {
            int from = 0;
            for (Facts article : facts) {
                int to = from + article.groups().size();
                article.places().addAll(Facts.places(replies.subList(from, to)));
                from = to;
            }
            return facts;
        });
    }
}
