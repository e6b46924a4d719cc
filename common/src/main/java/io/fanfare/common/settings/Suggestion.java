package io.fanfare.common.settings;

import java.util.Collection;
import java.util.Comparator;

/** Guesses which name was meant. */
final class Suggestion {
    /** Further away than this many edits, a guess would only mislead. */
    private static final int EDITS_MAX = 4;

    private Suggestion() {}

    /** {@code "; did you mean feeds.home-max?"}, or empty when nothing is near. */
    static String hint(String written, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(name -> edits(written, name)))
                .filter(name -> edits(written, name) <= EDITS_MAX)
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
    }

    /** Levenshtein's distance, row by row. */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
