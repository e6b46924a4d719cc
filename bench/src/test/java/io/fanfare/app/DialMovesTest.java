package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.nio.file.Files;
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
 * The dial moves from pure pull to pure push and back, by a rolling restart of the api processes, while a replay posts
 * and compares. Both values are in force at once for a while. With a graph from a file: {@code mvn verify -Pfaults -pl
 * bench -am -Dtest=DialMovesTest -Dfanfare.tests.graph=FILE -Dfanfare.tests.users=20000 -Dfanfare.tests.middle=100}.
 */
@Tag("faults")
class DialMovesTest {
    private static final long SEED = Long.getLong("fanfare.tests.seed", System.nanoTime());
    private static final String GRAPH = System.getProperty("fanfare.tests.graph", "");
    private static final int USERS = Integer.getInteger("fanfare.tests.users", 300);
    private static final int POSTS = Integer.getInteger("fanfare.tests.posts", 10_000);
    private static final int RATE = Integer.getInteger("fanfare.tests.rate", 80);

    /** Between pure pull and pure push. */
    private static final int MIDDLE = Integer.getInteger("fanfare.tests.middle", 10);

    private static final int PUSH_ALL = 1_000_000_000;

    /** A replay says so often how far it is. */
    private static final int PARTS = 5;

    private static final Duration WAIT_MAX = Duration.ofMinutes(20);

    @TempDir
    Path dir;

    @Test
    void everyHomeIsTheSameWhateverTheDialSaysMeanwhile() throws Exception {
        int[] dials = {0, PUSH_ALL, MIDDLE, 0, PUSH_ALL};
        System.out.println("seed " + SEED);
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.EVERYSEC);
                SplitDeployment deployment = new SplitDeployment(dir, TestSettings.redis(redis.options()))) {
            deployment.start("worker");
            deployment.start("stream");
            List<FanfareProcess> apis = new ArrayList<>();
            apis.add(startApi(deployment, dials[0]));
            apis.add(startApi(deployment, dials[0]));
            List<Long> pulled = new ArrayList<>();
            try (FanfareProcess replay = ReplayProcess.start(
                    dir,
                    deployment,
                    graph(),
                    "--users=" + USERS,
                    "--posts=" + POSTS,
                    "--rate=" + RATE,
                    "--seed=" + (SEED >>> 32))) {
                for (int part = 1; part < PARTS; part++) {
                    awaitPosts(replay, (long) part * POSTS / PARTS);
                    pulled.add(pulledAuthors(redis));
                    for (int api = 0; api < apis.size(); api++) {
                        FanfareProcess before = apis.set(api, startApi(deployment, dials[part]));
                        deployment.stop(before);
                    }
                }
                assertThat(replay.awaitExit(WAIT_MAX)).as(replay.output()).isZero();
                assertThat(replay.output()).contains("differences 0");
                pulled.add(pulledAuthors(redis));
                System.out.println(replay.output());
            }
            deployment.awaitIdleQueue();
            System.out.println(deployment.run("admin", "verify"));
            System.out.println("authors pulled at the end of each part: " + pulled);
            assertThat(pulled.get(0)).isPositive();
            assertThat(pulled.get(1)).isLessThan(pulled.get(0));
            assertThat(pulled.get(3)).isPositive();
            assertThat(pulled.get(4)).isLessThan(pulled.get(3));
        }
    }

    private static FanfareProcess startApi(SplitDeployment deployment, int dial) {
        return deployment.start("api", "feeds.push-max-followers=" + dial);
    }

    private static void awaitPosts(FanfareProcess replay, long posts) {
        Awaitility.await(posts + " posts")
                .atMost(WAIT_MAX)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> replay.output().contains(String.format("posting: %,d of", posts)) || !replay.isAlive());
        assertThat(replay.isAlive()).as(replay.output()).isTrue();
    }

    private static long pulledAuthors(TestRedis redis) {
        long all = 0;
        for (int shard = 0; shard < TestSettings.SHARDS; shard++) {
            String key = Keys.pulledAuthors(shard);
            all += redis.askAt(key, "ZCARD", key).asLong();
        }
        return all;
    }

    /** Each follows a few, of whom some are followed by very many. */
    private Path graph() throws IOException {
        if (!GRAPH.isEmpty()) {
            return Path.of(GRAPH);
        }
        Random random = new Random(SEED);
        List<String> edges = new ArrayList<>();
        for (int user = 0; user < USERS; user++) {
            for (int i = 0; i < 5; i++) {
                edges.add(user + " " + (int) (USERS * Math.pow(random.nextDouble(), 4)));
            }
        }
        return Files.write(dir.resolve("heavy-tail.edges"), edges);
    }
}
