package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.embedded.RedisProcess;
import io.fanfare.common.embedded.RedisProcess.AppendSync;
import io.fanfare.common.testing.TestRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults at random moments, while a replay posts at a constant rate and others follow, unfollow, post and delete. At
 * the end no post is missing in a home or in the stream, nothing is there twice, what was acknowledged holds, and
 * {@code admin verify} finds nothing. The long form: {@code mvn verify -Pfaults -pl app -am -Dtest=LongFaultsTest
 * -Dfanfare.tests.faults=100}.
 */
@Tag("faults")
class LongFaultsTest {
    private static final int FAULTS = Integer.getInteger("fanfare.tests.faults", 18);
    private static final long SEED = Long.getLong("fanfare.tests.seed", System.nanoTime());
    private static final int PEOPLE = 200;
    private static final int FOLLOWEES = 20;

    /** Posts a second. */
    private static final int RATE = 50;

    /** Between two faults at most: shorter than a lease, so that the next one meets what the last one left. */
    private static final int PAUSE_MILLIS_MAX = 4_000;

    /** About the length of a fault with its pause. The replay posts for as long as all faults take by it. */
    private static final int FAULT_SECONDS = 6;

    private static final Duration END_MAX = Duration.ofMinutes(30);

    private enum Fault {
        KILL_WORKER,
        KILL_API,
        KILL_STREAM,
        KILL_REDIS,
        /** For longer than a lease. */
        STOP_WORKER,
        STOP_API,
        STOP_REDIS
    }

    /** In this order, again and again. */
    private static final List<Fault> FAULTS_IN_TURN = List.of(
            Fault.KILL_WORKER,
            Fault.KILL_API,
            Fault.KILL_WORKER,
            Fault.KILL_STREAM,
            Fault.KILL_REDIS,
            Fault.KILL_WORKER,
            Fault.STOP_WORKER,
            Fault.KILL_API,
            Fault.STOP_REDIS,
            Fault.KILL_WORKER,
            Fault.KILL_REDIS,
            Fault.STOP_API);

    @TempDir
    Path dir;

    private final Random random = new Random(SEED);
    private final List<FanfareProcess> workers = new ArrayList<>();
    private final List<FanfareProcess> apis = new ArrayList<>();
    private final List<FanfareProcess> streams = new ArrayList<>();
    private TestRedis redis;
    private SplitDeployment deployment;

    @BeforeEach
    void startEverything() {
        redis = TestRedis.freshStandalone(AppendSync.ALWAYS);
        deployment = new SplitDeployment(dir, redis.settings());
        for (int i = 0; i < 2; i++) {
            workers.add(deployment.start("worker"));
            apis.add(deployment.start("api"));
        }
        streams.add(deployment.start("stream"));
    }

    @AfterEach
    void stopEverything() {
        deployment.close();
        redis.close();
    }

    @Test
    void nothingIsLostOrDoubledWhateverFailsMeanwhile() throws Exception {
        System.out.println("seed " + SEED + ", faults " + FAULTS);
        List<SocialUser> users;
        try (FanfareProcess replay = deployment.replay(
                PEOPLE,
                FOLLOWEES,
                random,
                "--rate=" + RATE,
                "--patience=120",
                "--settle=300",
                "--posts=" + FAULTS * FAULT_SECONDS * RATE)) {
            replay.awaitOutput("made, with ");
            users = SocialUser.begin(8, deployment.url(), random, 50);
            for (int fault = 0; fault < FAULTS; fault++) {
                Thread.sleep(random.nextInt(PAUSE_MILLIS_MAX)); // The moment is the input, not a wait for something.
                strike(FAULTS_IN_TURN.get(fault % FAULTS_IN_TURN.size()));
            }
            SocialUser.end(users);
            assertThat(replay.awaitExit(END_MAX)).as(replay.output()).isZero();
            assertThat(replay.output()).contains("differences 0");
            System.out.println(replay.output());
        }
        deployment.awaitIdleQueue();
        assertThat(SocialUser.difference(users)).as("seed %d", SEED).isEqualTo(SocialUser.Difference.NONE);
        System.out.println(deployment.run("admin", "queue", "stats"));
        System.out.println(deployment.run("admin", "verify"));
    }

    private void strike(Fault fault) throws Exception {
        RedisProcess server = redis.server();
        switch (fault) {
            case KILL_WORKER -> replace("worker", workers);
            case KILL_API -> replace("api", apis);
            case KILL_STREAM -> replace("stream", streams);
            case KILL_REDIS -> redis.restart(server);
            case STOP_WORKER -> pause(workers, 15_000);
            case STOP_API -> pause(apis, 5_000);
            case STOP_REDIS -> {
                server.pause();
                Thread.sleep(3_000); // The length of the fault.
                server.resume();
            }
        }
    }

    private void replace(String role, List<FanfareProcess> processes) throws Exception {
        int one = random.nextInt(processes.size());
        deployment.kill(processes.get(one));
        processes.set(one, deployment.start(role));
    }

    private void pause(List<FanfareProcess> processes, int millis) throws Exception {
        FanfareProcess one = processes.get(random.nextInt(processes.size()));
        one.pause();
        Thread.sleep(millis); // The length of the fault.
        one.resume();
    }
}
