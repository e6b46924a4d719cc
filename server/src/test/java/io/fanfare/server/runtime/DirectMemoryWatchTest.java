package io.fanfare.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectMemoryWatchTest {
    private static final long WAIT_SECONDS = 60;

    @TempDir
    Path dir;

    @Test
    void aProcessWithoutDirectMemoryReportsItsWorkAndEndsAsOneWithAFullHeap() throws Exception {
        Process process = start("hold");
        assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).as(output()).isTrue();
        assertThat(process.exitValue()).isEqualTo(DirectMemoryWatch.STATUS);
        assertThat(output())
                .contains("no memory is left outside of the heap", "buffers direct: ")
                .contains("\"main\"", Holder.class.getName() + ".main")
                .contains("#instances");
    }

    @Test
    void aProcessThatIsShortOfItForAMomentGoesOn() throws Exception {
        Process process = start("release");
        assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).as(output()).isTrue();
        assertThat(process.exitValue()).as(output()).isZero();
    }

    private Process start(String what) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:MaxDirectMemorySize=16m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Holder.class.getName(),
                        what)
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("out").toFile())
                .start();
    }

    private String output() throws Exception {
        return Files.readString(dir.resolve("out"), StandardCharsets.UTF_8);
    }

    /** Takes all that there is, and keeps it or not. */
    static final class Holder {
        public static void main(String[] args) throws Exception {
            DirectMemoryWatch watch = DirectMemoryWatch.start();
            List<ByteBuffer> held = new ArrayList<>();
            try {
                while (held.size() < 100) {
                    held.add(ByteBuffer.allocateDirect(1 << 20));
                }
            } catch (OutOfMemoryError full) {
                System.out.println("holding " + held.size());
            }
            boolean briefly = args[0].equals("release");
            if (briefly) {
                held.clear();
            }
            boolean unused = new CountDownLatch(1).await(briefly ? 5 : WAIT_SECONDS, TimeUnit.SECONDS);
            System.out.println("held " + held.size());
            watch.close();
        }
    }
}
