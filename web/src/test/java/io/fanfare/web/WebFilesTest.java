package io.fanfare.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.json.JsonObject;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class WebFilesTest {
    private static final Path FOLDER = Path.of("src/main/resources/io/fanfare/web");

    /** Calls that would make HTML or code of a text, or would need a weaker policy. */
    private static final Pattern DANGEROUS = Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\(|new Function|javascript:|srcdoc|setAttribute\\(\\s*\"(on|style)");

    private static final Pattern IMPORT = Pattern.compile("(?:from|import\\()\\s*\"\\./([^\"]+)\"");
    private static final Pattern STATIC_IMPORT = Pattern.compile("from\\s*\"\\./([^\"]+)\"");
    private static final Pattern TEXT_KEY = Pattern.compile("(?m)^  \"([^\"]+)\":");

    /** A key with places: words with a dot before or behind one. */
    private static final Pattern TEMPLATE = Pattern.compile(
            "`((?:[\\w.]*[a-z]\\.|(?=\\$\\{\\w+\\}\\.[a-z]))\\$\\{[^}`]*\\}[\\w.]*(?:\\$\\{[^}`]*\\})?)`");

    private static final Path SOURCES = Path.of("src/main/java");

    private static final Pattern KEY = Pattern.compile("\\bt\\(\\s*\"([^\"]+)\"");

    static final List<String> SCRIPTS =
            WebFiles.NAMES.stream().filter(name -> name.endsWith(".js")).toList();

    @Test
    void everyFileOfTheFolderIsServed() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(WebFiles.NAMES);
        }
    }

    /** A browser loads the texts of one language, and the icons when it installs the client. */
    @Test
    void allThatABrowserLoadsIsNoMoreThanNinetySixKilobytesCompressed() throws IOException {
        List<String> loaded = WebFiles.NEEDED.stream()
                .filter(name -> !name.equals("en.js") && !name.startsWith("icon-"))
                .toList();
        assertThat(compressed(WebFiles.load(), loaded)).isLessThan(WebFiles.BUNDLED ? 96 << 10 : 144 << 10);
    }

    @Test
    void allOfItAndTheFirstPageOfTheConsoleTogetherAreNoMoreThanAHundredAndFifty() throws IOException {
        List<String> first = ConsoleFilesTest.first().stream()
                .filter(WebFiles.CONSOLE::contains)
                .toList();
        assertThat(compressed(WebFiles.load(), WebFiles.NEEDED) + compressed(WebFiles.console(), first))
                .isLessThan(WebFiles.BUNDLED ? 150 << 10 : 200 << 10);
    }

    @Test
    void allPagesOfTheConsoleTogetherAreNoMoreThanFiftySix() throws IOException {
        assertThat(compressed(WebFiles.console(), WebFiles.CONSOLE)).isLessThan(56 << 10);
    }

    /** A build with {@code -Pquick} has none. */
    @Test
    void aBundleHasWhatEveryPageNeedsInOneModuleAndAModuleForEachPartThatIsForLater() {
        assumeTrue(WebFiles.BUNDLED);
        assertThat(WebFiles.MODULES).containsExactly("main.js");
        List<String> modules = WebFiles.NEEDED.stream()
                .filter(name -> name.endsWith(".js") && !WebFiles.LOOSE.contains(name))
                .toList();
        // The map is a part of the stream explorer; the switch of pushed notifications and the address are of the
        // settings.
        assertThat(modules)
                .containsExactlyInAnyOrder(
                        "main.js",
                        "announcements.js",
                        "emoji.js",
                        "factor.js",
                        "focus.js",
                        "invitations.js",
                        "lists.js",
                        "messages.js",
                        "moderation.js",
                        "selection.js",
                        "settings.js",
                        "streams.js",
                        "viewer.js",
                        "waiting.js",
                        "warning.js");
        String mark = "version_" + WebFiles.load().version();
        for (String name : modules) {
            String script = body(name);
            assertThat(script).doesNotContainPattern(DANGEROUS);
            assertThat(script).contains(name.equals("main.js") ? "export const " + mark : "import{" + mark + "}");
        }
    }

    private static String body(String name) {
        return new String(WebFiles.load().find(name).orElseThrow().body(), StandardCharsets.UTF_8);
    }

    private static int compressed(WebFiles files, List<String> names) throws IOException {
        int bytes = 0;
        for (String name : names) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write(files.find(name).orElseThrow().body());
            }
            bytes += packed.size();
        }
        return bytes;
    }

    @ParameterizedTest
    @FieldSource("SCRIPTS")
    void noScriptMakesHtmlOfATextAndAllThatItImportsIsThere(String name) throws IOException {
        String script = Files.readString(FOLDER.resolve(name));
        assertThat(script).doesNotContainPattern(DANGEROUS);
        Matcher imported = IMPORT.matcher(script);
        while (imported.find()) {
            assertThat(WebFiles.NAMES).contains(imported.group(1));
        }
        if (!name.equals("dom.js")) {
            assertThat(script).doesNotContain("parseFromString", "createPolicy");
        }
    }

    /** Otherwise a browser would load them with the page, after all that is preloaded. */
    @ParameterizedTest
    @FieldSource("SCRIPTS")
    void noModuleOfEachPageImportsOneThatIsForLater(String name) throws IOException {
        if (WebFiles.LATER.contains(name)) {
            return;
        }
        Matcher imported = STATIC_IMPORT.matcher(Files.readString(FOLDER.resolve(name)));
        while (imported.find()) {
            assertThat(WebFiles.LATER).doesNotContain(imported.group(1));
        }
    }

    @ParameterizedTest
    @FieldSource("SCRIPTS")
    void everyTextThatAScriptAsksForIsThere(String name) throws IOException {
        Matcher key = KEY.matcher(Files.readString(FOLDER.resolve(name)));
        while (key.find()) {
            assertThat(english().fieldNames()).contains(key.group(1));
        }
    }

    /** Another language has the name at another place of the sentence: {@code around} splits it there. */
    @ParameterizedTest
    @FieldSource("SCRIPTS")
    void noScriptLeavesThePlaceOfATextEmpty(String name) throws IOException {
        assertThat(Files.readString(FOLDER.resolve(name))).doesNotContainPattern("\\bt\\([^)]*: \"\"");
    }

    /** Class "plain" marks the pages of the server: a rule for it alone would show on all of their elements. */
    @Test
    void noRuleOfTheStyleSheetIsForTheClassOfTheServersPagesAlone() throws IOException {
        assertThat(Files.readString(FOLDER.resolve("app.css"))).doesNotContainPattern("(?m)^\\.plain \\{");
    }

    @Test
    void thePictureHasADrawingForEachButtonOfThePost() throws IOException {
        List<Integer> places = Pattern.compile("\\.action\\.[a-z.]+ \\{ --at: (-?\\d+)px; }")
                .matcher(Files.readString(FOLDER.resolve("app.css")))
                .results()
                .map(place -> Integer.valueOf(place.group(1)))
                .toList();
        BufferedImage picture = ImageIO.read(FOLDER.resolve("actions.png").toFile());
        assertThat(places).hasSize(8).doesNotHaveDuplicates();
        assertThat(picture.getWidth()).isEqualTo(3 * 19);
        assertThat(picture.getHeight()).isEqualTo(3 * 48 * places.size());
        for (int place : places) {
            int[] cell = picture.getRGB(0, 3 * (6 - place), 3 * 19, 3 * 19, null, 0, 3 * 19);
            assertThat(Arrays.stream(cell).filter(dot -> dot != 0).count()).isGreaterThan(100);
        }
    }

    @Test
    void bothLanguagesHaveTheSameTextsWithTheSamePlaces() {
        JsonObject chinese = Messages.of("zh-CN,en;q=0.5").texts();
        assertThat(chinese.fieldNames()).containsExactlyElementsOf(english().fieldNames());
        for (String key : english().fieldNames()) {
            assertThat(places(chinese.getString(key)))
                    .as(key)
                    .isEqualTo(places(english().getString(key)));
        }
    }

    /**
     * Also keys of which scripts have a pattern, such as {@code follow.${state}.label}, and those that the server
     * reads.
     */
    @Test
    void everyTextIsUsedSomewhere() throws IOException {
        for (String folder : List.of("", WebFiles.CONSOLE_FOLDER)) {
            List<String> names = new ArrayList<>(folder.isEmpty() ? WebFiles.NAMES : WebFiles.CONSOLE);
            names.removeAll(List.of("en.js", "zh.js"));
            StringBuilder code = new StringBuilder();
            for (String name : names) {
                if (name.endsWith(".js")) {
                    code.append(Files.readString(FOLDER.resolve(folder + name)));
                }
            }
            for (String shared : WebFiles.SHARED) {
                code.append(Files.readString(FOLDER.resolve(shared)));
            }
            if (folder.isEmpty()) {
                try (Stream<Path> sources = Files.walk(SOURCES)) {
                    for (Path source : sources.filter(Files::isRegularFile).toList()) {
                        code.append(Files.readString(source));
                    }
                }
            }
            List<Pattern> patterns = TEMPLATE.matcher(code)
                    .results()
                    .map(template -> Pattern.compile(Pattern.compile("\\$\\{[^}]*\\}")
                            .splitAsStream(template.group(1) + " ")
                            .map(part -> Pattern.quote(part.strip()))
                            .collect(Collectors.joining(".+"))))
                    .toList();
            assertThat(TEXT_KEY.matcher(Files.readString(FOLDER.resolve(folder + "en.js")))
                            .results()
                            .map(key -> key.group(1))
                            .filter(key -> code.indexOf("\"" + key + "\"") < 0)
                            .filter(key -> patterns.stream()
                                    .noneMatch(pattern -> pattern.matcher(key).matches())))
                    .as("texts of " + folder + "en.js that nothing uses")
                    .isEmpty();
        }
    }

    @Test
    void theLanguageIsTheFirstThatThereIs() {
        assertThat(Messages.of("fr-FR, zh-TW;q=0.9, en;q=0.8").tag()).isEqualTo("zh-Hans");
        assertThat(Messages.of("en-GB,zh").tag()).isEqualTo("en");
        assertThat(Messages.of("fr").tag()).isEqualTo("en");
        assertThat(Messages.of(null).tag()).isEqualTo("en");
        assertThat(Messages.of(",".repeat(10_000)).tag()).isEqualTo("en");
    }

    @Test
    void theVersionIsThatOfTheFiles() {
        assertThat(WebFiles.load().version()).matches("[0-9a-f]{12}");
        assertThat(body("main.js")).isNotEmpty();
        assertThat(WebFiles.load().find("../web/main.js")).isEmpty();
    }

    private static JsonObject english() {
        return Messages.of("en").texts();
    }

    private static Set<String> places(String text) {
        return Pattern.compile("\\{\\w+\\}")
                .matcher(text)
                .results()
                .map(place -> place.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
