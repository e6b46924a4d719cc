package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Article.Standing;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Articles.Ranked;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Redis;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Articles that a version before has ranked, which kept their voters as a sorted set by the scores of the votes. */
@ParameterizedClass
@KindsOfRedis
class FormerVotersTest {
    private static final long START = System.currentTimeMillis() / 1000 * 1000;
    private static final long AUTHOR = Id.of(Id.EPOCH_MILLIS + 1, 3, 0);
    private static final int RANKING_MAX = 2;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;

    /** As after the upgrade: it remembers no votes. */
    private Articles articles;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        articles = articles();
    }

    private Articles articles() {
        Settings.Articles settings = new Settings.Articles(/* bestVotes= */ 3, RANKING_MAX, /* groupsMax= */ 5);
        return new Articles(f.link, settings, Duration.ofDays(30), () -> Instant.ofEpochMilli(START));
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void votesGoOnAndNobodyVotesTwice() {
        long id = ranked(START, 7);

        vote(id, AUTHOR);
        vote(id, 7);
        assertThat(ranking()).containsExactly(new Ranked(id, Article.score(id, 2)));
        f.get(() -> {
            List<Future<Void>> votes = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                votes.add(articles.vote(status(id), 7L + i % 200));
            }
            return Future.all(votes).<Void>mapEmpty();
        });

        assertThat(ranking()).containsExactly(new Ranked(id, Article.score(id, 201)));
        assertThat(f.get(() -> articles.best())).containsExactly(id);
        assertThat(f.number(Keys.articleVoters(id), "ZCARD", Keys.articleVoters(id)))
                .isEqualTo(201);
        assertThat(f.number(Keys.articleVoters(id), "PTTL", Keys.articleVoters(id)))
                .isPositive();
        assertThat(f.redis.keys()).doesNotContain(Keys.articleBallots(id));
    }

    @Test
    void viewersSeeTheirVotesBesideThoseOnNewArticles() {
        long former = ranked(START, 7);
        long now = article(START + 1);
        f.get(() -> articles.add(status(now)));
        vote(now, 8);

        for (Articles process : List.of(articles, articles())) {
            assertThat(voted(process, former, 7)).contains(true);
            assertThat(voted(process, former, 8)).contains(false);
            assertThat(voted(process, now, 7)).contains(false);
            assertThat(voted(process, now, 8)).contains(true);
        }
        vote(former, 8);
        assertThat(voted(articles(), former, 8)).contains(true);
    }

    @Test
    void votersAreReadPageByPage() {
        long id = ranked(START, 7, 8, 9);
        vote(id, 10);

        Page<Edge> newest = f.get(() -> articles.voters(id, PageRequest.newest(3)));
        assertThat(newest.items()).extracting(Edge::accountId).containsExactly(10L, 9L, 8L);
        Page<Edge> last = f.get(() -> articles.voters(id, PageRequest.olderThan(newest.next(), 3)));
        assertThat(last.items()).extracting(Edge::accountId).containsExactly(7L, AUTHOR);
        assertThat(last.next()).isZero();
    }

    @Test
    void anArticleComesBackIntoTheRankingByAVote() {
        long id = ranked(START, 7, 8);
        for (int i = 1; i <= RANKING_MAX; i++) {
            long newer = article(START + 10_000_000L * i);
            f.get(() -> articles.add(status(newer)));
        }
        assertThat(ranking()).extracting(Ranked::id).doesNotContain(id);
        assertThat(f.hash(Keys.article(id))).containsEntry("votes", "3");

        vote(id, 7);
        assertThat(ranking()).extracting(Ranked::id).doesNotContain(id);
        for (long voter = 9; voter < 60; voter++) {
            vote(id, voter);
        }
        assertThat(ranking()).startsWith(new Ranked(id, Article.score(id, 54)));
    }

    @Test
    void aDeleteTakesTheVotersAlong() {
        long id = ranked(START, 7);
        f.get(() -> articles.remove(id));

        assertThatThrownBy(() -> vote(id, 8)).hasMessageStartingWith("Record not found");
        assertThat(f.redis.keys()).doesNotContain(Keys.articleVoters(id), Keys.articleBallots(id));
    }

    /** Ranks an article with the votes of its author and of others, and leaves it as a version before would have. */
    private long ranked(long millis, long... voters) {
        long id = article(millis);
        f.get(() -> articles.add(status(id)));
        for (long voter : voters) {
            vote(id, voter);
        }
        String key = Keys.articleVoters(id);
        long ttl = f.number(key, "PTTL", key);
        f.redis.askAt(key, "DEL", key, Keys.articleBallots(id));
        f.redis.askAt(key, "ZADD", key, place(id, 1), Long.toString(AUTHOR));
        for (int i = 0; i < voters.length; i++) {
            f.redis.askAt(key, "ZADD", key, place(id, 2 + i), Long.toString(voters[i]));
        }
        f.redis.askAt(key, "PEXPIRE", key, Long.toString(ttl));
        articles = articles();
        return id;
    }

    private static String place(long id, int votes) {
        return Long.toString(Article.score(id, votes));
    }

    private static long article(long millis) {
        return Id.of(millis, 3, 0);
    }

    private static Status status(long id) {
        Content content = Content.of("A title").with(new Article("A title", null, List.of()));
        return new Status(id, Post.of(AUTHOR, Visibility.PUBLIC, content), Counters.NONE);
    }

    private void vote(long id, long voter) {
        f.get(() -> articles.vote(status(id), voter));
    }

    private Optional<Boolean> voted(Articles process, long id, long viewer) {
        Standing standing = f.get(() -> process.standings(List.of(status(id)), viewer, Redis.NOW))
                .get(id);
        assertThat(f.get(() -> process.voted(Map.of(id, Article.score(id, standing.votes())), viewer)))
                .containsEntry(id, standing.voted().orElseThrow());
        return standing.voted();
    }

    private List<Ranked> ranking() {
        return f.get(() -> articles.byScore("", Optional.empty(), 100));
    }
}
