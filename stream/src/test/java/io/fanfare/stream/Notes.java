package io.fanfare.stream;

import io.fanfare.common.event.Event;
import io.fanfare.stream.OracleClient.Wish;
import io.fanfare.stream.OracleHome.Duty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one client has heard, over all its connections, and the verdict on it. For one thread. */
final class Notes {
    /** From one connection to its end. */
    private static final class Session {
        /** Where the log stood when the connection was asked for. */
        final long asked;

        /** Everything above that place that is wanted must come, until the end. */
        final long surelyFrom;

        final int from;
        int to = Integer.MAX_VALUE;

        /** Cursor of the newest event that the node knew when the connection began, if it has said. */
        long tip = Frames.NO_CURSOR;

        Session(long asked, long surelyFrom, int from) {
            this.asked = asked;
            this.surelyFrom = surelyFrom;
            this.from = from;
        }
    }

    /**
     * A gap that was told.
     *
     * @param heard how many events had been heard before
     * @param cursor of the client at that moment
     * @param from 0 = not said
     * @param to 0 = not said
     * @param next of the epoch that has begun, if that is known
     */
    private record Told(int heard, long cursor, boolean epoch, long from, long to, long next) {}

    private final Wish wish;
    private final List<Session> sessions = new ArrayList<>();
    private final List<Told> gaps = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();
    private long[] keys = new long[64];
    private int[] digests = new int[64];
    private char[] kinds = new char[64];
    private int count;
    private long first = Frames.NO_CURSOR;

    Notes(Wish wish) {
        this.wish = wish;
    }

    /** A connection, asked for when the log stood at {@code asked}, has said its first word; everything above the other place will be told on it. */
    void begin(long asked, long surelyFrom) {
        sessions.add(new Session(asked, surelyFrom, count));
    }

    /** How far that connection's node knows the log. */
    void tip(long cursor) {
        sessions.get(sessions.size() - 1).tip = cursor;
    }

    /** That connection is no more. */
    void end() {
        if (!sessions.isEmpty()) {
            Session last = sessions.get(sessions.size() - 1);
            last.to = Math.min(last.to, count);
        }
    }

    /** Where a client with a cursor began to listen for the first time. */
    void first(long cursor) {
        first = cursor;
    }

