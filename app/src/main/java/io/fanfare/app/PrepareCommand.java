package io.fanfare.app;

import io.fanfare.failure.Reason;
import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fanfare prepare}: makes the file that lets starts take half the processor time, see {@link ClassArchive}. */
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Keeps the classes that a start loads, so that later starts of the same jar and JVM take half the"
                + " processor time. Does nothing when the file is current. Start java with -XX:SharedArchiveFile=FILE.")
final class PrepareCommand implements Callable<Integer> {
    /** Below TimeoutStartSec of the units. */
    private static final Duration MAX = Duration.ofMinutes(2);

    private static final int MIB = 1 << 20;

    @Option(
            names = "--to",
            paramLabel = "FILE",
            description = "The file. Default: the one that the script fanfare uses.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        String ofLauncher = System.getProperty(ClassArchive.PROPERTY);
        if (file == null && ofLauncher == null) {
            throw new StartFailed("say with --to FILE where the classes are kept");
        }
        Path target =
                (file == null ? Path.of(ofLauncher) : file).toAbsolutePath().normalize();
        try {
            PrivateFiles.createDirectories(target.getParent());
            switch (ClassArchive.make(target, MAX)) {
                case CURRENT -> System.out.println(target + " is current, nothing to do");
                case MADE -> System.out.println(target + " is made, " + Files.size(target) / MIB + " MiB");
                case GIVEN_UP ->
                    System.out.println(target + " is not made: a trial start of this jar and this JVM came to nothing"
                            + " within the last day. To try again at once, remove " + target + ".failed");
                case BUSY -> throw new StartFailed("another process still makes " + target);
            }
        } catch (IOException e) {
            throw new StartFailed("cannot write " + target + ": " + Reason.of(e));
        }
        return 0;
    }
}
