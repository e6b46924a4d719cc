package io.fanfare.redis;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The replies that a link caches are as true as newly read ones. */
@ParameterizedClass
@EnumSource
class TrackingTest {
    private static final Vertx vertx = Vertx.vertx();
    private static final int KEYS = 12;
    private static final int ROUNDS = 4_000;

    private final TestRedis redis;
    private final Context loop = vertx.getOrCreateContext();
    private RedisLink link;

    TrackingTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @BeforeEach
    void open() {
        redis.flush();
        link = await(onLoop(() -> RedisLink.openTracking(vertx, redis.options())));
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
    void cachedRepliesAreNotReadAgain() {
        IntStream.range(0, KEYS).forEach(key -> write(key, 7));
        assertThat(readAll()).containsOnly(7L);
        long read = reads();
        for (int round = 0; round < 10; round++) {
            assertThat(readAll()).containsOnly(7L);
        }
        // One for each server, which proves the rest.
        assertThat(reads() - read).isEqualTo(10L * redis.servers().size());
        assertThat(await(onLoop(() -> afterAnAnswer(since -> link.pipeline(reads(KEYS), since)))))
                .allSatisfy(reply -> assertThat(value(reply)).isEqualTo(7));
        assertThat(reads() - read).isEqualTo(10L * redis.servers().size());
    }

    @Test
    void keysThatOthersChangeAreReadAgain() {
        for (int round = 1; round <= 20; round++) {
            int key = round % KEYS;
            write(key, round);
            assertThat(readAll().get(key)).isEqualTo(round);
        }
        redis.askAt(key(3), "DEL", key(3));
        assertThat(readAll().get(3)).isZero();
        redis.askAt(key(3), "HSET", key(3), "n", "8");
        redis.askAt(key(3), "PEXPIRE", key(3), "1");
        TestRedis.awaitUntil("it has expired", () -> readAll().get(3) == 0);
    }

    @Test
    void nothingIsKeptPastAFlush() {
        IntStream.range(0, KEYS).forEach(key -> write(key, 7));
        assertThat(readAll()).containsOnly(7L);
        redis.flush();
        assertThat(readAll()).containsOnly(0L);
    }

    @Test
    void nothingIsKeptPastTheEndOfItsConnection() {
        IntStream.range(0, KEYS).forEach(key -> write(key, 1));
        assertThat(readAll()).containsOnly(1L);
        redis.servers().forEach(server -> {
            ask(server, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        });
        IntStream.range(0, KEYS).forEach(key -> write(key, 2));
        TestRedis.awaitUntil("the connections are back", () -> await(link.pipeline(reads(KEYS))).stream()
                .noneMatch(Reply::isFailure));
        assertThat(readAll()).containsOnly(2L);
    }

    @Test
    void keysThatTheReaderItselfHasChangedAreReadAgain() {
        assertThat(readAll()).containsOnly(0L);
        for (int round = 1; round <= 200; round++) {
            int key = round % KEYS;
            Command write = Command.of("HINCRBY", key(key), "n", 1);
            // In the very moment of the answer, when the notice of the change is still to be read behind it.
            Future<Long> seen = link.send(write).compose(written -> link.pipeline(reads(KEYS))
                    .map(replies -> value(replies.get(key)) - written.asLong()));
            assertThat(await(seen)).isZero();
        }
    }

    @Test
    void aReadThatBeganAfterAWriteWasAnsweredNeverShowsLess() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        AtomicLongArray answered = new AtomicLongArray(KEYS);
        CompletableFuture<Void> stop = new CompletableFuture<>();
        List<RedisLink> writers =
                IntStream.range(0, 3).mapToObj(i -> redis.link(vertx)).toList();
        List<Future<Void>> written = writers.stream()
                .map(writer -> writeAtRandom(writer, new Random(random.nextLong()), answered, stop))
                .toList();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                boolean proven = random.nextBoolean();
                long[] least = new long[KEYS];
                List<Reply> replies = await(onLoop(() -> {
                    for (int i = 0; i < KEYS; i++) {
                        least[i] = answered.get(i);
                    }
                    return proven
                            ? afterAnAnswer(since -> link.pipeline(reads(KEYS), since))
                            : link.pipeline(reads(KEYS));
                }));
                for (int i = 0; i < KEYS; i++) {
                    assertThat(value(replies.get(i)))
                            .as("seed %d round %d key %d", seed, round, i)
                            .isGreaterThanOrEqualTo(least[i]);
                }
            }
        } finally {
            stop.complete(null);
            written.forEach(TestRedis::await);
            writers.forEach(writer -> await(writer.close()));
        }
        // Most keys rest at any time: both ways have been tried.
        assertThat(IntStream.range(0, KEYS).mapToLong(answered::get).sum()).isPositive();
    }

    /** Mostly one and the same key for a while, so that the others are kept. */
    private static Future<Void> writeAtRandom(
            RedisLink writer, Random random, AtomicLongArray answered, CompletableFuture<Void> stop) {
        Promise<Void> done = Promise.promise();
        Runnable next = new Runnable() {
            @Override
            public void run() {
                if (stop.isDone()) {
                    done.complete();
                    return;
                }
                int key = random.nextInt(KEYS);
                writer.send(Command.of("HINCRBY", key(key), "n", 1))
                        .onSuccess(now -> answered.accumulateAndGet(key, now.asLong(), Math::max))
                        .onSuccess(now -> vertx.setTimer(1 + random.nextInt(4), timer -> run()))
                        .onFailure(done::fail);
            }
        };
        next.run();
        return done.future();
    }

    @Test
    void aServerThatDoesNotTrackIsReadEachTime() {
        redis.servers().forEach(server -> {
            ask(server, "ACL", "SETUSER", "untracked", "on", ">pw", "~*", "&*", "+@all", "-client|tracking");
            ask(server, "ACL", "SETUSER", "old", "on", ">pw", "~*", "&*", "+@all", "-hello");
        });
        for (String user : List.of("untracked", "old")) {
            RedisLink plain = await(RedisLink.openTracking(vertx, as(user)));
            for (int round = 1; round <= 5; round++) {
                write(0, round);
                List<Reply> replies = await(plain.pipeline(reads(KEYS)));
                assertThat(value(replies.get(0))).isEqualTo(round);
            }
            await(plain.close());
        }
    }

    @Test
    void rightsThatAreTakenAwayEndTheKeeping() {
        redis.servers().forEach(server -> {
            ask(server, "ACL", "SETUSER", "waning", "on", ">pw", "~*", "&*", "+@all");
        });
        RedisLink waning = await(RedisLink.openTracking(vertx, as("waning")));
        assertThat(await(waning.pipeline(reads(KEYS)))).hasSize(KEYS);
        redis.servers().forEach(server -> ask(server, "ACL", "SETUSER", "waning", "-client|caching"));
        for (int round = 1; round <= 5; round++) {
            for (int key = 0; key < KEYS; key++) {
                write(key, round);
            }
            List<Reply> replies = await(waning.pipeline(reads(KEYS)));
            assertThat(replies).allSatisfy(reply -> assertThat(reply.items()).hasSize(1));
            long expected = round;
            assertThat(replies).allSatisfy(reply -> assertThat(value(reply)).isEqualTo(expected));
        }
        await(waning.close());
    }

    private RedisOptions as(String user) {
        String url = "redis://" + user + ":pw@127.0.0.1:" + redis.server().port();
        return redis.options().at(new Secret(url));
    }

    private interface Since {
        Future<List<Reply>> read(long since);
    }

    /** Begins now, asks every server something, and then reads. */
    private Future<List<Reply>> afterAnAnswer(Since reading) {
        long since = link.moment();
        List<Command> others = IntStream.range(0, KEYS)
                .mapToObj(i -> Command.of("EXISTS", key(i)))
                .toList();
        return link.pipeline(others).compose(done -> reading.read(since));
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> call) {
        Promise<T> promise = Promise.promise();
        loop.runOnContext(v -> call.get().onComplete(promise));
        return promise.future();
    }

    private static String key(int i) {
        return "tracked:{" + i + "}";
    }

    private void write(int key, long value) {
        redis.askAt(key(key), "HSET", key(key), "n", Long.toString(value));
    }

    private List<Long> readAll() {
        return await(link.pipeline(reads(KEYS))).stream()
                .map(TrackingTest::value)
                .toList();
    }

    private static long value(Reply fields) {
        Reply n = fields.items().get(0);
        return n.isNil() ? 0 : n.asLong();
    }

    private static List<Command> reads(int keys) {
        return IntStream.range(0, keys)
                .mapToObj(i -> Command.tracked("HMGET", key(i), "n"))
                .toList();
    }

    private long reads() {
        return redis.servers().stream()
                .flatMap(
                        server -> ask(server, "INFO", "commandstats").asString().lines())
                .filter(line -> line.startsWith("cmdstat_hmget:calls="))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
                .sum();
    }
}
