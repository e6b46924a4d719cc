package io.fanfare.stream.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The cost of a status with the worst phrases for it: it grows with the length of the text and the number of matches,
 * and not with the number of phrases.
 */
@Tag("slow")
class MatchingCostTest {
    private static final long SEED = 0x13198A2E03707344L;

    /** As long as a status may be, by default. */
    private static final int TEXT_CHARS = 5000;

    private static final int PHRASES = 400;
    private static final int FILTERS = 16;

    /** Phrases, and the text for them. Phrases of one kind and number are different. */
    private enum Worst {
        /** Each begins alike, at every place, and differs in its last character. */
        ENDS_DIFFER {
            @Override
            String phrase(int i) {
                return "中".repeat(56) + han(i);
            }
        },
        /** Phrases of every length. */
        LENGTHS_DIFFER {
            @Override
            String phrase(int i) {
                return "中".repeat(2 + i % 50) + han(i);
            }
        },
        /** Each may begin in the middle of a word. */
        BEGINNINGS_DIFFER {
            @Override
            String phrase(int i) {
                return "a".repeat(1 + i % 20) + "中" + "中a".repeat(10) + han(i);
            }

            @Override
            String text(int chars) {
                return "中a".repeat(chars / 2);
            }
        },
        /** Each has one word that is there and one that is looked for in all of the text. */
        OTHERS_DIFFER {
            @Override
            String phrase(int i) {
                return "somebodywholooksforit " + "中".repeat(30) + han(i);
            }

            @Override
            String text(int chars) {
                return "somebodywholooksforit " + "中".repeat(chars);
            }

            @Override
            boolean candidates() {
                return true;
            }
        },
        /** Each has many words, all but one of which are there. */
        WORDS_DIFFER {
            @Override
            String phrase(int i) {
                return "somebody a b c d e f g h i j k l m " + Integer.toString(i, 36) + "z";
            }

            @Override
            String text(int chars) {
                return "somebody a b c d e f g h i j k l m "
                        + IntStream.range(0, chars / 5).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
            }

            @Override
            boolean candidates() {
                return true;
            }
        },
        /** Every place is the beginning of another one. */
        EVERYTHING_BEGINS {
            @Override
            String phrase(int i) {
                return "" + (char) (0x4E00 + i % 8) + (char) (0x4E00 + i / 8 % 8) + "中".repeat(20) + han(i);
            }

            @Override
            String text(int chars) {
                SplittableRandom random = new SplittableRandom(7);
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < chars; i++) {
                    text.append((char) (0x4E00 + random.nextInt(8)));
                }
                return text.toString();
            }
        };

        abstract String phrase(int i);

        String text(int chars) {
            return "中".repeat(chars);
        }

        /** Whether the text has the longest word of each, so that each must be looked at. */
        boolean candidates() {
            return false;
        }

        private static String han(int i) {
            return Character.toString(0x5000 + i % 6000) + (i < 6000 ? "" : Character.toString(0x5000 + i / 6000));
        }
    }

    @ParameterizedTest
    @EnumSource(Worst.class)
    void twiceTheTextCostsTwiceAsMuch(Worst worst) {
        FilterIndex<Integer> index = index(worst, FILTERS, /* excluded= */ false);
        long cost = cost(index, worst.text(TEXT_CHARS));
        assertThat(cost(index, worst.text(2 * TEXT_CHARS))).isLessThan(5 * cost / 2 + 1000);
    }

    @ParameterizedTest
    @EnumSource(Worst.class)
    void twiceThePhrasesCostNoMoreWhereNoneIsFound(Worst worst) {
        long cost = cost(index(worst, FILTERS, false), worst.text(TEXT_CHARS));
        long more = cost(index(worst, 2 * FILTERS, false), worst.text(TEXT_CHARS));
        // Whose rarest word is there is asked for its others, each in the time that the word takes.
        assertThat(more).isLessThan(worst.candidates() ? 5 * cost / 2 : 5 * cost / 4 + 1000);
        assertThat(more).isLessThan(240L * TEXT_CHARS);
    }

    @ParameterizedTest
    @EnumSource(Worst.class)
    void noneTakesTheProcessorForLong(Worst worst) {
        for (boolean excluded : new boolean[] {false, true}) {
            FilterIndex<Integer> index = index(worst, FILTERS, excluded);
            String text = worst.text(TEXT_CHARS) + (excluded ? " hello" : "");
            List<Integer> matched = new ArrayList<>();
            Duration took = processorTime(() -> index.match(document(text), matched::add));
            assertThat(matched).hasSize(excluded ? FILTERS : 0);
            // It is a few milliseconds, and was seconds.
            assertThat(took).as("excluded %s", excluded).isLessThan(Duration.ofMillis(300));
        }
    }

    /** Streams that have not caught up are asked one by one. */
    @ParameterizedTest
    @EnumSource(Worst.class)
    void neitherDoesAskingEachFilter(Worst worst) {
        List<FilterSpec> specs = IntStream.range(0, FILTERS)
                .mapToObj(filter -> spec(worst, filter, false))
                .toList();
        MatchDocument doc = document(worst.text(TEXT_CHARS));
        Duration took = processorTime(
                () -> specs.forEach(spec -> assertThat(spec.matches(doc)).isFalse()));
        assertThat(took).isLessThan(Duration.ofMillis(300));
    }

    private static Duration processorTime(Runnable what) {
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        what.run();
        return Duration.ofNanos(threads.getCurrentThreadCpuTime() - before);
    }

    private static long cost(FilterIndex<Integer> index, String text) {
        long before = index.compared();
        index.match(document(text), found -> assertThat(found).isNull());
        return index.compared() - before;
    }

    private static FilterIndex<Integer> index(Worst worst, int filters, boolean excluded) {
        FilterIndex<Integer> index = new FilterIndex<>(SEED);
        for (int filter = 0; filter < filters; filter++) {
            index.add(spec(worst, filter, excluded), filter);
        }
        return index;
    }

    private static FilterSpec spec(Worst worst, int filter, boolean excluded) {
        String phrases = IntStream.range(filter * PHRASES, (filter + 1) * PHRASES)
                .mapToObj(worst::phrase)
                .collect(Collectors.joining(","));
        return FilterSpec.builder(new FilterSpec.Bounds(1, PHRASES, 1))
                .track(excluded ? "hello" : phrases)
                .exclude(excluded ? phrases : "")
                .build();
    }

    private static MatchDocument document(String text) {
        return new MatchDocument(1, 2, text, 0, List.of(), 0, false, 0, "", null, null, SEED);
    }
}
