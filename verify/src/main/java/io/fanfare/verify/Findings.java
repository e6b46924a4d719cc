package io.fanfare.verify;

import java.util.ArrayList;
import java.util.List;

/** The findings of one look at one account, or at one portion of keys. One event loop. */
final class Findings {
    /** Differences of one account that are kept at one look; a second run finds the others. */
    private static final int KEPT_MAX = 2000;

    final List<Difference> differences = new ArrayList<>();
    boolean cut;
    long statuses;
    long edges;
    long homes;
    long entries;
    long leftovers;
    long keys;
    long commentsOnDeleted;

    void add(Difference difference) {
        if (differences.size() < KEPT_MAX) {
            differences.add(difference);
        } else {
            cut = true;
        }
    }
}
