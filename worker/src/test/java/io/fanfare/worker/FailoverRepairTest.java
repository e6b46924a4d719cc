package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.testing.Verification;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One-sided records that a failover leaves are repaired without an operator, once for each generation. */
class FailoverRepairTest {
    private static final int LOOK_MILLIS = 20;

    private final TestRedis redis = TestRedis.cluster();
    private StoreFixture f;
    private Vertx vertx;
    private SimpleMeterRegistry metrics;
    private FailoverRepair repair;
    private long ann;
    private long bob;

    @BeforeEach
    void begin() {
        redis.flush();
        f = StoreFixture.on(redis);
        vertx = Vertx.vertx();
        metrics = new SimpleMeterRegistry();
        repair = new FailoverRepair(
                vertx,
                millis -> Future.succeededFuture(),
                f.link,
                new Shards(f.settings.redis().shards()),
                f.settings,
                LeadLoop.of(vertx, System::nanoTime),
                "w1",
                LOOK_MILLIS,
                metrics.counter("repaired"));
        long[] users = f.users(2);
        ann = users[0];
        bob = users[1];
        f.follow(ann, bob);
        dropJobs();
    }

    @AfterEach
    void close() {
        f.get(() -> {
            repair.stop();
            return Future.succeededFuture();
        });
        f.close();
        await(vertx.close());
    }

    @Test
    void oneSideOfAnEdgeThatWasLostIsPutBack() {
        loseFollower();
        beginGeneration(1);

        start();

        awaitUntil("noted", () -> "1".equals(repaired()));
        assertThat(score(Keys.followers(bob), ann)).isEqualTo(score(Keys.following(ann), bob));
        assertThat(metrics.counter("repaired").count()).isPositive();
        Verification.assertClean(f.get(() -> Verification.of(f.link, f.settings)));
        awaitUntil("the claim is given up", () -> get(Keys.BUS_REPAIR) == null);
    }

    @Test
    void eachGenerationIsRepairedOnce() {
        beginGeneration(1);
        start();
        awaitUntil("noted", () -> "1".equals(repaired()));
        loseFollower();

        beginGeneration(2);

        awaitUntil("noted again", () -> "2".equals(repaired()));
        assertThat(score(Keys.followers(bob), ann)).isNotNull();
    }

    @Test
    void aRepairIsLeftToTheProcessThatClaimedItUntilTheClaimEnds() {
        redis.askAt(Keys.BUS_REPAIR, "SET", Keys.BUS_REPAIR, "another", "PX", "1500");
        beginGeneration(1);

        start();

        awaitUntil("noted", () -> {
            boolean noted = "1".equals(repaired());
            // Read later, since the claim may end and the repair be done between the two.
            boolean claimed = "another".equals(get(Keys.BUS_REPAIR));
            assertThat(claimed && noted).as("repaired while another one did").isFalse();
            return noted;
        });
    }

    @Test
    void aDifferenceThatJobsMayExplainIsCheckedAgainAfterTheyHaveRun() {
        f.follow(bob, ann);
        loseFollower();
        beginGeneration(1);
        start();
        awaitUntil("it looks", () -> "w1".equals(get(Keys.BUS_REPAIR)));
        awaitUntil("it has looked", () -> get(Keys.BUS_REPAIR) == null);
        assertThat(repaired()).as("noted although jobs were waiting").isNull();

        dropJobs();

        awaitUntil("noted", () -> "1".equals(repaired()));
        assertThat(score(Keys.followers(bob), ann)).isNotNull();
    }

    @Test
    void aRepairThatFailsIsRepeatedLaterEachTimeUntilOneDoesNotFail() {
        loseFollower();
        beginGeneration(1);
        onAllServers("-zrange");
        try {
            start();
            awaitUntil("three have failed", () -> pauseMillis() >= LOOK_MILLIS << 3);
        } finally {
            onAllServers("+zrange");
        }

        awaitUntil("noted", () -> "1".equals(repaired()));
        awaitUntil("looks come as often as before", () -> pauseMillis() == LOOK_MILLIS);
    }

    @Test
    void aFurtherFailoverIsNotPutOffByRepairsThatFailedBefore() {
        loseFollower();
        beginGeneration(1);
        onAllServers("-zrange");
        try {
            start();
            awaitUntil("five have failed", () -> pauseMillis() >= LOOK_MILLIS << 5);

            beginGeneration(2);

            awaitUntil("the pauses begin again", () -> pauseMillis() <= LOOK_MILLIS << 3);
        } finally {
            onAllServers("+zrange");
        }
        awaitUntil("noted", () -> "2".equals(repaired()));
    }

    private void onAllServers(String right) {
        redis.servers().forEach(server -> assertThat(TestRedis.ask(server, "ACL", "SETUSER", "default", right)
                        .isFailure())
                .isFalse());
    }

    private long pauseMillis() {
        return f.get(() -> Future.succeededFuture(repair.pauseMillis()));
    }

    /** Nobody runs them here. */
    private void dropJobs() {
        redis.keys().stream().filter(key -> key.startsWith("queue:")).forEach(key -> redis.askAt(key, "DEL", key));
    }

    private void loseFollower() {
        redis.askAt(Keys.followers(bob), "ZREM", Keys.followers(bob), Long.toString(ann));
    }

    private void beginGeneration(int generation) {
        String key = Keys.homeGeneration(Id.shard(bob));
        redis.askAt(key, "SET", key, Integer.toString(generation));
    }

    private String repaired() {
        return get(Keys.repairedGeneration(Id.shard(bob)));
    }

    private String get(String key) {
        Reply reply = redis.askAt(key, "GET", key);
        return reply.asString();
    }

    private String score(String key, long member) {
        return redis.askAt(key, "ZSCORE", key, Long.toString(member)).asString();
    }

    private void start() {
        f.get(() -> {
            repair.start();
            return Future.succeededFuture();
        });
    }
}
