package io.fanfare.common.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.Visibility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventCodecTest {
    private static final String BODY = "{\"id\":\"281474976710656\",\"content\":\"a|b 💬 \\n\"}";
    private static final Event STATUS =
            new Event(Event.Kind.STATUS, 281474976710656L, 281474976710600L, 0, Visibility.PUBLIC, BODY);

    @Test
    void noticesAreDistinguishedFromEvents() {
        String notice = "5f3a9c01|42|1795251986123|2|d2";
        assertThat(EventCodec.isNotice(notice)).isTrue();
        assertThat(EventCodec.isNotice(encode(STATUS))).isFalse();
        assertThat(EventCodec.isNotice("\n\n\n\n\n\n\n" + encode(STATUS))).isFalse();
        assertThat(EventCodec.decodeNotice(notice))
                .isEqualTo(new EventCodec.Notice("5f3a9c01", 42, 1795251986123L, 2, "d2"));
    }

    @Test
    void writesWhatTheScriptKeeps() {
        assertThat(encode(STATUS)).isEqualTo("s|281474976710656|281474976710600|0|public|" + BODY);
        assertThat(EventCodec.decode(encode(STATUS))).isEqualTo(STATUS);
    }

    @Test
    void readsEveryKindAndVisibility() {
        for (Event.Kind kind : Event.Kind.values()) {
            for (Visibility visibility : Visibility.values()) {
                Event event = new Event(kind, (1L << 53) - 1, 2, 3, visibility, "{}");
                assertThat(EventCodec.decode(encode(event))).isEqualTo(event);
            }
        }
    }

    @Test
    void aBatchIsALineForEachEventAndAnEmptyOneForWhatWasTakenOut() {
        assertThat(EventCodec.lines("")).containsExactly("");
        assertThat(EventCodec.lines("\na\n")).containsExactly("", "a", "");
    }

    @Test
    void aLineIsNotLongerThanIsReckonedWith() {
        long widest = Long.MIN_VALUE;
        Event event = new Event(Event.Kind.STATUS, widest, widest, widest, Visibility.UNLISTED, "match", BODY);
        assertThat(encode(event).length()).isLessThanOrEqualTo(EventCodec.charsMax(event));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s",
                "s|1|2|0|public",
                "x|1|2|0|public|{}",
                "|1|2|0|public|{}",
                "s|1|2|0|secret|{}",
                "s|forty|2|0|public|{}",
                "s|99999999999999999999|2|0|public|{}"
            })
    void refusesWhatIsNoEventWithoutRepeatingIt(String line) {
        assertThatThrownBy(() -> EventCodec.decode(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of " + line.length())
                .hasMessageNotContaining("{}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5f3a9c01", "5f3a9c01|42", "5f3a9c01|42|", "5f3a9c01|42|1|s1", "5f3a9c01|42|1|two|s1"})
    void refusesWhatIsNoNotice(String line) {
        assertThatThrownBy(() -> EventCodec.decodeNotice(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of " + line.length());
    }

    private static String encode(Event event) {
        StringBuilder line = new StringBuilder();
        EventCodec.encode(line, event);
        return line.toString();
    }
}
