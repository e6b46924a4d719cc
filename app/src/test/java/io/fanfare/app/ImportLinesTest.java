package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.PackageImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Import lines keep to the table of {@link PackageImports}. {@link ArchitectureTest} sees less: the compiler copies a
 * constant of another class, and drops an import that Javadoc alone needs.
 */
class ImportLinesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package io\\.fanfare\\.([a-z.]+);");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?io\\.fanfare\\.([a-z.]+)\\.[A-Z].*;");

    @Test
    void everyImportLineIsAllowedByTheTable() throws IOException {
        List<String> forbidden = new ArrayList<>();
        int seen = 0;
        for (Path source : sources()) {
            String text = Files.readString(source);
            Matcher declared = PACKAGE.matcher(text);
            // The processors of the module "checks" are of no package of the table.
            if (!declared.find() || PackageImports.allowed(declared.group(1)).isEmpty()) {
                continue;
            }
            for (MatchResult line : IMPORT.matcher(text).results().toList()) {
                seen++;
                if (!PackageImports.allowed(declared.group(1)).contains(line.group(1))) {
                    forbidden.add(ROOT.relativize(source) + ": " + line.group());
                }
            }
        }
        assertThat(forbidden).isEmpty();
        assertThat(seen).as("import lines of ours").isGreaterThan(1000);
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> roots = Files.list(ROOT);
                Stream<Path> clients = Files.list(ROOT.resolve("clients"))) {
            for (Path module : Stream.concat(roots, clients)
                    .map(path -> path.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(module)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }
}
