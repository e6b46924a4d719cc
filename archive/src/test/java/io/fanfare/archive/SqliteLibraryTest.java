package io.fanfare.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLibraryTest {
    private static final byte[] OURS = "the library of this version".getBytes(StandardCharsets.UTF_8);
    private static final byte[] OTHER = "that of another version".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path dir;

    @Test
    void theDriverHasALibraryForThisMachine() throws Exception {
        assertThat(SqliteLibrary.library()).hasSizeGreaterThan(100_000);
    }

    @Test
    void itIsUnpackedOnceForItsOwnerOnly() throws Exception {
        Path folder = dir.resolve("native");

        Path file = SqliteLibrary.make(folder, OURS, /* alone= */ false);
        Object first = Files.readAttributes(file, "unix:ino").get("ino");

        assertThat(SqliteLibrary.make(folder, OURS, /* alone= */ false)).isEqualTo(file);
        assertThat(file).hasBinaryContent(OURS);
        assertThat(Files.readAttributes(file, "unix:ino").get("ino")).isEqualTo(first);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
    }

    @Test
    void aFileThatIsNotWholeIsReplaced() throws Exception {
        Path file = SqliteLibrary.make(dir, OURS, /* alone= */ false);
        Files.write(file, new byte[3]);

        assertThat(SqliteLibrary.make(dir, OURS, /* alone= */ false)).hasBinaryContent(OURS);
    }

    @Test
    void anotherVersionHasAFileOfItsOwnUntilTheOwnerOfTheDataStarts() throws Exception {
        Path other = SqliteLibrary.make(dir, OTHER, /* alone= */ true);
        Path cutOff = Files.createFile(dir.resolve("part4711"));
        Path ours = SqliteLibrary.make(dir, OURS, /* alone= */ false);
        assertThat(in(dir)).containsExactlyInAnyOrder(other, cutOff, ours);

        assertThat(SqliteLibrary.make(dir, OURS, /* alone= */ true)).isEqualTo(ours);

        assertThat(in(dir)).containsExactly(ours);
    }

    private static List<Path> in(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
