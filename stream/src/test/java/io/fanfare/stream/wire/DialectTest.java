package io.fanfare.stream.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.model.Visibility;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every byte that goes out. */
class DialectTest {
    private static final LoggedEvent STATUS =
            logged(Event.Kind.STATUS, 42, "{\"id\":\"281474976710656\",\"content\":\"<p>Grüße 💬</p>\"}");
    private static final LoggedEvent DELETE =
            logged(Event.Kind.DELETE, 43, "{\"id\":\"281474976710656\",\"account_id\":\"8\",\"deleted\":true}");
    private static final LoggedEvent EDIT =
            logged(Event.Kind.EDIT, 47, "{\"id\":\"12\",\"content\":\"<p>better</p>\"}");
    private static final LoggedEvent FOLLOW =
            logged(Event.Kind.FOLLOW, 44, "{\"account_id\":\"8\",\"target_account_id\":\"12\"}");
    private static final LoggedEvent UNFOLLOW =
            logged(Event.Kind.UNFOLLOW, 45, "{\"account_id\":\"8\",\"target_account_id\":\"12\"}");
    private static final LoggedEvent NOTIFICATION =
            logged(Event.Kind.NOTIFICATION, 46, "{\"id\":\"7\",\"type\":\"follow\"}");
    private static final Hello HELLO =
            new Hello("firehose", "00ff00ff00ff00ff", "5f3a9c01", 41, 7, true, 40, /* beforeGap= */ false);

    @Test
    void nativeStreams() {
        assertThat(text(Dialect.NATIVE.greeting(HELLO)))
                .isEqualTo(
                        ":\nid: 5f3a9c01-39\nevent: hello\ndata: {\"stream\":\"firehose\",\"conn\":\"00ff00ff00ff00ff\",\"epoch\":\"5f3a9c01\",\"tip\":41,\"floor\":7,\"resumed\":true,\"from\":40}\n\n");
        assertThat(text(Dialect.LINES.greeting(HELLO)))
                .isEqualTo(
                        "{\"event\":\"hello\",\"id\":\"5f3a9c01-39\",\"data\":{\"stream\":\"firehose\",\"conn\":\"00ff00ff00ff00ff\",\"epoch\":\"5f3a9c01\",\"tip\":41,\"floor\":7,\"resumed\":true,\"from\":40}}\r\n");
        Hello beforeGap =
                new Hello("firehose", "00ff00ff00ff00ff", "5f3a9c01", 41, 7, false, 42, /* beforeGap= */ true);
        assertThat(text(Dialect.NATIVE.greeting(beforeGap))).startsWith(":\nevent: hello\n");
        assertThat(text(Dialect.LINES.greeting(beforeGap))).startsWith("{\"event\":\"hello\",\"data\":{");
        assertThat(text(Dialect.NATIVE.event(STATUS)))
                .isEqualTo(
                        "id: 5f3a9c01-42\nevent: status\ndata: {\"id\":\"281474976710656\",\"content\":\"<p>Grüße 💬</p>\"}\n\n");
        assertThat(text(Dialect.NATIVE.event(DELETE)))
                .isEqualTo(
                        "id: 5f3a9c01-43\nevent: delete\ndata: {\"id\":\"281474976710656\",\"account_id\":\"8\",\"deleted\":true}\n\n");
        assertThat(text(Dialect.NATIVE.event(FOLLOW)))
                .isEqualTo(
                        "id: 5f3a9c01-44\nevent: follow\ndata: {\"account_id\":\"8\",\"target_account_id\":\"12\"}\n\n");
        assertThat(text(Dialect.NATIVE.event(UNFOLLOW)))
                .isEqualTo(
                        "id: 5f3a9c01-45\nevent: unfollow\ndata: {\"account_id\":\"8\",\"target_account_id\":\"12\"}\n\n");
        assertThat(text(Dialect.NATIVE.heartbeat("5f3a9c01", 45))).isEqualTo("id: 5f3a9c01-45\n\n");
        assertThat(text(Dialect.NATIVE.finished("5f3a9c01", 45))).isEqualTo("id: 5f3a9c01-45-end\n\n");
        assertThat(text(Dialect.NATIVE.gap(new Gap(Gap.Reason.EXPIRED, 3, 6))))
                .isEqualTo("event: gap\ndata: {\"from\":3,\"to\":6,\"reason\":\"expired\",\"missed\":4}\n\n");
        assertThat(text(Dialect.NATIVE.gap(new Gap(Gap.Reason.EPOCH, 3, 0))))
                .isEqualTo("event: gap\ndata: {\"from\":3,\"to\":null,\"reason\":\"epoch\",\"missed\":null}\n\n");
        assertThat(text(Dialect.NATIVE.gap(new Gap(Gap.Reason.INVALID, 0, 0))))
                .isEqualTo("event: gap\ndata: {\"from\":null,\"to\":null,\"reason\":\"invalid\",\"missed\":null}\n\n");
        assertThat(text(Dialect.NATIVE.disconnect(Disconnect.SHUTDOWN, "firehose", 4211)))
                .isEqualTo(
                        "retry: 4211\nevent: disconnect\ndata: {\"code\":1,\"stream_name\":\"firehose\",\"reason\":\"shutdown\",\"message\":\"The server is going down: reconnect with your cursor.\"}\n\n");
    }

