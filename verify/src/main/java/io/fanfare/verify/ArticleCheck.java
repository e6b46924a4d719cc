package io.fanfare.verify;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.fanfare.verify.Difference.Kind;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Compares articles with their statuses, their votes with their voters, and their places in rankings with their votes.
 * One event loop.
 */
final class ArticleCheck {
    private static final Script VOTERS = Script.load("article_voter_count");

    private final Redis redis;
    private final StatusCheck statuses;

    /** @param statuses knows which may be in the archive */
    ArticleCheck(Redis redis, StatusCheck statuses) {
        this.redis = redis;
        this.statuses = statuses;
    }

    /**
     * How an article stands.
     *
     * @param kept votes of one that the ranking does not have; 0 = none
     * @param place in the ranking of all articles; 0 = it does not have it
     * @param places in the rankings of its groups, as far as they have it
     */
    private record Facts(
            long id,
            boolean lives,
            boolean gone,
            long kept,
            long place,
            long voters,
            List<String> groups,
            List<Long> places) {
        static Facts of(long id, List<Reply> replies) {
            Reply status = replies.get(0);
            List<Reply> article = replies.get(1).items();
            return new Facts(
                    id,
                    StatusCheck.lives(status) && !status.items().get(2).isNil(),
                    !article.get(1).isNil(),
                    StatusCheck.number(article.get(0)),
                    StatusCheck.number(replies.get(3)),
                    replies.get(2).asLong(),
                    Articles.groups(article.get(2)),
                    new ArrayList<>());
        }

        /** Whether Redis has votes of it and no status. */
        boolean isLost() {
            return !lives && !gone && (kept > 0 || place > 0);
        }

        /** The fault of the article; empty = none. */
        String fault() {
            boolean known = kept > 0 || place > 0;
            if (!lives) {
                return isLost() ? "is ranked, but does not exist" : "";
            }
            if (gone) {
                return "";
            }
            if (!known) {
                return "is not ranked";
            }
            long votes = place > 0 ? Article.votes(id, place) : kept;
            long score = Article.score(id, votes);
            if (voters > 0 && voters != votes) {
                return "counts " + votes + " votes, and has " + voters + " voters";
            }
            return (place > 0 && place != score) || places.stream().anyMatch(inGroup -> inGroup != score)
                    ? "has the scores " + place + " and " + places + ", and should have " + score
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
            commands.add(VOTERS.call(List.of(Keys.articleVoters(id))));
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
                .compose(this::withoutArchived)
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

    /** The archive may have the status of one that no list of all articles has any more. */
    private Future<List<Facts>> withoutArchived(List<Facts> facts) {
        List<Long> lost = facts.stream().filter(Facts::isLost).map(Facts::id).toList();
        return statuses.archived(lost).map(archived -> facts.stream()
                .filter(article -> !article.isLost() || !archived.contains(article.id()))
                .toList());
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
                replies.subList(from, to).stream()
                        .filter(score -> !score.isNil())
                        .forEach(score -> article.places().add(StatusCheck.number(score)));
                from = to;
            }
            return facts;
        });
    }
}
