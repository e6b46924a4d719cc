package io.fanfare.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFileTest {
    @TempDir
    private Path folder;

    @Test
    void aFileIsReplacedWholeAndReadableForItsOwnerAlone() throws IOException {
        Path file = folder.resolve("runtime.yaml");
        Files.writeString(file, "an older and longer text");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

        PrivateFile.write(file, "pid: \"4711\"\n");
        assertThat(file).hasContent("pid: \"4711\"\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        PrivateFile.writeDurably(file, "pid: \"4712\"\n");
        assertThat(file).hasContent("pid: \"4712\"\n");
        assertThat(names()).containsExactly("runtime.yaml");
    }

    @Test
    void aWriteThatFailsLeavesNothingBehind() throws IOException {
        Path taken = folder.resolve("runtime.yaml");
        Files.createDirectories(taken.resolve("inside"));

        assertThatThrownBy(() -> PrivateFile.write(taken, "text")).isInstanceOf(IOException.class);
        assertThat(names()).containsExactly("runtime.yaml");
        assertThat(taken.resolve("inside")).isDirectory();
    }

    private Stream<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }
}
