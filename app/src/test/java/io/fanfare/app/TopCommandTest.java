package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code fanfare top} beside a process as it runs, and without one. */
@Timeout(120)
class TopCommandTest {
    @TempDir
    Path dir;

    @Test
    @Tag("programs")
    void oneLookShowsQueueWorkersStreamsAndRedis() throws Exception {
        Path data = dir.resolve("data");
        try (FanfareProcess up = FanfareProcess.up(data)) {
            Client alice = Client.signUp(up.runtime().httpUrl(), "alice");
            assertThat(alice.post(up.runtime().httpUrl(), "heard")).isNotEmpty();
            CommandRun top = CommandRun.of(List.of("top", "--once", "--data", data.toString()));
            assertThat(top.status()).as(top.err()).isZero();
            assertThat(top.out())
                    .contains("fanfare top", "queue    waiting", "jobs/s   enqueued", "WORKER", "streams  open 0")
                    .containsPattern("(Redis|Valkey) \\d+\\.\\d+.* [\\d.]+ MB .*redis\\.sock");
        }
    }

    @Test
    void withoutAServiceItSaysWhatToName() throws Exception {
        CommandRun top = CommandRun.of(
                List.of("top", "--once", "--data", dir.resolve("none").toString()));
        assertThat(top.status()).isNotZero();
        assertThat(top.err()).contains("--data");
    }

    @Test
    void aPauseOutOfItsRangeIsRefused() throws Exception {
        CommandRun top = CommandRun.of(List.of("top", "--every", "61"));
        assertThat(top.status()).isEqualTo(2);
        assertThat(top.err()).contains("--every must be 1 to 60");
    }
}
