package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service as an operator has it, when processes are killed at any moment. */
class CrashTest {
    /** The time between SIGTERM and SIGKILL of a service manager. */
    private static final Duration STOP_MAX = Duration.ofSeconds(30);

    /** Far beyond what anything takes, since test machines may be busy. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    /** Short leases, so that the dead are noticed while a test waits. */
    private static final String[] FAST = {
        "--set",
        "limits.enabled=false",
        "--set",
        "queue.lease=1s",
        "--set",
        "queue.beat=250ms",
        "--set",
        "queue.reap=200ms"
    };

    private static final int FOLLOWERS = 3;

    @TempDir
    Path dir;

    @Test
    @Tag("programs")
    void redisIsStartedAgainWhenItDies() throws Exception {
        try (FanfareProcess up = FanfareProcess.up(dir.resolve("data"), FAST)) {
            String url = up.runtime().httpUrl();
            Client alice = Client.signUp(url, "alice");
            String before = alice.post(url, "before");
            ProcessHandle first = up.redis().orElseThrow();

            first.destroyForcibly();

            Awaitility.await().atMost(WAIT_MAX).ignoreExceptions().until(() -> !alice.post(url, "after")
                    .isEmpty());
            // Each event loop finds its way back for itself.
            Awaitility.await().atMost(WAIT_MAX).ignoreExceptions().until(() -> alice.home(url)
                    .contains(before));
            assertThat(up.output()).contains("redis-server ended, starting it again");
            assertThat(up.stop(STOP_MAX)).isZero();
        }
    }

    @Test
    @Tag("programs")
    void redisEndsWithAProcessThatIsKilledAndNothingIsLost() throws Exception {
        Path data = dir.resolve("data");
        String posted;
        try (FanfareProcess up = FanfareProcess.up(data, FAST)) {
            String url = up.runtime().httpUrl();
            posted = Client.signUp(url, "alice").post(url, "still here");
            ProcessHandle redis = up.redis().orElseThrow();

            up.kill();

            Awaitility.await().atMost(WAIT_MAX).until(() -> !redis.isAlive());
        }
        try (FanfareProcess again = FanfareProcess.up(data, FAST)) {
            assertThat(Client.get(again.runtime().httpUrl() + "/api/v1/statuses/" + posted, "")
                            .body())
                    .contains("still here");
        }
    }

    @Test
    void acknowledgedPostsReachEveryHomeAfterEverythingWasKilled() throws Exception {
        killEverythingDuringPosts(60);
    }

    @RepeatedTest(5)
    @Tag("faults")
    void acknowledgedPostsReachEveryHomeWheneverEverythingWasKilled() throws Exception {
        killEverythingDuringPosts(400);
    }

