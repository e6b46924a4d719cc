package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replay beside {@code up}, each in a process of its own. */
@Tag("programs")
class ReplayOfUpTest {
    /** A post may leave a home of 40 before it was seen there; it is looked for no longer than 30 s. */
    private static final Duration REPLAY_MAX = Duration.ofMinutes(2);

    @TempDir
    Path dir;

    @Test
    void aReplayHasTheKeyAndTheSettingsOfTheServiceWhoseDataItIsGiven() throws Exception {
        Path data = dir.resolve("data");
        String key = "a signing key of the \"operator\", long enough";
        try (FanfareProcess up = FanfareProcess.up(
                data,
                "--set",
                "auth.signing-key=" + key,
                "--set",
                "feeds.home-max=40",
                "--set",
                "feeds.home-slack=10")) {
            Path graph = Files.writeString(dir.resolve("graph"), "1 2\n2 3\n3 1\n");
            try (FanfareProcess replay = ReplayProcess.start(dir, graph, "--data=" + data, "--posts=700", "--seed=1")) {
                assertThat(replay.awaitExit(REPLAY_MAX)).as(replay.output()).isZero();
                assertThat(replay.output()).contains("differences 0");
            }
            assertThat(up.output()).doesNotContain(key);
        }
    }
}
