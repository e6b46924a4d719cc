package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.app.migrate.RaiseRun;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Meta;
import io.fanfare.common.store.Moves;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** {@code fanfare migrate --shards} on real servers and processes. */
@Timeout(300)
class RaiseShardsTest {
    private static final Duration END_MAX = Duration.ofMinutes(1);
    private static final int FEW = TestSettings.SHARDS;
    private static final int MANY = 1024;

    /** None of so many new accounts is in a new shard with a probability of 1 to 10^7 at most. */
    private static final int NEW_ACCOUNTS_MAX = 4;

    @TempDir
    Path dir;

    @ParameterizedTest
    @Tag("programs")
    @KindsOfRedis
    void newAccountsGoIntoNewShardsAndBothSidesFollowEachOtherExactly(TestRedis.Kind kind) throws Exception {
        try (TestRedis redis = fresh(kind)) {
            List<String> posts = new ArrayList<>();
            Client author;
            Client reader;
            try (SplitDeployment few = new SplitDeployment(dir, TestSettings.redis(redis.options()))) {
                int port = FreePort.find();
                few.start("api", "management.port=" + port);
                few.start("worker");
                author = Client.signUp(few.url(), "author");
                reader = Client.signUp(few.url(), "reader");
                reader.follow(few.url(), author);
                posts.add(author.post(few.url(), "in few shards"));

                CommandRun raised = migrate(redis, "--shards", Integer.toString(MANY));
                assertThat(raised.status()).as(raised.out() + raised.err()).isZero();
                assertThat(raised.out()).contains("from " + FEW + " to " + MANY + " shards");

                // Processes that run on take no writes, and serve reads.
                awaitUntil("the process knows", () -> body("http://127.0.0.1:" + port + "/readyz")
                        .contains("the number of shards changes"));
                assertThat(author.send("POST", few.url() + "/api/v1/statuses", "refused", "")
                                .statusCode())
                        .isEqualTo(503);
                assertThat(Client.get(few.url() + "/api/v1/statuses/" + posts.get(0), author.token())
                                .statusCode())
                        .isEqualTo(200);
            }
            String refused = start(redis, FEW);
            assertThat(refused).contains("the data set has " + MANY + " shards, but redis.shards is " + FEW);

            try (SplitDeployment many =
                    new SplitDeployment(dir, TestSettings.redis(redis.options()), "redis.shards=" + MANY)) {
                many.start("api");
                many.start("worker");
                Client added = inNewShard(many.url());
                added.follow(many.url(), author);
                reader.follow(many.url(), added);
                posts.add(author.post(many.url(), "to the new account"));
                String ofAdded = added.post(many.url(), "by the new account");

                awaitUntil(
                        "a home in a new shard", () -> home(added, many.url()).containsAll(posts));
                awaitUntil("a home in a former shard", () -> {
                    List<String> home = home(reader, many.url());
                    return home.containsAll(posts) && home.contains(ofAdded);
                });
                many.awaitIdleQueue();
                CommandRun verify = CommandRun.of(line(redis, MANY, "admin", "verify"));
                assertThat(verify.status()).as(verify.out() + verify.err()).isZero();
            }
        }
    }

