package io.fanfare.common.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.Visibility;
import org.junit.jupiter.api.Test;

class PublishedEventsTest {
    private static final String NOTICE = "5f3a9c01|42|1795251986123|s1,s3";

    private final PublishedEvents published = new PublishedEvents();

    @Test
    void eventsAreNumberedFromTheirNoticeOn() {
        assertThat(published.hear(NOTICE)).isEmpty();
        assertThat(published.hear("s|1|2|0|public|{}")).contains(logged(42, 1));
        assertThat(published.hear("s|3|2|0|public|{}")).contains(logged(43, 3));
        assertThat(published.hear("5f3a9c01|50|1795251986123|s4")).isEmpty();
        assertThat(published.hear("s|4|2|0|public|{}")).contains(logged(50, 4));
    }

    @Test
    void anUnreadableEventKeepsItsNumber() {
        assertThat(published.hear(NOTICE)).isEmpty();
        assertThatThrownBy(() -> published.hear("x|1")).isInstanceOf(IllegalArgumentException.class);
        assertThat(published.hear("s|3|2|0|public|{}")).contains(logged(43, 3));
    }

    @Test
    void anEventWithoutItsNoticeHasNoNumber() {
        assertThatThrownBy(() -> published.hear("s|1|2|0|public|{}")).isInstanceOf(IllegalArgumentException.class);

        assertThat(published.hear(NOTICE)).isEmpty();
        published.begin();
        assertThatThrownBy(() -> published.hear("s|1|2|0|public|{}")).isInstanceOf(IllegalArgumentException.class);

        assertThat(published.hear(NOTICE)).isEmpty();
        assertThatThrownBy(() -> published.hear("5f3a9c01|x|1|s1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> published.hear("s|1|2|0|public|{}")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noEventGetsTheNumberOfOneThatWasLost() {
        assertThat(published.hear(NOTICE)).isEmpty();
        assertThatThrownBy(() -> published.hear("s|3|2|0|public|{}")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> published.hear("s|1|2|0|public|{}")).isInstanceOf(IllegalArgumentException.class);
        assertThat(published.hear("5f3a9c01|50|1795251986123|s4")).isEmpty();
        assertThat(published.hear("s|4|2|0|public|{}")).contains(logged(50, 4));
        assertThatThrownBy(() -> published.hear("s|5|2|0|public|{}")).isInstanceOf(IllegalArgumentException.class);
    }

    private static LoggedEvent logged(long seq, long status) {
        Event event = new Event(Event.Kind.STATUS, status, 2, 0, Visibility.PUBLIC, "{}");
        return new LoggedEvent("5f3a9c01", seq, 1795251986123L, event);
    }
}
