package io.fanfare.common.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.Visibility;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventCodecTest {
    private static final String BODY = "{\"id\":\"281474976710656\",\"content\":\"a|b 💬 \\n\"}";
    private static final Event STATUS =
            new Event(Event.Kind.STATUS, 281474976710656L, 281474976710600L, 0, Visibility.PUBLIC, BODY);

    @Test
    void tellsNoticesFromEvents() {
        String notice = "5f3a9c01|42|1795251986123|s1,d2";
        assertThat(EventCodec.isNotice(notice)).isTrue();
        assertThat(EventCodec.isNotice(EventCodec.encodeEntry(STATUS))).isFalse();
        assertThat(EventCodec.decodeNotice(notice))
                .isEqualTo(new EventCodec.Notice("5f3a9c01", 42, 1795251986123L, List.of("s1", "d2")));
    }

    @Test
    void writesWhatTheScriptKeeps() {
        assertThat(EventCodec.encodeEntry(STATUS)).isEqualTo("s|281474976710656|281474976710600|0|public|" + BODY);
        assertThat(EventCodec.decodeEntry(EventCodec.encodeEntry(STATUS))).isEqualTo(STATUS);
    }

    @Test
    void readsEveryKindAndVisibility() {
        for (Event.Kind kind : Event.Kind.values()) {
            for (Visibility visibility : Visibility.values()) {
                Event event = new Event(kind, (1L << 53) - 1, 2, 3, visibility, "{}");
                assertThat(EventCodec.decodeEntry(EventCodec.encodeEntry(event)))
                        .isEqualTo(event);
            }
        }
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
        assertThatThrownBy(() -> EventCodec.decodeEntry(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of " + line.length())
                .hasMessageNotContaining("{}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5f3a9c01", "5f3a9c01|42", "5f3a9c01|42|", "5f3a9c01|42|1", "5f3a9c01|forty|1|s1"})
    void refusesWhatIsNoNotice(String line) {
        assertThatThrownBy(() -> EventCodec.decodeNotice(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of " + line.length());
    }
}
