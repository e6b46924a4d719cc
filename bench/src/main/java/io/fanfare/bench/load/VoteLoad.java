package io.fanfare.bench.load;

import io.fanfare.common.model.Article;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Articles;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Votes of ever new voters on articles drawn at random: through the store of Fanfare, and with the plain commands of
 * <i>Redis in Action</i>, chapter 1, on keys of their own. Both over the project's own link, {@value #VOTES} votes in
 * one write and {@value #WRITES} writes under way. One event loop.
 */
public final class VoteLoad {
    private static final int VOTES = 25;
    private static final int WRITES = 4;
    private static final long AUTHOR = 7;
    private static final String RAW_TIME = "raw-time";
    private static final String RAW_SCORE = "raw-score";

    private final RedisLink link;
    private final Articles articles;
    private final RandomGenerator random;
    private final List<Status> votedOn = new ArrayList<>();
    private long voter = 1000;

    /** @param ids of the articles, which can be voted on */
    public VoteLoad(RedisLink link, Articles articles, RandomGenerator random, List<Long> ids) {
        this.link = link;
        this.articles = articles;
        this.random = random;
        Content content = Content.of("A title").with(new Article("A title", null, List.of()));
        Post post = Post.of(AUTHOR, Visibility.PUBLIC, content);
        ids.forEach(id -> votedOn.add(new Status(id, post, Counters.NONE)));
    }

    /** Publishes the articles both ways. */
    public Future<Void> publish() {
        List<Future<?>> added = new ArrayList<>();
        for (Status article : votedOn) {
            added.add(articles.add(article));
            added.add(link.send(Command.of("ZADD", RAW_TIME, article.id() >> 22, article.id())));
        }
        return Future.all(added).mapEmpty();
    }

    /** Votes through the store until the time is over; answers how many. */
    public Future<Long> ofStore(long nanos) {
        return run(nanos, () -> {
            List<Future<Void>> votes = new ArrayList<>(VOTES);
            for (int i = 0; i < VOTES; i++) {
                votes.add(articles.vote(next(), ++voter));
            }
            return Future.all(votes).mapEmpty();
        });
    }

    /** As the book has it: is it young enough, has the voter voted, and only then score and count. */
    public Future<Long> ofBook(long nanos) {
        return run(nanos, () -> {
            List<Long> ids = new ArrayList<>(VOTES);
            List<Command> commands = new ArrayList<>(2 * VOTES);
            for (int i = 0; i < VOTES; i++) {
                long id = next().id();
                ids.add(id);
                commands.add(Command.of("ZSCORE", RAW_TIME, id));
                commands.add(Command.of("SADD", "raw-voted:" + id, ++voter));
            }
            return link.pipeline(commands)
                    .compose(replies -> link.pipeline(counted(ids, replies)))
                    .mapEmpty();
        });
    }

    private static List<Command> counted(List<Long> ids, List<Reply> replies) {
        List<Command> counted = new ArrayList<>(2 * ids.size());
        for (int i = 0; i < ids.size(); i++) {
            if (!replies.get(2 * i).isNil() && replies.get(2 * i + 1).asLong() == 1) {
                counted.add(Command.of("ZINCRBY", RAW_SCORE, Article.VOTE_SECONDS, ids.get(i)));
                counted.add(Command.of("HINCRBY", "raw-article:" + ids.get(i), "votes", 1));
            }
        }
        return counted;
    }

    /** All four commands at once, whatever they find: what Redis could do at most. */
    public Future<Long> unconditional(long nanos) {
        return run(nanos, () -> {
            List<Command> commands = new ArrayList<>(4 * VOTES);
            for (int i = 0; i < VOTES; i++) {
                long id = next().id();
                commands.add(Command.of("ZSCORE", RAW_TIME, id));
                commands.add(Command.of("SADD", "raw-voted:" + id, ++voter));
                commands.add(Command.of("ZINCRBY", RAW_SCORE, Article.VOTE_SECONDS, id));
                commands.add(Command.of("HINCRBY", "raw-article:" + id, "votes", 1));
            }
            return link.pipeline(commands).mapEmpty();
        });
    }

    private Status next() {
        return votedOn.get(random.nextInt(votedOn.size()));
    }

    private static Future<Long> run(long nanos, Supplier<Future<Void>> write) {
        return ClosedLoop.run(nanos, WRITES, write).map(writes -> writes * VOTES);
    }
}
