package io.fanfare.app;

import io.fanfare.api.search.SearchIndex;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fanfare admin search}: the indexes of the full-text search of one machine. */
@Command(
        name = "search",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Mends the full-text search.")
final class AdminSearchCommand {
    @Command(
            name = "rebuild",
            mixinStandardHelpOptions = true,
            description = "Makes each process that keeps an index in this data folder rebuild it: those that run begin"
                    + " at once, others at their start. Until an index is complete, searches find only a part.")
    int rebuild(@Mixin SettingsOptions options) throws IOException {
        Logging.ofCommand();
        String set = options.looking().search().directory();
        Path parent = set.isEmpty() ? options.data().resolve("search") : Path.of(set);
        List<Path> indexes = indexes(parent);
        if (indexes.isEmpty()) {
            throw new StartFailed(
                    "no search index is in " + parent.toAbsolutePath().normalize()
                            + ": name the folder of the service with --data DIR, or set search.directory");
        }
        for (Path index : indexes) {
            Files.write(index.resolve(SearchIndex.REBUILD), new byte[0]);
            System.out.println("will be rebuilt: " + index);
        }
        return 0;
    }

    private static List<Path> indexes(Path parent) throws IOException {
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        try (Stream<Path> inside = Files.list(parent)) {
            return inside.filter(Files::isDirectory).sorted().toList();
        }
    }
}
