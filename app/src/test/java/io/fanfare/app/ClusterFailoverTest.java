package io.fanfare.app;

import static io.fanfare.common.testing.TestRedis.ask;
import static io.fanfare.common.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.embedded.RedisProcess;
import io.fanfare.common.embedded.RedisProcess.AppendSync;
import io.fanfare.common.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Masters of a cluster die one after the other, and replicas that lack their last writes take over, while people post,
 * delete, follow and unfollow. What replication has lost is counted; all else is exact without a repair. The long form:
 * {@code mvn verify -Pfaults -pl app -am -Dtest=ClusterFailoverTest -Dfanfare.tests.failovers=20}.
 */
@Tag("faults")
class ClusterFailoverTest {
    private static final int FAILOVERS = Integer.getInteger("fanfare.tests.failovers", 4);
    private static final long SEED = Long.getLong("fanfare.tests.seed", System.nanoTime());

    /** At most 200 requests a second together. */
    private static final int USERS = 20;

    private static final int PAUSE_MILLIS = 100;

    /** How far a replica is behind at most. */
    private static final int LAG_MILLIS_MAX = 2_000;

    /** Between two failovers, so that there is something to lose. */
    private static final int BETWEEN_MILLIS = 3_000;

    @TempDir
    Path dir;

    private final Random random = new Random(SEED);

    @Test
    void whatReplicationLosesIsCountedAndAllElseIsExact() throws Exception {
        SocialUser.Difference difference = failOver(false);
        System.out.println("seed " + SEED + ": " + difference);
    }

    @Test
    void deletesAndUnfollowsStayWhenReplicasMustHaveThem() throws Exception {
        SocialUser.Difference difference = failOver(true);
        System.out.println("seed " + SEED + ", with min-replicas and WAIT: " + difference);
        assertThat(difference.returnedPosts()).as("seed %d", SEED).isZero();
        assertThat(difference.returnedFollows()).as("seed %d", SEED).isZero();
    }

    private SocialUser.Difference failOver(boolean waits) throws Exception {
        try (TestRedis redis = TestRedis.freshCluster(
                        AppendSync.EVERYSEC, "cluster-node-timeout 2000", "cluster-replica-validity-factor 0");
                SplitDeployment deployment = new SplitDeployment(
                        dir,
                        redis.settings(),
                        "redis.wait-replicas=" + (waits ? 1 : 0),
                        "redis.wait-timeout=500ms",
                        "redis.command-timeout=2s")) {
            List<RedisProcess> masters = new ArrayList<>(redis.servers());
            List<RedisProcess> replicas = new ArrayList<>();
            masters.forEach(master -> replicas.add(redis.replicaOf(master)));
            masters.forEach(server -> demandReplicas(server, waits));
            replicas.forEach(server -> demandReplicas(server, waits));
            for (String role : List.of("api", "api", "worker", "worker", "stream")) {
                deployment.start(role);
            }
            String listener = Client.signUp(deployment.url(), "listener").token();
            try (FanfareProcess listen = FanfareProcess.ofClient(
                    dir, "listen", "--json", "--url=" + deployment.url(), "--token=" + listener, "firehose")) {
                listen.awaitOutput("hello");
                List<SocialUser> users = SocialUser.begin(USERS, deployment.url(), random, PAUSE_MILLIS);
                for (int i = 0; i < FAILOVERS; i++) {
                    Thread.sleep(BETWEEN_MILLIS); // The rate of the faults.
                    failOver(redis, masters, replicas, random.nextInt(masters.size()), waits);
                }
                SocialUser.end(users);
                deployment.awaitIdleQueue();
                System.out.println(deployment.run("admin", "verify"));
                System.out.println("posts and deletes acknowledged: " + SocialUser.acknowledged(users));
                assertThatStreamSaysWhatItMisses(listen, SocialUser.posts(users));
                return SocialUser.difference(users);
            }
        }
    }

    private static void demandReplicas(RedisProcess server, boolean demands) {
        if (demands) {
            ask(server, "CONFIG", "SET", "min-replicas-to-write", "1");
            ask(server, "CONFIG", "SET", "min-replicas-max-lag", "1");
        }
    }

    private void failOver(
            TestRedis redis, List<RedisProcess> masters, List<RedisProcess> replicas, int which, boolean waits)
            throws InterruptedException {
        RedisProcess master = masters.get(which);
        RedisProcess replica = replicas.get(which);
        redis.holdReplication(master, replica);
        Thread.sleep(random.nextInt(LAG_MILLIS_MAX)); // What the replica will lack.
        master.kill();
        awaitUntil("the replica takes over", () -> replication(replica).contains("role:master"));
        RedisProcess again = redis.restart(master);
        redis.letReplicate(again);
        redis.letReplicate(replica);
        demandReplicas(again, waits);
        awaitUntil("the former master follows", () -> replication(again).contains("master_link_status:up"));
        masters.set(which, replica);
        replicas.set(which, again);
    }

    private static String replication(RedisProcess server) {
        return ask(server, "INFO", "replication").asString();
    }

    /** Each post that is there came, or a gap says that something did not. */
    private static void assertThatStreamSaysWhatItMisses(FanfareProcess listen, Set<String> posts) {
        awaitUntil("the stream has the newest", () -> {
            Set<String> came = came(listen);
            return posts.stream().allMatch(came::contains) || gaps(listen) > 0;
        });
        Set<String> came = came(listen);
        long missing = posts.stream().filter(post -> !came.contains(post)).count();
        System.out.println("posts that are there and did not come: " + missing + ", gaps told: " + gaps(listen));
    }

    private static Set<String> came(FanfareProcess listen) {
        Set<String> came = new HashSet<>();
        events(listen).forEach(event -> {
            if (event.getValue("data") instanceof JsonObject data && data.getValue("id") instanceof String id) {
                came.add(id);
            }
        });
        return came;
    }

    private static long gaps(FanfareProcess listen) {
        return events(listen).stream()
                .filter(event -> "gap".equals(event.getString("event")))
                .count();
    }

    private static List<JsonObject> events(FanfareProcess listen) {
        return listen.output()
                .lines()
                .filter(line -> line.startsWith("{") && line.endsWith("}"))
                .map(JsonObject::new)
                .toList();
    }
}
