package io.fanfare.media;

import io.fanfare.common.settings.Settings;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A processor of files that shares its children with the others of this JVM, until that ends. */
public final class TestMedia {
    private static final Supplier<Confinement> CONFINEMENT = Confinement.once(Ffmpeg.searchPath());

    /** By the seconds that a picture may take. */
    private static final Map<Long, PictureProcesses> CHILDREN = new ConcurrentHashMap<>();

    private TestMedia() {}

    /** The same as the public constructor of {@link MediaProcessor}. */
    public static MediaProcessor processor(
            Vertx vertx, SecureRandom random, MediaStore store, Settings.Media settings) {
        PictureProcesses children =
                CHILDREN.computeIfAbsent(settings.decodeTimeout().toSeconds(), Children::new);
        return new MediaProcessor(vertx, random, store, settings, CONFINEMENT, children);
    }

    /** To start a child takes most of a second of a processor, and few tests send more than one picture. */
    private static final class Children extends PictureProcesses {
        private Children(long secondsMax) {
            super(drafts(), CONFINEMENT, List.of("-XX:TieredStopAtLevel=1"), secondsMax);
        }

        private static Supplier<Path> drafts() {
            try {
                Path folder = Files.createTempDirectory("fanfare-media-test");
                folder.toFile().deleteOnExit();
                return () -> folder.resolve("draft");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            // They end with this JVM.
        }
    }
}
