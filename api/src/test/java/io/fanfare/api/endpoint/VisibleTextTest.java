package io.fanfare.api.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VisibleTextTest {
    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00AD, 0x034F, 0x061C, 0x115F, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C,
                0x202D, 0x202E, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0x2800, 0x3164, 0xD800, 0xE000, 0xFEFF, 0xFFA0,
                0xFFFF, 0xE0001, 0xE0041, 0xE0100
            })
    void charactersThatShowNothingOrReorderOthersAreRemoved(int character) {
        assertThat(VisibleText.of("Fan" + Character.toString(character) + "fare"))
                .isEqualTo("Fanfare");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Ice Cubes", "Ωmega & \"Söhne\" <b>", "Фанфара", "喇叭", "مزمار", "❤️ 🎺"})
    void readableTextIsKept(String name) {
        assertThat(VisibleText.of(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "'  a\u00a0\u3000 b ', 'a b'",
        "'a\n\r\tb', 'a b'",
        "'a\u2028b\u2029c\u0000d', 'a b c d'",
        "'\u202e \u200b', ''"
    })
    void runsOfWhiteSpaceAndControlsAreOneSpace(String text, String visible) {
        assertThat(VisibleText.of(text)).isEqualTo(visible);
    }

    @Test
    void itIsAtMostAsLongAndItsOwnResult() {
        String all = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        String visible = VisibleText.of(all);

        assertThat(visible.length()).isLessThan(all.length());
        assertThat(VisibleText.of(visible)).isEqualTo(visible);
    }
}
