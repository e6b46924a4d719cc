package io.fanfare.redis;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class RedisLinkTest {
    private static final Vertx vertx = Vertx.vertx();

    private final TestRedis redis;
    private RedisLink link;

    RedisLinkTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @BeforeEach
    void open() {
        redis.flush();
        link = redis.link(vertx);
    }

    @AfterEach
    void close() {
        await(link.close());
    }

    @AfterAll
    static void closeVertx() {
        await(vertx.close());
    }

    @Test
    void anErrorInAPipelineIsTheAnswerOfItsCommandAlone() {
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            commands.add(Command.of("RPUSH", "list:{" + i % 50 + "}", i));
        }
        commands.add(250, Command.of("INCR", "list:{0}"));
        List<Reply> replies = await(link.pipeline(commands));
        assertThat(replies).hasSize(501);
        assertThat(replies.get(250).isFailure()).isTrue();
        assertThat(replies.stream().filter(Reply::isFailure)).hasSize(1);
        assertThat(replies.get(500).asLong()).isEqualTo(10);
        assertThatThrownBy(() -> await(link.send(Command.of("INCR", "list:{0}"))))
                .isInstanceOfSatisfying(
                        RedisError.class, e -> assertThat(e.kind()).isEqualTo(RedisError.Kind.COMMAND));
    }

    @Test
    void anEmptyPipelineIsAnsweredWithNothing() {
        assertThat(await(link.pipeline(List.of()))).isEmpty();
    }

    @Test
    void answersComeInTheOrderOfTheCommands() {
        List<Future<Reply>> sent = IntStream.range(0, 2000)
                .mapToObj(i -> link.send(Command.of("INCR", "counter")))
                .toList();
        assertThat(sent.stream().map(TestRedis::await).map(Reply::asLong).toList())
                .isEqualTo(
                        IntStream.rangeClosed(1, 2000).mapToObj(i -> (long) i).toList());
    }

    @Test
    void aScriptThatTheServerHasForgottenIsSentAsText() {
        Script script = Script.load("test_echo");
        assertThat(await(link.send(script.call(List.of("key"), "a"))).asString())
                .isEqualTo("a");
        redis.servers().forEach(server -> TestRedis.ask(server, "SCRIPT", "FLUSH"));
        List<Reply> replies = await(link.pipeline(List.of(
                Command.of("SET", "key", "1"),
                script.call(List.of("key"), "b"),
                script.call(List.of("{other}"), "c"),
                Command.of("GET", "key"))));
        assertThat(replies.stream().map(Reply::asString).toList()).containsExactly("OK", "b", "c", "1");
    }

    @Test
    void aBlockingCommandHoldsUpNothingElse() {
        Future<Reply> popped = link.block(Command.of("BLPOP", "empty", 60), 60_000);
        assertThat(await(link.send(Command.of("SET", "other", "x"))).asString()).isEqualTo("OK");
        assertThat(popped.isComplete()).isFalse();
        assertThat(await(link.send(Command.of("RPUSH", "empty", "job"))).asLong())
                .isEqualTo(1);
        assertThat(await(popped).items().get(1).asString()).isEqualTo("job");
        assertThat(await(link.block(Command.of("BLPOP", "empty", "0.05"), 50)).isNil())
                .isTrue();
    }

    @Test
    void aWindowThatIsFullRefusesWithoutSending() {
        RedisLink narrow = await(RedisLink.open(vertx, redis.options(Duration.ofSeconds(15), 100)));
        List<Command> commands = IntStream.range(0, 150)
                .mapToObj(i -> Command.of("INCR", "windowed"))
                .toList();
        List<Reply> replies = await(narrow.pipeline(commands));
        assertThat(replies.subList(0, 100)).noneMatch(Reply::isFailure);
        assertThat(replies.subList(100, 150)).allSatisfy(RedisLinkTest::assertSaturated);
        assertThat(await(narrow.send(Command.of("GET", "windowed"))).asLong()).isEqualTo(100);
        await(narrow.close());
    }

    @Test
    void longPipelinesTakeTurnsAndLeaveRoomForOthers() {
        RedisLink narrow = await(RedisLink.open(vertx, redis.options(Duration.ofSeconds(15), 1000)));
        List<Future<List<Reply>>> pipelines = new ArrayList<>();
        List<Future<Reply>> others = new ArrayList<>();
        inOneTurn(narrow, () -> {
            for (int i = 0; i < 30; i++) { // One is sent, 20 wait, 9 are refused.
                pipelines.add(narrow.pipeline(increments("turns", 200)));
                others.add(narrow.send(Command.of("INCR", "others")));
            }
        });
        assertThat(others.stream().map(TestRedis::await).map(Reply::asLong)).hasSize(30);
        List<List<Reply>> replies = pipelines.stream().map(TestRedis::await).toList();
        assertThat(replies.subList(0, 21).stream().flatMap(List::stream)).noneMatch(Reply::isFailure);
        assertThat(replies.subList(21, 30).stream().flatMap(List::stream))
                .hasSize(9 * 200)
                .allSatisfy(RedisLinkTest::assertSaturated);
        assertThat(await(narrow.send(Command.of("GET", "turns"))).asLong()).isEqualTo(21 * 200);
        assertThat(await(narrow.pipeline(increments("turns", 200)))).noneMatch(Reply::isFailure);
        await(narrow.close());
    }

    @Test
    void longPipelinesThatWaitEndWithTheLink() {
        RedisLink narrow = await(RedisLink.open(vertx, redis.options(Duration.ofSeconds(15), 1000)));
        List<Future<List<Reply>>> pipelines = new ArrayList<>();
        List<Future<Void>> closed = new ArrayList<>();
        inOneTurn(narrow, () -> {
            for (int i = 0; i < 10; i++) {
                pipelines.add(narrow.pipeline(increments("turns", 200)));
            }
            closed.add(narrow.close());
        });
        await(closed.get(0));
        pipelines.forEach(pipeline -> assertThat(await(pipeline)).hasSize(200));
        assertThat(await(pipelines.get(9))).allMatch(Reply::isFailure);
    }

    /** So that no answer comes in between. */
    private static void inOneTurn(RedisLink link, Runnable task) {
        Promise<Void> done = Promise.promise();
        link.afterTurn(() -> {
            task.run();
            done.complete();
        });
        await(done.future());
    }

    private static List<Command> increments(String key, int count) {
        return Collections.nCopies(count, Command.of("INCR", key));
    }

    private static void assertSaturated(Reply reply) {
        assertThat(((Reply.Failure) reply).error().kind()).isEqualTo(RedisError.Kind.SATURATED);
    }

    @Test
    void largeStringsComeBackWhole() {
        byte[] large = new byte[5_000_000];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31);
        }
        assertThat(await(link.send(Command.of("SET", "large", large))).asString())
                .isEqualTo("OK");
        assertThat(await(link.send(Command.of("GET", "large"))).asBytes()).isEqualTo(large);
    }

    @Test
    void aSubscriptionReceivesMessagesAndSurvivesItsConnection() {
        RecordingListener listener = new RecordingListener();
        RedisLink.Subscription subscription = link.subscribe(RedisLink.Channels.sharded("news"), "news", listener);
        awaitUntil("subscribed", () -> listener.has("subscribed"));
        assertThat(await(link.send(Command.of("SPUBLISH", "news", "one"))).asLong())
                .isEqualTo(1);
        awaitUntil("first message", () -> listener.has("one"));
        redis.servers().forEach(server -> TestRedis.ask(server, "CLIENT", "KILL", "TYPE", "pubsub"));
        awaitUntil(
                "subscribed again", () -> listener.events().equals(List.of("subscribed", "one", "lost", "subscribed")));
        assertThat(await(link.send(Command.of("SPUBLISH", "news", "two"))).asLong())
                .isEqualTo(1);
        awaitUntil("second message", () -> listener.has("two"));
        await(subscription.close());
        awaitUntil(
                "nobody listens",
                () -> await(link.send(Command.of("SPUBLISH", "news", "three"))).asLong() == 0);
        assertThat(listener.events()).containsExactly("subscribed", "one", "lost", "subscribed", "two");
    }

    @Test
    void aServerThatDropsEachSubscriptionIsCalledAtLongerAndLongerIntervals() {
        List<Long> confirmed = new CopyOnWriteArrayList<>();
        RedisLink.Subscription subscription =
                link.subscribe(RedisLink.Channels.sharded("dropped"), "dropped", new RedisLink.Listener() {
                    @Override
                    public void subscribed() {
                        confirmed.add(System.nanoTime());
                        link.nodes().forEach(node -> link.sendTo(
                                        node, Command.routed("CLIENT", null, "KILL", "TYPE", "pubsub"))
                                .onFailure(cause -> {}));
                    }

                    @Override
                    public void message(String channel, String payload) {}

                    @Override
                    public void lost() {}
                });
        awaitUntil("subscribed often", () -> confirmed.size() >= 6);
        // Five pauses of at least 25, 50, 100, 200 and 400 ms.
        assertThat(Duration.ofNanos(confirmed.get(5) - confirmed.get(0))).isGreaterThan(Duration.ofMillis(700));
        await(subscription.close());
    }

    @Test
    void aConnectionThatIsKilledIsRestoredAtOnce() {
        assertThat(await(link.send(Command.of("SET", "a", "1"))).asString()).isEqualTo("OK");
        for (int round = 0; round < 20; round++) {
            redis.servers()
                    .forEach(server -> TestRedis.ask(server, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"));
            awaitUntil(
                    "answers again",
                    () -> await(link.send(Command.of("GET", "a")).map(true).otherwise(false)));
        }
    }

    @Test
    void aClosedLinkAnswersAndWaitsForNothing() {
        Future<Reply> waiting = link.block(Command.of("BLPOP", "never", 0), 60_000);
        awaitUntil("it blocks", () -> TestRedis.ask(redis.serverOf("never"), "INFO", "clients")
                .asString()
                .contains("blocked_clients:1"));
        await(link.close());
        assertThatThrownBy(() -> await(waiting)).isInstanceOfSatisfying(RedisError.class, e -> assertThat(e.kind())
                .isEqualTo(RedisError.Kind.LOST));
        assertThatThrownBy(() -> await(link.send(Command.of("GET", "a"))))
                .isInstanceOfSatisfying(
                        RedisError.class, e -> assertThat(e.kind()).isEqualTo(RedisError.Kind.UNAVAILABLE));
        assertThat(((Reply.Failure) await(link.pipeline(List.of(Command.of("GET", "a"))))
                                .get(0))
                        .error()
                        .kind())
                .isEqualTo(RedisError.Kind.UNAVAILABLE);
    }
}
