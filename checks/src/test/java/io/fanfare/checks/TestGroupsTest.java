package io.fanfare.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests that plain {@code mvn verify} leaves out: a profile runs each of them, and CI those of whole programs. */
class TestGroupsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern EXCLUDED = Pattern.compile("<tests\\.excluded>([^<]*)</tests\\.excluded>");
    private static final Pattern EXCLUDED_OR_NONE = Pattern.compile("<tests\\.excluded(/>|>)");

    /** The group that -Pquick alone leaves out. */
    private static final String SLOW = "slow";

    /** Read by the tests, set by the build. */
    private static final String SWITCH = "fanfare.tests.redis";

    private static final Pattern GROUPS = Pattern.compile("<tests\\.groups>([^<]*)</tests\\.groups>");
    private static final Pattern PROFILE = Pattern.compile("(?s)<profile>\\s*<id>([^<]*)</id>(.*?)</profile>");
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([^\"]+)\"\\)");

    /**
     * Not the group that every build but -Pquick runs. Up to the end of the first line of what it annotates, past other
     * annotations.
     */
    private static final Pattern TAGGED_METHOD =
            Pattern.compile("(?m)^    @Tag\\(\"(?!slow\")[^\"]+\"\\)\\n(?:    @.*\\n)*    .*?(\\w+)\\(");

    private static final Pattern TAGGED_CLASS = Pattern.compile("(?m)^@Tag\\(\"(?!slow\")");

    private static final Pattern RULE = Pattern.compile("(?m)^- \\*\\*(\\w+)\\.\\*\\* .*\\n(?:\\n?  .*\\n)*");
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

    private final String pom = read(ROOT.resolve("pom.xml"));

    @Test
    void aProfileRunsEachGroup() {
        Set<String> tags = new TreeSet<>();
        for (String source : tests().values()) {
            TAG.matcher(source).results().forEach(tag -> tags.add(tag.group(1)));
        }
        assertThat(tags.remove(SLOW)).isTrue();
        Set<String> run = PROFILE.matcher(pom)
                .results()
                .flatMap(profile -> GROUPS.matcher(profile.group(2)).results())
                .map(groups -> groups.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        run.add("clients");

        assertThat(words(firstExcluded(pom))).as("left out").isEqualTo(tags);
        assertThat(run).as("run by a profile").isEqualTo(tags);
    }

    @Test
    void ciRunsTheTestsOfClientsAndOfWholePrograms() {
        String excluded = PROFILE.matcher(pom)
                .results()
                .filter(profile -> profile.group(1).equals("clients"))
                .map(profile -> firstExcluded(profile.group(2)))
                .collect(Collectors.joining());

        assertThat(words(excluded)).contains("faults").doesNotContain("clients", "programs");
        assertThat(read(ROOT.resolve(".ci/run")))
                .contains("mvn -B -ntp verify -Pclients,release\n", "'@Tag(\"programs\")'");
        assertThat(tests().values()).anyMatch(source -> source.contains("@Tag(\"programs\")"));
    }

    /** Plain {@code mvn verify} takes one kind of Redis, every profile takes each. */
    @Test
    void everyProfileThatChoosesTestsRunsThemOnEachKindOfRedis() {
        List<String> onOne = PROFILE.matcher(pom)
                .results()
                .filter(profile -> EXCLUDED_OR_NONE.matcher(profile.group(2)).find())
                .filter(profile -> !profile.group(2).contains("<tests.redis>every</tests.redis>"))
                .map(profile -> profile.group(1))
                .toList();

        assertThat(onOne).isEmpty();
        assertThat(pom)
                .contains("<tests.redis>cluster</tests.redis>", "<" + SWITCH + ">${tests.redis}</" + SWITCH + ">");
        assertThat(read(ROOT.resolve("redis/src/test/java/io/fanfare/redis/testing/KindsOfRedis.java")))
                .contains("\"" + SWITCH + "\"");
        assertThat(read(ROOT.resolve(".ci/run"))).contains("'^ *@KindsOfRedis|extends [A-Za-z]*OnEveryRedis'");
    }

    /** A rule without a test in each build has a document that says which build tests it. */
    @Test
    void everyInvariantIsTestedByEachBuildOrSaysWhichTestsIt() {
        Map<String, String> tests = tests();
        List<String> untested = new ArrayList<>();
        String page = read(ROOT.resolve("docs/invariants.md"));
        for (MatchResult rule : RULE.matcher(page).results().toList()) {
            Matcher named = NAMED.matcher(rule.group());
            int all = 0;
            int left = 0;
            while (named.find()) {
                all++;
                left += isLeftOut(tests.getOrDefault(named.group(1), ""), named.group(2)) ? 1 : 0;
            }
            if (all > 0 && left == all && !rule.group().contains("`-P")) {
                untested.add(rule.group(1));
            }
        }
        assertThat(untested).as("rules that plain mvn verify does not test").isEmpty();
    }

    private static boolean isLeftOut(String source, String method) {
        if (TAGGED_CLASS.matcher(source).find()) {
            return true;
        }
        Set<String> tagged = TAGGED_METHOD
                .matcher(source)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        if (method != null) {
            return tagged.contains(method);
        }
        // Each test method is annotated once with what makes it one.
        long tests = Pattern.compile("(?m)^    @(Test|ParameterizedTest|TestFactory|RepeatedTest|Both)\\b")
                .matcher(source)
                .results()
                .count();
        return tests > 0 && tests == tagged.size();
    }

    private static String firstExcluded(String text) {
        Matcher excluded = EXCLUDED.matcher(text);
        return excluded.find() ? excluded.group(1) : "";
    }

    private static Set<String> words(String groups) {
        return Stream.of(groups.split("\\|")).map(String::strip).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The sources of all test classes, by their names. */
    private static Map<String, String> tests() {
        Map<String, String> tests = new HashMap<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            files.filter(file -> file.toString().endsWith("Test.java")
                            && file.toString().contains("/src/test/java/"))
                    .filter(file -> !ROOT.relativize(file).toString().contains("target/"))
                    // Which spells the annotations that it looks for.
                    .filter(file -> !file.endsWith("TestGroupsTest.java"))
                    .forEach(file -> tests.merge(
                            file.getFileName().toString().replace(".java", ""), read(file), String::concat));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return tests;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
