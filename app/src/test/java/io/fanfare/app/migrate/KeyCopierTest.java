package io.fanfare.app.migrate;

import static io.fanfare.redis.testing.TestRedis.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Key;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.runtime.EventLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies and comparisons between a server and one with other settings for its types. */
@Timeout(120)
class KeyCopierTest {
    /** More than what goes over in one piece. */
    private static final int LARGE = 6 << 20;

    /** Elements that are more than that together. */
    private static final int MANY = 12_000;

    private static final List<String> KEYS = List.of("string", "list", "set", "zset", "hash", "stream", "ends");

    private static TestRedis from;
    private static TestRedis to;

    private final EventLoop loop = new EventLoop();
    private RedisLink source;
    private RedisLink target;
    private KeyCopier copier;

    @BeforeAll
    static void start() {
        from = TestRedis.freshStandalone(AppendSync.OFF);
        // Small keys are tables there, whose fields are in an order of their own.
        to = TestRedis.freshStandalone(AppendSync.OFF, "hash-max-listpack-entries 1", "zset-max-listpack-entries 0");
    }

    @AfterAll
    static void stop() {
        from.close();
        to.close();
    }

    @BeforeEach
    void open() {
        from.flush();
        to.flush();
        source = loop.await(() -> RedisLink.open(loop.vertx(), from.options()));
        target = loop.await(() -> RedisLink.open(loop.vertx(), to.options()));
        copier = new KeyCopier(loop, source, target, "both");
    }

    @AfterEach
    void close() {
        loop.run(source::close);
        loop.run(target::close);
        loop.close();
    }

    @Test
    void keysOfEachTypeAreCopiedWithTheirEndWhateverTheirSize() {
        fill(from, 3);
        copyAll();
        fill(from, MANY);
        copyAll();
        assertThat(ask(to.server(), "STRLEN", "fanfare:string").asLong()).isGreaterThan(LARGE);
    }

    private void copyAll() {
        copier.copy(KEYS);
        Map<Key.Type, Long> types = new EnumMap<>(Key.Type.class);
        assertThat(copier.differing(KEYS, types)).isEmpty();
        assertThat(types)
                .containsEntry(Key.Type.STRING, 2L)
                .containsEntry(Key.Type.STREAM, 1L)
                .hasSize(6);
        for (List<String> read : List.of(
                List.of("GET", "fanfare:string"),
                List.of("LRANGE", "fanfare:list", "0", "-1"),
                List.of("SORT", "fanfare:set", "ALPHA"),
                List.of("ZRANGE", "fanfare:zset", "0", "-1", "WITHSCORES"),
                List.of("HLEN", "fanfare:hash"),
                List.of("HGET", "fanfare:hash", "f2"),
                List.of("XRANGE", "fanfare:stream", "-", "+"),
                List.of("PEXPIRETIME", "fanfare:ends"),
                List.of("PEXPIRETIME", "fanfare:hash"))) {
            String[] words = read.toArray(String[]::new);
            assertThat(text(to, words)).as(read.toString()).isEqualTo(text(from, words));
        }
        // The last id of a stream and its deleted entries go along.
        assertThat(text(to, "XADD", "fanfare:stream", "1-1", "a", "b")).contains("equal or smaller");
    }

    @Test
    void eachDifferenceIsFound() {
        for (int elements : new int[] {3, MANY}) {
            fill(from, elements);
            copier.copy(KEYS);
            for (List<String> write : List.of(
                    List.of("APPEND", "fanfare:string", "x"),
                    List.of("LSET", "fanfare:list", "1", "other"),
                    List.of("SREM", "fanfare:set", "m1"),
                    List.of("ZINCRBY", "fanfare:zset", "1", "m1"),
                    List.of("HSET", "fanfare:hash", "f1", "other"),
                    List.of("XDEL", "fanfare:stream", "2-1"),
                    List.of("PEXPIRE", "fanfare:ends", "90000"),
                    List.of("PERSIST", "fanfare:ends"),
                    List.of("DEL", "fanfare:hash"),
                    List.of("SET", "fanfare:list", "of another type"))) {
                ask(to.server(), write.toArray(String[]::new));
                String key = write.get(1).substring("fanfare:".length());
                // To compare all large ones each time takes long.
                List<String> looked = elements == MANY ? List.of(key) : KEYS;
                assertThat(copier.differing(looked, new EnumMap<>(Key.Type.class)))
                        .as(write + " of " + elements)
                        .containsExactly(key);
                copier.copy(List.of(key));
            }
            assertThat(copier.differing(KEYS, new EnumMap<>(Key.Type.class))).isEmpty();
        }
    }

