package io.fanfare.core.factor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TotpTest {
    private static final byte[] SECRET = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
    private static final long NOW = 1_111_111_109;

    /** RFC 6238, appendix B, whose codes have eight digits: the last six are those of a code of six. */
    @ParameterizedTest
    @CsvSource({
        "59,          287082",
        "1111111109,  081804",
        "1111111111,  050471",
        "1234567890,  005924",
        "2000000000,  279037",
        "20000000000, 353130"
    })
    void codesAreThoseOfTheRfc(long seconds, String code) {
        assertThat(Totp.code(SECRET, Totp.step(seconds))).isEqualTo(code);
    }

    @Test
    void aClockMayDifferByOneStepAndNoMore() {
        long step = Totp.step(NOW);

        for (long each = step - 3; each <= step + 3; each++) {
            assertThat(Totp.stepOf(SECRET, Totp.code(SECRET, each), NOW).isPresent())
                    .as("a code that is %d steps off", each - step)
                    .isEqualTo(Math.abs(each - step) <= 1);
        }
        assertThat(Totp.stepOf(SECRET, Totp.code(SECRET, step - 1), NOW)).hasValue(step - 1);
    }

    @ParameterizedTest
    @CsvSource({"''", "81804", "0081804", "abcdef", "\u0660\u0661\u0662\u0663\u0664\u0665"})
    void anotherTextIsNoCode(String text) {
        assertThat(Totp.stepOf(SECRET, text, NOW)).isEmpty();
    }

    /** RFC 4648, 10, without the padding. */
    @ParameterizedTest
    @CsvSource({"'', ''", "f, MY", "fo, MZXQ", "foo, MZXW6", "foob, MZXW6YQ", "fooba, MZXW6YTB", "foobar, MZXW6YTBOI"})
    void secretsAreWrittenInBase32(String text, String encoded) {
        assertThat(Base32.encode(text.getBytes(StandardCharsets.US_ASCII))).isEqualTo(encoded);
    }
}
