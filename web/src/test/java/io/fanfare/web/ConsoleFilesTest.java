package io.fanfare.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The operator's console keeps the rules of the web client. */
class ConsoleFilesTest {
    private static final Path FOLDER = Path.of("src/main/resources/io/fanfare/web/console");
    private static final int BYTES_MAX = 176 << 10;

    /** The bound of the files that the first page loads, with both languages. */
    private static final int FIRST_BYTES_MAX = 104 << 10;

    private static final Pattern DANGEROUS = Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\(|new Function|javascript:|srcdoc|parseFromString|createPolicy|setAttribute\\(\\s*\"(on|style)");

    private static final Pattern PAGES = Pattern.compile("const PAGES = \\[([^\\]]+)\\]");
    private static final Pattern NAME = Pattern.compile("\"(\\w+)\"");
    private static final Pattern IMPORT = Pattern.compile("(?:from|import\\()\\s*\"\\./([^\"]+)\"");
    private static final Pattern KEY = Pattern.compile("\\bt\\(\\s*\"([^\"]+)\"");
    private static final Pattern PLACE = Pattern.compile("\\{\\w+\\}");

    static final List<String> SCRIPTS =
            WebFiles.CONSOLE.stream().filter(name -> name.endsWith(".js")).toList();

    @Test
    void everyFileOfTheFolderIsServedBesideThoseOfTheWebClient() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(WebFiles.CONSOLE);
        }
        assertThat(WebFiles.CONSOLE).doesNotContainAnyElementsOf(WebFiles.SHARED);
        assertThat(WebFiles.console().version())
                .matches("[0-9a-f]{12}")
                .isNotEqualTo(WebFiles.load().version());
    }

    @Test
    void allOfItIsSmallAlthoughItIsNotCompressed() {
        int bytes = Stream.concat(WebFiles.CONSOLE.stream(), WebFiles.SHARED.stream())
                .mapToInt(name -> body(name).length())
                .sum();
        assertThat(bytes).isLessThan(BYTES_MAX);
    }

    @Test
    void theFirstPageLoadsNoOtherPage() {
        Set<String> loaded = first();
        assertThat(loaded).contains("overview.js").doesNotContain("queue.js", "accounts.js", "list.js");
        assertThat(loaded.stream().mapToInt(name -> body(name).length()).sum()).isLessThan(FIRST_BYTES_MAX);
    }

    /** The files that the first page loads, with both languages. */
    static Set<String> first() {
        Set<String> loaded = new TreeSet<>(List.of("console.css", "icon.svg", "theme.js", "en.js", "zh.js"));
        load("main.js", loaded);
        load("overview.js", loaded);
        return loaded;
    }

    /** Adds a module and the modules that it imports. */
    private static void load(String name, Set<String> loaded) {
        if (loaded.add(name)) {
            IMPORT.matcher(body(name)).results().forEach(imported -> load(imported.group(1), loaded));
        }
    }

    @Test
    void everyPageIsAModuleThatExportsAFunctionOfItsNameAndHasATitle() {
        Matcher list = PAGES.matcher(body("main.js"));
        assertThat(list.find()).isTrue();
        List<String> pages =
                NAME.matcher(list.group(1)).results().map(name -> name.group(1)).toList();
        assertThat(pages).hasSizeGreaterThan(10).allSatisfy(page -> {
            assertThat(body(page + ".js")).containsPattern("export (function|const) " + page + "\\b");
            assertThat(words("en.js").fieldNames()).contains(page + ".title");
        });
    }

    @ParameterizedTest
    @FieldSource("SCRIPTS")
    void noScriptMakesHtmlOfATextAndAllThatItAsksForIsThere(String name) {
        String script = body(name);
        assertThat(script).doesNotContainPattern(DANGEROUS);
        Matcher imported = IMPORT.matcher(script);
        while (imported.find()) {
            assertThat(WebFiles.console().find(imported.group(1)))
                    .as(imported.group())
                    .isPresent();
        }
        Matcher key = KEY.matcher(script);
        while (key.find()) {
            assertThat(words("en.js").fieldNames()).contains(key.group(1));
        }
    }

    @Test
    void bothLanguagesHaveTheSameTextsWithTheSamePlaces() {
        JsonObject english = words("en.js");
        JsonObject chinese = words("zh.js");
        assertThat(chinese.fieldNames()).containsExactlyElementsOf(english.fieldNames());
        for (String key : english.fieldNames()) {
            assertThat(places(chinese.getString(key))).as(key).isEqualTo(places(english.getString(key)));
        }
    }

    private static String body(String name) {
        return new String(WebFiles.console().find(name).orElseThrow().body(), StandardCharsets.UTF_8);
    }

    private static JsonObject words(String name) {
        String script = body(name).strip();
        return new JsonObject(script.substring("export default ".length(), script.lastIndexOf('}') + 1));
    }

    private static Set<String> places(String text) {
        return PLACE.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }
}
