package io.fanfare.app.operate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTest {
    @Test
    void nothingPrintedSteersATerminal() {
        assertThat(Terminal.printable("a\u001b[2Jb\u009b2Jc\u202ed\n\u007fe\u2028f\u2029"))
                .isEqualTo("a?[2Jb?2Jc?d??e?f?");
        assertThat(Terminal.printable("J\u00fcrgen \u4f60\u597d")).isEqualTo("J\u00fcrgen \u4f60\u597d");
    }
}
