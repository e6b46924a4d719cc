package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InvocationTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "./fanfare, ./fanfare",
                "/srv/my data, '/srv/my data'",
                "it's, 'it'\\''s'",
                "$HOME, '$HOME'",
            })
    void wordsStayOneWordInAShell(String argument, String pasted) {
        assertThat(Invocation.quoted(argument)).isEqualTo(pasted);
    }
}
