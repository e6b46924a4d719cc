package io.fanfare.redis;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.SlotMove;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.Suspension;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Slots that move and masters that die, under load. */
class ClusterChangeTest {
    private static final Vertx vertx = Vertx.vertx();
    private static final String TAG = "{moving}";
    private static final int KEYS = 200;

    private static TestRedis redis;
    private RedisLink link;

    @BeforeAll
    static void startCluster() {
        redis = TestRedis.freshCluster(AppendSync.OFF, "cluster-node-timeout 1000");
    }

    @AfterAll
    static void stopCluster() {
        redis.close();
        await(vertx.close());
    }

    @BeforeEach
    void open() {
        link = redis.link(vertx);
    }

    @AfterEach
    void close() {
        await(link.close());
    }

    @Test
    void aSlotThatMovesUnderLoadLosesNoCommand() {
        List<Command> incrementAll = IntStream.range(0, KEYS)
                .mapToObj(i -> Command.of("INCR", TAG + i))
                .toList();
        assertThat(failures(await(link.pipeline(deleteAll())))).isEmpty();
        AtomicBoolean stop = new AtomicBoolean();
        List<Reply> failures = new ArrayList<>();
        CompletableFuture<Integer> load = CompletableFuture.supplyAsync(() -> {
            int rounds = 0;
            while (!stop.get()) {
                failures.addAll(failures(await(link.pipeline(incrementAll))));
                rounds++;
            }
            return rounds;
        });
        for (int move = 0; move < 4; move++) {
            SlotMove.begin(redis, TAG).finish();
        }
        stop.set(true);
        int rounds = load.join();
        assertThat(failures).isEmpty();
        assertThat(await(link.pipeline(IntStream.range(0, KEYS)
                        .mapToObj(i -> Command.of("GET", TAG + i))
                        .toList())))
                .allSatisfy(value -> assertThat(value.asLong()).isEqualTo(rounds));
    }

    @Test
    void aLinkIsOpenOnceEveryMasterWasCalled() {
        RedisProcess slow = redis.servers().get(2);
        Suspension.begin(slow.handle());
        Future<RedisLink> opening = RedisLink.open(vertx, redis.options());
        try {
            // Longer than commands wait for a connection.
            await(vertx.timer(500));
            assertThat(opening.isComplete()).isFalse();
        } finally {
            Suspension.end(slow.handle());
        }
        RedisLink opened = await(opening);
        List<Command> everywhere = IntStream.range(0, KEYS)
                .mapToObj(i -> Command.of("GET", "key" + i))
                .toList();
        assertThat(failures(await(opened.pipeline(everywhere)))).isEmpty();
        await(opened.close());
    }

    @Test
    void keysOfASlotInMotionAreFoundOnEitherSide() {
        assertThat(failures(await(link.pipeline(deleteAll())))).isEmpty();
        assertThat(await(link.send(Command.of("SET", TAG + "old", "stays"))).asString())
                .isEqualTo("OK");
        SlotMove move = SlotMove.begin(redis, TAG);

        // New keys are made at the target, by ASK: many at once, so that each ASKING must stay with its command.
        List<Command> sets = IntStream.range(0, KEYS)
                .mapToObj(i -> Command.of("SET", TAG + i, i))
                .toList();
        assertThat(failures(await(link.pipeline(sets)))).isEmpty();
        List<Reply> values = await(link.pipeline(IntStream.range(0, KEYS)
                .mapToObj(i -> Command.of("GET", TAG + i))
                .toList()));
        assertThat(values.stream().map(Reply::asLong).toList())
                .isEqualTo(IntStream.range(0, KEYS).mapToObj(i -> (long) i).toList());
        assertThat(ask(move.to(), "CLUSTER", "COUNTKEYSINSLOT", slot()).asLong())
                .isEqualTo(KEYS);
        assertThat(await(link.send(Command.of("GET", TAG + "old"))).asString()).isEqualTo("stays");
        Reply popped =
                await(link.block(Command.of("BLPOP", TAG + "list", 1), 1_000).otherwise(Reply.NIL));
        assertThat(popped.isNil()).isTrue();

        move.finish();
        assertThat(await(link.send(Command.of("GET", TAG + "old"))).asString()).isEqualTo("stays");
    }

