package io.fanfare.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ControlCharactersTest {
    @Test
    void aRunOfControlCharactersAndLineEndsBecomesOneSpace() {
        assertThat(ControlCharacters.oneLine("\ta\r\n\u0085b\u2028\u2029c\u0000d\u007fe\n"))
                .isEqualTo("a b c d e");
    }

    @Test
    void lineFeedsStayInTextsOfSeveralLines() {
        assertThat(ControlCharacters.lines("a\r\nb\t\u0001c\nd\r")).isEqualTo("a \nb c\nd");
    }

    @Test
    void spacesAndControlCharactersTogetherBecomeOneSpace() {
        assertThat(ControlCharacters.collapsed(" a \t\r\n b  c")).isEqualTo("a b c");
    }

    @Test
    void allOtherCharactersStay() {
        String text = "two  spaces, \u00e9 \u4e00 \ud83d\ude00";

        assertThat(ControlCharacters.oneLine(text)).isEqualTo(text);
        assertThat(ControlCharacters.lines(text)).isEqualTo(text);
    }

    @Test
    void aTextOfLineBreaksAllocatesLittleMoreThanItsLength() {
        String breaks = "\r\n".repeat(30_000);
        String alternating = "a\r".repeat(30_000);

        assertThat(allocated(ControlCharacters::lines, breaks)).isLessThan(8L * breaks.length());
        assertThat(allocated(ControlCharacters::oneLine, alternating)).isLessThan(8L * alternating.length());
        assertThat(allocated(ControlCharacters::collapsed, alternating)).isLessThan(8L * alternating.length());
    }

    private static long allocated(UnaryOperator<String> replacement, String text) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        String warm = replacement.apply("a");
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        String replaced = replacement.apply(text);
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertThat(replaced.length()).isLessThanOrEqualTo(text.length());
        assertThat(warm).isEqualTo("a");
        return allocated;
    }
}
