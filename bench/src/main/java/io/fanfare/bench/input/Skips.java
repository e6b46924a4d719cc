package io.fanfare.bench.input;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lines that a reader left out or changed: how often for each reason, and the first few lines. One thread. */
public final class Skips {
    private static final int LINES_SHOWN = 5;

    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final Map<String, List<Long>> lines = new LinkedHashMap<>();

    /** Counts one; {@code line} is 1 for the first line of the file. */
    public void add(String reason, long line) {
        counts.merge(reason, 1L, Long::sum);
        List<Long> first = lines.computeIfAbsent(reason, r -> new ArrayList<>());
        if (first.size() < LINES_SHOWN) {
            first.add(line);
        }
    }

    /** How often for this reason; 0 when never. */
    public long count(String reason) {
        return counts.getOrDefault(reason, 0L);
    }

    /**
     * One sentence per reason, for example {@code 3 malformed lines skipped (lines 1, 7, 9)}; empty when nothing was
     * left out.
     */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        counts.forEach(
                (reason, count) -> sentences.add(String.format("%,d %s (%s)", count, reason, where(reason, count))));
        return sentences;
    }

    private String where(String reason, long count) {
        List<Long> first = lines.get(reason);
        StringBuilder text = new StringBuilder(first.size() == 1 ? "line " : "lines ");
        for (int i = 0; i < first.size(); i++) {
            text.append(i == 0 ? "" : ", ").append(first.get(i));
        }
        return text.append(count > first.size() ? ", ..." : "").toString();
    }
}
