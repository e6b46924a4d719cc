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

    /** One without the means to force a whole file system, unless told otherwise. */
    private static final class RecordingDisk implements Disk {
        private final Path mark;
        private final boolean hasAll;
        private final List<Path> whileMarked = new ArrayList<>();
        private final List<Path> afterwards = new ArrayList<>();
        private final List<Path> all = new ArrayList<>();

        RecordingDisk(Path data, boolean hasAll) {
            this.mark = data.resolve("restore-incomplete");
            this.hasAll = hasAll;
        }

        @Override
        public void force(Path path) {
            (Files.exists(mark) ? whileMarked : afterwards).add(path);
        }

        @Override
        public boolean forceAll(Path folder) {
            assertThat(mark).exists();
            all.add(folder);
            return hasAll;
        }
    }

    @Test
    void everyFileAndFolderIsOnTheDiskBeforeTheMarkGoesAndAFolderAfterWhatIsInIt() throws IOException {
        Path data = dir.resolve("data");
        RecordingDisk disk = new RecordingDisk(data, false);
        try (DataFolder folder = DataFolder.takeEmpty(data)) {
            write(data);
            folder.complete(disk);
        }
        Path inner = data.resolve("media/01/23");
        assertThat(disk.whileMarked)
                .containsSubsequence(
                        inner.resolve("picture"), inner, inner.getParent(), data.resolve("media"), data, dir)
                .containsSubsequence(data.resolve("redis/appendonlydir/base"), data.resolve("redis"), data)
                .contains(data.resolve("signing-key"), disk.mark)
                .doesNotHaveDuplicates();
        assertThat(disk.afterwards).containsExactly(data);
        assertThat(disk.mark).doesNotExist();
    }

    @Test
    void aWholeFileSystemIsForcedAtOnceWhereThatIsPossible() throws IOException {
        Path data = dir.resolve("data");
        RecordingDisk disk = new RecordingDisk(data, true);
        try (DataFolder folder = DataFolder.takeEmpty(data)) {
            write(data);
            folder.complete(disk);
        }
        assertThat(disk.all).containsExactly(data);
        assertThat(disk.whileMarked).containsExactly(dir);
        assertThat(disk.afterwards).containsExactly(data);
    }

    @Test
    void theDiskOfThisMachineTakesFilesAndFolders() throws IOException {
        write(dir);
        Disk disk = Disk.ofSystem();
        disk.force(dir);
        disk.force(dir.resolve("signing-key"));
        assertThat(disk.forceAll(dir.resolve("nothing"))).isFalse();
    }

    @Test
    void aFolderThatCannotBeForcedIsNotComplete() throws IOException {
        Path data = dir.resolve("data");
        try (DataFolder folder = DataFolder.takeEmpty(data)) {
            write(data);
            Disk broken = new Disk() {
                @Override
                public void force(Path path) throws IOException {
                    throw new IOException("Input/output error");
                }

                @Override
                public boolean forceAll(Path path) {
                    return false;
                }
            };
            assertThatThrownBy(() -> folder.complete(broken)).hasMessage("Input/output error");
            assertThat(data.resolve("restore-incomplete")).exists();
            folder.clear();
        }
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void theLostAndFoundFolderOfAFileSystemIsLeftAlone() throws IOException {
        Path data = dir.resolve("data");
        Path found = Files.createDirectories(data.resolve("lost+found/of-root"));
        RecordingDisk disk = new RecordingDisk(data, false);
        try (DataFolder folder = DataFolder.takeEmpty(data)) {
            write(data);
            folder.complete(disk);
            assertThat(disk.whileMarked).contains(data).doesNotContain(found, found.getParent());
            folder.clear();
        }
        assertThat(found).exists();
        assertThat(data.resolve("media")).doesNotExist();
    }

    private static void write(Path data) throws IOException {
        Files.createDirectories(data.resolve("media/01/23"));
        Files.writeString(data.resolve("media/01/23/picture"), "a picture");
        Files.createDirectories(data.resolve("redis/appendonlydir"));
        Files.writeString(data.resolve("redis/appendonlydir/base"), "REDIS");
        Files.writeString(data.resolve("signing-key"), "key");
    }
}
