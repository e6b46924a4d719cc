package io.fanfare.app.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SseParserTest {
    private final List<String> events = new ArrayList<>();
    private final SseParser parser = new SseParser((id, name, data) -> events.add(id + "|" + name + "|" + data));

    @ParameterizedTest(name = "in pieces of {0} bytes")
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void readsEventsHoweverTheirBytesAreCut(int size) {
        byte[] bytes =
                "event: hello\ndata: {}\n\n:\n\nid: e-1\nevent: status\ndata: 喇叭\n\nid: e-2\r\ndata:a\r\ndata: b\r\n\r\n"
                        .getBytes(StandardCharsets.UTF_8);
        for (int from = 0; from < bytes.length; from += size) {
            parser.handle(Buffer.buffer(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + size))));
        }
        assertThat(events).containsExactly("|hello|{}", "e-1|status|喇叭", "e-2|message|a\nb");
    }

    @Test
    void remembersAnIdThatComesWithoutData() {
        parser.handle(Buffer.buffer("id: e-9\n\n"));
        assertThat(events).isEmpty();
        assertThat(parser.id()).isEqualTo("e-9");
    }

    @Test
    void dropsAnEventThatIsCutOff() {
        parser.handle(Buffer.buffer("id: e-1\ndata: half"));
        assertThat(events).isEmpty();
    }

    @Test
    void anEventThatIsCutOffDoesNotCountAsSeen() {
        parser.handle(Buffer.buffer("id: e-1\ndata: whole\n\nid: e-2\ndata: ha"));
        assertThat(parser.id()).isEqualTo("e-1");
    }

    @Test
    void theParserReportsRetryTimesAndPositions() {
        List<String> received = new ArrayList<>();
        SseParser attentive = new SseParser(new SseParser.Listener() {
            @Override
            public void event(String id, String name, String data) {
                received.add(name);
            }

            @Override
            public void moved(String id) {
                received.add(id);
            }

            @Override
            public void retry(long millis) {
                received.add("retry " + millis);
            }
        });
        attentive.handle(Buffer.buffer("id: e-9\n\nretry: 1500\nevent: disconnect\ndata: {}\n\nretry: soon\n\n"));
        assertThat(received).containsExactly("e-9", "retry 1500", "disconnect");
    }
}
