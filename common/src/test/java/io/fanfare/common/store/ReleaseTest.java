package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReleaseTest {
    private static final String HASH = "84462230f4f1d0b1a3c5e7f90123456789abcdef";

    @TempDir
    Path folder;

    @Test
    void theManifestOfTheJarNamesVersionCommitAndTime() throws IOException {
        Release release = Release.read(jar(Map.of(
                "Implementation-Version",
                "0.2.0",
                Release.COMMIT,
                HASH,
                Release.COMMIT_TIME,
                "2026-11-29T07:31:05+01:00")));

        assertThat(release.version()).isEqualTo("0.2.0");
        assertThat(release.commit()).contains(new Release.Commit(HASH, Instant.parse("2026-11-29T06:31:05Z")));
        assertThat(release).hasToString("0.2.0 (commit 84462230f4f1 of 2026-11-29T06:31:05Z)");
    }

    @Test
    void aBuildOfChangedFilesShowsIt() {
        Release release = new Release(
                "0.3.0-SNAPSHOT",
                Optional.of(new Release.Commit(HASH + "-modified", Instant.parse("2026-11-29T06:31:05Z"))));

        assertThat(release).hasToString("0.3.0-SNAPSHOT (commit 84462230f4f1-modified of 2026-11-29T06:31:05Z)");
    }

    @Test
    void aJarWithoutACommitHasItsVersionAlone() throws IOException {
        assertThat(Release.read(jar(Map.of("Implementation-Version", "0.2.0")))).hasToString("0.2.0");
        assertThat(Release.read(
                        jar(Map.of("Implementation-Version", "0.2.0", Release.COMMIT, "", Release.COMMIT_TIME, ""))))
                .hasToString("0.2.0");
        assertThat(Release.read(jar(Map.of(
                        "Implementation-Version", "0.2.0", Release.COMMIT, HASH, Release.COMMIT_TIME, "yesterday"))))
                .hasToString("0.2.0");
    }

    @Test
    void classesInAFolderAndAFileThatIsNoJarAreDevelopment() throws IOException {
        assertThat(Release.read(Optional.empty())).hasToString("development");
        assertThat(Release.read(Optional.of(folder))).hasToString("development");
        assertThat(Release.read(Optional.of(Files.writeString(folder.resolve("no.jar"), "no jar"))))
                .hasToString("development");
        assertThat(Release.read(jar(Map.of()))).hasToString("development");
    }

    private Optional<Path> jar(Map<String, String> attributes) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.forEach(manifest.getMainAttributes()::putValue);
        Path jar = Files.createTempFile(folder, "fanfare", ".jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return Optional.of(jar);
    }
}