    @Test
    void aSubscriptionFollowsTheSlotOfItsChannels() {
        List<String> channels = List.of(TAG + "news", TAG + "votes");
        RecordingListener listener = new RecordingListener();
        RedisLink.Subscription subscription =
                link.subscribe(new RedisLink.Channels(channels, List.of()), TAG, listener);
        awaitUntil("subscribed", () -> listener.has("subscribed"));
        for (int move = 0; move < 3; move++) {
            String message = "after move " + move;
            long confirmed = confirmed(listener);
            SlotMove.begin(redis, TAG).finish();
            awaitUntil("subscribed again", () -> confirmed(listener) > confirmed);
            for (String channel : channels) {
                assertThat(await(link.send(Command.routed("SPUBLISH", TAG, channel, message + channel)))
                                .asLong())
                        .isEqualTo(1);
                awaitUntil(message, () -> listener.has(message + channel));
            }
        }
        await(subscription.close());
    }

    private static long confirmed(RecordingListener listener) {
        return listener.events().stream().filter("subscribed"::equals).count();
    }

    @Test
    void aMessageIsCopiedToNoNodeOfAnotherShard() {
        RecordingListener listener = new RecordingListener();
        RedisLink.Subscription subscription = link.subscribe(RedisLink.Channels.sharded(TAG + "news"), TAG, listener);
        awaitUntil("subscribed", () -> listener.has("subscribed"));
        for (int i = 0; i < KEYS; i++) {
            assertThat(await(link.send(Command.routed("SPUBLISH", TAG, TAG + "news", "message " + i)))
                            .asLong())
                    .isEqualTo(1);
        }
        awaitUntil("all", () -> listener.has("message " + (KEYS - 1)));
        for (RedisProcess server : redis.servers()) {
            assertThat(ask(server, "CLUSTER", "INFO").asString())
                    .doesNotContain("cluster_stats_messages_publish_received")
                    .doesNotContain("cluster_stats_messages_publishshard_received");
        }
        await(subscription.close());
    }

    @Test
    void cachedRepliesOfASlotThatMovesAreReadAgainAtItsNewNode() {
        RedisLink tracking = await(RedisLink.openTracking(vertx, redis.options()));
        List<Command> reads = IntStream.range(0, KEYS)
                .mapToObj(i -> Command.tracked("GET", TAG + i))
                .toList();
        assertThat(failures(await(link.pipeline(deleteAll())))).isEmpty();
        for (int round = 1; round <= 3; round++) {
            setAll(round);
            assertThat(values(await(tracking.pipeline(reads)))).containsOnly((long) round);
        }
        SlotMove move = SlotMove.begin(redis, TAG);
        IntStream.range(0, KEYS / 2).forEach(i -> move.migrate(TAG + i));
        setAll(4);
        assertThat(values(await(tracking.pipeline(reads)))).containsOnly(4L);
        move.finish();
        assertThat(values(await(tracking.pipeline(reads)))).containsOnly(4L);
        setAll(5);
        assertThat(values(await(tracking.pipeline(reads)))).containsOnly(5L);
        await(tracking.close());
    }

    private void setAll(int value) {
        assertThat(failures(await(link.pipeline(IntStream.range(0, KEYS)
                        .mapToObj(i -> Command.of("SET", TAG + i, value))
                        .toList()))))
                .isEmpty();
    }

    private static List<Long> values(List<Reply> replies) {
        return replies.stream().map(Reply::asLong).toList();
    }

