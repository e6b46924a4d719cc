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
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the pages to what exists: documentation that is no longer true is a defect. */
class DocumentationTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:\\s]+)(?:#[^)]*)?\\)");

    /** A Markdown file by its name or path, with the numbers of its sections where they follow; not a part of an address. */
    private static final Pattern CITATION =
            Pattern.compile("(?<![\\w./-])((?:[\\w-]+/)*[\\w-]+\\.md)\\b(?:, sections? (\\d+)(?: and (\\d+))?)?");

    private static final Set<String> SOURCES =
            Set.of("java", "lua", "yaml", "yml", "xml", "conf", "csv", "service", "sh", "py", "mjs", "js", "fanfare");

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

    @Test
    void everyPageThatASourceCitesIsInTheRepository() {
        List<String> broken = new ArrayList<>();
        for (Path source : files(ROOT, "")) {
            if (SOURCES.contains(source.toString().replaceAll(".*[./]", ""))) {
                broken.addAll(brokenCitations(source, ROOT));
            }
        }
        for (Path page : pages()) {
            broken.addAll(brokenCitations(page, page.getParent(), ROOT));
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void aCitationOfAPageOrSectionThatIsNotThereIsFound() {
        assertThat(brokenCitations("(docs/feeds.md, section 4); README.md; https://example.org/absent.md", ROOT))
                .isEmpty();
        assertThat(brokenCitations("see absent%s and docs/feeds.md, sections 4 and %d".formatted(".md", 99), ROOT))
                .containsExactly("absent" + ".md", "docs/feeds.md, section " + 99);
    }

    private static List<String> brokenCitations(Path file, Path... bases) {
        return brokenCitations(read(file), bases).stream()
                .map(citation -> ROOT.relativize(file) + " cites " + citation)
                .toList();
    }

    /** @param bases folders in one of which a cited page lies */
    private static List<String> brokenCitations(String text, Path... bases) {
        List<String> broken = new ArrayList<>();
        Matcher citation = CITATION.matcher(text);
        while (citation.find()) {
            String name = citation.group(1);
            Optional<Path> page = Stream.of(bases)
                    .map(base -> base.resolve(name))
                    .filter(Files::exists)
                    .findFirst();
            if (page.isEmpty()) {
                broken.add(name);
                continue;
            }
            String content = "\n" + read(page.get());
            Stream.of(citation.group(2), citation.group(3))
                    .filter(number -> number != null && !content.contains("\n## " + number + ". "))
                    .forEach(number -> broken.add(name + ", section " + number));
        }
        return broken;
    }

    private static List<Path> pages() {
        List<Path> pages = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
        pages.add(ROOT.resolve("README.md"));
        return pages;
    }

    private static List<Path> files(Path folder, String ending) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(ending) && Files.isRegularFile(file) && !isForeign(file))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it is made by the build, or installed by it. */
    private static boolean isForeign(Path file) {
        for (Path part : ROOT.relativize(file)) {
            if (Set.of("target", "node_modules", ".git").contains(part.toString())) {
                return true;
            }
        }
        return false;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
