package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Masters of a cluster die one after the other, and replicas that lack their last writes take over, while people post,
 * delete, follow and unfollow. What replication has lost is counted; all else is exact without a repair by hand. The
 * long form: {@code mvn verify -Pfaults -pl app -am -Dtest=ClusterFailoverTest -Dfanfare.tests.failovers=20}.
 */
@Tag("faults")
class ClusterFailoverTest {
    private static final int FAILOVERS = Integer.getInteger("fanfare.tests.failovers", 3);
    private static final long SEED = Long.getLong("fanfare.tests.seed", System.nanoTime());

    private static final int USERS = 60;

    /** About 360 requests a second together, of which 6 in 11 are posts: 200. */
    private static final int PAUSE_MILLIS = 165;

    private static final Duration REPAIRED_MAX = Duration.ofMinutes(5);

    /** How far a replica is behind at most. */
    private static final int LAG_MILLIS_MAX = 2_000;

    /** Between two failovers, so that there is something to lose. */
    private static final int BETWEEN_MILLIS = 3_000;

    @TempDir
    Path dir;

    private final Random random = new Random(SEED);

    @Test
    void lossesOfReplicationAreCountedAndAllElseIsExact() throws Exception {
        SocialUser.Difference unused = failOver(false);
    }

    @Test
    void deletesAndUnfollowsStayWhenReplicasMustHaveThem() throws Exception {
        SocialUser.Difference difference = failOver(true);
        assertThat(difference.returnedPosts()).as("seed %d", SEED).isZero();
        assertThat(difference.returnedFollows()).as("seed %d", SEED).isZero();
    }

    private SocialUser.Difference failOver(boolean waits) throws Exception {
        System.out.println("seed " + SEED + ", failovers " + FAILOVERS + ", min-replicas and WAIT " + waits);
        try (TestRedis redis = TestRedis.freshCluster(
                        AppendSync.EVERYSEC, "cluster-node-timeout 2000", "cluster-replica-validity-factor 0");
                SplitDeployment deployment = new SplitDeployment(
                        dir, TestSettings.redis(redis.options()), "redis.wait-replicas=" + (waits ? 1 : 0))) {
            List<RedisProcess> masters = new ArrayList<>(redis.servers());
            List<RedisProcess> replicas = new ArrayList<>();
            masters.forEach(master -> replicas.add(redis.replicaOf(master)));
            masters.forEach(server -> demandReplicas(server, waits));
            replicas.forEach(server -> demandReplicas(server, waits));
            for (String role : List.of("api", "api", "worker", "worker", "stream")) {
                deployment.start(role);
            }
            Client listener = Client.signUp(deployment.url(), "listener");
            try (FirehoseLog firehose = FirehoseLog.begin(dir, deployment.url(), listener)) {
                List<SocialUser> users = SocialUser.begin(USERS, deployment.url(), random, PAUSE_MILLIS);
                long begun = System.nanoTime();
                for (int i = 0; i < FAILOVERS; i++) {
                    Thread.sleep(BETWEEN_MILLIS); // The rate of the faults.
                    failOver(redis, masters, replicas, random.nextInt(masters.size()), waits);
                }
                Thread.sleep(BETWEEN_MILLIS);
                deployment.print(" ERROR ");
                SocialUser.end(users);
                double seconds = (System.nanoTime() - begun) / 1e9;
                System.out.printf("%.0f s, acknowledged %s%n", seconds, SocialUser.acknowledged(users));
                deployment.awaitIdleQueue();
                SocialUser.Difference difference = SocialUser.difference(users);
                System.out.println(difference);
                awaitClean(deployment);
                SocialUser.assertThatHomesAreExact(users);
                firehose.assertThatNothingIsMissingSilently(SocialUser.posts(users));
                return difference;
            }
        }
    }

    /** The workers repair what a failover has left one-sided; nobody else does. */
    private static void awaitClean(SplitDeployment deployment) {
        Awaitility.await()
                .atMost(REPAIRED_MAX)
                .untilAsserted(() -> System.out.println(deployment.run("admin", "verify")));
        deployment.print("failover: verified and repaired");
    }

    private static void demandReplicas(RedisProcess server, boolean demands) {
        if (demands) {
            ask(server, "CONFIG", "SET", "min-replicas-to-write", "1", "min-replicas-max-lag", "1");
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
}