    /** @param key its cursor, or the id of its status where there are no cursors */
    void event(Event.Kind kind, long key, int digest) {
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
            digests = Arrays.copyOf(digests, count * 2);
            kinds = Arrays.copyOf(kinds, count * 2);
        }
        keys[count] = key;
        digests[count] = digest;
        kinds[count] = kind.letter();
        count++;
    }

    void gap(long cursor, boolean epoch, long from, long to, long next) {
        gaps.add(new Told(count, cursor, epoch, from, to, next));
    }

    void trouble(String what) {
        if (troubles.size() < 3) {
            troubles.add(what + " in " + wish);
        }
    }

    int sessions() {
        return sessions.size();
    }

    int gaps() {
        return gaps.size();
    }

    int heard() {
        return count;
    }

    /** Whether the last event that must come has come, or a gap behind it. */
    boolean complete(Truth truth) {
        List<Truth.Due> wanted = truth.wanted(wish.filter());
        for (int i = wanted.size() - 1; i >= 0; i--) {
            if (!truth.mayBeMissing(wanted.get(i))
                    && tells(wanted.get(i).entry())
                    && duty(wanted.get(i).entry(), count, /* heard= */ false) == Duty.MUST) {
                long due = wanted.get(i).place();
                return due <= mayLack(truth)
                        || (count > 0 && place(count - 1, truth) >= due)
                        || excused(truth, 0, 0).stream().anyMatch(gap -> gap[0] <= due && due <= gap[1]);
            }
        }
        return true;
    }

    /** Place up to which nothing need come any more: where a client with a cursor began, and others began the last time. */
    private long mayLack(Truth truth) {
        return wish.resumes() ? truth.placeOf(first) : sessions.get(sessions.size() - 1).surelyFrom;
    }

    /**
     * Whether it had to be told between the events before and at {@code at}, or as that one: by the connection on which it was or, when it is not clear which that is, by all of
     * them.
     */
    private Duty duty(Truth.Entry entry, int at, boolean heard) {
        if (!(wish.filter() instanceof OracleHome home)) {
            return Duty.MUST;
        }
        Set<Duty> said = EnumSet.noneOf(Duty.class);
        for (Session session : sessions) {
            if (session.from <= at && (heard ? at < session.to : at <= session.to)) {
                said.add(home.duty(entry, session.asked, hasGap(session) ? Long.MAX_VALUE : session.surelyFrom));
            }
        }
        return said.size() == 1 ? said.iterator().next() : Duty.MAY;
    }

    private boolean hasGap(Session session) {
        return gaps.stream().anyMatch(gap -> session.from <= gap.heard() && gap.heard() <= session.to);
    }

    /** Whether the dialect has words for it. */
    private boolean tells(Truth.Entry entry) {
        return wish.resumes() || entry.is(Event.Kind.STATUS) || entry.is(Event.Kind.DELETE);
    }

    private Truth.Entry entry(int i, Truth truth) {
        if (wish.resumes()) {
            return truth.at(truth.placeOf(keys[i]));
        }
        return kinds[i] == Event.Kind.DELETE.letter() ? truth.delete(keys[i]) : truth.status(keys[i]);
    }

    private long place(int i, Truth truth) {
        Truth.Entry entry = entry(i, truth);
        return entry == null ? 0 : entry.place();
    }

    /** What was heard against what should have been, in sentences; empty when all is well. */
    List<String> differences(Truth truth) {
        List<String> found = new ArrayList<>(troubles);
        if (wish.resumes()) {
            judge(truth, 0, count, truth.placeOf(first), Long.MAX_VALUE, excused(truth, 0, 0), found);
            sessions.forEach(session -> judgeDeletes(truth, session, found));
            return found;
        }
        for (Session session : sessions) {
            int to = Math.min(session.to, count);
            boolean last = session == sessions.get(sessions.size() - 1);
            if (last || to > session.from) {
                long end = last ? Long.MAX_VALUE : place(to - 1, truth);
                long begun = to > session.from ? place(session.from, truth) - 1 : Long.MAX_VALUE;
                long after = Math.min(begun, session.surelyFrom);
                List<long[]> excused = excused(truth, session.from, session.surelyFrom);
                judge(truth, session.from, to, after, end, excused, found);
            }
        }
        return found;
    }

    /** Everything wanted in ]after, until] must be in [from, to[, once and in order, and nothing else. */
    private void judge(Truth truth, int from, int to, long after, long until, List<long[]> gone, List<String> found) {
        int at = from;
        long before = Long.MIN_VALUE;
        for (Truth.Due due : truth.wanted(wish.filter())) {
            if (due.place() <= after || due.place() > until || !tells(due.entry())) {
                continue;
            }
            Truth.Entry heard = at < to ? entry(at, truth) : null;
            if (at < to && (heard == null || heard.place() <= before)) {
                found.add("out of place " + told(at) + " behind " + text(before) + " in " + wish);
                return;
            }
            if (heard != null && heard.place() == due.place()) {
                if (duty(heard, at, /* heard= */ true) == Duty.NOT) {
                    found.add("not to be told " + text(heard.place()) + " "
                            + heard.event().id() + " in " + wish);
                    return;
                }
                if (heard.event().kind().letter() != kinds[at] || !sameWords(due, digests[at])) {
                    found.add("other words in " + text(due.place()) + " of " + wish);
                }
                before = heard.place();
                at++;
            } else if (heard != null && heard.place() < due.place()) {
                found.add("unasked " + text(heard.place()) + " " + heard.event().id() + " in " + wish);
                return;
            } else if (!truth.mayBeMissing(due)
                    && duty(due.entry(), at, /* heard= */ false) == Duty.MUST
                    && gone.stream().noneMatch(gap -> gap[0] <= due.place() && due.place() <= gap[1])) {
                found.add("lost " + text(due.place()) + " " + due.entry().event() + " of " + wish + ", sessions "
                        + sessions.size() + ", gaps " + gaps + ", heard before " + text(before) + ", next "
                        + (heard == null ? "none" : text(heard.place())));
                return;
            }
        }
        if (at < to) {
            found.add("heard " + (to - at) + " more in " + wish + " from " + told(at));
        }
    }

    /** Statuses whose delete the node knew before the connection began must not be told on it, nor their words by what shows them. */
    private void judgeDeletes(Truth truth, Session session, List<String> found) {
        for (int i = session.from; i < Math.min(session.to, count); i++) {
            Truth.Entry heard = entry(i, truth);
            boolean status = heard != null && heard.is(Event.Kind.STATUS);
            boolean words = status
                    && heard.less() != null
                    && digests[i] == heard.whole().digest();
            Truth.Entry delete = status ? truth.delete(heard.event().subject()) : null;
            if (delete == null && words) {
                delete = truth.delete(heard.shown());
            }
            if (delete != null && delete.place() <= truth.placeOf(session.tip)) {
                found.add("told " + text(heard.place()) + " though deleted at " + text(delete.place()) + " in " + wish
                        + ", which began at " + Frames.cursorText(session.tip));
                return;
            }
        }
    }

    private String told(int i) {
        String key = wish.resumes() ? Frames.cursorText(keys[i]) : Long.toString(keys[i]);
        return kinds[i] + key;
    }

    private static String text(long place) {
        return Truth.era(place) + ":" + Truth.seq(place);
    }

    /** Where a delete is told in an envelope, there is nothing to compare. */
    private boolean sameWords(Truth.Due due, int digest) {
        return Truth.isDue(due, digest) || (due.entry().is(Event.Kind.DELETE) && !wish.resumes());
    }

    /**
     * First and last place of what gaps have told is missing.
     *
     * @param from of the events heard, the first that counts
     * @param begun where a client without cursors stood before that
     */
    private List<long[]> excused(Truth truth, int from, long begun) {
        List<long[]> excused = new ArrayList<>();
        // Of whoever has heard nothing since it was told of a new epoch.
        Map<Integer, Integer> eras = new HashMap<>();
        for (Told gap : gaps) {
            if (gap.heard() < from) {
                continue;
            }
            long stood = gap.heard() > from ? place(gap.heard() - 1, truth) : begun;
            if (wish.resumes()) {
                stood = truth.placeOf(gap.cursor());
            }
            if (!gap.epoch()) {
                int era = eras.getOrDefault(gap.heard(), Truth.era(stood));
                excused.add(new long[] {Truth.place(era, gap.from()), Truth.place(era, gap.to())});
            } else {
                // What was left of the old epoch, epochs between, and the beginning of the new one if it says so.
                eras.put(gap.heard(), next(gap, truth));
                excused.add(new long[] {stood + 1, Truth.place(next(gap, truth), gap.to())});
            }
        }
        return excused;
    }

    /** The era after a gap: as it says, or that of what was heard next, or else the last. */
    private int next(Told gap, Truth truth) {
        if (gap.next() != Frames.NO_CURSOR) {
            return Truth.era(truth.placeOf(gap.next()));
        }
        return Truth.era(gap.heard() < count ? place(gap.heard(), truth) : truth.tip());
    }
}
