package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How the blocks of a watch follow each other, and when it ends. */
class WatchTest {
    @Test
    void blocksFollowEachOtherUntilThePauseEndsIt() {
        assertThat(shown(Watch.Style.BLOCKS, "a\nb", "c")).isEqualTo("a\nb\n\nc\n");
        assertThat(shown(Watch.Style.LINES, "{}", "{}")).isEqualTo("{}\n{}\n");
    }

    /** No line feed between, which would scroll a window of fewer rows; no line goes on in the next row. */
    @Test
    void onATerminalABlockTakesThePlaceOfTheOneBefore() {
        assertThat(shown(Watch.Style.REDRAWN, "longer\nb", "c"))
                .isEqualTo("\u001b[?7l\u001b[1;1H\u001b[2Klonger\u001b[2;1H\u001b[2Kb\u001b[J\u001b[?7h"
                        + "\u001b[?7l\u001b[1;1H\u001b[2Kc\u001b[J\u001b[?7h\n");
    }

    @Test
    void aTerminalThatCannotMoveItsCursorGetsOneBlockAfterTheOther() {
        assertThat(Watch.forPeople("xterm", true)).isEqualTo(Watch.Style.REDRAWN);
        assertThat(Watch.forPeople("xterm", false)).isEqualTo(Watch.Style.BLOCKS);
        assertThat(Watch.forPeople("dumb", true)).isEqualTo(Watch.Style.BLOCKS);
        assertThat(Watch.forPeople(null, true)).isEqualTo(Watch.Style.BLOCKS);
    }

    @Test
    void aWatchEndsWhenNobodyReads() {
        PrintStream closed = new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("Broken pipe");
                    }
                },
                true,
                StandardCharsets.UTF_8);
        AtomicInteger looks = new AtomicInteger();
        Watch.repeat(() -> "block " + looks.incrementAndGet(), closed, Watch.Style.BLOCKS, () -> {
            throw new AssertionError("waits for the next look");
        });
        assertThat(looks).hasValue(1);
    }

    private static String shown(Watch.Style style, String... blocks) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        AtomicInteger next = new AtomicInteger();
        Watch.repeat(
                () -> blocks[next.getAndIncrement()],
                new PrintStream(bytes, true, StandardCharsets.UTF_8),
                style,
                () -> next.get() == blocks.length);
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
