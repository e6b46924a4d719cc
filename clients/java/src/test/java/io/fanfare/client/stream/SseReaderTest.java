package io.fanfare.client.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.client.error.ProtocolException;
import io.fanfare.client.stream.SseReader.Frame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SseReaderTest {
    private final SseReader reader = new SseReader(1000);

    @ParameterizedTest(name = "in pieces of {0} bytes")
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void framesAreReadHoweverTheirBytesAreCut(int size) {
        byte[] bytes =
                "event: hello\ndata: {}\n\n:\n\nid: e-1\nevent: status\ndata: 喇叭\n\nid: e-2\r\ndata:a\r\ndata: b\r\n\r\nid: e-3\rdata: c\r\r"
                        .getBytes(StandardCharsets.UTF_8);
        List<Frame> frames = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += size) {
            frames.addAll(
                    reader.read(ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + size)))));
        }
        assertThat(frames)
                .containsExactly(
                        new Frame("", "hello", "{}"),
                        new Frame("e-1", "status", "喇叭"),
                        new Frame("e-2", "message", "a\nb"),
                        new Frame("e-3", "message", "c"));
    }

    @Test
    void anIdWithoutDataIsAFrameAndOneThatIsCutOffIsNone() {
        assertThat(read("id: e-9\n\nid: e-10\ndata: half")).containsExactly(new Frame("e-9", "message", ""));
    }

    @Test
    void anIdIsOfItsOwnFrameOnly() {
        assertThat(read("id: e-9\ndata: a\n\ndata: b\n\n"))
                .containsExactly(new Frame("e-9", "message", "a"), new Frame("", "message", "b"));
    }

    @Test
    void theNewestRetryTimeIsKeptAndAnUnreadableOneIsIgnored() {
        assertThat(read("retry: 1500\nevent: disconnect\ndata: {}\n\nretry: soon\n\n"))
                .hasSize(1);
        assertThat(reader.retryMillis()).isEqualTo(1500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"data: ", ":", "unknown: ", ""})
    void aLineWithoutEndIsRefusedAtTheLimit(String field) {
        assertThatThrownBy(() -> read(field + "x".repeat(2000)))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("the server sent an event of more than 1000 bytes");
    }

    @Test
    void manyLinesOfOneFrameAreRefusedAtTheLimit() {
        assertThatThrownBy(() -> read("data: x\n".repeat(1000))).isInstanceOf(ProtocolException.class);
    }

    @Test
    void commentsWithoutEndNeedNoRoom() {
        assertThat(read(":\n".repeat(10_000) + "data: x\n\n")).hasSize(1);
    }

    private List<Frame> read(String text) {
        return reader.read(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
}
