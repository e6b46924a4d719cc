package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Votes around the moment at which the voting ends, by the clock of processes that are killed meanwhile. */
@Tag("programs")
class VotingDeadlineTest {
    private static final int VOTERS = 40;
    private static final int VOTES_OF_EACH = 5;
    private static final long BEFORE_MILLIS = 12_000;
    private static final long AFTER_MILLIS = 3_000;

    @TempDir
    Path dir;

    @ParameterizedTest
    @KindsOfRedis
    void votesCountOnceAndNoneAfterItThoughApiAndWorkerAreKilledMeanwhile(TestRedis.Kind kind) throws Exception {
        TestRedis redis = kind.redis();
        redis.flush();
        try (SplitDeployment deployment = new SplitDeployment(dir, TestSettings.redis(redis.options()))) {
            List<FanfareProcess> apis = new ArrayList<>(List.of(deployment.start("api"), deployment.start("api")));
            FanfareProcess worker = deployment.start("worker");
            String url = deployment.url();
            Client author = Client.signUp(url, "author");
            List<Client> voters = new ArrayList<>();
            for (int i = 0; i < VOTERS; i++) {
                voters.add(Client.signUp(url, "voter" + i));
            }
            long end = System.currentTimeMillis() + BEFORE_MILLIS;
            long id = publishedBefore(redis, author.publish(url, "A title", "https://example.org/"), end);
            Votes votes = new Votes(url, id, end);
            votes.schedule(voters);

            for (long moment : List.of(end - 8_000, end - 200)) {
                votes.awaitMoment(moment);
                deployment.kill(apis.remove(0));
                worker.kill();
                apis.add(deployment.start("api"));
                worker = deployment.start("worker");
            }
            votes.await();

            Set<String> counted = new HashSet<>();
            redis.askAt(Keys.articleVoters(id), "SMEMBERS", Keys.articleVoters(id))
                    .items()
                    .forEach(member -> counted.add(member.asString()));
            Set<String> inTime = new HashSet<>(votes.inTime);
            inTime.add(author.id());
            assertThat(counted).containsAll(votes.acknowledged).isSubsetOf(inTime);
            assertThat(votes.acknowledged).hasSizeGreaterThan(VOTERS / 2);
            assertThat(votes.late).isNotEmpty().containsOnly(422);
            assertThat(redis.askAt(Keys.ARTICLES_BY_SCORE, "ZSCORE", Keys.ARTICLES_BY_SCORE, Long.toString(id))
                            .asLong())
                    .isEqualTo(Article.score(id, counted.size()));
            String list = Client.get(url + "/api/v1/articles?limit=40", author.token())
                    .body();
            assertThat(new JsonArray(list)
                            .stream()
                                    .map(JsonObject.class::cast)
                                    .filter(status -> status.getString("id").equals(Long.toString(id)))
                                    .map(status -> status.getJsonObject("article"))
                                    .map(article -> article.getInteger("votes")))
                    .containsExactly(counted.size());
        }
    }

    /** The same article, published seven days before a moment. */
    private static long publishedBefore(TestRedis redis, String published, long end) {
        long now = Long.parseLong(published);
        long id = Id.of(end - (Article.votingEnds(now) - Id.epochMillis(now)), Id.shard(now), 0);
        redis.askAt(Keys.status(now), "COPY", Keys.status(now), Keys.status(id));
        assertThat(Article.votingEnds(id)).isEqualTo(end);
        return id;
    }

    /** Votes of everybody at random moments, most of them several times. */
    private static final class Votes {
        private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

        /** The voters whose vote was sent before the end. */
        private final Set<String> inTime = ConcurrentHashMap.newKeySet();

        /** Answers to votes that have been sent after the end, by the processes that live. */
        private final Set<Integer> late = ConcurrentHashMap.newKeySet();

        private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(VOTERS);
        private final List<ScheduledFuture<?>> all = new ArrayList<>();
        private final String url;
        private final long article;
        private final long end;

        Votes(String url, long article, long end) {
            this.url = url;
            this.article = article;
            this.end = end;
        }

        void schedule(List<Client> voters) {
            long seed = System.nanoTime();
            Random random = new Random(seed);
            for (Client voter : voters) {
                for (int i = 0; i < VOTES_OF_EACH; i++) {
                    long moment = end + AFTER_MILLIS - random.nextLong(BEFORE_MILLIS + AFTER_MILLIS);
                    all.add(at(moment, () -> vote(voter)));
                }
            }
        }

        private ScheduledFuture<?> at(long moment, Callable<?> task) {
            return threads.schedule(task, moment - System.currentTimeMillis(), TimeUnit.MILLISECONDS);
        }

        private int vote(Client voter) {
            boolean isLate = System.currentTimeMillis() >= end;
            if (!isLate) {
                inTime.add(voter.id());
            }
            int status = voter.tryToVote(url, Long.toString(article));
            if (status == 200) {
                acknowledged.add(voter.id());
            }
            if (isLate && status != 0 && status != 502) {
                late.add(status);
            }
            return status;
        }

        void awaitMoment(long moment) throws Exception {
            at(moment, () -> 0).get();
        }

        void await() throws Exception {
            for (ScheduledFuture<?> vote : all) {
                vote.get();
            }
            threads.shutdown();
        }
    }
}
