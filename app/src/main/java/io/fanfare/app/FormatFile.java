package io.fanfare.app;

import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.store.DataFormat;
import io.fanfare.server.runtime.PrivateFile;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code DATA/format.yaml}: the mark of a data folder, for what lies in it beside Redis' files.
 *
 * <pre>{@code
 * format: "1"
 * by: "0.1.0"
 * }</pre>
 */
final class FormatFile {
    static final String NAME = "format.yaml";

    private FormatFile() {}

    /**
     * The mark of a folder, and that of format 1 for one without a mark whose redis-server has keys of that format;
     * empty when the folder is new, or nothing is known of its keys.
     */
    static Optional<DataFormat.Mark> read(Path data) {
        Path file = data.resolve(NAME);
        if (!Files.exists(file)) {
            return FormerKeys.areIn(data.resolve(DataFolder.REDIS_DATA))
                    ? Optional.of(new DataFormat.Mark(FormerKeys.FORMAT, ""))
                    : Optional.empty();
        }
        SettingsLayer lines = SettingsLayer.file(file);
        SettingsLayer.Entry format = lines.values().get("format");
        SettingsLayer.Entry by = lines.values().get("by");
        if (!lines.problems().isEmpty() || format == null || !format.text().matches("\\d{1,9}")) {
            throw new StartFailed(file + " is damaged: it must say in which format the folder is");
        }
        return Optional.of(new DataFormat.Mark(Long.parseLong(format.text()), by == null ? "" : by.text()));
    }

    /** Fails with {@link StartFailed} when this release does not read what is in the folder. */
    static void require(Path data) {
        read(data)
                .flatMap(mark ->
                        mark.refusal("the data folder " + data.toAbsolutePath().normalize()))
                .ifPresent(sentence -> {
                    throw new StartFailed(sentence);
                });
    }

    /** Marks a folder that has no mark. */
    static void mark(Path data) throws IOException {
        if (!Files.exists(data.resolve(NAME))) {
            DataFormat.Mark mark = DataFormat.Mark.ofThisRelease();
            PrivateFile.write(
                    data.resolve(NAME),
                    "# The layout of the data in this folder: an older release refuses it.\nformat: \"" + mark.format()
                            + "\"\nby: \"" + mark.by() + "\"\n");
        }
    }
}
