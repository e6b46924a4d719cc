package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replay casts votes while processes of the service are killed, and compares every count and ranking at the end. */
@Tag("programs")
class VotesCrashTest {
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

    @TempDir
    Path dir;

    @Test
    void votesCountOnceThoughEverythingIsKilledMeanwhile() throws Exception {
        killEverythingDuringVotes(200, "801 cast on 3 articles", "voting: 161 of", "voting: 481 of");
    }

    @Test
    @Tag("faults")
    void aThousandVotersCountOnceThoughEverythingIsKilledMeanwhile() throws Exception {
        killEverythingDuringVotes(1000, "4,002 cast on 3 articles", "voting: 801 of", "voting: 2,402 of");
    }

    private void killEverythingDuringVotes(int users, String cast, String... moments) throws Exception {
        Path data = dir.resolve("data");
        FanfareProcess up = FanfareProcess.up(data, FAST);
        try (FanfareProcess replay = votes(data, users)) {
            for (String reached : moments) {
                replay.awaitOutput(reached);
                ProcessHandle redis = up.redis().orElseThrow();
                up.kill();
                redis.destroyForcibly();
                up.close();
                up = FanfareProcess.up(data, FAST);
            }
            assertThat(replay.awaitExit(WAIT_MAX)).as(replay.output()).isZero();
            assertThat(replay.output()).contains(cast, "differences 0");
        } finally {
            up.close();
        }
    }

    @Test
    void votesOnAClusterCountOnceThoughApiAndWorkerAreKilledMeanwhile() throws Exception {
        killApiAndWorkerDuringVotes(200, "801 cast on 3 articles", "voting: 161 of", "voting: 481 of");
    }

    @RepeatedTest(3)
    @Tag("faults")
    void aThousandVotersOnAClusterCountOnceThoughApiAndWorkerAreKilledMeanwhile() throws Exception {
        killApiAndWorkerDuringVotes(
                1000, "4,002 cast on 3 articles", "voting: 801 of", "voting: 2,402 of", "voting: 3,202 of");
    }

    /** An article that is deleted at the time of a kill is voted on meanwhile, and leaves nothing in any ranking. */
    private void killApiAndWorkerDuringVotes(int users, String cast, String... reached) throws Exception {
        TestRedis redis = TestRedis.cluster();
        redis.flush();
        Path data = dir.resolve("data");
        String[] onCluster = Stream.concat(
                        Stream.of(FAST),
                        Stream.of(
                                "--set",
                                "redis.mode=cluster",
                                "--set",
                                "redis.url=" + redis.server().url().reveal()))
                .toArray(String[]::new);
        FanfareProcess up = FanfareProcess.up(data, onCluster);
        FanfareProcess worker = FanfareProcess.start(data, "worker", onCluster);
        Client author = Client.signUp(up.runtime().httpUrl(), "author");
        Client voter = Client.signUp(up.runtime().httpUrl(), "voter");
        try (FanfareProcess replay = votes(data, users)) {
            for (String moment : reached) {
                String url = up.runtime().httpUrl();
                String doomed = author.publish(url, "Deleted", "https://example.org/");
                replay.awaitOutput(moment);
                CompletableFuture<Void> voting = CompletableFuture.runAsync(() -> voter.tryToVote(url, doomed));
                CompletableFuture<Void> deleting = CompletableFuture.runAsync(() -> author.tryToDelete(url, doomed));
                up.kill();
                worker.kill();
                CompletableFuture.allOf(voting, deleting).join();
                up = FanfareProcess.up(data, onCluster);
                worker = FanfareProcess.start(data, "worker", onCluster);
                author.tryToDelete(up.runtime().httpUrl(), doomed);
            }
            assertThat(replay.awaitExit(WAIT_MAX)).as(replay.output()).isZero();
            assertThat(replay.output()).contains(cast, "differences 0");
            String url = up.runtime().httpUrl();
            assertThat(Client.get(url + "/api/v1/articles?order=time&limit=80", author.token())
                            .body())
                    .contains("a text")
                    .doesNotContain("Deleted");
            // Rankings, voters and statuses agree, those of deleted articles too.
            FanfareProcess running = up;
            Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
                assertThat(running.handle().isAlive()).isTrue();
                try (FanfareProcess verify = FanfareProcess.start(data, "admin", "verify")) {
                    assertThat(verify.awaitExit(WAIT_MAX)).as(verify.output()).isZero();
                }
            });
        } finally {
            up.close();
            worker.close();
        }
    }

    /** A replay in which each user votes on three articles, and every third user twice on each. */
    private FanfareProcess votes(Path data, int users) throws IOException {
        List<String> edges = new ArrayList<>();
        List<String> votes = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            edges.add(user + " " + (user + 1) % users);
            for (int article = 0; article < 3; article++) {
                votes.add(user + " article" + article + " " + user);
                if (user % 3 == 0) {
                    votes.add(user + " article" + article + " " + (user + 5));
                }
            }
        }
        Path graph = Files.write(dir.resolve("graph.edges"), edges);
        Path cast = Files.write(dir.resolve("votes.txt"), votes);
        return ReplayProcess.start(dir, graph, "--data=" + data, "--votes=" + cast, "--posts=3");
    }
}
