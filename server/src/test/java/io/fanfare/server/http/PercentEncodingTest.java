package io.fanfare.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PercentEncodingTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "caf%E9",
                "%C3",
                "%C3x%A9",
                "%C3%C3%A9",
                "%A9",
                "%C0%AF",
                "%E0%80%AF",
                "%ED%A0%80",
                "%F4%90%80%80",
                "%F5%80%80%80",
                "%F0%80%80%AF",
                "%E2%82",
                "%FF"
            })
    void bytesThatAreNoUtf8AreNone(String text) {
        assertThat(PercentEncoding.isWellFormed(text)).isTrue();
        assertThat(PercentEncoding.isUtf8(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "%41",
                "caf%C3%A9",
                "%c3%a9",
                "%EF%BF%BD",
                "%F0%9F%98%80%E2%82%AC",
                "%00",
                "%25E9",
                "a%20%C3%A9+b",
                "%F4%8F%BF%BF",
                "%ED%9F%BF"
            })
    void bytesThatAreUtf8Are(String text) {
        assertThat(PercentEncoding.isUtf8(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%4", "%zz", "a%4", "%\u0664\u0661"})
    void anEscapeHasTwoDigits(String text) {
        assertThat(PercentEncoding.isWellFormed(text)).isFalse();
    }

    /** The bytes are random, but likely to be nearly right. */
    @Tag("slow")
    @Test
    void itAgreesWithTheDecoderOfTheJdk() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int[] likely = {
            0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5
        };
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = new byte[1 + random.nextInt(6)];
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < bytes.length; i++) {
                int next = random.nextInt(4) == 0 ? random.nextInt(256) : likely[random.nextInt(likely.length)];
                bytes[i] = (byte) next;
                boolean plain = next >= 'A' && next <= 'Z' && random.nextBoolean();
                text.append(plain ? Character.toString(next) : String.format("%%%02x", next));
            }
            assertThat(PercentEncoding.isUtf8(text.toString()))
                    .as("seed %d: %s", seed, text)
                    .isEqualTo(isUtf8(bytes));
        }
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .hasRemaining();
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
