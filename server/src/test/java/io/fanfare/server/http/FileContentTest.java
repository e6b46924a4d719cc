package io.fanfare.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FileContentTest {
    /** Files and boundaries of the bytes that delimiters are of, in pieces of any length. */
    @Test
    void aFileEndsAtTheFirstLineThatBeginsWithTheBoundary() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String boundary = "-b".repeat(1 + random.nextInt(2)).substring(random.nextInt(2));
            StringBuilder text = new StringBuilder();
            for (int chars = random.nextInt(40); chars > 0; chars--) {
                text.append("\r\n--b".charAt(random.nextInt(5)));
            }
            String body = text.toString();
            int line = body.indexOf("\n--" + boundary);
            int end = line > 0 && body.charAt(line - 1) == '\r' ? line - 1 : line;

            FileContent content = new FileContent(boundary);
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
            int found = -1;
            for (int from = 0; from < bytes.length && found < 0; ) {
                int to = Math.min(bytes.length, from + 1 + random.nextInt(8));
                found = content.read(bytes, from, to, file);
                from = to;
            }

            String as = "seed " + seed + ", " + boundary + ", " + Arrays.toString(bytes);
            if (line < 0) {
                assertThat(found).as(as).isEqualTo(-1);
                assertThat(body).as(as).startsWith(file.toString(StandardCharsets.US_ASCII));
                assertThat(body.length() - file.size()).as(as).isLessThan(("\r\n--" + boundary).length());
            } else {
                assertThat(found).as(as).isEqualTo(line + 3 + boundary.length());
                assertThat(file.toString(StandardCharsets.US_ASCII)).as(as).isEqualTo(body.substring(0, end));
            }
        }
    }

    /** In Netty's decoder a file of dashes costs forty times as much as one of other bytes. */
    @Tag("slow")
    @Test
    void lineEndsAndDashesCostAboutAsMuchAsOtherBytes() {
        String boundary = "-".repeat(69) + "b";
        long plain = cost(boundary, "abcdefgh\n");
        for (String hostile : new String[] {"\r\n", "\n", "\r", "-", "\r\n--" + "-".repeat(69)}) {
            assertThat(cost(boundary, hostile)).as(hostile).isLessThan(10 * plain);
        }
    }

    /** Processor time, nanoseconds; the best of some. */
    private static long cost(String boundary, String content) {
        byte[] bytes = content.repeat(8192 / content.length()).getBytes(StandardCharsets.US_ASCII);
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            FileContent scanned = new FileContent(boundary);
            for (int block = 0; block < 256; block++) {
                ByteArrayOutputStream file = new ByteArrayOutputStream(2 * bytes.length);
                assertThat(scanned.read(bytes, 0, bytes.length, file)).isEqualTo(-1);
            }
            best = Math.min(best, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun);
        }
        return best;
    }
}
