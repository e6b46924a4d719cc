package io.fanfare.stream.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SubstringsTest {
    private static final String[] CHARACTERS = {
        "中", "文", "a", "b", " ", "-", "\uFFFE", "\uFFFF", "𠀀", "\uFFFC", "ー", "\uD800\uDC00", "\uDBFF\uDFFD"
    };

    @Test
    void agreesWithSearchingThroughTheText() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        int found = 0;
        for (int round = 0; round < 2000; round++) {
            String text = draw(random, random.nextInt(60));
            Substrings substrings = new Substrings(text, random.nextLong());
            for (int i = 0; i < 50; i++) {
                String part = draw(random, random.nextInt(1, 7));
                boolean there = occurs(text, part);
                assertThat(substrings.has(part))
                        .as("seed %d: %s in %s", seed, part, text)
                        .isEqualTo(there);
                found += there ? 1 : 0;
            }
        }
        assertThat(found).isGreaterThan(5000);
    }

    private static boolean occurs(String text, String part) {
        Term.Part sought = new Term.Part(part);
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
            if (sought.isWhole(text, at)) {
                return true;
            }
        }
        return false;
    }

    /** Mostly of few characters, so that much is there several times. */
    private static String draw(SplittableRandom random, int length) {
        int first = random.nextInt(CHARACTERS.length);
        int kinds = random.nextInt(2, 6);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(CHARACTERS[(first + random.nextInt(kinds)) % CHARACTERS.length]);
        }
        return text.toString();
    }
}
