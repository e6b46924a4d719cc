package io.fanfare.app.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.server.runtime.StartFailed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that are taken, before a backup and meanwhile. */
class BackupWriterTest {
    @TempDir
    Path dir;

    @Test
    void aFileThatComesByTheNameMeanwhileIsNotReplaced() throws IOException {
        Path file = dir.resolve("backup");
        try (BackupWriter writer = BackupWriter.create(file)) {
            Manifest.Part unused = writer.add("part", new ByteArrayInputStream(new byte[100]), true);
            Files.writeString(file, "mine");
            assertThatThrownBy(writer::finish)
                    .isInstanceOf(StartFailed.class)
                    .hasMessageContaining("is there already: choose another name");
        }
        assertThat(file).hasContent("mine");
        assertThat(dir).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void aCompleteFileHasOneName() throws IOException {
        Path file = dir.resolve("backup");
        try (BackupWriter writer = BackupWriter.create(file)) {
            writer.finish();
        }
        assertThat(file).isNotEmptyFile();
        assertThat(dir.toFile().list()).containsExactly("backup");
        assertThat(Files.getAttribute(file, "unix:nlink")).isEqualTo(1);
    }

    @Test
    void filesOfAKilledBackupAreNamed() throws IOException {
        Path file = dir.resolve("backup");
        Files.createFile(dir.resolve("backup.part"));
        assertThatThrownBy(() -> BackupWriter.create(file))
                .isInstanceOf(StartFailed.class)
                .hasMessageContaining(dir.resolve("backup.part") + " is there already")
                .hasMessageContaining(dir.resolve("backup.spool") + ", which has data that is not encrypted");
    }
}
