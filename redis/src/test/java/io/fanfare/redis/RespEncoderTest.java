package io.fanfare.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RespEncoderTest {
    @Test
    void writesACommandAsAnArrayOfStrings() {
        RespEncoder encoder = new RespEncoder(Namespace.NONE);
        encoder.append(Command.of("SET", "key", 7));
        assertThat(encoder.take().toString()).isEqualTo("*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$1\r\n7\r\n");
        assertThat(encoder.length()).isZero();
    }

    @Test
    void writesTheNamespaceBeforeKeysAndNothingElse() {
        RespEncoder encoder = new RespEncoder(Namespace.of("site"));
        encoder.append(Command.of("SET", "key", "value"));
        assertThat(encoder.take().toString()).isEqualTo("*3\r\n$3\r\nSET\r\n$8\r\nsite:key\r\n$5\r\nvalue\r\n");
        encoder.append(Command.of("GET", "\u00e9"));
        assertThat(encoder.take().toString()).isEqualTo("*2\r\n$3\r\nGET\r\n$7\r\nsite:\u00e9\r\n");
        String longKey = "k".repeat(99);
        encoder.append(Command.of("GET", longKey));
        assertThat(encoder.take().toString()).isEqualTo("*2\r\n$3\r\nGET\r\n$104\r\nsite:" + longKey + "\r\n");
    }

    /** A command is an array of strings in the direction of replies too, so the decoder can check the encoder. */
    @Test
    void keepsEveryArgumentAsItWas() {
        String grin = new String(Character.toChars(0x1F600));
        List<Object> args = new ArrayList<>(List.of(
                "",
                "ascii",
                "f\u00fcr " + grin,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                0,
                -10,
                99,
                100,
                "x".repeat(9),
                "x".repeat(10),
                "x".repeat(64),
                "x".repeat(65),
                "x".repeat(64) + "é💬",
                "x".repeat(99),
                "x".repeat(100),
                "x".repeat(100_000),
                new byte[] {0, 13, 10, -1}));
        RespEncoder encoder = new RespEncoder(Namespace.NONE);
        encoder.append(Command.routed("ECHO", null, args.toArray()));
        encoder.append(Command.routed("PING", null));

        List<Reply> decoded = new ArrayList<>();
        byte[] wire = encoder.take().getBytes();
        new RespDecoder(decoded::add).feed(wire, 0, wire.length);
        List<String> strings =
                decoded.get(0).items().stream().map(Reply::asString).toList();
        assertThat(strings.get(0)).isEqualTo("ECHO");
        for (int i = 0; i < args.size() - 1; i++) {
            assertThat(strings.get(i + 1)).isEqualTo(args.get(i).toString());
        }
        assertThat(decoded.get(0).items().get(args.size()).asBytes()).containsExactly(0, 13, 10, -1);
        assertThat(decoded.get(1).items()).hasSize(1);
    }

    @Test
    void writesNumbersOfEveryLength() {
        RespEncoder encoder = new RespEncoder(Namespace.NONE);
        List<Long> numbers = new ArrayList<>(List.of(0L, Long.MIN_VALUE, Long.MAX_VALUE));
        for (long power = 1; power > 0 && power < Long.MAX_VALUE / 10; power *= 10) {
            numbers.addAll(List.of(power, power - 1, power * 10 - 7, -power, -power + 1, -power - 1, power * 7 + 3));
        }
        numbers.addAll(List.of(1_000_000_000_000_000_000L, 999_999_999_999_999_999L));
        encoder.append(Command.routed("ECHO", null, numbers.toArray()));
        List<Reply> decoded = new ArrayList<>();
        byte[] wire = encoder.take().getBytes();
        new RespDecoder(decoded::add).feed(wire, 0, wire.length);
        List<Reply> written = decoded.get(0).items();
        for (int i = 0; i < numbers.size(); i++) {
            assertThat(written.get(i + 1).asString()).isEqualTo(Long.toString(numbers.get(i)));
        }
    }

    @Test
    void textThatIsNotUnicodeDoesNotBreakTheWire() {
        RespEncoder encoder = new RespEncoder(Namespace.NONE);
        encoder.append(Command.of("SET", "k", "half \ud83d a pair"));
        assertThat(encoder.take().getBytes())
                .isEqualTo("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$13\r\nhalf ? a pair\r\n".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aCommandOfSomethingElseIsRefusedWhereItIsMade() {
        assertThatThrownBy(() -> Command.of("SET", "k", 1.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SET");
        assertThatThrownBy(() -> Command.of("SET", null, "v")).isInstanceOf(IllegalArgumentException.class);
    }
}
