package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the pages to what exists: documentation that is no longer true is a defect. */
class DocumentationTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:\\s]+)(?:#[^)]*)?\\)");

    @Test
    void everyTestThatIsNamedExists() {
        Map<String, String> tests = new HashMap<>();
        for (Path file : files(ROOT, "Test.java")) {
            tests.put(file.getFileName().toString().replace(".java", ""), read(file));
        }
        List<String> missing = new ArrayList<>();
        for (Path page : pages()) {
            Matcher named = TEST.matcher(read(page));
            while (named.find()) {
                String source = tests.get(named.group(1));
                if (source == null || (named.group(2) != null && !declares(source, named.group(2)))) {
                    missing.add(ROOT.relativize(page) + " names " + named.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    private static boolean declares(String source, String method) {
        return source.contains("void " + method + "(") || source.contains("Stream<DynamicTest> " + method + "(");
    }

    @Test
    void everyLinkLeadsSomewhere() {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            Matcher link = LINK.matcher(read(page));
            while (link.find()) {
                if (!Files.exists(page.resolveSibling(link.group(1)))) {
                    broken.add(ROOT.relativize(page) + " links " + link.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static List<Path> pages() {
        List<Path> pages = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
        pages.add(ROOT.resolve("README.md"));
        return pages;
    }

    private static List<Path> files(Path folder, String ending) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file ->
                            file.toString().endsWith(ending) && !file.toString().contains("target"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
