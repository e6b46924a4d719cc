package io.fanfare.stream;

import io.fanfare.common.event.Event;
import io.fanfare.stream.OracleClient.Wish;
import io.fanfare.stream.OracleHome.Duty;
import io.fanfare.stream.wire.Dialect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The events that one client has received on one stream, over all its connections, and the verdict on them. For one
 * thread.
 */
final class Notes {
    /** Differences kept of one stream; the others are counted. */
    private static final int DIFFERENCES_MAX = 20;

    /** From one connection to its end. */
    private static final class Session {
        /** The tip of the log when the connection was requested. */
        final long requested;

        /** Everything above that place that is wanted must come, until the end. */
        final long surelyFrom;

        final int from;
        int to = Integer.MAX_VALUE;

        /** The client's cursor at the request. */
        final long cursor;

        /** Which of its filters was asked for. */
        final int turn;

        final List<Change> changes = new ArrayList<>();

        /** Cursor of the newest event that the node knew when the connection began, if it has said. */
        long tip = Frames.NO_CURSOR;

        Session(long requested, long surelyFrom, int from, long cursor, int turn) {
            this.requested = requested;
            this.surelyFrom = surelyFrom;
            this.from = from;
            this.cursor = cursor;
            this.turn = turn;
        }

        /** Whether it stands to this day. */
        boolean lasts() {
            return to == Integer.MAX_VALUE;
        }

        /** The filters that may have judged an event: one, but where it is not clear where another has begun. */
        Set<Integer> turns(long place, Truth truth) {
            Set<Integer> turns = new HashSet<>(Set.of(turn));
            for (Change change : changes) {
                if (place > change.surelyFrom()) {
                    turns.clear();
                }
                if (place > truth.placeOf(change.after())) {
                    turns.add(change.turn());
                }
            }
            return turns;
        }
    }

    /**
     * Another filter that was asked for on a connection.
     *
     * @param after cursor of an event that the filter before it has surely judged
     * @param surelyFrom place above which it holds; the end of all while that has not been answered
     */
    private record Change(int turn, long after, long surelyFrom) {}

    /**
     * A gap that was told.
     *
     * @param received how many events had been heard before
     * @param cursor of the client at that moment
     * @param from 0 = not said
     * @param to 0 = not said
     * @param next of the epoch that has begun, if that is known
     */
    private record GapNote(int received, long cursor, boolean epoch, long from, long to, long next) {}

    private final Wish wish;
    private final List<Session> sessions = new ArrayList<>();
    private final List<GapNote> gaps = new ArrayList<>();
    private final List<String> found = new ArrayList<>();
    private int unsaid;
    private long[] keys = new long[64];
    private int[] digests = new int[64];
    private char[] kinds = new char[64];
    private int count;
    private long first = Frames.NO_CURSOR;
    private int changed;

    Notes(Wish wish) {
        this.wish = wish;
    }

    Wish wish() {
        return wish;
    }

    /**
     * A connection, asked for when the log stood at {@code requested}, has said its first word; everything above the
     * other place will be told on it.
     *
     * @param cursor with which it was asked for
     * @param turn which of the client's filters was asked for
     */
    void begin(long requested, long surelyFrom, long cursor, int turn) {
        sessions.add(new Session(requested, surelyFrom, count, cursor, turn));
    }

    /**
     * Another of its filters is asked for. Whether that or the one before it judges what comes behind {@code after},
     * nobody knows until there is an answer.
     */
    void change(int turn, long after) {
        last().changes.add(new Change(turn, after, Long.MAX_VALUE));
    }

    /** It holds for everything above that place. */
    void changed(long surelyFrom) {
        List<Change> changes = last().changes;
        Change requested = changes.remove(changes.size() - 1);
        changes.add(new Change(requested.turn(), requested.after(), surelyFrom));
        changed++;
    }

    /** It does not hold. */
    void unchanged() {
        last().changes.remove(last().changes.size() - 1);
    }

    private Session last() {
        return sessions.get(sessions.size() - 1);
    }

    /** How far that connection's node knows the log. */
    void tip(long cursor) {
        last().tip = cursor;
    }

    /** That connection is no more. */
    void end() {
        if (!sessions.isEmpty()) {
            last().to = Math.min(last().to, count);
        }
    }

