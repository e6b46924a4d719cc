package io.fanfare.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the pages with the sources: every test, file and class that they name exists, every link leads somewhere.
 */
class DocumentationTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path OPERATE = ROOT.resolve("docs/operate");
    private static final Path CHANGELOG = ROOT.resolve("docs/changelog");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");
    /** In code: a name with a folder or a known ending. */
    private static final Pattern FILE =
            Pattern.compile("`((?:[\\w.-]+/)+[\\w.-]*|[\\w.-]+\\.(?:java|lua|md|xml|yaml|txt|csv|html))`");
    /** Files made by a build, a start or a release. */
    private static final Pattern MADE = Pattern.compile("(^|/)target/|^DATA/|^\\./");
    /** In code: {@code UpperCamelCase}, alone or before a member. */
    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)(?:\\.(\\w+))?(?:\\(\\))?`");
    /** Classes of others, and headers. */
    private static final Set<String> NOT_OURS =
            Set.of("Future", "IllegalArgumentException", "IllegalStateException", "Host", "Link", "ETag");

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");

    /** In code, alone or with a value, or after {@code --set}: words with dots between them. */
    private static final Pattern SETTING = Pattern.compile("(?:`|--set )([a-z]+(?:\\.[a-z-]+)+)(?=[`:=])");

    /** In the annotated file: a group with nothing behind it, or a setting with its default. */
    private static final Pattern DEFAULT = Pattern.compile("(?m)^( *)([a-z-]+):(.*)$");

    /** Files whose names begin like a group. */
    private static final Set<String> NO_SETTINGS = Set.of("archive.db", "redis.conf");

    private static final Pattern LINK = Pattern.compile("]\\(([^)#:\\s]+)(?:#[^)]*)?\\)");
    /** A link to a heading, of the same page where no file is named. */
    private static final Pattern ANCHOR = Pattern.compile("]\\(([^)#:\\s]*\\.md)?#([^)\\s]+)\\)");

    /** An item of a list with its further lines. */
    private static final Pattern ENTRY = Pattern.compile("(?m)^- .*\n(?:  .*\n)*");

    private static final int ENTRY_LINES_MAX = 3;

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    /**
     * A Markdown file by its name or path, with the numbers of its sections where they follow; not a part of an
     * address.
     */
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
    void everyLinkToAHeadingFindsIt() {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            Matcher link = ANCHOR.matcher(read(page));
            while (link.find()) {
                Path target = link.group(1) == null ? page : page.resolveSibling(link.group(1));
                if (!Files.exists(target) || !anchors(read(target)).contains(link.group(2))) {
                    broken.add(ROOT.relativize(page) + " links " + link.group());
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(anchors("# The `up` command, and TLS\n\n## Limits"))
                .containsExactly("the-up-command-and-tls", "limits");
    }

    /** As the forges make them of headings. */
    private static List<String> anchors(String page) {
        return HEADING.matcher(withoutCodeBlocks(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    @Test
    void theIndexOfTheOperatingPagesLinksEachOfThem() {
        Path index = OPERATE.resolve("README.md");
        List<String> linked =
                LINK.matcher(read(index)).results().map(link -> link.group(1)).toList();

        assertThat(files(OPERATE, ".md"))
                .filteredOn(page -> !page.equals(index))
                .isNotEmpty()
                .allSatisfy(
                        page -> assertThat(linked).contains(page.getFileName().toString()));
    }

    @Test
    void theChangelogLinksThePageOfEachVersionAndTheNewestFirst() {
        List<String> pages = files(CHANGELOG, ".md").stream()
                .map(page -> "changelog/" + page.getFileName())
                .sorted(Comparator.comparing(DocumentationTest::version).reversed())
                .toList();

        assertThat(LINK.matcher(read(ROOT.resolve("docs/changelog.md")))
                        .results()
                        .map(link -> link.group(1))
                        .filter(link -> link.startsWith("changelog/")))
                .isNotEmpty()
                .containsExactlyElementsOf(pages);
    }

    @Test
    void anEntryOfTheChangelogHasAtMostThreeLines() {
        List<String> tooLong = new ArrayList<>();
        for (Path page : files(CHANGELOG, ".md")) {
            ENTRY.matcher(read(page))
                    .results()
                    .filter(entry -> entry.group().lines().count() > ENTRY_LINES_MAX)
                    .forEach(entry -> tooLong.add(ROOT.relativize(page) + ": " + entry.group()));
        }
        assertThat(tooLong).isEmpty();
        assertThat(ENTRY.matcher("- one\n  two\n- three\n\nfour\n").results().map(MatchResult::group))
                .containsExactly("- one\n  two\n", "- three\n");
    }

    private static ModuleDescriptor.Version version(String page) {
        return ModuleDescriptor.Version.parse(page.replaceAll("^changelog/|\\.md$", ""));
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

    /** A page names a file by the end of its path, with or without the ending; {@code ...} stands for folders. */
    @Test
    void everyFileThatTheGuidesNameExists() {
        List<String> sources = files(ROOT, "").stream()
                .map(file -> "/" + ROOT.relativize(file).toString().replace(File.separatorChar, '/'))
                .filter(file -> !file.contains("/.git/"))
                .toList();
        List<String> missing = new ArrayList<>();
        for (Path guide : guides()) {
            Matcher named = FILE.matcher(withoutCodeBlocks(read(guide)));
            while (named.find()) {
                String name = named.group(1).replaceFirst("/$", "");
                Pattern path = Pattern.compile(".*/\\Q" + name.replace("...", "\\E.+\\Q") + "\\E(\\.\\w+|/.*)?");
                if (!MADE.matcher(name).find()
                        && sources.stream()
                                .noneMatch(source -> path.matcher(source).matches())) {
                    missing.add(ROOT.relativize(guide) + " names " + name);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyClassAndMemberThatTheGuidesAndReferencesNameExists() {
        Map<String, String> classes = new HashMap<>();
        for (Path file : files(ROOT, ".java")) {
            String code = COMMENT.matcher(read(file)).replaceAll("");
            classes.merge(file.getFileName().toString().replace(".java", ""), code, String::concat);
        }
        List<String> missing = new ArrayList<>();
        for (Path page : guidesAndReferences()) {
            Matcher named = CLASS.matcher(withoutCodeBlocks(read(page)));
            while (named.find()) {
                if (!NOT_OURS.contains(named.group(1))
                        && !has(classes.getOrDefault(named.group(1), ""), named.group(1), named.group(2))) {
                    missing.add(ROOT.relativize(page) + " names " + named.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /** @param member null = the class alone; {@code java} makes it the name of a file */
    private static boolean has(String source, String name, String member) {
        String last = member == null || member.equals("java") ? name : member;
        return Pattern.compile("\\b" + last + "\\b").matcher(source).find();
    }

    @Test
    void everySettingThatTheGuidesAndReferencesNameExists() {
        Set<String> settings = settings();
        List<String> missing = new ArrayList<>();
        for (Path page : guidesAndReferences()) {
            Matcher named = SETTING.matcher(read(page));
            while (named.find()) {
                String name = named.group(1);
                if (settings.contains(name.replaceFirst("\\..*", ""))
                        && !settings.contains(name)
                        && !NO_SETTINGS.contains(name)) {
                    missing.add(ROOT.relativize(page) + " names " + name);
                }
            }
        }
        assertThat(settings).contains("feeds", "feeds.home-max", "limits.rates.apps");
        assertThat(missing).isEmpty();
    }

    /** The settings of the annotated file, and their groups. */
    private static Set<String> settings() {
        Set<String> settings = new HashSet<>();
        List<String> groups = new ArrayList<>();
        Matcher line = DEFAULT.matcher(read(ROOT.resolve("config/fanfare.yaml")));
        while (line.find()) {
            int depth = line.group(1).length() / 2;
            groups.subList(Math.min(depth, groups.size()), groups.size()).clear();
            groups.add(line.group(2));
            settings.add(String.join(".", groups));
        }
        return settings;
    }

    private static String withoutCodeBlocks(String page) {
        return page.replaceAll("(?ms)^```.*?^```", "");
    }

    /** The pages that newcomers read with the source beside them. */
    private static List<Path> guides() {
        return Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/architecture.md", "docs/contract.md")
                .map(ROOT::resolve)
                .toList();
    }

    /** These, and the pages that describe what the source does. */
    private static List<Path> guidesAndReferences() {
        List<Path> pages = new ArrayList<>(guides());
        Stream.of("feeds", "wire", "redis", "glossary", "archive", "web")
                .map(page -> ROOT.resolve("docs/" + page + ".md"))
                .forEach(pages::add);
        pages.addAll(files(OPERATE, ".md"));
        return pages;
    }

    private static List<Path> pages() {
        List<Path> pages = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
        pages.addAll(files(ROOT.resolve(".github"), ".md"));
        for (String page : List.of("README.md", "README.zh-CN.md", "CONTRIBUTING.md", "SECURITY.md")) {
            pages.add(ROOT.resolve(page));
        }
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
