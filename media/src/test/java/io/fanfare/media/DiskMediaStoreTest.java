package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fanfare.common.model.MediaName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskMediaStoreTest {
    @TempDir
    Path folder;

    @Test
    void aDraftIsSeenUnderItsNameOnceItIsPublishedAndGoesWithItsSmallSize() throws IOException {
        DiskMediaStore store = DiskMediaStore.in(folder, new SecureRandom());
        String name = MediaName.draw(new SecureRandom(), "jpg");
        for (String each : List.of(MediaName.small(name), name)) {
            store.publish(Files.writeString(store.draft(), "bytes"), each);
        }

        assertThat(store.find(name)).hasValueSatisfying(file -> assertThat(file).hasContent("bytes"));
        assertThat(store.find(MediaName.small(name))).isPresent();
        store.delete(name);
        store.delete(name);
        assertThat(store.find(name)).isEmpty();
        assertThat(store.find(MediaName.small(name))).isEmpty();
    }

    @Test
    void noOtherTextIsTakenForAName() {
        DiskMediaStore store = DiskMediaStore.in(folder, new SecureRandom());
        String name = MediaName.draw(new SecureRandom(), "png");

        assertThat(MediaName.isName(name)).isTrue();
        for (String other : List.of(
                "../" + name,
                name + "/..",
                "..",
                "",
                "tmp",
                name.toUpperCase(java.util.Locale.ROOT),
                name + ".html",
                name + "\n")) {
            assertThat(MediaName.isName(other)).as(other).isFalse();
            assertThatIllegalArgumentException().isThrownBy(() -> store.find(other));
        }
    }

    @Test
    void oldDraftsAreDeletedAndNewOnesStay() throws IOException {
        DiskMediaStore store = DiskMediaStore.in(folder, new SecureRandom());
        Path draft = Files.writeString(store.draft(), "half");

        store.deleteDrafts(Instant.now().minusSeconds(60));
        assertThat(draft).exists();
        store.deleteDrafts(Instant.now().plusSeconds(60));
        assertThat(draft).doesNotExist();
    }
}