    /** The cursor at which the client first listened. */
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
        gaps.add(new GapNote(count, cursor, epoch, from, to, next));
    }

    /** Something is not as it should be. */
    void trouble(String what) {
        if (found.size() < DIFFERENCES_MAX) {
            found.add(wish + ": " + what);
        } else {
            unsaid++;
        }
    }

    int sessions() {
        return sessions.size();
    }

    int gaps() {
        return gaps.size();
    }

    int received() {
        return count;
    }

    /** How often another filter was taken. */
    int changes() {
        return changed;
    }

    /** Whether the last event that must come has come, or a gap behind it. */
    boolean complete(Truth truth) {
        List<Truth.Due> wanted = truth.wanted(wish.filter());
        for (int i = wanted.size() - 1; i >= 0; i--) {
            if (!truth.mayBeMissing(wanted.get(i))
                    && sends(wanted.get(i).entry())
                    && duty(truth, wanted.get(i).entry(), count, /* received= */ false) == Duty.MUST) {
                long due = wanted.get(i).place();
                return due <= mayLack(truth)
                        || (count > 0 && place(count - 1, truth) >= due)
                        || excused(truth, 0, 0).stream().anyMatch(gap -> gap[0] <= due && due <= gap[1]);
            }
        }
        return true;
    }

    /**
     * Place up to which nothing need come any more: where a client with a cursor began, and others began the last time.
     */
    private long mayLack(Truth truth) {
        return wish.resumes() ? truth.placeOf(first) : last().surelyFrom;
    }

    /**
     * Whether it had to be told between the events before and at {@code at}, or as that one: by the connection on which
     * it was or, when it is not clear which that is, by all of them.
     */
    private Duty duty(Truth truth, Truth.Entry entry, int at, boolean received) {
        if (wish.filter() instanceof OracleTurns turns) {
            return duty(truth, entry, turns);
        }
        if (!(wish.filter() instanceof OracleHome home)) {
            return Duty.MUST;
        }
        Set<Duty> duties = EnumSet.noneOf(Duty.class);
        for (Session session : sessions) {
            if (session.from <= at && (received ? at < session.to : at <= session.to)) {
                // A socket does not say when it has read whom the viewer follows.
                boolean clear = wish.dialect() != Dialect.MASTODON_SOCKET && !hasGap(session);
                duties.add(home.duty(entry, session.requested, clear ? session.surelyFrom : Long.MAX_VALUE));
            }
        }
        return common(duties);
    }

    /** By the filter that held for it on its connection or, where that may be one of two, by both. */
    private Duty duty(Truth truth, Truth.Entry entry, OracleTurns turns) {
        Set<Duty> duties = EnumSet.noneOf(Duty.class);
        for (int turn : session(entry.place(), truth).turns(entry.place(), truth)) {
            Truth.Due due = truth.due(turns.filters().get(turn), entry);
            duties.add(due == null ? Duty.NOT : truth.mayBeMissing(due) ? Duty.MAY : Duty.MUST);
        }
        return common(duties);
    }

    private static Duty common(Set<Duty> duties) {
        return duties.size() == 1 ? duties.iterator().next() : Duty.MAY;
    }

    /**
     * The connection that had to tell what stands there, if anything: the last one that was asked for with a cursor
     * before it.
     */
    private Session session(long place, Truth truth) {
        for (int i = sessions.size() - 1; i > 0; i--) {
            Session session = sessions.get(i);
            long received = session.from == 0 ? -1 : place(session.from - 1, truth);
            if (Math.max(received, truth.placeOf(session.cursor)) < place) {
                return session;
            }
        }
        return sessions.get(0);
    }

    private boolean hasGap(Session session) {
        return gaps.stream().anyMatch(gap -> session.from <= gap.received() && gap.received() <= session.to);
    }

    /** Whether the dialect has words for it. */
    private boolean sends(Truth.Entry entry) {
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

    /**
     * The differences between the received and the expected events, in sentences; empty when all is well. To be called
     * once.
     */
    List<String> differences(Truth truth) {
        if (wish.resumes()) {
            judge(truth, 0, count, truth.placeOf(first), Long.MAX_VALUE, excused(truth, 0, 0));
            sessions.forEach(session -> judgeDeletes(truth, session));
        } else {
            sessions.forEach(session -> judge(truth, session));
        }
        if (unsaid > 0) {
            found.add(wish + ": and " + unsaid + " more");
        }
        return found;
    }

    /**
     * Judges a session of a dialect without cursors: from the place where the connection surely stood, to its end or to
     * the last event received.
     */
    private void judge(Truth truth, Session session) {
        int to = Math.min(session.to, count);
        if (session.lasts() || to > session.from) {
            long end = session.lasts() ? Long.MAX_VALUE : place(to - 1, truth);
            long begun = to > session.from ? place(session.from, truth) - 1 : Long.MAX_VALUE;
            long after = Math.min(begun, session.surelyFrom);
            judge(truth, session.from, to, after, end, excused(truth, session.from, session.surelyFrom));
        }
    }

    /** Everything wanted in ]after, until] must be in [from, to[, once and in order, and nothing else. */
    private void judge(Truth truth, int from, int to, long after, long until, List<long[]> gone) {
        int at = from;
        long before = Long.MIN_VALUE;
        for (Truth.Due due : truth.wanted(wish.filter())) {
            if (due.place() <= after || due.place() > until || !sends(due.entry())) {
                continue;
            }
            for (; at < to && place(at, truth) < due.place(); at++) {
                before = stray(truth, at, before);
            }
            if (at < to && place(at, truth) == due.place()) {
                judge(truth, due, at);
                before = due.place();
                at++;
            } else if (!truth.mayBeMissing(due)
                    && duty(truth, due.entry(), at, /* received= */ false) == Duty.MUST
                    && gone.stream().noneMatch(gap -> gap[0] <= due.place() && due.place() <= gap[1])) {
                trouble("lost " + text(due.place()) + " " + due.entry().event() + ", sessions " + sessions.size()
                        + ", gaps " + gaps.size() + ", heard before " + text(before) + ", next "
                        + (at < to ? describe(at) : "none"));
            }
        }
        for (; at < to; at++) {
            before = stray(truth, at, before);
        }
    }

    /** Reports an event that is not due at its place; answers the place up to which nothing is to come any more. */
    private long stray(Truth truth, int at, long before) {
        long place = place(at, truth);
        trouble((place > before ? "unasked " : "out of place ") + describe(at) + " behind " + text(before));
        return Math.max(place, before);
    }

    private void judge(Truth truth, Truth.Due due, int at) {
        if (duty(truth, due.entry(), at, /* received= */ true) == Duty.NOT) {
            trouble("not to be told " + text(due.place()) + " " + due.entry().event());
        }
        if (due.entry().event().kind().letter() != kinds[at] || !sameWords(due, digests[at])) {
            trouble("other words in " + text(due.place()));
        }
    }

    /**
     * Statuses whose delete the node knew before the connection began must not be told on it, nor their words by what
     * shows them.
     */
    private void judgeDeletes(Truth truth, Session session) {
        for (int i = session.from; i < Math.min(session.to, count); i++) {
            Truth.Entry received = entry(i, truth);
            boolean status = received != null && received.is(Event.Kind.STATUS);
            boolean words = status
                    && received.less() != null
                    && digests[i] == received.whole().digest();
            Truth.Entry delete = status ? truth.delete(received.event().subject()) : null;
            if (delete == null && words) {
                delete = truth.delete(received.shown());
            }
            if (delete != null && delete.place() <= truth.placeOf(session.tip)) {
                trouble("told " + text(received.place()) + " though deleted at " + text(delete.place())
                        + ", on a connection that began at " + Frames.cursorText(session.tip));
            }
        }
    }

    private String describe(int i) {
        String key = wish.resumes() ? Frames.cursorText(keys[i]) : Long.toString(keys[i]);
        return kinds[i] + key;
    }

    private static String text(long place) {
        return Truth.era(place) + ":" + Truth.seq(place);
    }

    /** Compares the words. The envelope of a delete has none. */
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
        for (GapNote gap : gaps) {
            if (gap.received() < from) {
                continue;
            }
            long stood = gap.received() > from ? place(gap.received() - 1, truth) : begun;
            if (wish.resumes()) {
                stood = truth.placeOf(gap.cursor());
            }
            if (!gap.epoch()) {
                int era = eras.getOrDefault(gap.received(), Truth.era(stood));
                excused.add(new long[] {Truth.place(era, gap.from()), Truth.place(era, gap.to())});
            } else {
                // What was left of the old epoch, epochs between, and the beginning of the new one if it says so.
                eras.put(gap.received(), next(gap, truth));
                excused.add(new long[] {stood + 1, Truth.place(next(gap, truth), gap.to())});
            }
        }
        return excused;
    }

    /** The era after a gap: as it says, or that of what was heard next, or else the last. */
    private int next(GapNote gap, Truth truth) {
        if (gap.next() != Frames.NO_CURSOR) {
            return Truth.era(truth.placeOf(gap.next()));
        }
        return Truth.era(gap.received() < count ? place(gap.received(), truth) : truth.tip());
    }
}
