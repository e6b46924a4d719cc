package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.app.migrate.MigrateRun;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Meta;
import io.fanfare.common.store.Moves;
import io.fanfare.common.store.ShardRaise;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.Reply;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** {@code fanfare migrate} between real servers, while people write. */
@Timeout(300)
class MigrateTest {
    private static final int PEOPLE = 3;
    private static final Vertx vertx = Vertx.vertx();

    @TempDir
    Path dir;

    private Path password;

    /** Ids of acknowledged posts by author, and those of them whose deletion was acknowledged. */
    private final Map<String, Set<String>> posted = new ConcurrentHashMap<>();

    private final Set<String> deleted = ConcurrentHashMap.newKeySet();

    /** Requests whose outcome the client does not know. */
    private final List<String> unknown = new CopyOnWriteArrayList<>();

    /** Failures that ended a writer. */
    private final List<Exception> broken = new CopyOnWriteArrayList<>();

    private volatile boolean ended;

    @BeforeEach
    void writePassword() throws IOException {
        password = Files.writeString(
                dir.resolve("password"), TestRedis.standalone().password().reveal() + "\n");
    }

    @ParameterizedTest
    @Tag("programs")
    @KindsOfRedis
    void noAcknowledgedWriteIsLostWhenASiteMovesWhilePeopleWrite(TestRedis.Kind kind) throws Exception {
        try (TestRedis source = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis target = fresh(kind)) {
            join(source);
            List<Client> people;
            Client first;
            try (InProcessServer server = new InProcessServer(source, false)) {
                String url = "http://127.0.0.1:" + server.port();
                people = people(url);
                first = people.get(0);
                List<Thread> load =
                        people.stream().map(person -> load(person, url)).toList();
                awaitUntil("posts", () -> posts() > 100);
                int before = posts();

                CommandRun run = migrate(source, target);
                assertThat(run.status()).as(run.out() + run.err()).isZero();
                assertThat(posts()).as("people wrote meanwhile").isGreaterThan(before);
                System.out.println(kind + ": " + run.out() + run.err());

                // The last requests were refused, and reads are served.
                ended = true;
                for (Thread thread : load) {
                    thread.join();
                }
                assertThat(broken).isEmpty();
                assertThat(first.send("POST", url + "/api/v1/statuses", "too late", "")
                                .statusCode())
                        .isEqualTo(503);
                assertThat(Client.get(url + "/api/v1/timelines/home", first.token())
                                .statusCode())
                        .isEqualTo(200);
            }
            try (InProcessServer server = new InProcessServer(target, "limits.enabled=false")) {
                server.startWorker();
                String url = "http://127.0.0.1:" + server.port();
                for (Client person : people) {
                    Set<String> profile = profile(url, person);
                    Set<String> kept = new HashSet<>(posted.get(person.id()));
                    kept.removeAll(deleted);
                    assertThat(profile).as("acknowledged posts").containsAll(kept);
                    assertThat(profile).as("deleted posts").doesNotContainAnyElementsOf(deleted);
                    assertThat(profile.size()).isLessThanOrEqualTo(kept.size() + unknown.size());
                }
                Client second = people.get(1);
                Set<String> ofFirst = profile(url, first);
                awaitUntil("the home has every post", () -> homeOf(second, url).containsAll(ofFirst));
                String after = first.post(url, "after the move");
                awaitUntil("deliveries go on", () -> homeOf(second, url).contains(after));
            }
            CommandRun verify = CommandRun.of(line(target, "admin", "verify"));
            assertThat(verify.status()).as(verify.out() + verify.err()).isZero();
            assertThat(TestRedis.await(start(source))).contains("the data moved to redis://127.0.0.1:");
        }
    }

    private static TestRedis fresh(TestRedis.Kind kind) {
        return kind == TestRedis.Kind.STANDALONE
                ? TestRedis.freshStandalone(AppendSync.OFF)
                : TestRedis.freshCluster(AppendSync.OFF);
    }

