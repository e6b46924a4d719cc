package io.fanfare.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Finds the phrases that the house rules on language exclude. */
class PlainWordsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** Comments, literals and identifiers; what lies between them is skipped. */
    private static final Pattern TOKEN = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*+"
            + "|\"\"\"(?:[^\"\\\\]++|\\\\.|\"(?!\"\"))*+\"\"\"|\"(?:[^\"\\\\\n]++|\\\\.)*+\"|'(?:[^'\\\\\n]++|\\\\.)*+'"
            + "|[A-Za-z_$][\\w$]*+");

    private static final Pattern FIRST_WORD = Pattern.compile("/\\*\\*[\\s*]*(?:\\{@\\w+ )?([A-Za-z]+)");

    private static final Set<String> QUESTION_WORDS =
            Set.of("What", "Whatever", "Who", "Whoever", "Whom", "Whose", "Of", "Those", "Where", "Wherever");

    private static final Pattern QUESTION = Pattern.compile("(?:what|whatever|who|whoever|whom|whose)[A-Z].*");

    private static final Set<String> OLD =
            Set.of("told", "tell", "tells", "hear", "hears", "heard", "asked", "said", "anew", "whoever");

    private static final Pattern OLD_WORD = Pattern.compile("(?i)\\b(?:" + String.join("|", OLD) + ")\\b");

    /** The words of an identifier in camel case or with underscores. */
    private static final Pattern PART = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");

    /** Packages in which a word is a word of a text. */
    private static final Pattern TEXTS = Pattern.compile(".*/(?:common/text|stream/match|api/search|bench/input)/.*");

    private enum Rule {
        /** A Javadoc that begins with one of {@link #QUESTION_WORDS}. */
        JAVADOCS,
        /** A name in a file that contains one of {@link #OLD}, or is {@code some} or {@code word}; once a file. */
        IDENTIFIERS,
        /**
         * A sentence of a program that contains one of {@link #OLD}; a single word is a name of the wire or of a key.
         */
        MESSAGES,
        /** The name of a test that begins like a question. */
        TESTS
    }

    private record Finding(Rule rule, int line, String text) {}

    @Test
    void noModuleHasAnExcludedPhrase() throws IOException {
        Map<String, List<String>> found = found();
        assertThat(found).containsKeys("common", "api", "worker", "stream", "java", "junit5");
        assertThat(found.values().stream().flatMap(List::stream)).isEmpty();
    }

    @Test
    void aJavadocThatBeginsWithAQuestionWordIsFound() {
        assertThat(findings("/** What is wanted. */ int a;\n/**\n * {@code Of} two. */ int b;", false))
                .containsExactly(
                        new Finding(Rule.JAVADOCS, 1, "What is wanted."),
                        new Finding(Rule.JAVADOCS, 2, "{@code Of} two."));
        assertThat(findings("/** Whether it is open. */ /* What */ // Who\n/** The whole. */", false))
                .isEmpty();
    }

    @Test
    void aNameWithAnOldWordIsFoundOnceAFile() {
        assertThat(findings("long lastHeardNanos = 1;\nlastHeardNanos++; int TOLD_MAX, some;", false))
                .containsExactly(
                        new Finding(Rule.IDENTIFIERS, 1, "lastHeardNanos"),
                        new Finding(Rule.IDENTIFIERS, 2, "TOLD_MAX"),
                        new Finding(Rule.IDENTIFIERS, 2, "some"));
        assertThat(findings("int shard, tasked, something, words; // told", false))
                .isEmpty();
    }

    @Test
    void aTextOfAProgramWithAnOldWordIsFoundAndOneOfATestIsNot() {
        String source = "log.warn(\"nobody is told\"); char c = '\"'; fail(\"a \\\" Whoever\"); text(\"untold\");"
                + " key(\"heard\"); tag(\"not telling\");";
        assertThat(findings(source, false))
                .extracting(Finding::rule, Finding::text)
                .containsExactly(
                        tuple(Rule.MESSAGES, "\"nobody is told\""), tuple(Rule.MESSAGES, "\"a \\\" Whoever\""));
        assertThat(findings(source, true)).isEmpty();
    }

    @Test
    void aTestThatIsNamedLikeAQuestionIsFound() {
        assertThat(findings("@Test void whoComesLateWaits() {}\nvoid whatsit() {} boolean whatIsLeft() {}", true))
                .containsExactly(new Finding(Rule.TESTS, 1, "whoComesLateWaits"));
    }

    /** The findings by module. */
    private static Map<String, List<String>> found() throws IOException {
        Map<String, List<String>> found = new TreeMap<>();
        try (Stream<Path> roots = Files.list(ROOT);
                Stream<Path> clients = Files.list(ROOT.resolve("clients"))) {
            for (Path module : Stream.concat(roots, clients)
                    .filter(path -> Files.exists(path.resolve("pom.xml")))
                    .toList()) {
                List<String> ofModule = new ArrayList<>();
                for (String folder : List.of("src/main/java", "src/test/java")) {
                    for (Path source : sources(module.resolve(folder))) {
                        find(source, folder.contains("test"), ofModule);
                    }
                }
                found.put(module.getFileName().toString(), ofModule);
            }
        }
        return found;
    }

    private static void find(Path source, boolean test, List<String> found) throws IOException {
        // The rules themselves.
        if (source.endsWith("PlainWordsTest.java")) {
            return;
        }
        String name = ROOT.relativize(source).toString();
        for (Finding finding : findings(Files.readString(source), test)) {
            if (!finding.text().equals("word") || !TEXTS.matcher(name).matches()) {
                found.add(finding.rule() + " " + name + ":" + finding.line() + ": " + finding.text());
            }
        }
    }

    private static List<Path> sources(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Finding> findings(String source, boolean test) {
        List<Finding> findings = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Matcher token = TOKEN.matcher(source);
        int line = 1;
        int counted = 0;
        while (token.find()) {
            for (; counted < token.start(); counted++) {
                line += source.charAt(counted) == '\n' ? 1 : 0;
            }
            String text = token.group();
            switch (text.charAt(0)) {
                case '/' -> {
                    Matcher first = FIRST_WORD.matcher(text);
                    if (first.lookingAt() && QUESTION_WORDS.contains(first.group(1))) {
                        findings.add(new Finding(Rule.JAVADOCS, line, inOneLine(text)));
                    }
                }
                case '"' -> {
                    if (!test && text.contains(" ") && OLD_WORD.matcher(text).find()) {
                        findings.add(new Finding(Rule.MESSAGES, line, text));
                    }
                }
                case '\'' -> {}
                default -> {
                    if (names.add(text) && hasOldWord(text)) {
                        findings.add(new Finding(Rule.IDENTIFIERS, line, text));
                    }
                    if (test && QUESTION.matcher(text).matches() && source.startsWith("void ", token.start() - 5)) {
                        findings.add(new Finding(Rule.TESTS, line, text));
                    }
                }
            }
        }
        return findings;
    }

    private static boolean hasOldWord(String identifier) {
        return identifier.equals("some")
                || identifier.equals("word")
                || PART.matcher(identifier)
                        .results()
                        .anyMatch(part -> OLD.contains(part.group().toLowerCase(Locale.ROOT)));
    }

    private static String inOneLine(String comment) {
        return comment.replaceAll("^[/\\s*]+|[\\s*]+/$", "").replaceAll("\\s*\n[\\s*]*", " ");
    }
}
