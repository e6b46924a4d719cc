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
    private static final String LINE = "5f3a9c01|42|1795251986123|s|281474976710656|281474976710600|0|public|" + BODY;

    @Test
    void readsWhatTheScriptPublishes() {
        assertThat(EventCodec.decode(LINE)).isEqualTo(new LoggedEvent("5f3a9c01", 42, 1795251986123L, STATUS));
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
                "5f3a9c01",
                "5f3a9c01|42|1|s|1|2|0|public",
                "5f3a9c01|42|1|x|1|2|0|public|{}",
                "5f3a9c01|42|1||1|2|0|public|{}",
                "5f3a9c01|42|1|s|1|2|0|secret|{}",
                "5f3a9c01|forty|1|s|1|2|0|public|{}",
                "5f3a9c01|42|1|s|99999999999999999999|2|0|public|{}"
            })
    void refusesWhatIsNoEventWithoutRepeatingIt(String line) {
        assertThatThrownBy(() -> EventCodec.decode(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of " + line.length())
                .hasMessageNotContaining("{}");
    }
}
