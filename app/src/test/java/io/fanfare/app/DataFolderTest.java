package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order in which a restore comes to the disk. */
class DataFolderTest {
    @TempDir
    Path dir;

    @Test
    void everyFileAndFolderIsOnTheDiskBeforeTheMarkGoesAndAFolderAfterWhatIsInIt() throws IOException {
        Path data = dir.resolve("data");
        Path mark = data.resolve("restore-incomplete");
        List<Path> marked = new ArrayList<>();
        List<Path> forced = new ArrayList<>();
        try (DataFolder folder = DataFolder.takeEmpty(data)) {
            write(data);
            folder.complete(path -> {
                (Files.exists(mark) ? marked : forced).add(path);
            });
        }
        Path inner = data.resolve("media/01/23");
        assertThat(marked)
                .containsSubsequence(
                        inner.resolve("picture"), inner, inner.getParent(), data.resolve("media"), data, dir)
                .containsSubsequence(data.resolve("redis/appendonlydir/base"), data.resolve("redis"), data)
                .contains(data.resolve("signing-key"), mark)
                .doesNotHaveDuplicates();
        assertThat(forced).containsExactly(data);
        assertThat(mark).doesNotExist();
    }

    @Test
    void aFolderThatCannotBeForcedIsNotComplete() throws IOException {
        Path data = dir.resolve("data");
        try (DataFolder folder = DataFolder.takeEmpty(data)) {
            write(data);
            assertThatThrownBy(() -> folder.complete(path -> {
                        throw new IOException("Input/output error");
                    }))
                    .hasMessage("Input/output error");
            assertThat(data.resolve("restore-incomplete")).exists();
            folder.clear();
        }
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void whatAFileSystemHasAtItsRootIsLeftAlone() throws IOException {
        Path data = dir.resolve("data");
        Path found = Files.createDirectories(data.resolve("lost+found/of-root"));
        List<Path> forced = new ArrayList<>();
        try (DataFolder folder = DataFolder.takeEmpty(data)) {
            write(data);
            folder.complete(forced::add);
            assertThat(forced).doesNotContain(found, found.getParent());
            folder.clear();
        }
        assertThat(found).exists();
        assertThat(data).isDirectoryNotContaining("glob:**media");
    }

    private static void write(Path data) throws IOException {
        Files.createDirectories(data.resolve("media/01/23"));
        Files.writeString(data.resolve("media/01/23/picture"), "a picture");
        Files.createDirectories(data.resolve("redis/appendonlydir"));
        Files.writeString(data.resolve("redis/appendonlydir/base"), "REDIS");
        Files.writeString(data.resolve("signing-key"), "key");
    }
}
