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

        assertThat(unpacked(answer.toByteArray()).saved()).isEqualTo(2L * SIZE - packed.length);
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

        assertThat(unpacked(answers.toByteArray()).saved()).isEqualTo(2L * (SIZE - packed.size()));
        assertThat(unpacked(answers.toByteArray()).answers()).isEqualTo(3);
    }

    @Test
    void anAnswerWithoutCompressionOrWithoutItsBodySavesNothing() {
        assertThat(unpacked(text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"))
                        .saved())
                .isZero();
        assertThat(unpacked(text("HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\n\r\n"))
                        .saved())
                .isZero();
        assertThat(unpacked(text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\n"))
                        .saved())
                .isZero();
        assertThat(unpacked(new byte[0]).saved()).isZero();
    }

    @Test
    void anInterimAnswerIsNone() {
        byte[] answers = text("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");

        assertThat(unpacked(answers).answers()).isEqualTo(1);
    }

    @Test
    void theAnswersOfHeadsHaveNoBodyWhateverTheirLength() {
        byte[] answers = text("HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n".repeat(3));

        assertThat(Unpacked.of(answers, /* bodiless= */ true).answers()).isEqualTo(3);
    }

    private static Unpacked unpacked(byte[] answers) {
        return Unpacked.of(answers, /* bodiless= */ false);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
