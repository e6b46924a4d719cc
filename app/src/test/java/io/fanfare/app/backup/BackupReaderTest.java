package io.fanfare.app.backup;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.runtime.StartFailed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files whose checksum is right, though no backup wrote them: the checksum is no signature. */
class BackupReaderTest {
    @TempDir
    Path dir;

    private Path backup(String manifest) throws IOException {
        Path file = dir.resolve("backup");
        try (BackupWriter writer = BackupWriter.create(file)) {
            Manifest.Part unused = writer.add(
                    Manifest.NAME, new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8)), true);
            writer.finish();
        }
        return file;
    }

    private static JsonObject manifest() {
        return new JsonObject()
                .put("format", 1)
                .put("fanfare", "0.1.0")
                .put("began", "2026-11-25T00:00:00Z")
                .put("moment", "2026-11-25T00:00:00Z")
                .put("ended", "2026-11-25T00:00:00Z")
                .put("shards", 16)
                .put("redis", new JsonArray())
                .put("archive", "none");
    }

    private void refused(String manifest, String why) throws IOException {
        Path file = backup(manifest);
        assertThatThrownBy(() -> BackupReader.open(file))
                .isInstanceOf(StartFailed.class)
                .hasMessageContaining("is no whole backup, nothing was written: its " + Manifest.NAME + " " + why);
    }

    @ParameterizedTest
    @CsvSource({"moment,yesterday", "archive,elsewhere", "redis,none"})
    void aManifestWithAValueThatCannotBeReadIsRefused(String name, String value) throws IOException {
        refused(manifest().put(name, value).encode(), "cannot be read");
    }

    @Test
    void aManifestWithoutASnapshotIsRefused() throws IOException {
        refused(manifest().encode(), "names no snapshot of Redis");
    }

    @Test
    void ofAManifestThatInflatesWithoutEndOnlyTheBeginningIsRead() throws IOException {
        refused(" ".repeat(4 << 20) + manifest().encode(), "cannot be read");
    }
}
