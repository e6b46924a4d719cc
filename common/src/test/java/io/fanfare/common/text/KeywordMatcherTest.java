package io.fanfare.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.text.KeywordMatcher.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeywordMatcherTest {
    private static final String[] UNICODE = {
        "a",
        "A",
        "b",
        "B",
        "_",
        "1",
        " ",
        ".",
        "-",
        "é",
        "É",
        "\u0301",
        "ß",
        "ſ",
        "s",
        "\u212A",
        "k",
        "Σ",
        "σ",
        "ς",
        "ı",
        "İ",
        "i",
        "猫",
        "\uD83D\uDE00",
        "\uD801\uDC00",
        "\uD801\uDC28",
        "\n"
    };
    private static final String[] FEW = {"a", "b", " "};
    private static final String[] ASCII = {"a", "A", "b", "_", "1", " ", ".", "-", "+", "("};

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cat   | true  | The Cat sat   | Cat",
                "cat   | true  | category       | ",
                "cat   | false | conCATenate    | CAT",
                "cat   | true  | a cat_          | ",
                "cat   | true  | cat            | cat",
                "#cat  | true  | see#CATs       | ",
                "#cat  | true  | see#CAT, there | #CAT",
                "c++   | true  | c++11          | c++",
                "c++   | true  | xc++           | ",
                "naïve | true  | NAÏVE man      | NAÏVE",
                "猫    | true  | 黑猫           | 猫",
                "猫    | false | 黑猫           | 猫",
                "a.b   | true  | axb a.b        | a.b",
                "原神  | true  | 我玩原神很久   | 原神",
                "서울  | true  | 서울에서 만나  | 서울",
                "ไทย   | true  | ภาษาไทยสวยงาม  | ไทย",
                "မြန်မာ | true  | သည်မြန်မာစာ    | မြန်မာ",
                "ខ្មែរ  | true  | ភាសាខ្មែរល្អ    | ខ្មែរ",
                "原神x | true  | 玩原神xy       | ",
                "原神x | true  | 玩原神x y      | 原神x",
                "istanbul | true | İstanbul'da  | İstanbul",
                "İZMİR | true  | izmir          | izmir",
                "ΟΔΟΣ  | true  | η οδός, οδος   | οδος",
                "київ  | true  | КИЇВ           | КИЇВ",
                "של    | true  | של שלום        | של",
                "שלו   | true  | שלום           | ",
                "می\u200cخواهم | true | من می\u200cخواهم | می\u200cخواهم",
                "हिन्दी | true  | यह हिन्दी है      | हिन्दी",
                "हिन्द | true  | यह हिन्दी है       | "
            })
    void aKeywordMatchesAsMastodonHasIt(String keyword, boolean wholeWord, String text, String match) {
        KeywordMatcher matcher = KeywordMatcher.of(List.of(List.of(new Word(keyword, wholeWord))));
        String[] found = matcher.find(text);
        assertThat(found == null ? null : found[0]).isEqualTo(match);
    }

    @Tag("slow")
    @Test
    void keywordsAreFoundAsByANaiveSearch() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            String[] letters = random.nextBoolean() ? UNICODE : FEW;
            List<List<Word>> groups = groups(random, letters);
            String text = text(random, letters, 30);
            String[] found = KeywordMatcher.of(groups).find(text);
            List<String> expected =
                    groups.stream().map(group -> everywhere(group, text)).toList();
            if (found == null) {
                assertThat(expected).as(groups + " in " + text).containsOnlyNulls();
            } else {
                assertThat(found).as(groups + " in " + text).containsExactlyElementsOf(expected);
            }
        }
    }

    @Test
    void ofAsciiItIsWhatTheUnionOfPatternsFinds() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 10_000; round++) {
            List<Word> words = words(random, ASCII);
            String text = text(random, ASCII, 40);
            Pattern union = Pattern.compile(
                    words.stream().map(KeywordMatcherTest::pattern).collect(Collectors.joining("|")),
                    Pattern.CASE_INSENSITIVE);
            Matcher wanted = union.matcher(text);
            String[] found = KeywordMatcher.of(List.of(words)).find(text);
            assertThat(found == null ? null : found[0])
                    .as(words + " in " + text)
                    .isEqualTo(wanted.find() ? wanted.group() : null);
        }
    }

    @Test
    void manyKeywordsThatFitEverywhereTakeOneWalkOverALongText() {
        List<Word> words = new ArrayList<>();
        for (int n = 1; n <= 300; n++) {
            words.add(new Word("a" + " xa".repeat(n), true));
        }
        KeywordMatcher matcher = KeywordMatcher.of(List.of(words));
        // Each place looks like the end of hundreds of them, and none fits, since x stands before it.
        assertThat(matcher.find("xa ".repeat(100_000))).isNull();
        assertThat(matcher.find("xa ".repeat(100_000) + "a xa")).containsExactly("a xa");
    }

    private static String pattern(Word word) {
        String quoted = Pattern.quote(word.text());
        String text = word.text();
        return (word.wholeWord() && text.substring(0, 1).matches("\\w") ? "\\b" : "")
                + quoted
                + (word.wholeWord() && text.substring(text.length() - 1).matches("\\w") ? "\\b" : "");
    }

    private static List<List<Word>> groups(Random random, String[] letters) {
        List<List<Word>> groups = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            groups.add(words(random, letters));
        }
        return groups;
    }

    private static List<Word> words(Random random, String[] letters) {
        List<Word> words = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            words.add(new Word(text(random, letters, 4), random.nextBoolean()));
        }
        return words;
    }

    private static String text(Random random, String[] letters, int max) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(max); i >= 0; i--) {
            text.append(letters[random.nextInt(letters.length)]);
        }
        return text.toString();
    }

    /** Null when none is there. */
    private static String everywhere(List<Word> group, String text) {
        int[] points = text.codePoints().toArray();
        for (int start = 0; start < points.length; start++) {
            for (Word word : group) {
                int[] wanted = word.text().codePoints().toArray();
                int end = start + wanted.length;
                if (end > points.length || !alike(points, start, wanted)) {
                    continue;
                }
                boolean before = !word.wholeWord()
                        || !isWord(wanted[0])
                        || TextEntities.isUnspaced(wanted[0])
                        || start == 0
                        || !isWord(points[start - 1]);
                boolean behind = !word.wholeWord()
                        || !isWord(wanted[wanted.length - 1])
                        || TextEntities.isUnspaced(wanted[wanted.length - 1])
                        || end == points.length
                        || !isWord(points[end]);
                if (before && behind) {
                    return new String(points, start, wanted.length);
                }
            }
        }
        return null;
    }

    private static boolean alike(int[] points, int start, int[] wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (!folded(points[start + i]).equals(folded(wanted[i]))) {
                return false;
            }
        }
        return true;
    }

    private static String folded(int point) {
        String letter = Character.toString(point);
        if (letter.isBlank()) {
            return " ";
        }
        if (letter.equals("ı")) {
            return letter;
        }
        if (letter.equals("İ")) {
            return "i";
        }
        String upper = letter.toUpperCase(Locale.ROOT);
        return (upper.codePointCount(0, upper.length()) == 1 ? upper : letter).toLowerCase(Locale.ROOT);
    }

    private static boolean isWord(int point) {
        return Character.toString(point).matches("[\\p{IsAlphabetic}\\p{M}\\p{Nd}\\p{Pc}]");
    }
}