    @Test
    @Tag("programs")
    void aWorkerOfTheFormerNumberClaimsNoFanOutToNewShards() throws Exception {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF);
                SplitDeployment few = new SplitDeployment(
                        Files.createDirectory(dir.resolve("few")), TestSettings.redis(redis.options()));
                SplitDeployment many = new SplitDeployment(
                        Files.createDirectory(dir.resolve("many")),
                        TestSettings.redis(redis.options()),
                        "redis.shards=" + MANY)) {
            few.start("api");
            FanfareProcess forgotten = few.start("worker");
            Client author = Client.signUp(few.url(), "author");
            String before = author.post(few.url(), "before");
            CommandRun raised = migrate(redis, "--shards", Integer.toString(MANY));
            assertThat(raised.status()).as(raised.out() + raised.err()).isZero();

            // Its jobs wait beside the worker that was forgotten while another one starts.
            many.start("api");
            Client added = inNewShard(many.url());
            added.follow(many.url(), author);
            // The home is there from now on: what comes later is not found by building it.
            assertThat(home(added, many.url())).containsExactly(before);
            List<String> posts = new ArrayList<>(List.of(before));
            for (int i = 0; i < 10; i++) {
                posts.add(author.post(many.url(), "after " + i));
            }
            assertThat(many.queue().getLong("done")).isLessThan(many.queue().getLong("enqueued"));
            many.start("worker");
            awaitUntil("each delivery to the new shard", () -> home(added, many.url())
                    .containsAll(posts));
            many.awaitIdleQueue();
            assertThat(forgotten.output()).contains("no writes are sent any more");
            CommandRun verify = CommandRun.of(line(redis, MANY, "admin", "verify"));
            assertThat(verify.status()).as(verify.out() + verify.err()).isZero();
        }
    }

    @Test
    @Tag("programs")
    void aRunThatIsKilledGoesOnOrIsTakenBack() throws Exception {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            join(redis);
            try (FanfareProcess killed = process(redis, "migrate", "--shards", "64")) {
                killed.awaitOutput("the data set is marked");
                killed.kill();
            }
            assertThat(start(redis, FEW)).contains("being raised to 64").contains("or run it again");
            assertThat(start(redis, 64)).contains("being raised to 64");
            CommandRun again = migrate(redis, "--shards", Integer.toString(FEW), "--json");
            assertThat(again.status()).as(again.err()).isZero();
            assertThat(new JsonObject(again.out()))
                    .isEqualTo(new JsonObject().put("from", FEW).put("shards", FEW));
            assertThat(mark(redis)).isNull();

            try (FanfareProcess killed = process(redis, "migrate", "--shards", "64")) {
                killed.awaitOutput("the data set is marked");
                killed.kill();
            }
            CommandRun on = migrate(redis, "--shards", "64");
            assertThat(on.status()).as(on.err()).isZero();
            assertThat(on.err()).contains("an earlier run was cut off");
            assertThat(shards(redis)).isEqualTo("64");
            assertThat(mark(redis)).isNull();
        }
    }

    @Test
    void aRunThatIsInterruptedLeavesTheFormerNumber() throws Exception {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            join(redis);
            try (FanfareProcess interrupted = process(redis, "migrate", "--shards", "64")) {
                interrupted.awaitOutput("the data set is marked");
                assertThat(interrupted.stop(END_MAX)).as(interrupted.output()).isNotZero();
                assertThat(interrupted.output()).contains("the number of shards is the former one");
            }
            assertThat(mark(redis)).isNull();
            assertThat(shards(redis)).isEqualTo(Integer.toString(FEW));
        }
    }

    @Test
    @Tag("programs")
    void aLaneThatIsPausedMeanwhileEndsTheRunAndWritesGoOn() throws Exception {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            join(redis);
            String stats = Keys.queueStats(FEW - 1);
            try (RaiseRun run =
                    new RaiseRun(redis.options(Duration.ofSeconds(1), 1000), InstantSource.system(), line -> {
                        if (line.contains("the data set is marked")) {
                            redis.askAt(stats, "HSET", stats, "paused", "low=1 ");
                        }
                    })) {
                assertThatThrownBy(() -> run.run(64))
                        .isInstanceOf(StartFailed.class)
                        .hasMessageContaining("a lane of the queue is paused");
            }
            assertThat(mark(redis)).isNull();
            assertThat(shards(redis)).isEqualTo(Integer.toString(FEW));
        }
    }

    @Test
    @Tag("programs")
    void theRedisOfUpNeedsNoSettingAfterwards() throws Exception {
        Path data = dir.resolve("data");
        String[] cheap = {"--set", "auth.argon-memory-kib=64", "--set", "auth.argon-passes=1"};
        Client person;
        try (FanfareProcess up = FanfareProcess.up(data, cheap)) {
            person = Client.signUp(up.runtime().httpUrl(), "person");
            CommandRun raised =
                    CommandRun.of(List.of("migrate", "--data", data.toString(), "--shards", Integer.toString(MANY)));
            assertThat(raised.status()).as(raised.out() + raised.err()).isZero();
            assertThat(up.stop(END_MAX)).as(up.output()).isZero();
        }
        try (FanfareProcess up = FanfareProcess.up(data, cheap)) {
            assertThat(person.post(up.runtime().httpUrl(), "here still")).isNotEmpty();
            // Another process learns the number from the folder.
            CommandRun verify = CommandRun.of(List.of("admin", "verify", "--data", data.toString()));
            assertThat(verify.status()).as(verify.out() + verify.err()).isZero();
            assertThat(up.stop(END_MAX)).as(up.output()).isZero();
        }
    }

    @Test
    @Tag("programs")
    void theNodesThatAServiceHasKeptDoNotBringBackTheFormerNumber() throws Exception {
        Path data = dir.resolve("data");
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            String url = "redis.url=" + redis.options().url().reveal();
            try (FanfareProcess up = FanfareProcess.up(data, "--set", url)) {
                awaitUntil(
                        "the nodes are kept",
                        () -> data.resolve("redis-nodes.yaml").toFile().exists());
                CommandRun raised = migrate(redis, "--shards", Integer.toString(MANY));
                assertThat(raised.status()).as(raised.out() + raised.err()).isZero();
                assertThat(up.stop(END_MAX)).as(up.output()).isZero();
            }
            try (FanfareProcess up = FanfareProcess.up(data, "--set", url)) {
                assertThat(up.stop(END_MAX)).as(up.output()).isZero();
            }
        }
    }

    @Test
    void eachThingThatIsWrongIsASentenceAndNothingChanges() throws Exception {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            assertThat(migrate(redis, "--shards", "64").err()).contains("there are no data of Fanfare");
            join(redis);
            CommandRun odd = migrate(redis, "--shards", "48");
            assertThat(odd.status()).isEqualTo(2);
            assertThat(odd.err()).contains("--shards must be a power of two: 1, 2, 4 ... 1024");
            assertThat(migrate(redis, "--shards", "2048").status()).isEqualTo(2);
            assertThat(migrate(redis, "--shards", "8").err())
                    .contains("the data have " + FEW + " shards, a number that can only be raised");

            CommandRun paused = CommandRun.of(line(redis, FEW, "admin", "queue", "pause", "low"));
            assertThat(paused.status()).as(paused.err()).isZero();
            CommandRun whilePaused = migrate(redis, "--shards", "64");
            assertThat(whilePaused.status()).isEqualTo(1);
            assertThat(whilePaused.err())
                    .contains("a lane of the queue is paused (low=")
                    .contains("admin queue resume");
            CommandRun resumed = CommandRun.of(line(redis, FEW, "admin", "queue", "resume", "low"));
            assertThat(resumed.status()).as(resumed.err()).isZero();

            redis.askAt(Keys.META, "HSET", Keys.META, Moves.MOVING, new Moves.Mark("a", 1, 0, "redis://x").text());
            assertThat(migrate(redis, "--shards", "64").err()).contains("the data are moving, or have moved");
            redis.askAt(Keys.META, "HDEL", Keys.META, Moves.MOVING);
            assertThat(shards(redis)).isEqualTo(Integer.toString(FEW));
            assertThat(mark(redis)).isNull();
        }
    }

    private static TestRedis fresh(TestRedis.Kind kind) {
        return kind == TestRedis.Kind.STANDALONE
                ? TestRedis.freshStandalone(AppendSync.OFF)
                : TestRedis.freshCluster(AppendSync.OFF);
    }

    private static Client inNewShard(String url) throws Exception {
        for (int i = 0; i < NEW_ACCOUNTS_MAX; i++) {
            Client client = Client.signUp(url, "added" + i);
            if (Id.shard(Id.parse(client.id())) >= FEW) {
                return client;
            }
        }
        throw new AssertionError("no new account is in a new shard");
    }

    private static List<String> home(Client reader, String url) {
        try {
            return reader.home(url);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String body(String url) {
        try {
            return Client.get(url, "").body();
        } catch (Exception e) {
            return "";
        }
    }

    /** The sentence with which a process ends that does not start on these data. */
    private static String start(TestRedis redis, int shards) {
        Vertx vertx = Vertx.vertx();
        try {
            return await(RedisLink.open(vertx, redis.options()).compose(link -> new Meta(link, new SecureRandom())
                    .join(shards)
                    .map("")
                    .otherwise(Throwable::getMessage)
                    .eventually(link::close)));
        } finally {
            await(vertx.close());
        }
    }

    private FanfareProcess process(TestRedis redis, String command, String... arguments) {
        List<String> line = new ArrayList<>(line(redis, FEW, arguments));
        // The command waits for 15 s with its mark: long enough for what a test does meanwhile on a busy machine.
        line.addAll(List.of("--set", "redis.command-timeout=4s"));
        return FanfareProcess.start(dir.resolve("command"), command, line.toArray(String[]::new));
    }

    private static void join(TestRedis redis) {
        CommandRun stats = CommandRun.of(line(redis, FEW, "admin", "queue", "stats"));
        assertThat(stats.status()).as(stats.err()).isZero();
    }

    private static CommandRun migrate(TestRedis redis, String... arguments) {
        List<String> line = new ArrayList<>(List.of("migrate"));
        line.addAll(List.of(arguments));
        return CommandRun.of(line(redis, FEW, line.toArray(String[]::new)));
    }

    private static List<String> line(TestRedis redis, int shards, String... command) {
        List<String> line = new ArrayList<>(List.of(command));
        for (String setting : List.of(
                "redis.url=" + redis.options().url().reveal(),
                "redis.mode=" + redis.options().mode().name().toLowerCase(Locale.ROOT),
                "redis.shards=" + shards)) {
            line.addAll(List.of("--set", setting));
        }
        return line;
    }

    private static String shards(TestRedis redis) {
        return redis.askAt(Keys.META, "HGET", Keys.META, "shards").asString();
    }

    private static String mark(TestRedis redis) {
        return redis.askAt(Keys.META, "HGET", Keys.META, "raising").asString();
    }
}
