package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder into which a service unpacks SQLite's library. */
@Tag("programs")
class SqliteLibraryPlaceTest {
    private static final Duration WAIT_MAX = Duration.ofMinutes(2);
    private static final Duration STOP_MAX = Duration.ofSeconds(30);

    @TempDir
    Path dir;

    @Test
    void aKilledServiceLeavesNoneInTheTemporaryFolderAndTheNextOneFindsItsFile() throws Exception {
        Path data = dir.resolve("data");
        Path temporary = Files.createDirectory(dir.resolve("tmp"));
        List<Path> unpacked;
        try (FanfareProcess up = up(data, temporary)) {
            unpacked = in(data.resolve("native"));
            assertThat(unpacked).hasSize(1);
            awaitLoaded(up, unpacked.get(0));
            up.kill();
        }
        assertThat(in(temporary)).noneMatch(file -> file.toString().contains("sqlite"));

        Path earlier = Files.createFile(data.resolve("native/of-an-earlier-version.so"));
        try (FanfareProcess up = up(data, temporary)) {
            assertThat(earlier).doesNotExist();
            assertThat(up.stop(STOP_MAX)).as(up.output()).isZero();
        }
        assertThat(in(data.resolve("native"))).isEqualTo(unpacked);
        assertThat(in(temporary)).noneMatch(file -> file.toString().contains("sqlite"));
    }

    private static FanfareProcess up(Path data, Path temporary) {
        FanfareProcess up = FanfareProcess.withJavaOption("-Djava.io.tmpdir=" + temporary, data, "up", "--port", "0");
        up.awaitOutput("Ctrl-C finishes what is under way");
        return up;
    }

    /** By the first start on new data, which builds the search index from the archive. */
    private static void awaitLoaded(FanfareProcess up, Path library) {
        Path maps = Path.of("/proc", Long.toString(up.handle().pid()), "maps");
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(Files.readString(maps))
                .contains(library.toString()));
    }

    private static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
