package io.fanfare.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
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
    void findsEveryStampOfACompressedStreamHoweverItIsCut() {
        List<Long> sent = new ArrayList<>();
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes(ascii("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"));
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, /* nowrap= */ true);
        for (long stamp = 1; stamp < 2_000_000_000_000_000_000L; stamp = stamp * 7 + 3) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 1 + stamp % 12; i++) {
                sent.add(stamp + i);
                text.append("id: 0badcafe-7\nevent: status\ndata: ")
                        .append(StampedEvent.body(stamp + i))
                        .append("\n\n");
            }
            byte[] block = new byte[1 << 16];
            deflater.reset();
            deflater.setInput(ascii(text.toString()));
            int length = deflater.deflate(block, 0, block.length, Deflater.SYNC_FLUSH);
            byte[] head = stamp == 1 ? new byte[10] : new byte[0];
            stream.writeBytes(ascii(Integer.toHexString(head.length + length) + "\r\n"));
            stream.writeBytes(head);
            stream.write(block, 0, length);
            stream.writeBytes(ascii("\r\n"));
        }
        deflater.end();
        byte[] bytes = stream.toByteArray();
        GzipStampReader.Unpacked unpacked = new GzipStampReader.Unpacked();
        for (int step : new int[] {1, 7, 600, 4096, bytes.length}) {
            stamps.clear();
            GzipStampReader reader = new GzipStampReader(unpacked);
            for (int at = 0; at < bytes.length; at += step) {
                reader.read(ByteBuffer.wrap(bytes, at, Math.min(step, bytes.length - at)), stamps::add);
            }
            assertThat(stamps).as("in pieces of %d bytes", step).isEqualTo(sent);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void aTextIsCompressedNoMoreThanRealOnesAre() {
        Deflater deflater = new Deflater();
        deflater.setInput(ascii(StampedEvent.body(System.nanoTime())));
        deflater.finish();
        assertThat(deflater.deflate(new byte[1 << 10]))
                .isBetween(StampedEvent.BYTES * 4 / 10, StampedEvent.BYTES * 7 / 10);
        deflater.end();
    }

    @Test
    void anEventHasTheGivenLength() {
        assertThat(StampedEvent.body(System.nanoTime()).getBytes(StandardCharsets.UTF_8))
                .hasSize(StampedEvent.BYTES);
    }
}