    @Test
    @Tag("programs")
    void workersJoinShareTheWorkAndMayBeKilled() throws Exception {
        Path data = dir.resolve("data");
        try (FanfareProcess up = FanfareProcess.up(data, FAST);
                FanfareProcess one = FanfareProcess.start(data, "worker", FAST);
                FanfareProcess two = FanfareProcess.start(data, "worker", FAST)) {
            one.awaitOutput("ready role=worker");
            two.awaitOutput("ready role=worker");
            String url = up.runtime().httpUrl();
            Town town = new Town(url);
            Posting posting = new Posting(town.author, url);
            posting.awaitAcknowledged(40);
            one.kill();
            posting.awaitAcknowledged(80);
            posting.stop();

            town.awaitInEveryHome(url, posting.acknowledged);
            assertThat(two.stop(STOP_MAX)).as(two.output()).isZero();
            // A post is in every home before its job is settled, and what the killed worker had claimed is settled by
            // another.
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
                JsonObject queue = queueStats(data);
                assertThat(queue.getLong("dead")).isZero();
                assertThat(queue.getLong("done")).isEqualTo(queue.getLong("enqueued"));
            });
        }
    }

    private void killEverythingDuringPosts(int posts) throws Exception {
        Path data = dir.resolve("data");
        Town town;
        Posting posting;
        try (FanfareProcess up = FanfareProcess.up(data, FAST)) {
            String url = up.runtime().httpUrl();
            town = new Town(url);
            posting = new Posting(town.author, url);
            posting.awaitAcknowledged(posts);
            ProcessHandle redis = up.redis().orElseThrow();
            up.kill();
            redis.destroyForcibly();
            posting.stop();
        }
        try (FanfareProcess again = FanfareProcess.up(data, FAST)) {
            town.awaitInEveryHome(again.runtime().httpUrl(), posting.acknowledged);
        }
    }

    /** From push to pull, back, and to pull again; readers are told of an author ten seconds before. */
    @Test
    @Tag("faults")
    void noPostIsLostWhileTheDialMovesAndEverythingIsKilled() throws Exception {
        Path data = dir.resolve("data");
        Town town = null;
        Set<String> acknowledged = new ConcurrentSkipListSet<>();
        for (String most : List.of("0", "1000000000", "0")) {
            try (FanfareProcess up = FanfareProcess.up(data, dialed(most))) {
                String url = up.runtime().httpUrl();
                town = town == null ? new Town(url) : town;
                Client author = town.author;
                long end = System.nanoTime() + Duration.ofSeconds(12).toNanos();
                Awaitility.await()
                        .atMost(WAIT_MAX)
                        .pollInterval(Duration.ofMillis(200))
                        .until(() -> {
                            acknowledged.add(author.post(url, "post " + System.nanoTime()));
                            return System.nanoTime() - end > 0;
                        });
                Posting posting = new Posting(author, url);
                posting.awaitAcknowledged(100);
                ProcessHandle redis = up.redis().orElseThrow();
                up.kill();
                redis.destroyForcibly();
                posting.stop();
                acknowledged.addAll(posting.acknowledged);
            }
        }
        try (FanfareProcess again = FanfareProcess.up(data, dialed("1000000000"))) {
            town.awaitInEveryHome(again.runtime().httpUrl(), acknowledged);
            assertThat(town.author.post(again.runtime().httpUrl(), "the last one"))
                    .as("turns the dial back")
                    .isNotEmpty();
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
                JsonObject queue = queueStats(data);
                assertThat(queue.getLong("done")).isEqualTo(queue.getLong("enqueued"));
            });
            try (FanfareProcess verify = FanfareProcess.start(data, "admin", "verify")) {
                assertThat(verify.awaitExit(WAIT_MAX)).as(verify.output()).isZero();
            }
        }
    }

    private static String[] dialed(String most) {
        return Stream.concat(Stream.of(FAST), Stream.of("--set", "feeds.push-max-followers=" + most))
                .toArray(String[]::new);
    }

    private static JsonObject queueStats(Path data) {
        CommandRun stats = CommandRun.of(List.of("admin", "queue", "stats", "--json", "--data", data.toString()));
        assertThat(stats.status()).as(stats.err()).isZero();
        return new JsonObject(stats.printed());
    }

    /** An author and some followers, whose homes exist. */
    private static final class Town {
        final Client author;
        final List<Client> followers = new ArrayList<>();

        Town(String url) throws Exception {
            author = Client.signUp(url, "author");
            for (int i = 0; i < FOLLOWERS; i++) {
                Client follower = Client.signUp(url, "follower" + i);
                follower.follow(url, author);
                assertThat(follower.home(url)).isEmpty();
                followers.add(follower);
            }
        }

        /** Once each, and nothing twice. */
        void awaitInEveryHome(String url, Set<String> posts) {
            Awaitility.await().atMost(WAIT_MAX).ignoreExceptions().untilAsserted(() -> {
                for (Client follower : followers) {
                    List<String> home = follower.home(url);
                    assertThat(home).doesNotHaveDuplicates().containsAll(posts);
                }
            });
        }
    }

    /** Posts as fast as answers come, from several threads, until it is stopped; no more than a home keeps. */
    private static final class Posting {
        private static final int THREADS = 4;
        private static final int POSTS_MAX = 900;

        final Set<String> acknowledged = new ConcurrentSkipListSet<>();
        private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        private final CountDownLatch ended = new CountDownLatch(THREADS);
        private volatile boolean stopped;

        Posting(Client author, String url) {
            for (int i = 0; i < THREADS; i++) {
                threads.execute(() -> post(author, url));
            }
        }

        void awaitAcknowledged(int posts) {
            Awaitility.await()
                    .atMost(WAIT_MAX)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> acknowledged.size() >= posts);
        }

        void stop() throws InterruptedException {
            stopped = true;
            assertThat(ended.await(WAIT_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
            threads.shutdown();
        }

        private void post(Client author, String url) {
            while (!stopped && acknowledged.size() < POSTS_MAX) {
                try {
                    acknowledged.add(author.post(url, "post " + System.nanoTime()));
                } catch (Exception notAcknowledged) {
                    // It may be there or not.
                }
            }
            ended.countDown();
        }
    }
}
