package io.fanfare.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files that scenarios write; deleted when it is closed, unless the caller has named the folder. */
record ReportFolder(Path folder, boolean kept) implements AutoCloseable {
    /** @param named null = a new folder that is deleted */
    static ReportFolder in(Path named) throws IOException {
        return named == null
                ? new ReportFolder(Files.createTempDirectory("fanfare-bench"), false)
                : new ReportFolder(Files.createDirectories(named), true);
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    @Override
    public void close() throws IOException {
        if (!kept) {
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }
}
