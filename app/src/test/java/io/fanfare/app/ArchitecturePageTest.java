package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.PackageImports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the drawing of the packages in docs/architecture.md to the code. */
class ArchitecturePageTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** A node of the drawing, {@code store[common.store]}, or the use of one, {@code store}. */
    private static final Pattern NODE = Pattern.compile("(\\w+)(?:\\[([\\w.]+)])?");

    @Test
    void theDrawingHasThePackagesAndArrowsThatArchitectureTestHolds() {
        assertThat(drawing(section("Packages"))).isEqualTo(PackageImports.rows());
    }

    @Test
    void theDrawingHasEveryPackage() throws IOException {
        Set<String> packages = new TreeSet<>();
        for (Path file : sources()) {
            Matcher named =
                    Pattern.compile("(?m)^package io\\.fanfare\\.([\\w.]+);").matcher(Files.readString(file));
            if (named.find()) {
                packages.add(named.group(1));
            }
        }
        // A plug-in of the compiler, and a step of the build: part of no program.
        packages.removeAll(Set.of("checks", "dist"));
        assertThat(PackageImports.rows().keySet()).containsExactlyInAnyOrderElementsOf(packages);
    }

    /** The drawing as a table: package to the packages that its arrows lead to. */
    private static Map<String, Set<String>> drawing(String section) {
        Map<String, String> labels = new HashMap<>();
        List<String[]> arrows = new ArrayList<>();
        int begin = section.indexOf("flowchart TD") + "flowchart TD".length();
        for (String line :
                section.substring(begin, section.indexOf("```", begin)).split("\n", -1)) {
            String text = line.strip();
            if (text.isEmpty() || text.equals("end") || text.startsWith("subgraph ")) {
                continue;
            }
            String[] sides = text.split(" --> ", -1);
            String from = node(sides[0], labels);
            for (String to : sides.length == 1 ? new String[0] : sides[1].split(" & ", -1)) {
                arrows.add(new String[] {from, node(to, labels)});
            }
        }
        Map<String, Set<String>> table = new TreeMap<>();
        labels.values().forEach(label -> table.put(label, new TreeSet<>()));
        for (String[] arrow : arrows) {
            table.get(labels.get(arrow[0])).add(labels.get(arrow[1]));
        }
        return table;
    }

    private static String node(String text, Map<String, String> labels) {
        Matcher node = NODE.matcher(text);
        assertThat(node.matches()).as("a node: %s", text).isTrue();
        if (node.group(2) != null) {
            labels.put(node.group(1), node.group(2));
        }
        return node.group(1);
    }

    private static String section(String title) {
        String page = read(ROOT.resolve("docs/architecture.md"));
        int begin = page.indexOf(". " + title + "\n");
        assertThat(begin).as("section %s", title).isPositive();
        int end = page.indexOf("\n## ", begin);
        return page.substring(begin, end < 0 ? page.length() : end);
    }

    /** The source files of the programs, without tests and build folders. */
    private static List<Path> sources() {
        List<Path> sources = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    String name = folder.getFileName().toString();
                    return Set.of("target", "node_modules", ".git", "test").contains(name)
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.toString().matches(".*\\.(java|lua)")) {
                        sources.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sources;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