    @Test
    void aMasterThatOwnsNoSlotYetIsDialledOnce() throws IOException {
        Path dir = Files.createTempDirectory("fanfare-redis-guest");
        try (RedisProcess guest = RedisProcess.start(RedisProcess.Options.in(dir)
                .password(redis.password())
                .appendSync(AppendSync.OFF)
                .inCluster())) {
            RedisProcess from = redis.serverOf(TAG);
            RedisProcess other = redis.servers().get((redis.servers().indexOf(from) + 1) % 3);
            String busPort =
                    ask(guest, "CONFIG", "GET", "cluster-port").items().get(1).asString();
            ask(from, "CLUSTER", "MEET", "127.0.0.1", Integer.toString(guest.port()), busPort);
            awaitUntil(
                    "they know each other",
                    () -> ask(from, "CLUSTER", "NODES").asString().contains(id(guest))
                            && ask(guest, "CLUSTER", "NODES").asString().contains(id(from))
                            && ask(guest, "CLUSTER", "INFO").asString().contains("cluster_state:ok"));
            SlotMove move = SlotMove.begin(redis, TAG, from, guest);
            assertThat(move.keysLeft()).doesNotContain(TAG + "new");
            Command elsewhere = Command.of("SET", TAG + "new", "1");
            assertThat(await(link.send(elsewhere)).asString()).isEqualTo("OK");
            long dialled = statistic(guest, "total_connections_received");
            for (int round = 1; round <= 3; round++) {
                long readings = tableReadings();
                ask(other, "CLIENT", "KILL", "TYPE", "normal"); // After a lost connection the table is read again.
                awaitUntil("the table is read again", () -> tableReadings() > readings);
                assertThat(await(link.send(elsewhere)).asString()).isEqualTo("OK");
            }
            assertThat(statistic(guest, "total_connections_received") - dialled)
                    .as("connections beside our questions for the statistics")
                    .isEqualTo(1);
            ask(from, "CLUSTER", "SETSLOT", slot(), "STABLE");
            String guestId = id(guest);
            redis.servers().forEach(server -> ask(server, "CLUSTER", "FORGET", guestId));
        }
    }

    private static long tableReadings() {
        return redis.servers().stream()
                .mapToLong(server -> ask(server, "INFO", "commandstats")
                        .asString()
                        .lines()
                        .filter(line -> line.startsWith("cmdstat_cluster|slots:calls="))
                        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
                        .sum())
                .sum();
    }

