package io.fanfare.bench.replay;

import java.util.ArrayList;
import java.util.List;

/** Differences from the expected state. All are counted; the first few are kept as sentences. One thread at a time. */
final class Differences {
    private static final int SHOWN_MAX = 20;

    private final List<String> first = new ArrayList<>();
    private long count;

    void add(String sentence) {
        count++;
        if (first.size() < SHOWN_MAX) {
            first.add(sentence);
        }
    }

    void addAll(Differences others) {
        others.first.forEach(this::add);
        count += others.count - others.first.size();
    }

    long count() {
        return count;
    }

    /** The first of them, in words. */
    List<String> first() {
        return List.copyOf(first);
    }
}
