package io.fanfare.app.backup;

import io.fanfare.common.store.DataFormat;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The description of a backup: {@code manifest.json} in the file.
 *
 * @param fanfare version that wrote it
 * @param moment of the data in the backup: when the last server of Redis had begun its snapshot
 * @param dataFormat layout of the data, see {@link DataFormat}
 * @param shards {@code redis.shards} of the data set
 * @param namespace {@code redis.namespace} of the data set
 * @param redis one snapshot of each master
 * @param archive of old statuses
 * @param archivePart its copy; empty unless it is an SQLite archive that exists
 * @param media pictures; empty = they were left out
 * @param key the signing key; empty = it was left out, or is in the settings or in Redis
 */
public record Manifest(
        String fanfare,
        Instant began,
        Instant moment,
        Instant ended,
        int dataFormat,
        int shards,
        String namespace,
        List<RedisPart> redis,
        ArchiveKind archive,
        Optional<Part> archivePart,
        Optional<Pictures> media,
        Optional<Part> key) {
    static final String NAME = "manifest.json";

    /** Goes up when a release cannot read what another one writes. */
    private static final int FORMAT = 1;

    /** The format of backups that do not name one. */
    private static final int FIRST_DATA_FORMAT = 1;

    public Manifest {
        redis = List.copyOf(redis);
    }

    /** Which database has the old statuses. */
    public enum ArchiveKind {
        NONE,
        SQLITE,
        /** Its own tools copy it. */
        POSTGRESQL
    }

    /** A file in the backup. */
    public record Part(String name, long bytes, String sha256) {
        private JsonObject json() {
            return new JsonObject().put("name", name).put("bytes", bytes).put("sha256", sha256);
        }

        private static Part of(JsonObject json) {
            return new Part(json.getString("name"), json.getLong("bytes"), json.getString("sha256"));
        }
    }

    /**
     * The snapshot of one server.
     *
     * @param node its address
     * @param version of the server, which an older one may not read
     */
    public record RedisPart(Part part, String node, String version) {}

    /** All pictures together; each is a file of the backup. */
    public record Pictures(long files, long bytes) {}

    /** How many files the backup has, this one among them. */
    long files() {
        return 1
                + redis.size()
                + (archivePart.isPresent() ? 1 : 0)
                + media.map(Pictures::files).orElse(0L)
                + (key.isPresent() ? 1 : 0);
    }

    public JsonObject json() {
        JsonArray servers = new JsonArray();
        redis.forEach(
                each -> servers.add(each.part().json().put("node", each.node()).put("version", each.version())));
        JsonObject json = new JsonObject()
                .put("format", FORMAT)
                .put("fanfare", fanfare)
                .put("began", began.toString())
                .put("moment", moment.toString())
                .put("ended", ended.toString())
                .put("data_format", dataFormat)
                .put("shards", shards)
                .put("namespace", namespace)
                .put("redis", servers)
                .put("archive", archive.name().toLowerCase(Locale.ROOT));
        archivePart.ifPresent(part -> json.put("archive_part", part.json()));
        media.ifPresent(pictures -> json.put(
                "media", new JsonObject().put("files", pictures.files()).put("bytes", pictures.bytes())));
        key.ifPresent(part -> json.put("key", part.json()));
        return json;
    }

    /** Fails with a {@link StartFailed} when this release cannot read it. */
    static Manifest of(JsonObject json) {
        if (json.getInteger("format", 0) != FORMAT) {
            throw new StartFailed("the backup has format " + json.getValue("format") + ", this release reads format "
                    + FORMAT + ": restore it with the release that wrote it, " + json.getString("fanfare"));
        }
        int dataFormat = json.getInteger("data_format", FIRST_DATA_FORMAT);
        new DataFormat.Mark(dataFormat, json.getString("fanfare"))
                .refusal("the data of the backup")
                .ifPresent(sentence -> {
                    throw new StartFailed(sentence);
                });
        JsonArray servers = json.getJsonArray("redis");
        JsonObject pictures = json.getJsonObject("media");
        return new Manifest(
                json.getString("fanfare"),
                Instant.parse(json.getString("began")),
                Instant.parse(json.getString("moment")),
                Instant.parse(json.getString("ended")),
                dataFormat,
                json.getInteger("shards"),
                json.getString("namespace"),
                IntStream.range(0, servers.size())
                        .mapToObj(servers::getJsonObject)
                        .map(each -> new RedisPart(Part.of(each), each.getString("node"), each.getString("version")))
                        .toList(),
                ArchiveKind.valueOf(json.getString("archive").toUpperCase(Locale.ROOT)),
                Optional.ofNullable(json.getJsonObject("archive_part")).map(Part::of),
                Optional.ofNullable(pictures).map(each -> new Pictures(each.getLong("files"), each.getLong("bytes"))),
                Optional.ofNullable(json.getJsonObject("key")).map(Part::of));
    }
}
