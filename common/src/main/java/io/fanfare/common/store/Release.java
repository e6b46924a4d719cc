package io.fanfare.common.store;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Which build of Fanfare this is, from the manifest of its jar. Immutable.
 *
 * @param version by the rules of semantic versions, {@code -SNAPSHOT} between two releases; {@code development} for
 *     classes that are in no jar
 * @param commit that the build was made of; empty = the build did not know it
 */
public record Release(String version, Optional<Commit> commit) {
    /** In the manifest: the id of the commit, as {@code git describe} writes it with {@code --dirty=-modified}. */
    public static final String COMMIT = "Fanfare-Commit";

    /** In the manifest: when the commit was made, as ISO 8601. */
    public static final String COMMIT_TIME = "Fanfare-Commit-Time";

    private static final String DEVELOPMENT = "development";
    private static final int SHORT_ID = 12;
    private static final String MODIFIED = "-modified";

    /**
     * A commit.
     *
     * @param id its hash in full; with {@code -modified} behind it, the build was made of changed files
     * @param time when it was made
     */
    public record Commit(String id, Instant time) {
        /** The first 12 digits of the hash, with {@code -modified} for a build of changed files. */
        public String shortId() {
            String hash = id.endsWith(MODIFIED) ? id.substring(0, id.length() - MODIFIED.length()) : id;
            String end = id.substring(hash.length());
            return hash.substring(0, Math.min(SHORT_ID, hash.length())) + end;
        }
    }

    private static final class Running {
        private static final Release RELEASE = read(location());
    }

    /** The build that this process runs. Reads the jar at the first call. */
    public static Release running() {
        return Running.RELEASE;
    }

    /** The build of a jar. A folder of classes, or a jar that cannot be read, is {@code development}. */
    static Release read(Optional<Path> jar) {
        if (jar.isEmpty() || !Files.isRegularFile(jar.get())) {
            return new Release(DEVELOPMENT, Optional.empty());
        }
        try (JarFile file = new JarFile(jar.get().toFile())) {
            Manifest manifest = file.getManifest();
            return of(manifest == null ? new Attributes() : manifest.getMainAttributes());
        } catch (IOException e) {
            return new Release(DEVELOPMENT, Optional.empty());
        }
    }

    private static Release of(Attributes manifest) {
        String version = manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
        String id = manifest.getValue(COMMIT);
        String time = manifest.getValue(COMMIT_TIME);
        return new Release(
                version == null ? DEVELOPMENT : version,
                id == null || id.isBlank() || time == null ? Optional.empty() : commit(id, time));
    }

    private static Optional<Commit> commit(String id, String time) {
        try {
            return Optional.of(new Commit(id, OffsetDateTime.parse(time).toInstant()));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<Path> location() {
        CodeSource source = Release.class.getProtectionDomain().getCodeSource();
        URL place = source == null ? null : source.getLocation();
        if (place == null || !place.getProtocol().equals("file")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(place.toURI()));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** For people: {@code 0.2.0 (commit 84462230f4f1 of 2026-11-29T06:31:05Z)}. */
    @Override
    public String toString() {
        return commit.map(made -> version + " (commit " + made.shortId() + " of " + made.time() + ")")
                .orElse(version);
    }
}
