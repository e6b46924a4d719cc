package io.fanfare.common.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts taken for emojis are those that Mastodon takes for them. */
class CustomEmojisTest {
    /** Mastodon's SCAN_RE, in the words of Java. */
    private static final Pattern MASTODON =
            Pattern.compile("(?<=[^\\p{L}\\p{M}\\p{Nd}:]|\n|^):([a-zA-Z0-9_]{2,}):(?=[^\\p{L}\\p{M}\\p{Nd}:]|$)");

    private final CustomEmojis emojis = new CustomEmojis(
            7,
            Stream.of("ab", "AB", "a_1", "zz")
                    .map(code -> new CustomEmoji(code, code + ".png", ""))
                    .toList());

    @ParameterizedTest
    @CsvSource({
        ":ab:, ab",
        "x :ab: y, ab",
        "(:ab:), ab",
        ":ab: :zz:, ab zz",
        ":zz: :ab: :zz:, zz ab",
        ":AB:, AB",
        ":ab::zz:, ''",
        "x:ab:, ''",
        ":ab:x, ''",
        "\u00e9:ab:, ''",
        ":ab:\u4f60, ''",
        ":ab:\u0301, ''",
        "\ud83d\ude00:ab:\ud83d\ude00, ab",
        "_:ab:_, ab",
        ":unknown:, ''",
        ":a b:, ''",
        ": ab:, ''",
        "12:ab:30, ''",
        ":x:ab:, ''",
        ":, ''"
    })
    void aShortcodeStandsByItself(String text, String found) {
        assertThat(String.join(" ", shown(text))).isEqualTo(found);
    }

    @Test
    void shortcodesAreFoundAsInMastodon() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        String[] pieces = {
            ":", ":", ":", "ab", "AB", "a_1", "zz", " ", "\n", "x", "\u4f60", "\ud83d\ude00", "-", "\u0301", "9"
        };
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(12);
            for (int j = 0; j < length; j++) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            Set<String> expected = new LinkedHashSet<>();
            Matcher matcher = MASTODON.matcher(text);
            while (matcher.find()) {
                if (Set.of("ab", "AB", "a_1", "zz").contains(matcher.group(1))) {
                    expected.add(matcher.group(1));
                }
            }
            assertThat(shown(text.toString())).as(text.toString()).containsExactlyElementsOf(expected);
        }
    }

    @Test
    void eachIsFoundOnceInAllTexts() {
        assertThat(emojis.in(Stream.of("a :zz:", null, ":ab: :zz:")).stream().map(CustomEmoji::shortcode))
                .containsExactly("zz", "ab");
        assertThat(CustomEmojis.NONE.in(Stream.of(":ab:"))).isEmpty();
    }

    @Test
    void theFirstFiftyOfSomeTextsAreShown() {
        List<CustomEmoji> many = IntStream.range(0, 420)
                .mapToObj(i -> new CustomEmoji("e" + i, i + ".png", ""))
                .toList();
        CustomEmojis all = new CustomEmojis(1, many);
        Stream<String> texts = many.stream().map(emoji -> ":" + emoji.shortcode() + ": :e0:");

        assertThat(all.in(texts)).isEqualTo(many.subList(0, CustomEmojis.SHOWN_MAX));
    }

    @Test
    void aLongTextOfColonsTakesTimeInProportion() {
        assertThat(shown(":a".repeat(500_000))).isEmpty();
        assertThat(shown(":" + "a".repeat(1_000_000))).isEmpty();
    }

    @Test
    void aShortcodeHasTwoCharactersOfSixtyThree() {
        assertThat(List.of("ab", "A9_", "x".repeat(CustomEmoji.SHORTCODE_MAX))).allMatch(CustomEmoji::isShortcode);
        assertThat(List.of("", "a", "-", "a-b", "\u00e9\u00e9", "ab\n", "x".repeat(CustomEmoji.SHORTCODE_MAX + 1)))
                .noneMatch(CustomEmoji::isShortcode);
    }

    private List<String> shown(String text) {
        return emojis.in(Stream.of(text)).stream().map(CustomEmoji::shortcode).toList();
    }
}
