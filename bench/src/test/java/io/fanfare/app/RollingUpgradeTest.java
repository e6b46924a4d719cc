package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.UpgradeFixture.Account;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Replaces the processes of a former version one after the other, in the order of docs/operate/upgrade.md, and then
 * goes the way back in the reverse order, while a replay posts and others follow, unfollow, post and delete: {@code mvn
 * verify -Pupgrade -Dfanfare.former=JAR}.
 */
@Tag("upgrade")
@Timeout(1800)
class RollingUpgradeTest {
    private static final long SEED = Long.getLong("fanfare.tests.seed", System.nanoTime());
    private static final Duration REPLAY_MAX = Duration.ofMinutes(15);
    private static final Duration SETTLE_MAX = Duration.ofMinutes(5);
    private static final Duration SETTLE_POLL = Duration.ofSeconds(2);
    private static final int PEOPLE = 60;
    private static final int FOLLOWEES = 8;

    /** For as long as both ways take on a machine that is not busy; the other users go on until the end. */
    private static final List<String> REPLAY = List.of("--rate=20", "--posts=4000", "--patience=120", "--settle=300");

    private static final int USERS = 4;
    private static final int PAUSE_MILLIS = 200;

    /** The view has the posts of all accounts in these. */
    private static final Set<String> OF_EVERYBODY = Set.of("public", "tag", "articles", "best", "group");

    @TempDir
    Path dir;

    @ParameterizedTest
    @KindsOfRedis
    void nothingIsLostOrDoubledByAnUpgradeAndTheWayBackWhilePostsGoOn(TestRedis.Kind kind) throws Exception {
        Path former = former();
        System.out.println(kind + ", seed " + SEED);
        Random random = new Random(SEED);
        try (TestRedis redis = fresh(kind);
                SplitDeployment deployment = new SplitDeployment(
                        dir,
                        TestSettings.redis(redis.options()),
                        "media.directory=" + dir.resolve("media"),
                        "archive.jdbc-url=jdbc:sqlite:" + dir.resolve("archive.db"),
                        "archive.profile-max=40")) {
            FanfareProcess formerApi = deployment.start(former, "api");
            FanfareProcess formerStream = deployment.start(former, "stream");
            FanfareProcess formerWorker = deployment.start(former, "worker");
            FanfareProcess otherFormerWorker = deployment.start(former, "worker");
            String url = deployment.url();
            List<Account> old = UpgradeFixture.populate(url, List.of("ada", "bob", "cleo", "dan"), "engines");
            deployment.awaitIdleQueue();
            JsonObject ofOld = view(url, old);
            List<FanfareProcess> ours = new ArrayList<>();
            List<SocialUser> users;
            Path graph = ReplayProcess.graph(dir, PEOPLE, FOLLOWEES, random);
            try (FanfareProcess replay = ReplayProcess.start(dir, deployment, graph, REPLAY.toArray(String[]::new))) {
                replay.awaitOutput("made, with ");
                users = SocialUser.begin(USERS, url, random, PAUSE_MILLIS);

                ours.add(deployment.start("worker"));
                deployment.stop(formerWorker);
                ours.add(deployment.start("worker"));
                deployment.stop(otherFormerWorker);
                ours.add(deployment.start("api"));
                deployment.stop(formerApi);
                // The former streams meet what only the new api writes.
                List<Account> young = UpgradeFixture.populate(url, List.of("eve", "fred", "gil", "hedy"), "looms");
                ours.add(deployment.start("stream"));
                deployment.stop(formerStream);
                int stop = ours.size();
                assertThat(view(url, old)).as("after the upgrade").isEqualTo(ofOld);
                JsonObject ofYoung = settledView(url, young);

                FanfareProcess streamAgain = deployment.start(former, "stream");
                deployment.stop(ours.get(stop - 1));
                FanfareProcess apiAgain = deployment.start(former, "api");
                deployment.stop(ours.get(stop - 2));
                FanfareProcess workerAgain = deployment.start(former, "worker");
                deployment.stop(ours.get(1));
                deployment.stop(ours.get(0));
                List<FanfareProcess> back = List.of(streamAgain, apiAgain, workerAgain);
                SocialUser.end(users);
                System.out.println(kind + ", when the last process was replaced: "
                        + replay.output().lines().reduce((first, last) -> last).orElse(""));

                assertThat(replay.awaitExit(REPLAY_MAX)).as(replay.output()).isZero();
                assertThat(replay.output()).contains("differences 0");
                System.out.println(replay.output());
                deployment.awaitIdleQueue();
                assertThat(view(url, old)).as("after the way back").isEqualTo(ofOld);
                assertThat(view(url, young)).as("after the way back").isEqualTo(ofYoung);
                assertThat(back).allMatch(FanfareProcess::isAlive);
            }
            System.out.println(kind + ": " + SocialUser.acknowledged(users) + " " + SocialUser.difference(users));
            assertThat(SocialUser.difference(users)).as("seed %d", SEED).isEqualTo(SocialUser.Difference.NONE);
            SocialUser.assertThatHomesAreExact(users);
            System.out.println(deployment.run(former, "admin", "verify"));
            System.out.println(deployment.run("admin", "verify"));
            // A former process may call an event or a job of this version unreadable, and leaves it.
            assertThat(ours).noneMatch(process -> process.output().contains(" ERROR "));
        }
    }

    private static TestRedis fresh(TestRedis.Kind kind) {
        return kind == TestRedis.Kind.STANDALONE
                ? TestRedis.freshStandalone(AppendSync.EVERYSEC)
                : TestRedis.freshCluster(AppendSync.EVERYSEC);
    }

    /** The view of a group of accounts, without the posts of others. */
    private static JsonObject view(String url, List<Account> accounts) throws Exception {
        JsonObject view = UpgradeFixture.view(url, accounts);
        accounts.forEach(account -> OF_EVERYBODY.forEach(view.getJsonObject(account.name())::remove));
        return view;
    }

    /** The queue is never idle meanwhile: all jobs of the accounts are done when a view comes twice. */
    private static JsonObject settledView(String url, List<Account> accounts) {
        AtomicReference<JsonObject> last = new AtomicReference<>();
        return Awaitility.await()
                .atMost(SETTLE_MAX)
                .pollInterval(SETTLE_POLL)
                .until(() -> view(url, accounts), view -> {
                    JsonObject before = last.getAndSet(view);
                    return view.equals(before);
                });
    }

    private static Path former() {
        String jar = System.getProperty("fanfare.former", "");
        assertThat(jar)
                .as("-Dfanfare.former must name the jar of the version to upgrade from")
                .isNotEmpty();
        assertThat(Path.of(jar)).isRegularFile();
        return Path.of(jar);
    }
}
