package io.fanfare.redis;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.FaultyProxy;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.Suspension;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Failures that callers see while a server dies, hangs, comes back, or is another than the intended one. */
class RedisOutageTest {
    private static final Vertx vertx = Vertx.vertx();

    @AfterAll
    static void closeVertx() {
        await(vertx.close());
    }

    @Test
    void aServerThatIsAwayFailsCommandsFastAndIsUsedAgainWhenItIsBack() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.ALWAYS)) {
            RedisLink link = redis.link(vertx);
            RecordingListener listener = new RecordingListener();
            RedisLink.Subscription subscription = link.subscribe(RedisLink.Channels.sharded("news"), "news", listener);
            awaitUntil("subscribed", () -> listener.has("subscribed"));
            assertThat(await(link.send(Command.of("SET", "a", "kept"))).asString())
                    .isEqualTo("OK");

            RedisProcess server = redis.server();
            server.kill();
            awaitUntil("lost", () -> listener.has("lost"));
            awaitUntil("fails fast", () -> kindOf(link.send(Command.of("GET", "a"))) == RedisError.Kind.UNAVAILABLE);
            Stopwatch watch = Stopwatch.start();
            for (int i = 0; i < 100; i++) {
                assertThat(kindOf(link.send(Command.of("GET", "a")))).isEqualTo(RedisError.Kind.UNAVAILABLE);
            }
            assertThat(watch.elapsed().dividedBy(100)).isLessThan(Duration.ofMillis(100));
            assertThat(kindOf(link.block(Command.of("BLPOP", "list", 1), 1_000)))
                    .isEqualTo(RedisError.Kind.UNAVAILABLE);

            redis.restart(server);
            awaitUntil(
                    "back",
                    () -> await(link.send(Command.of("GET", "a"))
                            .map(reply -> "kept".equals(reply.asString()))
                            .otherwise(false)));
            awaitUntil("subscribed again", () -> listener.events().equals(List.of("subscribed", "lost", "subscribed")));
            await(subscription.close());
            await(link.close());
        }
    }

    @Test
    void aServerThatHangsIsLeftAfterTheTimeOutAndWhatWaitsIsLost() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            RedisLink link = await(RedisLink.open(vertx, redis.options(Duration.ofMillis(300), 1000)));
            RecordingListener listener = new RecordingListener();
            RedisLink.Subscription subscription = link.subscribe(RedisLink.Channels.sharded("news"), "news", listener);
            awaitUntil("subscribed", () -> listener.has("subscribed"));

            Suspension.begin(redis.server().handle());
            long before = System.nanoTime();
            Stopwatch watch = Stopwatch.start();
            // At once: a command after the time-out finds no connection.
            List<Reply> waiting = await(link.pipeline(List.of(Command.of("SET", "a", "1"), Command.of("GET", "a"))));
            assertThat(kinds(waiting)).containsExactly(RedisError.Kind.LOST, RedisError.Kind.LOST);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(290));
            assertThat(watch.elapsed()).isLessThan(Duration.ofMillis(1_500));
            awaitUntil("the subscription notices", () -> listener.has("lost"));
            awaitUntil("fails fast", () -> kindOf(link.send(Command.of("GET", "a"))) == RedisError.Kind.UNAVAILABLE);

            Suspension.end(redis.server().handle());
            awaitUntil(
                    "back",
                    () -> await(link.send(Command.of("PING", "a")).map(true).otherwise(false)));
            // Perhaps not the first time: a busy machine may be silent for longer than the time-out, too.
            awaitUntil("subscribed again", () -> {
                List<String> events = listener.events();
                return events.contains("lost") && events.get(events.size() - 1).equals("subscribed");
            });
            await(subscription.close());
            await(link.close());
        }
    }

    @Test
    void aLongPipelineWaitsForItsTurnNoLongerThanForAnAnswer() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            RedisLink link = await(RedisLink.open(vertx, redis.options(Duration.ofMillis(300), 1000)));
            List<Command> commands = Collections.nCopies(200, Command.of("INCR", "a"));
            Suspension.begin(redis.server().handle());
            List<Future<List<Reply>>> pipelines =
                    List.of(link.pipeline(commands), link.pipeline(commands), link.pipeline(commands));
            pipelines.forEach(pipeline -> assertThat(kinds(await(pipeline))).hasSize(200));
            Suspension.end(redis.server().handle());
            awaitUntil("back", () -> kinds(await(link.pipeline(commands))).isEmpty());
            await(link.close());
        }
    }

    @Test
    void aMasterThatHasBecomeAReplicaIsLeftForTheServerThatItsNameLeadsTo() {
        try (TestRedis old = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis next = TestRedis.freshStandalone(AppendSync.OFF);
                FaultyProxy name = new FaultyProxy(old)) {
            RedisLink link = await(RedisLink.open(vertx, name.options()));
            await(link.send(Command.of("SET", "a", "before")));

            old.askAt("a", "REPLICAOF", "127.0.0.1", "1");
            assertThat(kindOf(link.send(Command.of("SET", "a", "1")))).isEqualTo(RedisError.Kind.READ_ONLY);
            awaitUntil("left", () -> kindOf(link.send(Command.of("GET", "a"))) == RedisError.Kind.UNAVAILABLE);
            assertThatThrownBy(() -> await(RedisLink.open(vertx, name.options())))
                    .hasMessageContaining("is a replica, which takes no writes: redis.url must lead to the master");

            name.leadTo(next);
            awaitUntil(
                    "found",
                    () -> await(
                            link.send(Command.of("SET", "a", "after")).map(true).otherwise(false)));
            assertThat(next.askAt("a", "GET", "a").asString()).isEqualTo("after");
            await(link.close());
        }
    }

    @Test
    void aCutConnectionLosesWhatWaitsAndNothingElse() {
        try (FaultyProxy proxy = new FaultyProxy(TestRedis.standalone())) {
            TestRedis.standalone().flush();
            RedisLink link = await(RedisLink.open(vertx, proxy.options()));
            List<Command> commands = List.of(Command.of("INCR", "a"), Command.of("INCR", "b"), Command.of("INCR", "c"));

            proxy.cutAfter(2);
            List<Reply> replies = await(link.pipeline(commands));
            assertThat(replies.get(0).asLong()).isEqualTo(1);
            assertThat(kinds(replies.subList(1, 3))).containsOnly(RedisError.Kind.LOST);
            assertThat(values("a", "b", "c")).containsExactly("1", "1", null);

            proxy.cutBefore(3);
            replies = await(link.pipeline(commands));
            assertThat(replies.get(0).asLong()).isEqualTo(2);
            assertThat(replies.get(1).asLong()).isEqualTo(2);
            assertThat(kinds(replies.subList(2, 3))).containsOnly(RedisError.Kind.LOST);
            assertThat(values("a", "b", "c")).containsExactly("2", "2", null);

            proxy.count();
            assertThat(kinds(await(link.pipeline(commands)))).isEmpty();
            assertThat(proxy.counted()).isEqualTo(3);
            await(link.close());
        }
    }

    @Test
    void aReplyThatNeverComesEndsInTheTimeOut() {
        try (FaultyProxy proxy = new FaultyProxy(TestRedis.standalone())) {
            RedisLink link = await(RedisLink.open(vertx, proxy.options(Duration.ofMillis(500))));
            proxy.swallowReply(1);
            assertThat(kindOf(link.send(Command.of("SET", "a", "1")))).isEqualTo(RedisError.Kind.LOST);
            awaitUntil(
                    "back",
                    () -> await(link.send(Command.of("GET", "a"))
                            .map(reply -> "1".equals(reply.asString()))
                            .otherwise(false)));
            await(link.close());
        }
    }

    @Test
    void aSlowServerIsNotADeadOne() {
        try (FaultyProxy proxy = new FaultyProxy(TestRedis.standalone())) {
            RedisLink link = await(RedisLink.open(vertx, proxy.options(Duration.ofSeconds(2))));
            proxy.delay(Duration.ofMillis(200));
            for (int i = 0; i < 10; i++) {
                assertThat(await(link.send(Command.of("SET", "a", i))).asString())
                        .isEqualTo("OK");
            }
            await(link.close());
        }
    }

    @Test
    void openingSaysWhatToChange() {
        TestRedis redis = TestRedis.standalone();
        assertThatThrownBy(() -> open("redis://127.0.0.1:1", RedisOptions.Mode.STANDALONE))
                .hasMessageContaining("Redis does not answer at 127.0.0.1:1");
        assertThatThrownBy(() -> open("redis://127.0.0.1:" + redis.server().port(), RedisOptions.Mode.STANDALONE))
                .hasMessageContaining("refuses the user, password or database of redis.url: NOAUTH");
        assertThatThrownBy(
                        () -> open("redis://:wrong@127.0.0.1:" + redis.server().port(), RedisOptions.Mode.STANDALONE))
                .hasMessageContaining("WRONGPASS")
                .hasMessageNotContaining("wrong@");
        assertThatThrownBy(() -> open(redis.server().url().reveal(), RedisOptions.Mode.CLUSTER))
                .hasMessage("this Redis is not a cluster: set redis.mode to standalone");
        assertThatThrownBy(() -> open(redis.server().url().reveal() + "/3", RedisOptions.Mode.CLUSTER))
                .hasMessage("redis.url names database 3, but a cluster has only database 0");
        assertThatThrownBy(() -> open("redis://:a b@host", RedisOptions.Mode.STANDALONE))
                .hasMessageContaining("percent-encoded")
                .hasMessageNotContaining("a b");
    }

    @Test
    void aDatabaseOfTheUrlIsSelected() {
        String url = TestRedis.standalone().server().url().reveal();
        RedisLink first = open(url + "/1", RedisOptions.Mode.STANDALONE);
        RedisLink second = open(url, RedisOptions.Mode.STANDALONE);
        assertThat(await(first.send(Command.of("SET", "only-in-1", "x"))).asString())
                .isEqualTo("OK");
        assertThat(await(second.send(Command.of("GET", "only-in-1"))).isNil()).isTrue();
        await(first.close());
        await(second.close());
    }

    @Test
    void aClusterThatWasTakenForOneServerIsNamed() {
        RedisLink link = open(TestRedis.cluster().server().url().reveal(), RedisOptions.Mode.STANDALONE);
        assertThatThrownBy(() -> {
                    await(link.send(Command.of("GET", "a")));
                    await(link.send(Command.of("GET", "b")));
                    await(link.send(Command.of("GET", "c")));
                })
                .hasMessage("this Redis is part of a cluster: set redis.mode to cluster");
        await(link.close());
    }

    private static RedisLink open(String url, RedisOptions.Mode mode) {
        return await(RedisLink.open(
                vertx,
                new RedisOptions(
                        new Secret(url),
                        mode,
                        Namespace.NONE,
                        List.of(),
                        new Secret(""),
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(15),
                        1000,
                        0,
                        Duration.ofSeconds(1))));
    }

    private static List<String> values(String... keys) {
        return List.of(keys).stream()
                .map(key -> TestRedis.standalone().askAt(key, "GET", key).asString())
                .toList();
    }

    private static RedisError.Kind kindOf(Future<Reply> future) {
        return await(future.map((RedisError.Kind) null).otherwise(cause -> ((RedisError) cause).kind()));
    }

    private static List<RedisError.Kind> kinds(List<Reply> replies) {
        return replies.stream()
                .filter(Reply::isFailure)
                .map(reply -> ((Reply.Failure) reply).error().kind())
                .toList();
    }
}
