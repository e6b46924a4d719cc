package io.fanfare.stream.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The cost of a status beside 10,000 filters, each made to cost as much as it can. Counted are look-ups and
 * comparisons, none of which takes longer for a longer text. The worst is one for each term of the filters, whose
 * number is bounded by {@code stream.terms-max}.
 */
@ParameterizedClass
@EnumSource(HostileFiltersTest.Hostile.class)
@Tag("slow")
class HostileFiltersTest {
    private static final long SEED = 0x13198A2E03707344L;
    private static final int FILTERS = 10_000;
    private static final int TERMS_OF_FILTER = 10;
    private static final int TERMS = FILTERS * TERMS_OF_FILTER;

    /** As long as a status may be, by default. */
    private static final int TEXT_CHARS = 5000;

    private static final String ORDINARY =
            "Somebody told the folk of this town that it rains today, and nobody has seen it. 今天下雨 #weather";

    /**
     * Look-ups for a character of the folded text: one for each shape of the keywords that may begin there, and a
     * phrase has no more characters than this.
     */
    private static final int LOOK_UPS_FOR_A_CHARACTER = 240;

    /** The most characters that one is folded to. */
    private static final int FOLDED_FROM_ONE = 18;

    /** Phrases of a filter, and the status for which they were made. */
    enum Hostile {
        /** The longest word of each, by which it is found, is in every status. */
        COMMON_WORD(2) {
            @Override
            String phrase(int n) {
                return "people " + Integer.toString(n, 36);
            }

            @Override
            String text() {
                return "people";
            }
        },
        /** All but one of the words of each are there. */
        ONE_WORD_MISSING(8) {
            @Override
            String phrase(int n) {
                return "people a b c d e f " + Integer.toString(n, 36) + "z";
            }

            @Override
            String text() {
                return "people a b c d e f ".repeat(TEXT_CHARS / 19);
            }
        },
        /** Each filter wants every status. */
        WANTED_BY_ALL(1) {
            @Override
            String phrase(int n) {
                return n % TERMS_OF_FILTER == 0 ? "的" : "w" + n;
            }

            @Override
            String text() {
                return "的".repeat(TEXT_CHARS);
            }
        },
        /** Each begins alike, at every place of the text, and ends with another character. */
        LONG_AND_ALIKE(1) {
            @Override
            String phrase(int n) {
                return "中".repeat(10 + n % 46) + han(n);
            }

            @Override
            String text() {
                return "中".repeat(TEXT_CHARS);
            }
        },
        /** As many combining marks as a phrase may have, in another order each. */
        COMBINING_MARKS(1) {
            @Override
            String phrase(int n) {
                return "a" + marks(n) + "q" + marks(n / 97);
            }

            @Override
            String text() {
                return ("a" + marks(0)).repeat(TEXT_CHARS / 31);
            }
        },
        /** One character that is folded to eighteen. */
        GROWS_WHEN_FOLDED(6) {
            @Override
            String phrase(int n) {
                return "\uFDFA".repeat(1 + n % 9) + Integer.toString(n, 36);
            }

            @Override
            String text() {
                return "\uFDFA".repeat(TEXT_CHARS);
            }
        };

        /** Terms of a phrase. */
        final int terms;

        Hostile(int terms) {
            this.terms = terms;
        }

        abstract String phrase(int n);

        abstract String text();

        private static String han(int n) {
            return Character.toString(0x4E80 + n % 20_000) + Character.toString(0x4E80 + n / 20_000);
        }

        private static String marks(int n) {
            StringBuilder marks = new StringBuilder();
            for (int i = 0; i < 28; i++) {
                marks.append((char) (0x0300 + (n * 7 + i * (1 + n % 5)) % 0x40));
            }
            return marks.toString();
        }
    }

    private static FilterIndex<Integer> index;

    @Parameter
    private Hostile hostile;

    @BeforeParameterizedClassInvocation
    static void install(Hostile hostile) {
        index = index(hostile, FILTERS);
    }

    @AfterParameterizedClassInvocation
    static void forget() {
        index = null;
    }

    @Test
    void theWorstStatusCostsNoMoreThanItsCharactersAndTheTermsOfAllFilters() {
        MatchDocument document = document(hostile.text());
        List<Integer> found = new ArrayList<>();

        long cost = cost(index, document, found);

        int characters = document.all().folded().length();
        assertThat(cost).isLessThanOrEqualTo(TERMS + (long) LOOK_UPS_FOR_A_CHARACTER * characters);
        assertThat(new HashSet<>(found)).hasSameSizeAs(found);
        assertThat(characters)
                .isLessThanOrEqualTo(FOLDED_FROM_ONE * hostile.text().length());
    }

    @Test
    void aStatusWithoutTheirWordsCostsNoMoreBesideTenThousandThanBesideTen() {
        MatchDocument document = document(ORDINARY);
        List<Integer> found = new ArrayList<>();

        long many = cost(index, document, found);
        long few = cost(index(hostile, 10), document, found);

        assertThat(found).isEmpty();
        // A word may be looked up in vain when another one has the same place.
        assertThat(many).isLessThanOrEqualTo(few + document.all().words().size());
    }

    private static long cost(FilterIndex<Integer> index, MatchDocument document, List<Integer> found) {
        long before = index.compared();
        index.match(document, found::add);
        return index.compared() - before;
    }

    private static FilterIndex<Integer> index(Hostile hostile, int filters) {
        int phrases = TERMS_OF_FILTER / hostile.terms;
        FilterIndex<Integer> index = new FilterIndex<>(SEED);
        int terms = 0;
        for (int filter = 0; filter < filters; filter++) {
            int first = filter * phrases;
            String track = IntStream.range(first, first + phrases)
                    .mapToObj(hostile::phrase)
                    .collect(Collectors.joining(","));
            FilterSpec spec = FilterSpec.builder(new FilterSpec.Bounds(1, TERMS_OF_FILTER, 1))
                    .track(track)
                    .build();
            terms += spec.weight();
            index.add(spec, filter);
        }
        assertThat(terms).isLessThanOrEqualTo(filters * TERMS_OF_FILTER);
        return index;
    }

    private static MatchDocument document(String text) {
        return new MatchDocument(1, 2, text, 0, List.of(), 0, false, 0, "", null, null, SEED);
    }
}
