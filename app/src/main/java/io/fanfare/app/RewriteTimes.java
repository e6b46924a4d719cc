package io.fanfare.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * When redis-server's append-only file is rewritten: as long after the last time as is set, less up to an eighth by
 * chance. The base of the file says when that was, so that services which are started again and again rewrite it too.
 */
final class RewriteTimes {
    private RewriteTimes() {}

    /** @param dir of the server, whose append-only files are in {@code appendonlydir} */
    static Duration untilFirst(Path dir, Duration every, Instant now, RandomGenerator random) throws IOException {
        Duration left = lastRewrite(dir.resolve("appendonlydir"))
                .map(last -> Duration.between(now, last.plus(every)))
                .orElse(every);
        Duration most = left.compareTo(every) > 0 ? every : left;
        // Overdue: in a moment, but not while the service starts.
        return most.compareTo(every.dividedBy(8)) > 0 ? lessSome(most, every, random) : every.dividedBy(16);
    }

    static Duration untilNext(Duration every, RandomGenerator random) {
        return lessSome(every, every, random);
    }

    private static Duration lessSome(Duration time, Duration every, RandomGenerator random) {
        return time.minusMillis(random.nextLong(every.toMillis() / 8 + 1));
    }

    private static Optional<Instant> lastRewrite(Path files) throws IOException {
        if (!Files.isDirectory(files)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(files)) {
            return all.filter(file -> file.getFileName().toString().contains(".base."))
                    .map(file -> file.toFile().lastModified())
                    .map(Instant::ofEpochMilli)
                    .max(Comparator.naturalOrder());
        }
    }
}