    @Test
    void eachThingThatIsWrongIsASentenceAndNothingIsWritten() throws Exception {
        try (TestRedis source = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis target = TestRedis.freshStandalone(AppendSync.OFF)) {
            String to = plain(target);
            refused(source, to, 1, "the source has no data of Fanfare in the namespace fanfare");
            join(source);

            refused(source, plain(source), 1, "the target is the source");
            refused(
                    source,
                    "redis://:" + "secret" + "@127.0.0.1:" + target.server().port(),
                    2,
                    "--to has a password",
                    "FANFARE_TARGET_PASSWORD");
            refused(source, "http://127.0.0.1", 2, "--to must begin with redis://");
            refused(source, "redis://127.0.0.1:1", 1, "the target cannot be used: Redis does not answer");
            refused(source, "redis://nobody@127.0.0.1:" + target.server().port(), 1, "the target cannot be used");

            ask(target.server(), "CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            refused(source, to, 1, "the target has maxmemory-policy allkeys-lru");
            ask(target.server(), "CONFIG", "SET", "maxmemory-policy", "noeviction");

            ask(target.server(), "CONFIG", "SET", "maxmemory", "1mb");
            refused(source, to, 1, "raise its maxmemory");
            ask(target.server(), "CONFIG", "SET", "maxmemory", "0");

            ask(
                    target.server(),
                    "ACL",
                    "SETUSER",
                    "weak",
                    "on",
                    ">" + password(),
                    "~*",
                    "&*",
                    "+@all",
                    "-restore",
                    "-dump");
            refused(
                    source,
                    to.replace("127", "weak@127"),
                    1,
                    "the user weak lacks rights at the target: +dump",
                    "+restore",
                    "Name its administrator");

            ask(target.server(), "SET", "fanfare:login:someone", "1");
            refused(source, to, 1, "the target is not empty", "--replace");
            ask(target.server(), "DEL", "fanfare:login:someone");

            ask(source.server(), "SET", "other:key", "1");
            refused(source, to, 1, "of other sites or programs", "--close-others");
            ask(source.server(), "MOVE", "other:key", "3");
            refused(source, to, 1, "of other sites or programs", "--close-others");
            ask(source.server(), "FLUSHALL");
            join(source);

            ask(source.server(), "CONFIG", "SET", "min-replicas-to-write", "1");
            refused(source, to, 1, "the source takes no writes: NOREPLICAS");
            ask(source.server(), "CONFIG", "SET", "min-replicas-to-write", "0");

            CommandRun reopen = CommandRun.of(line(source, "migrate", "--reopen"));
            assertThat(reopen.status()).isEqualTo(1);
            assertThat(reopen.err()).contains("there is nothing to open again");
            assertThat(target.keys()).isEmpty();
        }
    }

    @Test
    void moreMastersThanShardsAreRefused() throws Exception {
        try (TestRedis source = TestRedis.freshStandalone(AppendSync.OFF)) {
            TestRedis target = TestRedis.cluster();
            target.flush();
            join(source, 2);
            refused(source, plain(target), 1, "the target has 3 masters and the data 2 shards");
            assertThat(target.keys()).isEmpty();
        }
    }

    private void refused(TestRedis source, String to, int status, String... sentences) {
        CommandRun run = CommandRun.of(line(source, "migrate", "--to", to, "--to-password-file", password.toString()));
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(status);
        assertThat(run.err())
                .contains(sentences)
                .doesNotContain("Exception", "\tat ")
                .doesNotContain(password());
    }

    @Test
    void theSameCommandGoesOnAfterAKillAndRefusesATargetOfAnotherMove() throws Exception {
        try (TestRedis source = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis target = TestRedis.freshStandalone(AppendSync.OFF)) {
            join(source);
            fill(source, 30_000);
            try (FanfareProcess killed = FanfareProcess.ofClient(
                    dir,
                    "migrate",
                    lineOf(source, target)
                            .subList(1, lineOf(source, target).size())
                            .toArray(String[]::new))) {
                awaitUntil("the copy has begun", () -> size(target) > 2_000);
                killed.kill();
            }
            assertThat(size(target)).isLessThan(30_000);
            source.askAt("login:new", "SET", "login:new", "after the kill");
            source.askAt("login:000007", "DEL", "login:000007");
            assertThat(TestRedis.await(start(target))).contains("is not complete: wait for `fanfare migrate`");

            CommandRun again = migrate(source, target);
            assertThat(again.status()).as(again.out() + again.err()).isZero();
            assertThat(again.err()).contains("going on with what an earlier run has copied");
            assertThat(again.out()).contains("every key was compared");
            requireSame(source, target);

            // The mark of another move.
            CommandRun reopen = CommandRun.of(line(source, "migrate", "--reopen"));
            assertThat(reopen.status()).as(reopen.err()).isZero();
            source.askAt("login:back", "SET", "login:back", "writes are taken again");
            assertThat(TestRedis.await(start(source))).isEmpty();
            refused(source, plain(target), 1, "the target is not empty");
            target.askAt("login:stays", "SET", "login:stays", "not in the source");
            CommandRun replaced = CommandRun.of(with(lineOf(source, target), "--replace"));
            assertThat(replaced.status()).as(replaced.err()).isZero();
            requireSame(source, target);
        }
    }

    @Test
    void aSourceThatAKilledRunHasLeftClosedIsOpenedByTheNextOne() throws Exception {
        try (TestRedis source = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis target = TestRedis.freshStandalone(AppendSync.OFF)) {
            join(source);
            fill(source, 1_000);
            // As kill -9 leaves both sides between the gate and the mark.
            String mark = new Moves.Mark("0123456789abcdef", 1, 0, "redis://x").text();
            source.askAt(Keys.META, "HSET", Keys.META, Moves.MOVING, mark);
            ask(source.server(), "CONFIG", "SET", "min-replicas-to-write", "1000000");
            target.askAt(Keys.META, "HSET", Keys.META, Moves.ARRIVING, mark);

            CommandRun run = migrate(source, target);
            assertThat(run.status()).as(run.out() + run.err()).isZero();
            assertThat(run.err()).contains("it is open again", "going on");
            requireSame(source, target);

            CommandRun twice = migrate(source, target);
            assertThat(twice.status()).isEqualTo(1);
            assertThat(twice.err()).contains("already: set redis.url to it");
        }
    }

    @Test
    void aRunThatIsInterruptedLeavesTheSourceOpen() throws Exception {
        try (TestRedis source = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis target = TestRedis.freshStandalone(AppendSync.OFF)) {
            join(source);
            fill(source, 1_000);
            AtomicReference<MigrateRun> running = new AtomicReference<>();
            MigrateRun.Wishes wishes = new MigrateRun.Wishes(false, false, Duration.ofSeconds(30));
            try (MigrateRun run = new MigrateRun(source.options(), target.options(), wishes, line -> {
                // Right before the gate.
                if (line.startsWith("looked for keys")) {
                    running.get().abort();
                }
            })) {
                running.set(run);
                assertThatThrownBy(run::run).hasMessage("interrupted: nothing has moved");
            }
            source.askAt("login:after", "SET", "login:after", "the source takes writes");
            assertThat(TestRedis.await(start(source))).isEmpty();

            // The time for the last changes is over at once.
            try (MigrateRun run = new MigrateRun(
                    source.options(),
                    target.options(),
                    new MigrateRun.Wishes(false, false, Duration.ZERO),
                    line -> write(source, line))) {
                assertThatThrownBy(run::run)
                        .hasMessageContaining("nothing has moved, and the source takes writes again: the last changes")
                        .hasMessageContaining("--read-only-max");
            }
            source.askAt("login:again", "SET", "login:again", "the source takes writes");
            CommandRun run = migrate(source, target);
            assertThat(run.status()).as(run.err()).isZero();
            requireSame(source, target);
        }
    }

    @Test
    void aRaiseOfTheNumberOfShardsThatBeginsAtOnceEndsTheMove() {
        try (TestRedis source = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis target = TestRedis.freshStandalone(AppendSync.OFF)) {
            join(source);
            String raising = "0123456789abcdef 1 64";
            MigrateRun.Wishes wishes = new MigrateRun.Wishes(false, false, Duration.ofSeconds(30));
            try (MigrateRun run = new MigrateRun(source.options(), target.options(), wishes, line -> {
                // The end of the checks, before the source is marked.
                if (line.endsWith(" shards")) {
                    source.askAt(Keys.META, "HSET", Keys.META, ShardRaise.MARK, raising);
                }
            })) {
                assertThatThrownBy(run::run).hasMessageContaining("the number of shards of the source is being raised");
            }
            List<Reply> marks = source.askAt(Keys.META, "HMGET", Keys.META, Moves.MOVING, Moves.MOVED, ShardRaise.MARK)
                    .items();
            assertThat(marks).extracting(Reply::asString).containsExactly(null, null, raising);
            assertThat(target.keys()).isEmpty();
        }
    }

    private static void write(TestRedis redis, String line) {
        redis.askAt("login:busy", "SET", "login:busy", line);
    }

    @Test
    void theSourceStaysTheSiteUntilTheTargetIsComplete() throws Exception {
        try (TestRedis source = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis target = TestRedis.freshStandalone(AppendSync.OFF)) {
            join(source);
            fill(source, 1_000);

            // A signal between the mark of the source and the end.
            AtomicReference<MigrateRun> running = new AtomicReference<>();
            try (MigrateRun run = atTheMark(source, target, () -> running.get().abort())) {
                running.set(run);
                assertThatThrownBy(run::run).hasMessage("interrupted: nothing has moved");
            }
            source.askAt("login:open", "SET", "login:open", "the source takes writes");
            assertThat(TestRedis.await(start(source))).isEmpty();
            assertThat(TestRedis.await(start(target))).contains("is not complete");

            // The target refuses the last step: whether it was done is not known.
            try (MigrateRun run = atTheMark(
                    source, target, () -> ask(target.server(), "CONFIG", "SET", "min-replicas-to-write", "5"))) {
                assertThatThrownBy(run::run)
                        .hasMessageContainingAll(
                                "the source is marked as moved and stays closed", "run the same command");
            }
            assertThat(TestRedis.await(start(source))).contains("the data moved to");
            assertThat(TestRedis.await(start(target))).contains("is not complete");
            ask(target.server(), "CONFIG", "SET", "min-replicas-to-write", "0");

            CommandRun again = migrate(source, target);
            assertThat(again.status()).as(again.err()).isZero();
            assertThat(again.err()).contains("it is open again", "going on");
            requireSame(source, target);
            assertThat(TestRedis.await(start(target))).isEmpty();
            assertThat(TestRedis.await(start(source))).contains("the data moved to");
        }
    }

    private static MigrateRun atTheMark(TestRedis source, TestRedis target, Runnable action) {
        MigrateRun.Wishes wishes = new MigrateRun.Wishes(false, false, Duration.ofSeconds(30));
        return new MigrateRun(source.options(), target.options(), wishes, line -> {
            if (line.equals("the source is marked as moved")) {
                action.run();
            }
        });
    }

    @Test
    void aSourceThatWasLeftClosedIsOpenedEvenIfTheTargetIsAway() throws Exception {
        try (TestRedis source = TestRedis.freshStandalone(AppendSync.OFF)) {
            join(source);
            String mark = new Moves.Mark("0123456789abcdef", 1, 0, "redis://x").text();
            source.askAt(Keys.META, "HSET", Keys.META, Moves.MOVING, mark);
            ask(source.server(), "CONFIG", "SET", "min-replicas-to-write", "1000000");

            refused(source, "redis://127.0.0.1:1", 1, "it is open again", "the target cannot be used");

            source.askAt("login:open", "SET", "login:open", "the source takes writes");
        }
    }

    @Test
    void aBackupOfALeftSourceRestoresToASiteThatStarts() throws Exception {
        try (TestRedis source = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis target = TestRedis.freshStandalone(AppendSync.OFF)) {
            join(source);
            CommandRun moved = migrate(source, target);
            assertThat(moved.status()).as(moved.err()).isZero();
            Path file = dir.resolve("backup");
            CommandRun backup = CommandRun.of(line(source, "backup", file.toString()));
            assertThat(backup.status()).as(backup.err()).isZero();
        }
        Path restored = dir.resolve("restored");
        CommandRun restore =
                CommandRun.of(List.of("restore", dir.resolve("backup").toString(), "--data", restored.toString()));
        assertThat(restore.status()).as(restore.err()).isZero();
        try (RedisProcess redis = RedisProcess.start(RedisProcess.Options.in(restored.resolve("redis")))) {
            List<Reply> marks = ask(redis, "HMGET", "fanfare:{meta}", Moves.MOVED, Moves.MOVING, "shards")
                    .items();
            assertThat(marks.get(0).isNil()).isTrue();
            assertThat(marks.get(1).isNil()).isTrue();
            assertThat(marks.get(2).asLong()).isEqualTo(TestSettings.SHARDS);
        }
    }

    @Test
    @Tag("programs")
    void runningProcessesRefuseWritesAfterTheMoveEvenIfTheSourceTakesThem() throws Exception {
        try (TestRedis source = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis target = TestRedis.freshStandalone(AppendSync.OFF);
                SplitDeployment deployment = new SplitDeployment(dir, TestSettings.redis(source.options()))) {
            int port = FreePort.find();
            deployment.start("api", "management.port=" + port);
            deployment.start("worker");
            Client person = Client.signUp(deployment.url(), "person");
            String before = person.post(deployment.url(), "before");

            CommandRun run = migrate(source, target);
            assertThat(run.status()).as(run.out() + run.err()).isZero();
            String readyz = "http://127.0.0.1:" + port + "/readyz";
            awaitUntil("the process knows", () -> body(readyz).contains("the data have moved"));
            // As a server that was started again without the setting.
            ask(source.server(), "CONFIG", "SET", "min-replicas-to-write", "0");
            assertThat(person.send("POST", deployment.url() + "/api/v1/statuses", "lost", "")
                            .statusCode())
                    .isEqualTo(503);
            assertThat(Client.get(deployment.url() + "/api/v1/statuses/" + before, person.token())
                            .statusCode())
                    .isEqualTo(200);

            CommandRun reopen = CommandRun.of(line(source, "migrate", "--reopen"));
            assertThat(reopen.status()).as(reopen.err()).isZero();
            awaitUntil("ready again", () -> body(readyz).contains("\"ready\""));
            String after = person.post(deployment.url(), "here again");
            assertThat(after).isNotEmpty();
        }
    }

    private static String body(String url) {
        try {
            return Client.get(url, "").body();
        } catch (Exception e) {
            return "";
        }
    }

    /** Keys with a time to live, one of each type, and thousands of small ones. */
    private static void fill(TestRedis redis, int keys) {
        for (int from = 0; from < keys; from += 10_000) {
            ask(
                    redis.server(),
                    "EVAL",
                    "for i = ARGV[1], ARGV[2] do redis.call('SET', string.format('fanfare:login:%06d', i), 'of ' .. i) end",
                    "0",
                    Integer.toString(from),
                    Integer.toString(Math.min(keys, from + 10_000) - 1));
        }
        redis.askAt("login:ends", "SET", "login:ends", "1", "EX", "3000");
        redis.askAt("{wake}:tokens", "RPUSH", "{wake}:tokens", "1", "2", "3");
        redis.askAt("{revoked}:lists", "XADD", "{revoked}:lists", "5-1", "a", "b");
    }

    private static void requireSame(TestRedis source, TestRedis target) {
        assertThat(target.keys()).isEqualTo(source.keys());
        for (String key : List.of("login:ends", "login:000123", "login:000999")) {
            assertThat(target.askAt(key, "GET", key).asString())
                    .isEqualTo(source.askAt(key, "GET", key).asString());
            assertThat(target.askAt(key, "PEXPIRETIME", key).asLong())
                    .isEqualTo(source.askAt(key, "PEXPIRETIME", key).asLong());
        }
        assertThat(target.askAt(Keys.META, "HGET", Keys.META, "shards").asString())
                .isEqualTo(source.askAt(Keys.META, "HGET", Keys.META, "shards").asString());
        assertThat(target.askAt(Keys.META, "HGET", Keys.META, Moves.ARRIVING).isNil())
                .isTrue();
    }

    private static long size(TestRedis redis) {
        return ask(redis.server(), "DBSIZE").asLong();
    }

    private List<Client> people(String url) throws Exception {
        List<Client> people = new ArrayList<>();
        for (int i = 0; i < PEOPLE; i++) {
            people.add(Client.signUp(url, "person" + i));
        }
        for (Client follower : people.subList(1, PEOPLE)) {
            follower.follow(url, people.get(0));
        }
        return people;
    }

    private Thread load(Client person, String url) {
        posted.put(person.id(), ConcurrentHashMap.newKeySet());
        Thread load = new Thread(() -> {
            for (int i = 0; !ended; i++) {
                try {
                    String id = person.post(url, "post " + i);
                    posted.get(person.id()).add(id);
                    if (i % 4 == 3) {
                        // Not acknowledged, it may have been done or not.
                        if (person.tryToDelete(url, id) == 200) {
                            deleted.add(id);
                        } else {
                            posted.get(person.id()).remove(id);
                            unknown.add(id);
                        }
                    }
                } catch (IOException refused) {
                    if (!refused.getMessage().startsWith("503 ")) {
                        unknown.add(refused.getMessage());
                    }
                } catch (Exception e) {
                    broken.add(e);
                    return;
                }
            }
        });
        load.start();
        return load;
    }

    private int posts() {
        return posted.values().stream().mapToInt(Set::size).sum();
    }

    private static Set<String> homeOf(Client reader, String url) {
        try {
            return new HashSet<>(reader.home(url));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Set<String> profile(String url, Client person) throws Exception {
        Set<String> ids = new HashSet<>();
        String after = "";
        while (true) {
            JsonArray page = new JsonArray(
                    Client.get(url + "/api/v1/accounts/" + person.id() + "/statuses?limit=40" + after, person.token())
                            .body());
            if (page.isEmpty()) {
                return ids;
            }
            for (Object status : page) {
                String id = ((JsonObject) status).getString("id");
                ids.add(id);
                after = "&max_id=" + id;
            }
        }
    }

    private CommandRun migrate(TestRedis source, TestRedis target) {
        return CommandRun.of(lineOf(source, target));
    }

    private List<String> lineOf(TestRedis source, TestRedis target) {
        return line(source, "migrate", "--to", plain(target), "--to-password-file", password.toString());
    }

    private static List<String> with(List<String> line, String option) {
        List<String> all = new ArrayList<>(line);
        all.add(option);
        return all;
    }

    private List<String> line(TestRedis redis, String... command) {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of(
                "--data",
                dir.resolve("none").toString(),
                "--set",
                "redis.url=" + redis.server().url().reveal()));
        return line;
    }

    /** The address without its password. */
    private static String plain(TestRedis redis) {
        return "redis://127.0.0.1:" + redis.server().port();
    }

    private static String password() {
        return TestRedis.standalone().password().reveal();
    }

    private static void join(TestRedis redis) {
        join(redis, TestSettings.SHARDS);
    }

    private static void join(TestRedis redis, int shards) {
        RedisLink link = redis.link(vertx);
        TestRedis.await(new Meta(link, new SecureRandom()).join(shards));
        TestRedis.await(link.close());
    }

    /** Why a process does not start on the data; empty = it does. */
    private static Future<String> start(TestRedis redis) {
        RedisOptions options = redis.options();
        return RedisLink.open(vertx, options).compose(link -> new Meta(link, new SecureRandom())
                .join(TestSettings.SHARDS)
                .map("")
                .otherwise(Throwable::getMessage)
                .eventually(link::close));
    }
}
