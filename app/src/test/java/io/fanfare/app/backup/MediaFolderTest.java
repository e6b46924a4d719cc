package io.fanfare.app.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.MediaName;
import io.fanfare.media.DiskMediaStore;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pictures that come and go while they are copied. */
class MediaFolderTest {
    private static final String FIRST = "0123456789abcdef0123456789abcdef.jpg";
    private static final String SMALL = "0123456789abcdef0123456789abcdef-small.jpg";
    private static final String SECOND = "0123ffffffffffff0123456789abcdef.png";

    @TempDir
    Path dir;

    @Test
    void aFileThatWasThereDuringAnyPassIsInTheBackupOnceAndNothingElseIs() throws IOException {
        Path folder = dir.resolve("media");
        DiskMediaStore store = DiskMediaStore.in(folder, new Random(1));
        publish(store, FIRST);
        publish(store, SMALL);
        Files.writeString(store.draft(), "a draft");
        Files.writeString(folder.resolve("01/23/notes.txt"), "of somebody else");
        Path file = dir.resolve("backup");
        try (BackupWriter writer = BackupWriter.create(file)) {
            MediaFolder media = new MediaFolder(folder, writer);
            media.pass();
            store.delete(FIRST);
            publish(store, SECOND);
            media.pass();
            store.delete(SECOND);
            media.pass();
            assertThat(media.total())
                    .isEqualTo(new Manifest.Pictures(3, FIRST.length() + SMALL.length() + SECOND.length()));
            writer.finish();
        }
        try (ZipFile zip = new ZipFile(file.toFile())) {
            List<String> names = zip.stream().map(Object::toString).toList();
            assertThat(names).containsExactlyInAnyOrder("media/" + FIRST, "media/" + SMALL, "media/" + SECOND);
            assertThat(new String(
                            zip.getInputStream(zip.getEntry("media/" + FIRST)).readAllBytes(), UTF_8))
                    .isEqualTo(FIRST);
        }
        assertThat(MediaName.place(folder, SMALL))
                .isEqualTo(folder.resolve("01/23").resolve(SMALL));
    }

    @Test
    void aFolderThatIsMissingHasNoPictures() throws IOException {
        try (BackupWriter writer = BackupWriter.create(dir.resolve("backup"))) {
            MediaFolder media = new MediaFolder(dir.resolve("none"), writer);
            media.pass();
            assertThat(media.total()).isEqualTo(new Manifest.Pictures(0, 0));
        }
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void moreFilesThanTheMemoryIsEnoughForAreRefusedWithWhatIsNeeded() throws IOException {
        Path folder = dir.resolve("media");
        DiskMediaStore store = DiskMediaStore.in(folder, new Random(1));
        publish(store, FIRST);
        publish(store, SMALL);
        publish(store, SECOND);
        Files.writeString(folder.resolve("01/23/notes.txt"), "of somebody else");
        try (BackupWriter writer = BackupWriter.create(dir.resolve("backup"))) {
            MediaFolder media = new MediaFolder(folder, writer);
            long enough = (64 << 20) + 3 * 320;
            media.requireMemory(enough);
            assertThatThrownBy(() -> media.requireMemory(enough - 1))
                    .isInstanceOf(StartFailed.class)
                    .hasMessageContaining("3 pictures are too many for 64 MB of memory")
                    .hasMessageContainingAll("FANFARE_JAVA_OPTS=-Xmx81m", "--without-pictures");
        }
    }

    private static void publish(DiskMediaStore store, String name) throws IOException {
        Path draft = store.draft();
        Files.writeString(draft, name);
        store.publish(draft, name);
    }
}
