package io.fanfare.bench.replay;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Compares homes with what is expected, and says in words how they differ. One thread. */
final class HomeCheck {
    private final String what;
    private final Ledger ledger;
    private final List<Person> people;
    private final int homeMax;
    private final int cutTo;
    private final Differences differences;

    /**
     * A home that was due no more than {@code homeMax} entries must hold them all. One that was due more must hold the
     * newest of them without a gap, {@code cutTo} at least: how far down it reaches depends on the order in which
     * things arrived.
     *
     * @param what is compared, for the sentences
     */
    HomeCheck(String what, Ledger ledger, List<Person> people, int homeMax, int cutTo, Differences differences) {
        this.what = what;
        this.ledger = ledger;
        this.people = people;
        this.homeMax = homeMax;
        this.cutTo = cutTo;
        this.differences = differences;
    }

    /**
     * Notes at most one difference.
     *
     * @param expected all that the home could hold, newest first
     * @param actual the home, newest first; null when it does not exist
     */
    void compare(Person reader, List<Long> expected, List<Long> actual) {
        String whose = what + " of " + reader.username() + " (" + reader.id() + ") ";
        if (actual == null) {
            differences.add(whose + "does not exist");
            return;
        }
        int due = expected.size() <= homeMax
                ? expected.size()
                : Math.min(expected.size(), Math.max(cutTo, actual.size()));
        if (actual.equals(expected.subList(0, due))) {
            return;
        }
        differences.add(whose + difference(expected.subList(0, due), actual));
    }

    private String difference(List<Long> expected, List<Long> actual) {
        Set<Long> there = new HashSet<>(actual);
        List<Long> missing = expected.stream().filter(id -> !there.contains(id)).toList();
        Set<Long> due = new HashSet<>(expected);
        List<Long> extra = actual.stream().filter(id -> !due.contains(id)).toList();
        if (missing.isEmpty() && extra.isEmpty()) {
            return there.size() < actual.size() ? "shows a status twice" : "is not in order";
        }
        String lacks = missing.isEmpty()
                ? ""
                : "lacks " + missing.size() + " of " + expected.size() + ", the newest being "
                        + describe(missing.get(0));
        String holds = extra.isEmpty()
                ? ""
                : "holds " + extra.size() + " that do not belong there, the newest being " + describe(extra.get(0));
        return lacks + (lacks.isEmpty() || holds.isEmpty() ? "" : "; it ") + holds;
    }

    private String describe(long id) {
        int post = ledger.post(id);
        return post < 0
                ? id + " (not acknowledged in this run)"
                : id + " (post " + post + " by "
                        + people.get(ledger.author(post)).username() + ")";
    }
}