    private static long statistic(RedisProcess server, String name) {
        return ask(server, "INFO", "stats")
                .asString()
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void severalKeysThatAreTornApartAreWaitedFor() {
        assertThat(await(link.send(Command.of("MSET", TAG + "a", "1", new Command.Named(TAG + "b"), "2")))
                        .asString())
                .isEqualTo("OK");
        SlotMove move = SlotMove.begin(redis, TAG);
        move.migrate(TAG + "a");
        Command read = Command.of("MGET", TAG + "a", TAG + "b");
        Future<RedisError.Kind> early =
                link.send(read).map((RedisError.Kind) null).otherwise(cause -> ((RedisError) cause).kind());
        move.finish();
        // A move that takes longer than a moment is not waited for.
        assertThat(await(early)).isIn(null, RedisError.Kind.TRYAGAIN, RedisError.Kind.ASK);
        awaitUntil("both are there again", () -> kindOf(read) == null);
        assertThat(await(link.send(read)).items().stream().map(Reply::asString).toList())
                .containsExactly("1", "2");
    }

    /** Without the fence it would run on the server that has its key, remove it, and then be refused. */
    @Test
    void aScriptThatWritesIsNotBegunWhileItsSlotMoves() {
        Script tearing = Script.load("test_write")
                .with(
                        "local key, text = KEYS[1], ARGV[1]",
                        "redis.call('DEL', KEYS[1]) redis.call('SET', KEYS[1], ARGV[1]) do return #KEYS end "
                                + "local key, text = '', ''");
        Command first = tearing.call(List.of(TAG + "torn"), "first");
        Command second = tearing.call(List.of(TAG + "torn"), "second");
        assertThat(await(link.send(first)).asLong()).as("keys that it sees").isEqualTo(1);
        SlotMove move = SlotMove.begin(redis, TAG);
        assertThat(kindOf(second)).isEqualTo(RedisError.Kind.TRYAGAIN);
        move.migrate(TAG + "torn");
        assertThat(kindOf(second)).isEqualTo(RedisError.Kind.TRYAGAIN);
        assertThat(await(link.send(Command.of("GET", TAG + "torn"))).asString()).isEqualTo("first");
        move.finish();
        awaitUntil("it runs again", () -> kindOf(second) == null);
        assertThat(await(link.send(Command.of("GETDEL", TAG + "torn"))).asString())
                .isEqualTo("second");
    }

    /** The time-out of the link is a quarter of a minute. */
    @Test
    void aScriptWhoseKeysStaySplitBetweenNodesFailsAtOnceAndHoldsUpNothingElse() {
        assertThat(await(link.send(Command.of("MSET", TAG + "a", "1", new Command.Named(TAG + "b"), "2")))
                        .asString())
                .isEqualTo("OK");
        SlotMove move = SlotMove.begin(redis, TAG);
        move.migrate(TAG + "a");
        Command torn = Command.of("MGET", TAG + "a", TAG + "b");
        Command script = Script.load("test_write").call(List.of(TAG + "c"), 1);
        assertThat(kindOf(torn)).as("after a moment").isEqualTo(RedisError.Kind.TRYAGAIN);
        Stopwatch many = Stopwatch.start();
        for (int round = 0; round < 50; round++) {
            List<Reply> replies = await(link.pipeline(List.of(torn, script, Command.of("GET", TAG + "a"))));
            assertThat(replies.subList(0, 2)).allMatch(Reply::isFailure);
            assertThat(replies.get(2).asString()).isEqualTo("1");
        }
        assertThat(many.elapsed()).as("fifty rounds").isLessThan(Duration.ofSeconds(10));
        move.finish();
        awaitUntil("both are there again", () -> kindOf(torn) == null);
        awaitUntil("scripts run again", () -> kindOf(script) == null);
    }

    @Test
    void aDeadMasterTakesDownItsOwnSlotsOnlyUntilItIsBack() {
        RedisProcess victim = redis.serverOf("{dead}");
        String elsewhere = IntStream.range(0, 1000)
                .mapToObj(i -> "{" + i + "}")
                .filter(key -> redis.serverOf(key) != victim)
                .findFirst()
                .orElseThrow();
        redis.servers().forEach(server -> ask(server, "CONFIG", "SET", "cluster-require-full-coverage", "no"));
        victim.kill();
        awaitUntil(
                "its slots fail fast", () -> kindOf(Command.of("SET", "{dead}", "1")) == RedisError.Kind.UNAVAILABLE);
        assertThat(await(link.send(Command.of("SET", elsewhere, "1"))).asString())
                .isEqualTo("OK");
        redis.restart(victim);
        awaitUntil("its slots are back", () -> kindOf(Command.of("SET", "{dead}", "1")) == null);
    }

    private RedisError.Kind kindOf(Command command) {
        return await(link.send(command).map((RedisError.Kind) null).otherwise(cause -> ((RedisError) cause).kind()));
    }

    private static List<Command> deleteAll() {
        List<Command> commands = new ArrayList<>(IntStream.range(0, KEYS)
                .mapToObj(i -> Command.of("DEL", TAG + i))
                .toList());
        commands.add(Command.of("DEL", TAG + "old", TAG + "a", TAG + "b"));
        return commands;
    }

    private static List<Reply> failures(List<Reply> replies) {
        return replies.stream().filter(Reply::isFailure).toList();
    }

    private static String slot() {
        return Integer.toString(Slots.of(TAG));
    }

    private static String id(RedisProcess node) {
        return ask(node, "CLUSTER", "MYID").asString();
    }
}
