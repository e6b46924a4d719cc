package io.fanfare.media;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Whether this machine can start the child process that decodes pictures, and the bounds that hold for it.
 *
 * @param held bounds of the system that hold for this user, in words
 * @param missing bounds that do not hold, in words, each with the program that would set it
 * @param trouble the reason why no child can be started; empty = a child started
 */
public record DecoderCheck(List<String> held, List<String> missing, Optional<String> trouble) {
    /**
     * Starts a child and ends it. Blocks, for up to a minute.
     *
     * @param path directories with colons between, in which programs are
     */
    public static DecoderCheck run(String path) {
        Confinement confinement = Confinement.probe(path);
        return new DecoderCheck(confinement.held(), confinement.missing(), trouble(confinement));
    }

    private static Optional<String> trouble(Confinement confinement) {
        try {
            Path folder = Files.createTempDirectory("fanfare-doctor");
            try (PictureProcess started = PictureProcess.start(confinement, List.of(), folder)) {
                return started.isAlive() ? Optional.empty() : Optional.of("it ended at once");
            } finally {
                boolean unused = Files.deleteIfExists(folder);
            }
        } catch (IOException failed) {
            return Optional.of(failed.toString());
        }
    }
}
