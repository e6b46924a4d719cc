package io.fanfare.app.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.MediaName;
import io.fanfare.common.store.DataFormat;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files whose checksum is right, though no backup wrote them: the checksum is no signature. */
class BackupReaderTest {
    private static final String PICTURE = "0123456789abcdef0123456789abcdef.jpg";

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

    /** One with these parts, as {@code size} says it, whose manifest says so too. */
    private Path withParts(JsonObject manifest, Map<String, byte[]> parts) throws IOException {
        Path file = dir.resolve("backup");
        try (BackupWriter writer = BackupWriter.create(file)) {
            Manifest.Part redis = writer.add("redis/1.rdb", new ByteArrayInputStream(new byte[10]), true);
            manifest.put(
                    "redis", new JsonArray().add(json(redis).put("node", "a:1").put("version", "8.0")));
            for (Map.Entry<String, byte[]> part : parts.entrySet()) {
                Manifest.Part added = writer.add(
                        part.getKey(),
                        new ByteArrayInputStream(part.getValue()),
                        !part.getKey().startsWith("media/"));
                if (part.getKey().equals("signing-key")) {
                    manifest.put("key", json(added));
                }
                if (part.getKey().equals("archive.db")) {
                    manifest.put("archive", "sqlite").put("archive_part", json(added));
                }
            }
            Manifest.Part unused = writer.add(
                    Manifest.NAME, new ByteArrayInputStream(manifest.encode().getBytes(StandardCharsets.UTF_8)), true);
            writer.finish();
        }
        return file;
    }

    private static JsonObject json(Manifest.Part part) {
        return new JsonObject()
                .put("name", part.name())
                .put("bytes", part.bytes())
                .put("sha256", part.sha256());
    }

    @Test
    void aSigningKeyOfTenMegabytesIsRefused() throws IOException {
        Path file = withParts(manifest(), Map.of("signing-key", new byte[10_000_000]));
        assertThatThrownBy(() -> BackupReader.open(file))
                .isInstanceOf(StartFailed.class)
                .hasMessageContaining("nothing was written: its signing key has 10000000 bytes");
    }

    @ParameterizedTest
    @CsvSource({"1,9", "1,11", "2,10"})
    void picturesOtherThanItSaysAreRefused(long files, long bytes) throws IOException {
        Path file = withParts(
                manifest().put("media", new JsonObject().put("files", files).put("bytes", bytes)),
                Map.of("media/" + PICTURE, new byte[10]));
        assertThatThrownBy(() -> BackupReader.open(file))
                .isInstanceOf(StartFailed.class)
                .hasMessageContaining("nothing was written: it has");
    }

    @Test
    void picturesAsItSaysAreRead() throws IOException {
        Path file = withParts(
                manifest().put("media", new JsonObject().put("files", 1).put("bytes", 10)),
                Map.of("media/" + PICTURE, new byte[10]));
        try (BackupReader backup = BackupReader.open(file)) {
            assertThat(backup.bytes()).isEqualTo(20);
            Path to = Files.createDirectory(dir.resolve("media"));
            backup.extractMedia(to);
            assertThat(MediaName.place(to, PICTURE)).hasBinaryContent(new byte[10]);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -16, 24, 2048, 1 << 30})
    void aNumberOfShardsThatNoDataHasIsRefused(int shards) throws IOException {
        Path file = withParts(manifest().put("shards", shards), Map.of());
        assertThatThrownBy(() -> BackupReader.open(file))
                .isInstanceOf(StartFailed.class)
                .hasMessageContaining("no data has " + shards + " shards");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a{b}", "x --set redis.url=elsewhere"})
    void aNamespaceThatNoDataHasIsRefused(String namespace) throws IOException {
        Path file = withParts(manifest().put("namespace", namespace), Map.of());
        assertThatThrownBy(() -> BackupReader.open(file))
                .isInstanceOf(StartFailed.class)
                .hasMessageContaining("no data has such a namespace");
    }

    private static JsonObject manifest() {
        return new JsonObject()
                .put("format", 1)
                .put("fanfare", "0.1.0")
                .put("began", "2026-11-25T00:00:00Z")
                .put("moment", "2026-11-25T00:00:00Z")
                .put("ended", "2026-11-25T00:00:00Z")
                .put("data_format", DataFormat.NOW)
                .put("shards", 16)
                .put("namespace", "fanfare")
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
