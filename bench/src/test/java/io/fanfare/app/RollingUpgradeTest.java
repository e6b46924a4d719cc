package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replaces the processes of a former version one after the other, in the order of docs/operate/upgrade.md, while posts
 * go on: {@code mvn verify -Pupgrade -Dfanfare.former=JAR}.
 */
@Tag("upgrade")
class RollingUpgradeTest {
    private static final Duration REPLAY_MAX = Duration.ofMinutes(5);
    private static final int PEOPLE = 60;
    private static final int FOLLOWEES = 8;

    @TempDir
    Path dir;

    @Test
    void nothingIsLostWhileProcessesOfTheFormerVersionAreReplaced() throws Exception {
        Path former = former();
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.EVERYSEC);
                SplitDeployment deployment = new SplitDeployment(dir, TestSettings.redis(redis.options()))) {
            FanfareProcess formerApi = deployment.start(former, "api");
            FanfareProcess formerStream = deployment.start(former, "stream");
            FanfareProcess formerWorker = deployment.start(former, "worker");
            FanfareProcess otherFormerWorker = deployment.start(former, "worker");
            List<FanfareProcess> ours = new ArrayList<>();
            Path graph = ReplayProcess.graph(dir, PEOPLE, FOLLOWEES, new Random(7));
            try (FanfareProcess replay = ReplayProcess.start(dir, deployment, graph, "--rate=100", "--posts=5000")) {
                replay.awaitOutput("posting: 1,000 of");
                ours.add(deployment.start("worker"));
                deployment.stop(formerWorker);

                replay.awaitOutput("posting: 2,000 of");
                ours.add(deployment.start("worker"));
                deployment.stop(otherFormerWorker);
                ours.add(deployment.start("api"));

                replay.awaitOutput("posting: 3,000 of");
                deployment.stop(formerApi);
                useNewFeatures(deployment.url());

                replay.awaitOutput("posting: 4,000 of");
                ours.add(deployment.start("stream"));
                deployment.stop(formerStream);

                assertThat(replay.awaitExit(REPLAY_MAX)).as(replay.output()).isZero();
                assertThat(replay.output()).contains("differences 0");
                System.out.println(replay.output());
            }
            deployment.awaitIdleQueue();
            System.out.println(deployment.run("admin", "verify"));
            // The former stream process may call an event of the new API unreadable, and skips it.
            assertThat(ours).noneMatch(process -> process.output().contains(" ERROR "));
        }
    }

    private static Path former() {
        String jar = System.getProperty("fanfare.former", "");
        assertThat(jar)
                .as("-Dfanfare.former must name the jar of the version to upgrade from")
                .isNotEmpty();
        assertThat(Path.of(jar)).isRegularFile();
        return Path.of(jar);
    }

    /** The former streams meet what only the new api writes. */
    private static void useNewFeatures(String url) throws Exception {
        Client ada = Client.signUp(url, "ada");
        String post = ada.post(url, "before the edit");
        ada.edit(url, post, "after the edit");
        ada.publish(url, "A title", "https://example.org/a");
    }
}
