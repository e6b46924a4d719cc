package io.fanfare.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.text.Normalizer2;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamSafeTextTest {
    private static final Normalizer2 NFKC_CASEFOLD = Normalizer2.getNFKCCasefoldInstance();
    private static final String PAIR = "\u0301\u0323";

    @Test
    void thirtyMarksInARowAreSafeAndOneMoreIsNot() {
        String thirty = "a" + PAIR.repeat(15);

        assertThat(StreamSafeText.isStreamSafe(thirty)).isTrue();
        assertThat(StreamSafeText.isStreamSafe(thirty + thirty)).isTrue();
        assertThat(StreamSafeText.isStreamSafe(thirty + "\u0301")).isFalse();
        assertThat(StreamSafeText.isStreamSafe(PAIR.repeat(16))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain words",
                "Tie\u0302\u0301ng Vie\u0323\u0302t vie\u0302\u0301t ra\u0306\u0300ng",
                "\u05d1\u05b0\u05bc\u05e8\u05b5\u05d0\u05e9\u05b4\u05c1\u0596\u05d9\u05ea \u05d1\u05bc\u05b8\u05e8\u05b8\u05a3\u05d0",
                "\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48\u0e21\u0e35\u0e19\u0e49\u0e33\u0e40\u0e22\u0e47\u0e19",
                "\u0f56\u0f66\u0f92\u0fb2\u0f74\u0f56\u0f66\u0f0b\u0f66\u0f90\u0fb1\u0f7a\u0f0b",
                "\u0915\u094d\u0937\u0924\u094d\u0930\u093f\u092f \u0928\u0941\u0915\u093c\u094d\u0924\u093e",
                "\u0627\u0644\u0633\u0651\u064e\u0644\u064e\u0627\u0645\u064f \u0639\u064e\u0644\u064e\u064a\u0652\u0643\u064f\u0645\u0652",
                "\uff76\uff9e\uff77\uff9e\uff78\uff9e\uff79\uff9e\uff7a\uff9e",
                "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67\u200d\ud83d\udc66 \ud83c\uddfa\ud83c\uddf8 \u270c\ud83c\udffd\ufe0f"
            })
    void naturalTextIsStreamSafe(String text) {
        assertThat(StreamSafeText.isStreamSafe(text)).isTrue();
        assertThat(StreamSafeText.isStreamSafe(text.repeat(50))).isTrue();
        assertThat(StreamSafeText.cut(text)).isSameAs(text);
    }

    @Test
    void cuttingKeepsTheFirstMarksOfEachRunAndAllElse() {
        String thirty = PAIR.repeat(15);

        assertThat(StreamSafeText.cut(
                        "x a" + thirty + "\u0301\u0323 b" + thirty + PAIR.repeat(100) + "\u200d\u0301 c\u0301"))
                .isEqualTo("x a" + thirty + " b" + thirty + " c\u0301");
    }

    @Test
    void charactersThatNormalisationRemovesEndNoRun() {
        assertThat(StreamSafeText.isStreamSafe("a" + "\u0301\u200d\u0323\u00ad".repeat(16)))
                .isFalse();
        assertThat(StreamSafeText.isStreamSafe("a" + "\u0301\u034f".repeat(31))).isFalse();
        assertThat(StreamSafeText.isStreamSafe("\uff76" + "\uff9e\u0301".repeat(16)))
                .isFalse();
    }

    /** A character whose mapping begins with a mark or is empty would join the marks around it. */
    @Test
    void noCharacterThatUnicodeMakesAMarkOfOrTakesAwayEndsARun() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            boolean alone = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
            String folded = alone ? "x" : NFKC_CASEFOLD.normalize(Character.toString(c));
            if (folded.isEmpty() || NFKC_CASEFOLD.getCombiningClass(folded.codePointAt(0)) > 0) {
                String text = "a" + PAIR.repeat(15) + Character.toString(c) + "\u0301";
                assertThat(StreamSafeText.isStreamSafe(text)).as("U+%04X", c).isFalse();
            }
        }
    }

    /** Old texts are only cut, so what they cost then matters. */
    @ParameterizedTest
    @ValueSource(strings = {"\u0301\u0323", "\u0301\u200d\u0323", "\u0301\u034f\u0323", "\uff9e\u0301", "\u0344\u0323"})
    void cutTextIsNormalisedInLinearTime(String unit) {
        String text = "a" + unit.repeat(1 << 16);
        assertThat(cpuMillis(text)).isLessThan(500);
    }

    private static long cpuMillis(String text) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertThat(NFKC_CASEFOLD.normalize(StreamSafeText.cut(text))).isNotEmpty();
        return TimeUnit.NANOSECONDS.toMillis(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
    }
}
