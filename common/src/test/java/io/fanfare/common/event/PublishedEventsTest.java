package io.fanfare.common.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.Visibility;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedEventsTest {
    private static final String NOTICE = "5f3a9c01|42|1795251986123|2|s3";
    private static final String BATCH = "s|1|2|0|public|{}\ns|3|2|0|public|{}";

    private final PublishedEvents published = new PublishedEvents();

    @Test
    void eventsAreNumberedFromTheirNoticeOn() {
        assertThat(published.receive(NOTICE)).isEmpty();
        assertThat(published.receive(BATCH)).containsExactly(logged(42, 1), logged(43, 3));
        assertThat(published.receive("5f3a9c01|50|1795251986123|1|s4")).isEmpty();
        assertThat(published.receive("s|4|2|0|public|{}")).containsExactly(logged(50, 4));
    }

    @Test
    void anEventThatWasRemovedAtOnceKeepsItsNumber() {
        assertThat(published.receive("5f3a9c01|42|1795251986123|3|s4")).isEmpty();
        assertThat(published.receive("\ns|4|2|0|public|{}\n")).containsExactly(logged(43, 4));
    }

    /** During an upgrade newer processes append what older ones do not know. */
    @Test
    void aKindThatIsNotKnownIsLeftOut() {
        assertThat(published.receive("5f3a9c01|42|1795251986123|3|x5")).isEmpty();
        assertThat(published.receive("x|1|\ns|3|2|0|public|{}\nx|5|what|ever")).containsExactly(logged(43, 3));
        assertThat(published.receive("5f3a9c01|45|1795251986123|1|x6")).isEmpty();
        assertThat(published.receive("x|6|2|0|public|{}")).isEmpty();
        assertThat(published.receive("5f3a9c01|46|1795251986123|1|s7")).isEmpty();
        assertThat(published.receive("s|7|2|0|public|{}")).containsExactly(logged(46, 7));
    }

    @Test
    void anUnreadableBatchIsRefusedAndTheNextIsReadAgain() {
        for (String unreadable : List.of("x|1\ns|3|2|0|public|{}", "s|1|2|0|public|{}\n", "\n", "")) {
            assertThat(published.receive(NOTICE)).isEmpty();
            assertThatThrownBy(() -> published.receive(unreadable)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(published.receive(NOTICE)).isEmpty();
        assertThat(published.receive(BATCH)).hasSize(2);
    }

    @Test
    void eventsWithoutTheirNoticeHaveNoNumber() {
        assertThatThrownBy(() -> published.receive(BATCH)).isInstanceOf(IllegalArgumentException.class);

        assertThat(published.receive(NOTICE)).isEmpty();
        published.begin();
        assertThatThrownBy(() -> published.receive(BATCH)).isInstanceOf(IllegalArgumentException.class);

        assertThat(published.receive(NOTICE)).isEmpty();
        assertThatThrownBy(() -> published.receive("5f3a9c01|x|1|2|s3")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> published.receive(BATCH)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noEventGetsTheNumberOfOneThatWasLost() {
        for (String other :
                List.of("s|1|2|0|public|{}", BATCH + "\n" + BATCH, "s|1|2|0|public|{}\ns|4|2|0|public|{}")) {
            assertThat(published.receive(NOTICE)).isEmpty();
            assertThatThrownBy(() -> published.receive(other)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> published.receive(BATCH)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(published.receive("5f3a9c01|50|1795251986123|1|s4")).isEmpty();
        assertThat(published.receive("s|4|2|0|public|{}")).containsExactly(logged(50, 4));
    }

    private static LoggedEvent logged(long seq, long status) {
        Event event = new Event(Event.Kind.STATUS, status, 2, 0, Visibility.PUBLIC, "{}");
        return new LoggedEvent("5f3a9c01", seq, 1795251986123L, event);
    }
}