    @Test
    void aKeyThatTheSourceLacksIsRemovedAtTheTarget() {
        fill(from, 3);
        copier.copy(KEYS);
        ask(from.server(), "DEL", "fanfare:hash", "fanfare:ends");
        assertThat(copier.differing(KEYS, new EnumMap<>(Key.Type.class))).containsExactlyInAnyOrder("hash", "ends");
        copier.copy(List.of("hash", "ends"));
        assertThat(to.keys()).isEqualTo(from.keys()).doesNotContain("hash");
    }

    @Test
    void aFormatThatTheTargetDoesNotReadIsASentence() {
        ask(from.server(), "SET", "fanfare:string", "text");
        byte[] dump =
                loop.await(() -> source.send(Command.of("DUMP", "string"))).asBytes();
        // As of a release of years to come.
        dump[dump.length - 10] = (byte) 0xff;
        Reply refusal = loop.await(() -> target.send(Command.of("RESTORE", "string", 0, dump))
                .otherwise(cause -> new Reply.Failure((RedisError) cause)));
        assertThat(copier.sentence(((Reply.Failure) refusal).error()))
                .hasMessageContaining("the target does not read the format in which the source keeps its data (both):");
    }

    /** Keys of which some are larger than one piece when there are thousands of elements. */
    private static void fill(TestRedis redis, int elements) {
        redis.flush();
        String text = "x".repeat(elements > 100 ? 400 : 4);
        ask(redis.server(), "SET", "fanfare:string", "x".repeat(elements > 100 ? LARGE + 1 : 5));
        ask(redis.server(), "SET", "fanfare:ends", "1", "EX", "5000");
        List<List<String>> commands = List.of(
                new ArrayList<>(List.of("RPUSH", "fanfare:list")),
                new ArrayList<>(List.of("SADD", "fanfare:set")),
                new ArrayList<>(List.of("ZADD", "fanfare:zset")),
                new ArrayList<>(List.of("HSET", "fanfare:hash")));
        for (int i = 0; i < elements; i++) {
            commands.get(0).add(text + i);
            commands.get(1).add(i == 1 ? "m1" : "m" + i + text);
            commands.get(2).addAll(List.of(i + ".1234567890123", i == 1 ? "m1" : "m" + i + text));
            commands.get(3).addAll(List.of("f" + i, text + i));
        }
        ask(
                redis.server(),
                "EVAL",
                "for i = 1, ARGV[1] do redis.call('XADD', KEYS[1], i .. '-1', 'event', ARGV[2]) end",
                "1",
                "fanfare:stream",
                Integer.toString(elements),
                text);
        commands.forEach(command -> ask(redis.server(), command.toArray(String[]::new)));
        ask(redis.server(), "PEXPIRE", "fanfare:hash", "9000000");
        ask(redis.server(), "XDEL", "fanfare:stream", elements + "-1");
    }

    private static String text(TestRedis redis, String... command) {
        try {
            return flat(ask(redis.server(), command));
        } catch (RuntimeException e) {
            return e.getMessage();
        }
    }

    private static String flat(Reply reply) {
        return reply instanceof Reply.Items items
                ? items.list().stream().map(KeyCopierTest::flat).toList().toString()
                : reply.isNil() ? "nil" : String.valueOf(Arrays.asList(reply.asString()));
    }
}
