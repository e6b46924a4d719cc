package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archive that an operator exports for a user. */
@Timeout(300)
class ExportCommandTest {
    private static final int POSTS = 90;

    @TempDir
    Path dir;

    @Test
    void anAccountIsWrittenToAFileWithWhatTheArchiveHas() throws Exception {
        Path data = dir.resolve("data");
        try (FanfareProcess up =
                FanfareProcess.up(data, "--set", "limits.enabled=false", "--set", "archive.profile-max=20")) {
            String url = up.runtime().httpUrl();
            Client ann = Client.signUp(url, "ann");
            Client bob = Client.signUp(url, "bob");
            bob.follow(url, ann);
            List<String> posts = new ArrayList<>();
            for (int i = 0; i < POSTS; i++) {
                posts.add(0, ann.post(url, "post " + i));
            }
            Awaitility.await()
                    .until(() -> run(data, 0, "admin", "archive", "stats").contains("" + (POSTS - 20)));
            Path file = dir.resolve("ann.zip");

            assertThat(run(data, 0, "admin", "accounts", "export", "@ann", "--to", file.toString()))
                    .contains("ann.zip has all of it");
            try (ZipFile zip = new ZipFile(file.toFile())) {
                String lines = new String(
                        zip.getInputStream(zip.getEntry("statuses.jsonl")).readAllBytes(), StandardCharsets.UTF_8);
                assertThat(lines.lines().map(line -> line.replaceFirst(".*?\"id\":\"(\\d+)\".*", "$1")))
                        .isEqualTo(posts);
                assertThat(new String(
                                zip.getInputStream(zip.getEntry("followers.csv"))
                                        .readAllBytes(),
                                StandardCharsets.UTF_8))
                        .startsWith("bob@");
            }
            assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
            assertThat(dir.resolve("ann.zip.part")).doesNotExist();
            long bytes = Files.size(file);
            assertThat(run(data, 1, "admin", "accounts", "export", "@ann", "--to", file.toString()))
                    .contains("is there already");
            assertThat(Files.size(file)).isEqualTo(bytes);
            assertThat(run(
                            data,
                            1,
                            "admin",
                            "accounts",
                            "export",
                            "nobody_there",
                            "--to",
                            dir.resolve("x").toString()))
                    .contains("no account has the name");
            assertThat(dir.resolve("x")).doesNotExist();
        }
    }

    private static String run(Path data, int status, String... command) {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of("--data", data.toString()));
        CommandRun run = CommandRun.of(line);
        assertThat(run.status()).as(run.err() + run.out()).isEqualTo(status);
        return run.out() + run.err();
    }
}
