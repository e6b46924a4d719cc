package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.askIn;
import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Reply;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.testing.Verification;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pages of readers after a replica has taken over that lacks the last writes of its master. */
class FailoverTest {
    private TestRedis redis;
    private StoreFixture f;
    private EventLog events;
    private Vertx vertx;
    private SimpleMeterRegistry metrics;
    private FailoverWatch watch;

    @BeforeEach
    void start() {
        redis = TestRedis.freshCluster(
                AppendSync.OFF, "cluster-node-timeout 5000", "cluster-replica-validity-factor 0");
        f = StoreFixture.on(redis);
        events = new EventLog(f.link, new Random(1), f.settings.stream());
        vertx = Vertx.vertx();
        metrics = new SimpleMeterRegistry();
        watch = new FailoverWatch(
                vertx,
                f.link,
                new Shards(f.settings.redis().shards()),
                events,
                LeadLoop.of(vertx, System::nanoTime),
                "w1",
                metrics.counter("failovers"));
    }

    @AfterEach
    void close() {
        f.get(() -> {
            watch.stop();
            return Future.succeededFuture();
        });
        f.close();
        await(vertx.close());
        redis.close();
    }

    @Test
    void aHomeThatHasLostDeliveriesIsRebuilt() {
        long[] users = f.users(40);
        long ann = users[0];
        RedisProcess master = redis.serverOf(Keys.home(ann));
        long bob = Arrays.stream(users)
                .filter(user -> redis.serverOf(Keys.home(user)) != master)
                .findFirst()
                .orElseThrow();
        f.follow(ann, bob);
        f.home(ann, 1);
        long early = f.post(bob);
        f.fanOut(bob, early);
        startWatch();
        awaitUntil("masters are noted", () -> noted(ann).equals(idOf(master)));
        RedisProcess replica = redis.replicaOf(master);
        redis.holdReplication(master, replica);
        long late = f.post(bob);
        f.fanOut(bob, late);
        assertThat(f.home(ann, 3)).containsExactly(late, early);

        redis.failOver(master, replica);

        awaitGeneration(replica, ann);
        assertThat(elements(replica, ann)).as("the loss").contains("" + early).doesNotContain("" + late);
        assertThat(f.home(ann, 3)).containsExactly(late, early);
        assertThat(elements(replica, ann).get(0)).endsWith("@1");
        assertThat(noted(replica, ann))
                .isEqualTo(ask(replica, "CLUSTER", "MYID").asString());
        awaitUntil(
                "all shards of the server", () -> metrics.counter("failovers").count() >= 1);

        long later = f.post(bob);
        f.fanOut(bob, later);
        assertThat(f.home(ann, 3)).containsExactly(later, late, early);
        Verification.assertClean(f.get(() -> Verification.of(f.link, f.settings)));
        assertThat(generation(replica, ann)).as("once").isEqualTo(1);
    }

    @Test
    void aShardThatMovedToAMasterJustBeforeItDiedBeginsAGeneration() {
        long[] users = f.users(40);
        long ann = users[0];
        RedisProcess master = redis.serverOf(Keys.home(ann));
        RedisProcess former = Arrays.stream(users)
                .mapToObj(user -> redis.serverOf(Keys.home(user)))
                .filter(server -> server != master)
                .findFirst()
                .orElseThrow();
        RedisProcess replica = redis.replicaOf(master);
        startWatch();
        awaitUntil("masters are noted", () -> noted(ann).equals(idOf(master)));
        noteAsMovedUnseen(ann, idOf(former));

        redis.failOver(master, replica);

        awaitGeneration(replica, ann);
    }

    @Test
    void theEventLogRestartsSoThatStreamsReportAGap() {
        RedisProcess master = redis.serverOf(Keys.BUS_SEQ);
        String before = f.get(events::state).epoch();
        startWatch();
        awaitUntil("the master is noted", () -> idOf(master)
                .equals(redis.askAt(Keys.BUS_MASTER, "GET", Keys.BUS_MASTER).asString()));
        RedisProcess replica = redis.replicaOf(master);

        redis.failOver(master, replica);

        awaitUntil("another epoch", () -> {
            Reply epoch = askOrNil(replica, "GET", Keys.BUS_EPOCH);
            return !epoch.isNil() && !epoch.asString().equals(before);
        });
    }

    private void startWatch() {
        f.get(() -> {
            watch.start();
            return Future.succeededFuture();
        });
    }

    /** Until the watch, which notes each master some times, leaves it so. */
    private void noteAsMovedUnseen(long account, String former) {
        String key = Keys.master(Id.shard(account));
        Awaitility.await()
                .during(Duration.ofSeconds(3))
                .atMost(Duration.ofSeconds(60))
                .until(() -> {
                    boolean stays = noted(account).equals(former);
                    if (!stays) {
                        redis.askAt(key, "SET", key, former);
                    }
                    return stays;
                });
    }

    private static String idOf(RedisProcess server) {
        return ask(server, "CLUSTER", "MYID").asString();
    }

    private String noted(long account) {
        String key = Keys.master(Id.shard(account));
        String id = redis.askAt(key, "GET", key).asString();
        return id == null ? "" : id;
    }

    private static String noted(RedisProcess server, long account) {
        return askIn(server, "GET", Keys.master(Id.shard(account))).asString();
    }

    /** When it does not come, as once under load, says what the new master knows. */
    private static void awaitGeneration(RedisProcess server, long account) {
        try {
            awaitUntil("a new generation", () -> generation(server, account) == 1);
        } catch (ConditionTimeoutException late) {
            throw new AssertionError(
                    "noted: " + askOrNil(server, "GET", Keys.master(Id.shard(account))) + ", generation: "
                            + generation(server, account) + "\n" + askOrNil(server, "CLUSTER", "NODES"),
                    late);
        }
    }

    private static long generation(RedisProcess server, long account) {
        Reply generation = askOrNil(server, "GET", Keys.homeGeneration(Id.shard(account)));
        return generation.isNil() ? 0 : generation.asLong();
    }

    private static List<String> elements(RedisProcess server, long account) {
        return askIn(server, "LRANGE", Keys.home(account), "0", "-1").items().stream()
                .map(Reply::asString)
                .toList();
    }

    /** A replica answers MOVED until it is the master. */
    private static Reply askOrNil(RedisProcess server, String... command) {
        try {
            Reply reply = server.ask(TestRedis.spelled(command));
            return reply instanceof Reply.Failure ? new Reply.Nil() : reply;
        } catch (IOException e) {
            return new Reply.Nil();
        }
    }
}
