package io.fanfare.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.client.stream.Cursor;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CursorFileTest {
    @TempDir
    Path dir;

    @Test
    void aCursorIsReadAsItWasWritten() {
        CursorFile file = new CursorFile(dir.resolve("cursor"));
        assertThat(file.read()).isEqualTo(Cursor.NONE);
        file.write(new Cursor("0000000e-7"));
        file.write(new Cursor("0000000e-12"));
        assertThat(new CursorFile(dir.resolve("cursor")).read().value()).isEqualTo("0000000e-12");
    }

    @Test
    void aHalfWrittenFileBesideItIsIgnored() throws Exception {
        CursorFile file = new CursorFile(dir.resolve("cursor"));
        file.write(new Cursor("0000000e-7"));
        Files.writeString(dir.resolve("cursor.new"), "0000");
        assertThat(file.read().value()).isEqualTo("0000000e-7");
    }

    @Test
    void anotherFileIsRefused() throws Exception {
        Path other = Files.writeString(dir.resolve("other"), "x".repeat(300));
        assertThatThrownBy(() -> new CursorFile(other).read()).hasMessageContaining("is no file of a cursor");
    }
}
