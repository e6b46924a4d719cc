package io.fanfare.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StampReaderTest {
    private final List<Long> stamps = new ArrayList<>();

    @Test
    void findsEveryStampHoweverTheStreamIsCut() {
        StringBuilder stream = new StringBuilder("HTTP/1.1 200 OK\r\n\r\n4\r\n:\n\n\n\r\n");
        List<Long> sent = new ArrayList<>();
        for (long stamp = 1; stamp < 2_000_000_000_000_000_000L; stamp = stamp * 7 + 3) {
            sent.add(stamp);
            stream.append("290\r\nid: 0badcafe-7\nevent: status\ndata: ")
                    .append(StampedEvent.body(stamp))
                    .append("\n\n\r\n");
        }
        byte[] bytes = stream.toString().getBytes(StandardCharsets.US_ASCII);
        for (int step : new int[] {1, 7, 600, 4096, bytes.length}) {
            stamps.clear();
            StampReader reader = new StampReader();
            for (int at = 0; at < bytes.length; at += step) {
                reader.read(ByteBuffer.wrap(bytes, at, Math.min(step, bytes.length - at)), stamps::add);
            }
            assertThat(stamps).as("in pieces of %d bytes", step).isEqualTo(sent);
        }
    }

    @Test
    void anEventHasTheGivenLength() {
        assertThat(StampedEvent.body(System.nanoTime()).getBytes(StandardCharsets.UTF_8))
                .hasSize(StampedEvent.BYTES);
    }
}
