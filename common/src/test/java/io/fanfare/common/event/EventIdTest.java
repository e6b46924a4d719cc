package io.fanfare.common.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.model.Visibility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventIdTest {
    private static final EventId ID = new EventId("5f3a9c01", 42);

    @Test
    void aWrittenIdIsParsedAgain() {
        assertThat(ID).hasToString("5f3a9c01-42");
        assertThat(EventId.parse("5f3a9c01-42")).contains(ID);
        assertThat(EventId.parse("5f3a9c01-0")).contains(new EventId("5f3a9c01", 0));
        assertThat(EventId.isEnd("5f3a9c01-42")).isFalse();
    }

    @Test
    void theLastOfAStreamIsTheSamePlace() {
        assertThat(ID.end()).isEqualTo("5f3a9c01-42-end");
        assertThat(EventId.parse(ID.end())).contains(ID);
        assertThat(EventId.isEnd(ID.end())).isTrue();
        assertThat(EventId.isEnd("-end")).isFalse();
    }

    @Test
    void aSeqAloneHasNoEpoch() {
        EventId bare = EventId.parse("77").orElseThrow();
        assertThat(bare).isEqualTo(new EventId("", 77)).hasToString("77");
        assertThat(bare.hasEpoch()).isFalse();
        assertThat(ID.hasEpoch()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-1",
                "5f3a9c01",
                "5f3a9c01-",
                "5F3A9C01-1",
                "5f3a9c0-1",
                "5f3a9c01-1-1",
                "5f3a9c01-1-end-end",
                "5f3a9c01-1234567890123456789",
                "5f3a9c01-\u0661"
            })
    void anythingElseIsNoId(String text) {
        assertThat(EventId.parse(text)).isEmpty();
    }

    @Test
    void anEventIsNamedByItsPlaceAndByItsKey() {
        Event event = new Event(Event.Kind.STATUS, 281474976710656L, 2, 0, Visibility.PUBLIC, "{}");
        assertThat(new LoggedEvent("5f3a9c01", 42, 0, event).eventId()).isEqualTo(ID);
        assertThat(new EventKey(event.kind(), event.subject()))
                .hasToString("s281474976710656")
                .hasToString(event.id());
    }
}
