package io.fanfare.app.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

class UnpackedTest {
    private static final int SIZE = 100_000;

    @Test
    void anArchiveInChunksCountsAsItsEntries() throws IOException {
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        try (ZipOutputStream entries = new ZipOutputStream(zip)) {
            for (String name : new String[] {"a", "b"}) {
                entries.putNextEntry(new ZipEntry(name));
                entries.write(new byte[SIZE]);
            }
        }
        byte[] packed = zip.toByteArray();
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        answer.writeBytes(
                text("HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\nTransfer-Encoding: chunked\r\n\r\n"));
        for (int i = 0; i < packed.length; i += 100) {
            byte[] chunk = Arrays.copyOfRange(packed, i, Math.min(packed.length, i + 100));
            answer.writeBytes(text(Integer.toHexString(chunk.length) + "\r\n"));
            answer.writeBytes(chunk);
            answer.writeBytes(text("\r\n"));
        }
        answer.writeBytes(text("0\r\n\r\n"));

        assertThat(Unpacked.saved(answer.toByteArray())).isEqualTo(2L * SIZE - packed.length);
    }

    @Test
    void everyAnswerOfAPipelineCounts() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(new byte[SIZE]);
        }
        ByteArrayOutputStream answers = new ByteArrayOutputStream();
        answers.writeBytes(text("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\n\r\n\r\n"));
        for (int i = 0; i < 2; i++) {
            answers.writeBytes(
                    text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + packed.size() + "\r\n\r\n"));
            answers.writeBytes(packed.toByteArray());
        }

        assertThat(Unpacked.saved(answers.toByteArray())).isEqualTo(2L * (SIZE - packed.size()));
    }

    @Test
    void anAnswerWithoutCompressionOrWithoutItsBodySavesNothing() {
        assertThat(Unpacked.saved(text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")))
                .isZero();
        assertThat(Unpacked.saved(text("HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\n\r\n")))
                .isZero();
        assertThat(Unpacked.saved(text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\n")))
                .isZero();
        assertThat(Unpacked.saved(new byte[0])).isZero();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
