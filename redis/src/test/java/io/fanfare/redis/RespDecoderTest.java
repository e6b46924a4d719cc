package io.fanfare.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespDecoderTest {
    @Test
    void readsEveryTypeOfReply() {
        assertThat(decode(":1234\r\n")).containsExactly("1234");
        assertThat(decode(":" + Long.MIN_VALUE + "\r\n:-1\r\n")).containsExactly("" + Long.MIN_VALUE, "-1");
        assertThat(decode("+OK\r\n+\r\n")).containsExactly("+OK", "+");
        assertThat(decode("-ERR no such thing\r\n")).containsExactly("-COMMAND ERR no such thing");
        assertThat(decode("$5\r\na\r\nbc\r\n$0\r\n\r\n")).containsExactly("$a\r\nbc", "$");
        assertThat(decode("$-1\r\n*-1\r\n*0\r\n")).containsExactly("nil", "nil", "[]");
        assertThat(decode("*2\r\n*1\r\n:1\r\n*2\r\n$1\r\nx\r\n*0\r\n")).containsExactly("[[1], [$x, []]]");
    }

    @Test
    void theTypesOfResp3AreReadAsThoseOfResp2() {
        assertThat(decode("_\r\n#t\r\n#f\r\n")).containsExactly("nil", "1", "0");
        assertThat(decode(",9007199254740991\r\n,1.5\r\n,inf\r\n(12345678901234567890\r\n"))
                .containsExactly("$9007199254740991", "$1.5", "$inf", "$12345678901234567890");
        assertThat(decode("=7\r\ntxt:a\r\n\r\n!7\r\nERR bad\r\n")).containsExactly("$a\r\n", "-COMMAND ERR bad");
        assertThat(decode("%2\r\n$1\r\na\r\n:1\r\n$1\r\nb\r\n~1\r\n:2\r\n%0\r\n~0\r\n"))
                .containsExactly("[$a, 1, $b, [2]]", "[]", "[]");
        assertThat(decode("|1\r\n+ttl\r\n:3600\r\n*2\r\n:1\r\n|1\r\n+a\r\n*1\r\n:9\r\n:2\r\n|0\r\n:3\r\n"))
                .containsExactly("[1, 2]", "3");
        assertThat(decode("*2\r\n*2\r\n$1\r\na\r\n,1\r\n*2\r\n$1\r\nb\r\n,2\r\n", RespDecoderTest::showFlat))
                .isEqualTo(decode("*4\r\n$1\r\na\r\n$1\r\n1\r\n$1\r\nb\r\n$1\r\n2\r\n", RespDecoderTest::showFlat));
    }

    @Test
    void pushesAreReceivedBetweenTheirNeighbouringReplies() {
        byte[] wire =
                ":1\r\n>2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\na\r\n*1\r\n:2\r\n>2\r\n$10\r\ninvalidate\r\n_\r\n:3\r\n"
                        .getBytes(StandardCharsets.UTF_8);
        List<String> received = new ArrayList<>();
        RespDecoder decoder =
                new RespDecoder(reply -> received.add(show(reply)), push -> received.add("push " + show(push)));
        for (int i = 0; i < wire.length; i++) {
            decoder.feed(wire, i, i + 1);
        }
        assertThat(received).containsExactly("1", "push [$invalidate, [$a]]", "[2]", "push [$invalidate, nil]", "3");
        assertThat(decode(new String(wire, StandardCharsets.UTF_8))).containsExactly("1", "[2]", "3");
    }

    @Test
    void givesTheSameRepliesHoweverTheBytesAreCut() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Buffer wire = Buffer.buffer();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                expected.add(write(wire, random, 0));
            }
            assertThat(decodeInPieces(wire.getBytes(), random))
                    .as("seed %d", seed)
                    .isEqualTo(expected);
        }
    }

    @Test
    void givesTheSameRepliesByteByByte() {
        Buffer wire = Buffer.buffer();
        Random random = new Random(1);
        List<String> expected =
                IntStream.range(0, 200).mapToObj(i -> write(wire, random, 0)).toList();
        List<String> replies = new ArrayList<>();
        RespDecoder decoder = new RespDecoder(reply -> replies.add(show(reply)));
        byte[] bytes = wire.getBytes();
        for (int i = 0; i < bytes.length; i++) {
            decoder.feed(bytes, i, i + 1);
        }
        assertThat(replies).isEqualTo(expected);
    }

    @Test
    void takesTheKindOfAnErrorFromItsFirstWord() {
        assertThat(kind("MOVED 3999 127.0.0.1:6381")).isEqualTo(RedisError.Kind.MOVED);
        assertThat(kind("NOSCRIPT No matching script.")).isEqualTo(RedisError.Kind.NOSCRIPT);
        assertThat(kind("OOM command not allowed when used memory > 'maxmemory'."))
                .isEqualTo(RedisError.Kind.OOM);
        assertThat(kind("LOADING Redis is loading the dataset in memory")).isEqualTo(RedisError.Kind.NOT_NOW);
        assertThat(kind("BUSY Redis is busy running a script.")).isEqualTo(RedisError.Kind.NOT_NOW);
        assertThat(kind("MISCONF Errors writing to the AOF file: No space left on device"))
                .isEqualTo(RedisError.Kind.READ_ONLY);
        assertThat(kind("READONLY You can't write against a read only replica."))
                .isEqualTo(RedisError.Kind.READ_ONLY);
        assertThat(kind("NOREPLICAS Not enough good replicas to write.")).isEqualTo(RedisError.Kind.READ_ONLY);
        assertThat(kind("WRONGTYPE Operation against a key")).isEqualTo(RedisError.Kind.COMMAND);
        assertThat(kind("")).isEqualTo(RedisError.Kind.COMMAND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 400 Bad Request\r\n",
                ":12x\r\n",
                ":\r\n",
                ":99999999999999999999\r\n",
                "$-2\r\n",
                "$67108865\r\n",
                "*1048577\r\n",
                "$1\r\nab\r\n",
                "+no carriage return\n",
                "\r\n",
            })
    void refusesWhatIsNotRespOrTooLarge(String wire) {
        assertThatThrownBy(() -> decode(wire)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesArraysThatAreNestedTooDeep() {
        assertThat(decode("*1\r\n".repeat(RespDecoder.DEPTH_MAX) + ":1\r\n")).hasSize(1);
        assertThatThrownBy(() -> decode("*1\r\n".repeat(RespDecoder.DEPTH_MAX + 1)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesALineWithoutAnEnd() {
        RespDecoder decoder = new RespDecoder(reply -> {});
        byte[] bytes = "+".concat("x".repeat(1 << 10)).getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        decoder.feed(bytes, 0, bytes.length);
                    }
                })
                .hasMessageContaining("longer than");
    }

    private static RedisError.Kind kind(String line) {
        return RedisError.of(line).kind();
    }

    private static List<String> decode(String wire) {
        byte[] bytes = wire.getBytes(StandardCharsets.UTF_8);
        List<String> replies = new ArrayList<>();
        new RespDecoder(reply -> replies.add(show(reply))).feed(bytes, 0, bytes.length);
        return replies;
    }

    private static List<String> decode(String wire, Function<Reply, String> shown) {
        byte[] bytes = wire.getBytes(StandardCharsets.UTF_8);
        List<String> replies = new ArrayList<>();
        new RespDecoder(reply -> replies.add(shown.apply(reply))).feed(bytes, 0, bytes.length);
        return replies;
    }

    private static String showFlat(Reply reply) {
        return reply.flat().stream().map(RespDecoderTest::show).toList().toString();
    }

    private static List<String> decodeInPieces(byte[] bytes, Random random) {
        List<String> replies = new ArrayList<>();
        RespDecoder decoder = new RespDecoder(reply -> replies.add(show(reply)));
        int at = 0;
        while (at < bytes.length) {
            int to = Math.min(bytes.length, at + 1 + random.nextInt(random.nextBoolean() ? 3 : 200));
            decoder.feed(bytes, at, to);
            at = to;
        }
        return replies;
    }

    /** Appends some reply to the wire and returns how it is to be shown. */
    private static String write(Buffer wire, Random random, int depth) {
        switch (random.nextInt(depth < 4 ? 7 : 5)) {
            case 0 -> {
                long value = random.nextBoolean() ? random.nextInt(5000) : random.nextLong();
                wire.appendString(":" + value + "\r\n");
                return Long.toString(value);
            }
            case 1 -> {
                String text = random.nextBoolean() ? "OK" : "text \u00e9 " + random.nextInt();
                wire.appendString("+" + text + "\r\n");
                return "+" + text;
            }
            case 2 -> {
                String line = "OOM much " + "y".repeat(random.nextInt(100));
                wire.appendString("-" + line + "\r\n");
                return "-OOM " + line;
            }
            case 3 -> {
                // Line ends inside a string are data.
                String text = "\r\n".repeat(random.nextInt(3)) + "z\u20ac".repeat(random.nextInt(100));
                wire.appendString("$" + text.getBytes(StandardCharsets.UTF_8).length + "\r\n" + text + "\r\n");
                return "$" + text;
            }
            case 4 -> {
                wire.appendString(List.of("$-1\r\n", "*-1\r\n", "_\r\n").get(random.nextInt(3)));
                return "nil";
            }
            default -> {
                int items = 2 * random.nextInt(3);
                String type = List.of("*", "~", "%").get(random.nextInt(3));
                wire.appendString(type + (type.equals("%") ? items / 2 : items) + "\r\n");
                return IntStream.range(0, items)
                        .mapToObj(i -> write(wire, random, depth + 1))
                        .toList()
                        .toString();
            }
        }
    }

    private static String show(Reply reply) {
        if (reply instanceof Reply.Items items) {
            return items.list().stream().map(RespDecoderTest::show).toList().toString();
        }
        if (reply instanceof Reply.Failure failure) {
            return "-" + failure.error().kind() + " " + failure.error().getMessage();
        }
        if (reply instanceof Reply.Text text) {
            return "+" + text.value();
        }
        return reply.isNil() ? "nil" : (reply instanceof Reply.Bulk ? "$" : "") + reply.asString();
    }
}
