package io.fanfare.stream.match;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.text.Transliterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code fold=zh}: traditional and simplified spellings of a word are one, for whoever asks. */
class ChineseFoldingTest {
    @ParameterizedTest(name = "{0} in {1}: {2}")
    @CsvSource({
        "台北,我在臺北,true",
        "臺北,我在台北,true",
        "頭髮,剪头发,true",
        "头发,剪頭髮,true",
        "#話題,关于#话题#的,true",
        "發AI,发AI,true",
        "發AI,发AIx,false",
        "繁體 中文,中文繁体,true",
        "北京,東京,false",
        "hello,Hello,true"
    })
    void bothSpellingsAreOne(String track, String text, boolean matches) {
        assertThat(spec(track, true).matches(post(text))).isEqualTo(matches);
    }

    @ParameterizedTest(name = "{0} in {1}")
    @CsvSource({"台北,我在臺北", "臺北,我在台北", "头发,剪頭髮"})
    void andStayApartForEverybodyElse(String track, String text) {
        assertThat(spec(track, false).matches(post(text))).isFalse();
    }

    /** Loading ICU's rules takes a second, so they are kept in a file; this is how it is made. */
    @Test
    void theTableIsWhatIcuDoesToSingleCharacters() {
        Transliterator rules = Transliterator.getInstance("Hant-Hans");
        Map<Integer, Integer> steps = new TreeMap<>();
        for (String source : rules.getSourceSet()) {
            String target = rules.transliterate(source);
            boolean single =
                    source.codePointCount(0, source.length()) == 1 && target.codePointCount(0, target.length()) == 1;
            if (single && !target.equals(source)) {
                steps.put(source.codePointAt(0), target.codePointAt(0));
            }
        }
        Map<Integer, Integer> table = new TreeMap<>();
        for (int traditional : steps.keySet()) {
            int end = end(steps, traditional);
            if (end != traditional) {
                table.put(traditional, end);
            }
        }
        assertThat(ChineseFolding.table()).isEqualTo(table).hasSizeGreaterThan(3000);
        assertThat(table.values()).doesNotContainAnyElementsOf(table.keySet());
    }

    /** The end of the steps; where they lead in a circle, its smallest character stands for all. */
    private static int end(Map<Integer, Integer> steps, int from) {
        TreeSet<Integer> way = new TreeSet<>();
        int at = from;
        while (steps.containsKey(at) && way.add(at)) {
            at = steps.get(at);
        }
        if (!steps.containsKey(at)) {
            return at;
        }
        TreeSet<Integer> circle = new TreeSet<>();
        while (circle.add(at)) {
            at = steps.get(at);
        }
        return circle.first();
    }

    private static FilterSpec spec(String track, boolean simplified) {
        return FilterSpec.builder(new FilterSpec.Bounds(10, 10, 10))
                .track(track)
                .simplified(simplified)
                .build();
    }

    private static MatchDocument post(String text) {
        return new MatchDocument(1, 2, text, 0, java.util.List.of(), 0, false, 0, "", null, null, 1);
    }
}
