package io.fanfare.verify;

import io.fanfare.verify.Difference.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The result of a verification. It counts everything, and keeps the first {@value #SHOWN_MAX} of each sort. */
public final class Report {
    /** A name in {@link #looked}: ids in homes and lists of likes that reads do not show. */
    public static final String LEFTOVERS = "leftovers";

    /** A name in {@link #looked}: comments under statuses that are gone. */
    public static final String COMMENTS_ON_DELETED = "comments on deleted statuses";

    /** A name in {@link #looked}: rows of the archive; absent when they were not compared. */
    public static final String ARCHIVED = "archived rows";

    private static final int SHOWN_MAX = 1000;

    private final Sort left = new Sort();
    private final Sort inFlux = new Sort();
    private final Sort repaired = new Sort();
    private final Map<String, Long> looked = new TreeMap<>();
    private String keysNotRead = "";
    private String archiveNotRead = "";
    private boolean cut;

    /** Differences that ended the same way. */
    private static final class Sort {
        private final List<Difference> first = new ArrayList<>();
        private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

        void add(Difference difference) {
            counts.merge(difference.kind(), 1L, Long::sum);
            if (first.size() < SHOWN_MAX) {
                first.add(difference);
            }
        }

        long count(Kind kind) {
            return counts.getOrDefault(kind, 0L);
        }

        long sum() {
            return counts.values().stream().mapToLong(count -> count).sum();
        }
    }

    Report() {}

    void left(Difference difference) {
        left.add(difference);
    }

    void inFlux(Difference difference) {
        inFlux.add(difference);
    }

    void repaired(Difference difference) {
        repaired.add(difference);
    }

    void looked(Findings findings) {
        looked("statuses", findings.statuses);
        looked("edges", findings.edges);
        looked("homes", findings.homes);
        looked("home entries", findings.entries);
        looked(LEFTOVERS, findings.leftovers);
        looked("keys", findings.keys);
        looked(COMMENTS_ON_DELETED, findings.commentsOnDeleted);
        cut |= findings.cut;
    }

    void looked(String what, long number) {
        looked.merge(what, number, Long::sum);
    }

    void keysNotRead(String why) {
        keysNotRead = why;
    }

    void archiveNotRead(String why) {
        archiveNotRead = why;
    }

    /** Whether nothing is wrong and nothing was too busy to be judged; repaired differences do not count. */
    public boolean isClean() {
        return leftCount() == 0 && inFluxCount() == 0;
    }

    /** How many confirmed differences are left. */
    public long leftCount() {
        return left.sum();
    }

    /** How many differences could not be judged, since jobs were waiting or running at every look. */
    public long inFluxCount() {
        return inFlux.sum();
    }

    /** How many differences were repaired. */
    public long repairedCount() {
        return repaired.sum();
    }

    /** The first confirmed differences that are left. */
    public List<Difference> left() {
        return List.copyOf(left.first);
    }

    /** The first differences that could not be judged. */
    public List<Difference> inFlux() {
        return List.copyOf(inFlux.first);
    }

    /** The first differences that were repaired. */
    public List<Difference> repaired() {
        return List.copyOf(repaired.first);
    }

    /** How many differences there were of a kind, in each of the three sorts. */
    public record Counts(long left, long inFlux, long repaired) {}

    /** The numbers of every kind of which there was one. */
    public Map<Kind, Counts> byKind() {
        Map<Kind, Counts> all = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            Counts counts = new Counts(left.count(kind), inFlux.count(kind), repaired.count(kind));
            if (counts.left() + counts.inFlux() + counts.repaired() > 0) {
                all.put(kind, counts);
            }
        }
        return all;
    }

    /**
     * How much was looked at, by words such as {@code accounts}; also {@code leftovers}, ids that homes and lists of
     * likes still hold of statuses that are gone, which reads do not show.
     */
    public Map<String, Long> looked() {
        return new TreeMap<>(looked);
    }

    /** The reason why the keys were not listed; empty when they were, or when that was not requested. */
    public String keysNotRead() {
        return keysNotRead;
    }

    /**
     * The reason why the rows of the archive were not compared; empty when they were, or when that was not requested.
     */
    public String archiveNotRead() {
        return archiveNotRead;
    }

    /** Whether one account had more differences than one run holds: another run shows and repairs the others. */
    public boolean isCut() {
        return cut;
    }
}
