package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.Suspension;
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
 * {@code admin verify} finds nothing; after 99 of 100 faults posts are delivered again within 15 s. The long form kills
 * workers and APIs 100 times beside the other faults: {@code mvn verify -Pfaults -pl bench -am -Dtest=LongFaultsTest
 * -Dfanfare.tests.faults=136}.
 */
@Tag("faults")
class LongFaultsTest {
    private static final int FAULTS = Integer.getInteger("fanfare.tests.faults", 40);
    private static final long SEED = Long.getLong("fanfare.tests.seed", System.nanoTime());
    private static final int PEOPLE = 200;
    private static final int FOLLOWEES = 20;

    /** Posts a second. */
    private static final int RATE = 50;

    /** Between two faults at most: shorter than a lease, so that the next one meets what the last one left. */
    private static final int PAUSE_MILLIS_MAX = 4_000;

    /**
     * About the length of a fault with its pause. The replay posts for as long as all faults take by it; on a slow
     * machine they take longer.
     */
    private static final long FAULT_SECONDS = Long.getLong("fanfare.tests.fault-seconds", 7);

    /** From so many faults on, those that are struck once have their whole length. */
    private static final int WHOLE_RUN = 100;

    private static final Duration LONG_STOP = Duration.ofSeconds(FAULTS >= WHOLE_RUN ? 60 : 20);
    private static final Duration DELAY = Duration.ofMillis(900);
    private static final Duration LONG_DELAY = Duration.ofSeconds(FAULTS >= WHOLE_RUN ? 300 : 20);

    private static final Duration FULL = Duration.ofSeconds(5);

    /** One in so many faults is followed by the next at once; each in turn, since it does not divide their number. */
    private static final int OVERLAPPING = 5;

    private static final Duration RECOVERY_P99_MAX = Duration.ofSeconds(15);

    private static final Duration END_MAX = Duration.ofMinutes(30);

    private enum Fault {
        KILL_WORKER,
        KILL_API,
        KILL_STREAM,
        KILL_REDIS,
        /** For longer than a lease. */
        STOP_WORKER,
        STOP_API,
        STOP_REDIS,
        HALVE_CONNECTIONS,
        FILL_MEMORY,
        FILL_DISK,
        FILL_DISK_UNTIL_REDIS_ENDS,
        /** Once in a run. */
        STOP_REDIS_FOR_LONG,
        /** Once in a run. */
        DELAY_REDIS
    }

    /** The last of so many faults is one of the others; those before it kill a worker or an api. */
    private static final int KILLS_AND_ONE = 4;

    /** In this order, again and again. */
    private static final List<Fault> OTHERS_IN_TURN = List.of(
            Fault.KILL_STREAM,
            Fault.KILL_REDIS,
            Fault.HALVE_CONNECTIONS,
            Fault.STOP_WORKER,
            Fault.FILL_MEMORY,
            Fault.STOP_REDIS,
            Fault.FILL_DISK,
            Fault.KILL_REDIS,
            Fault.FILL_DISK_UNTIL_REDIS_ENDS,
            Fault.STOP_API);

    @TempDir
    Path dir;

    private final Random random = new Random(SEED);
    private final List<FanfareProcess> workers = new ArrayList<>();
    private final List<FanfareProcess> apis = new ArrayList<>();
    private final List<FanfareProcess> streams = new ArrayList<>();
    private RedisFaults redis;
    private SplitDeployment deployment;

    @BeforeEach
    void startEverything() throws Exception {
        redis = new RedisFaults(dir);
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
        try (FanfareProcess replay = ReplayProcess.start(
                dir,
                deployment,
                ReplayProcess.graph(dir, PEOPLE, FOLLOWEES, random),
                "--rate=" + RATE,
                "--patience=120",
                "--settle=300",
                "--posts=" + posts())) {
            replay.awaitOutput("made, with ");
            users = SocialUser.begin(8, deployment.url(), random, 50);
            strikeInTurn();
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

    private static long posts() {
        return RATE * (FAULTS * FAULT_SECONDS + LONG_STOP.toSeconds() + LONG_DELAY.toSeconds());
    }

    private void strikeInTurn() throws Exception {
        try (RecoveryProbe probe = RecoveryProbe.begin(deployment.url())) {
            for (int i = 0; i < FAULTS; i++) {
                Thread.sleep(random.nextInt(PAUSE_MILLIS_MAX)); // The moment is the input, not a wait for something.
                Fault fault = fault(i);
                strike(fault);
                if (i % OVERLAPPING != OVERLAPPING - 1) {
                    probe.recover(fault.toString());
                }
            }
            probe.print();
            assertThat(probe.p99Millis()).as("seed %d", SEED).isLessThanOrEqualTo(RECOVERY_P99_MAX.toMillis());
        }
    }

    private static Fault fault(int number) {
        if (number == FAULTS / 3) {
            return Fault.STOP_REDIS_FOR_LONG;
        }
        if (number == FAULTS * 2 / 3) {
            return Fault.DELAY_REDIS;
        }
        if (number % KILLS_AND_ONE < KILLS_AND_ONE - 1) {
            return number % 2 == 0 ? Fault.KILL_WORKER : Fault.KILL_API;
        }
        return OTHERS_IN_TURN.get(number / KILLS_AND_ONE % OTHERS_IN_TURN.size());
    }

    private void strike(Fault fault) throws Exception {
        switch (fault) {
            case KILL_WORKER -> replace("worker", workers);
            case KILL_API -> replace("api", apis);
            case KILL_STREAM -> replace("stream", streams);
            case KILL_REDIS -> redis.kill();
            case STOP_WORKER -> pause(workers, 15_000);
            case STOP_API -> pause(apis, 5_000);
            case STOP_REDIS -> redis.stop(Duration.ofSeconds(3));
            case HALVE_CONNECTIONS -> redis.halveConnections();
            case FILL_MEMORY -> redis.fillMemory(FULL);
            case FILL_DISK -> redis.fillDisk(FULL);
            case FILL_DISK_UNTIL_REDIS_ENDS -> redis.fillDiskUntilItEnds(FULL);
            case STOP_REDIS_FOR_LONG -> redis.stop(LONG_STOP);
            case DELAY_REDIS -> redis.delay(DELAY, LONG_DELAY);
        }
    }

    private void replace(String role, List<FanfareProcess> processes) throws Exception {
        int one = random.nextInt(processes.size());
        deployment.kill(processes.get(one));
        processes.set(one, deployment.start(role));
    }

    private void pause(List<FanfareProcess> processes, int millis) throws Exception {
        FanfareProcess one = processes.get(random.nextInt(processes.size()));
        Suspension.begin(one.handle());
        Thread.sleep(millis); // The length of the fault.
        Suspension.end(one.handle());
    }
}