    @Test
    void mastodonStreams() {
        assertThat(text(Dialect.MASTODON.greeting(HELLO))).isEqualTo(":)\n");
        assertThat(text(Dialect.MASTODON.event(STATUS)))
                .isEqualTo("event: update\ndata: {\"id\":\"281474976710656\",\"content\":\"<p>Grüße 💬</p>\"}\n\n");
        assertThat(text(Dialect.MASTODON.event(DELETE))).isEqualTo("event: delete\ndata: 281474976710656\n\n");
        assertThat(Dialect.MASTODON.event(FOLLOW)).isNull();
        assertThat(Dialect.MASTODON.event(UNFOLLOW)).isNull();
        assertThat(text(Dialect.MASTODON.event(NOTIFICATION)))
                .isEqualTo("event: notification\ndata: {\"id\":\"7\",\"type\":\"follow\"}\n\n");
        assertThat(text(Dialect.MASTODON.heartbeat("5f3a9c01", 45))).isEqualTo(":thump\n");
        assertThat(Dialect.MASTODON.gap(new Gap(Gap.Reason.EXPIRED, 3, 6))).isNull();
        assertThat(Dialect.MASTODON.disconnect(Disconnect.SHUTDOWN, "user", 4211))
                .isNull();
    }

    @Test
    void dialectsWithALimitMessageReportSkippedEvents() {
        assertThat(text(Dialect.NATIVE.limit(1234, 1_795_251_986_123L)))
                .isEqualTo("event: limit\ndata: {\"track\":1234,\"timestamp_ms\":\"1795251986123\"}\n\n");
        assertThat(text(Dialect.LINES.limit(1, 2)))
                .isEqualTo("{\"event\":\"limit\",\"data\":{\"track\":1,\"timestamp_ms\":\"2\"}}\r\n");
        assertThat(text(Dialect.LENGTHS_AND_TWITTER.limit(1, 2)))
                .isEqualTo("42\r\n{\"limit\":{\"track\":1,\"timestamp_ms\":\"2\"}}\r\n");
        assertThat(Dialect.values())
                .filteredOn(dialect -> !dialect.sendsLimits())
                .containsExactly(Dialect.MASTODON, Dialect.MASTODON_SOCKET);
    }

    /** A cap counts what would have been told. */
    @Test
    void aDialectSendsTheKindsThatItHasNamesFor() {
        for (Dialect dialect : Dialect.values()) {
            for (LoggedEvent event : List.of(STATUS, EDIT, DELETE, FOLLOW, UNFOLLOW, NOTIFICATION)) {
                assertThat(dialect.sends(event.event().kind()))
                        .as("%s %s", dialect, event.event().kind())
                        .isEqualTo(dialect.event(event) != null);
            }
        }
    }

    @Test
    void noDialectHasAnEventThatIsInternal() {
        for (Dialect dialect : Dialect.values()) {
            for (Event.Kind kind : Event.Kind.values()) {
                if (kind.isInternal()) {
                    LoggedEvent event = new LoggedEvent("e", 1, 2, new Event(kind, 3, 4, 5, Visibility.PUBLIC, "{}"));
                    assertThat(dialect.sends(kind))
                            .as("%s of %s", kind, dialect)
                            .isFalse();
                    assertThat(dialect.event(event))
                            .as("%s of %s", kind, dialect)
                            .isNull();
                }
            }
        }
    }

    @Test
    void anEditIsTheStatusAsItIsNow() {
        String json = "{\"id\":\"12\",\"content\":\"<p>better</p>\"}";
        assertThat(text(Dialect.NATIVE.event(EDIT)))
                .isEqualTo("id: 5f3a9c01-47\nevent: status.update\ndata: " + json + "\n\n");
        assertThat(text(Dialect.LINES.event(EDIT)))
                .isEqualTo("{\"event\":\"status.update\",\"id\":\"5f3a9c01-47\",\"data\":" + json + "}\r\n");
        assertThat(text(Dialect.MASTODON.event(EDIT))).isEqualTo("event: status.update\ndata: " + json + "\n\n");
        assertThat(text(Dialect.MASTODON_SOCKET.event(EDIT)))
                .isEqualTo(",\"event\":\"status.update\",\"payload\":\"" + json.replace("\"", "\\\"") + "\"}\n");
        assertThat(Dialect.TWITTER.event(EDIT)).as("Twitter had no edits").isNull();
    }

    @Test
    void socketsAndTwittersLines() {
        assertThat(text(Dialect.MASTODON_SOCKET.event(NOTIFICATION)))
                .isEqualTo(
                        ",\"event\":\"notification\",\"payload\":\"{\\\"id\\\":\\\"7\\\",\\\"type\\\":\\\"follow\\\"}\"}\n");
        assertThat(Dialect.TWITTER.event(NOTIFICATION)).isNull();
    }

    private static LoggedEvent logged(Event.Kind kind, long seq, String body) {
        return new LoggedEvent(
                "5f3a9c01", seq, 1_795_251_986_123L, new Event(kind, 281474976710656L, 8, 12, Visibility.PUBLIC, body));
    }

    private static String text(Buffer bytes) {
        return bytes.toString();
    }
}
