package io.fanfare.stream.session;

import io.fanfare.common.event.EventId;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LogState;
import io.fanfare.common.model.Refusal;
import io.fanfare.server.http.Parameters;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.match.InvalidFilter;
import io.fanfare.stream.relay.EventRing;
import io.fanfare.stream.relay.ReplayBudget;
import io.fanfare.stream.relay.ReplayPages;
import io.fanfare.stream.wire.Gap;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.function.BooleanSupplier;

/**
 * Finds the start of a stream: after the client's cursor ({@code Last-Event-ID}, {@code last_event_id},
 * {@code cursor}), at a moment ({@code since}), with the last few events ({@code count}), or now; the first that is
 * given wins. Confined to one event loop.
 */
public final class StartPositionResolver {
    private static final int COUNT_MAX = 150_000;

    /** Events in memory that are looked at in one go on the way back. */
    private static final int TURN_EVENTS = 1000;

    private final LogView log;
    private final LoopTimers timers;

    public StartPositionResolver(LogView log, LoopTimers timers) {
        this.log = log;
        this.timers = timers;
    }

    /**
     * The start, and where the stream ends: {@link Long#MAX_VALUE} unless {@code count} is negative.
     *
     * @param until see {@link StreamOptions}
     */
    public record Start(StartPosition resume, long until) {}

    /**
     * Fails with {@code Refusal} or {@link InvalidFilter} for what is malformed and, with {@code on_gap=fail}, for a
     * cursor that cannot be served; {@link TooOld} when the next event is gone; {@link Finished} for a client that
     * comes back to a stream that has ended.
     *
     * @param header {@code Last-Event-ID}; null = none
     * @param now where it begins without a start in the request
     * @param gone whether nobody waits for it any more
     */
    public Future<Start> read(
            String header, Parameters parameters, StreamFilter filter, StartPosition now, BooleanSupplier gone) {
        boolean fails =
                EnumParameter.of(parameters, "on_gap", "continue", "fail").equals("fail");
        String lastEventId = lastEventId(header, parameters);
        String cursor = lastEventId.isEmpty() ? parameters.text("cursor", "") : lastEventId;
        String since = parameters.text("since", "");
        String given = parameters.text("count", "");
        String count = given.equals("0") ? "" : given; // As clients of Twitter's API ask for none.
        Future<Start> start;
        if (!lastEventId.isEmpty() && !count.isEmpty() && count(count) < 0) {
            start = theRest(cursor);
        } else if (!cursor.isEmpty()) {
            start = after(cursor).map(StartPositionResolver::endless);
        } else if (!since.isEmpty()) {
            start = since(millis(since)).map(StartPositionResolver::endless);
        } else if (!count.isEmpty()) {
            start = last(count(count), filter, gone);
        } else {
            start = Future.succeededFuture(endless(now));
        }
        return start.map(found -> fails ? whole(found, cursorName(header, parameters)) : found);
    }

    /**
     * Refuses an EventSource that reconnects to its address after it has received everything: it must not come again.
     */
    private Future<Start> theRest(String cursor) {
        if (EventId.isEnd(cursor)) {
            return Future.failedFuture(new Finished());
        }
        return after(cursor).map(resume -> new Start(resume, log.known().tip()));
    }

    private static Start endless(StartPosition resume) {
        return new Start(resume, Long.MAX_VALUE);
    }

    /**
     * The last event that the client names; empty when it names none. A client without the header may use the
     * parameter.
     */
    private static String lastEventId(String header, Parameters parameters) {
        return header == null || header.isEmpty() ? parameters.text("last_event_id", "") : header;
    }

    private static String cursorName(String header, Parameters parameters) {
        boolean inHeader = header != null && !header.isEmpty();
        return inHeader ? "Last-Event-ID" : lastEventId(header, parameters).isEmpty() ? "cursor" : "last_event_id";
    }

    /**
     * Starts after a cursor. The ring answers for its own events; for any other the log is read, which may be ahead of
     * the known state and may have lost events since.
     */
    private Future<StartPosition> after(String cursor) {
        StartPosition start = StartPosition.of(cursor, log.known(), log.formerEpochs());
        if (start.gap() == null && log.inMemory(start.after())) {
            return Future.succeededFuture(start);
        }
        return log.log().state().map(state -> StartPosition.of(cursor, believed(state), log.formerEpochs()));
    }

    private Future<StartPosition> since(long millis) {
        EventLog redis = log.log();
        return redis.before(millis).compose(seq -> redis.state().map(state -> since(seq, believed(state))));
    }

    /** When nothing in the log is older than the moment, what has left the log may have happened after it. */
    private static StartPosition since(long seq, LogState log) {
        boolean whole = seq >= log.floor() || log.floor() == 1;
        Gap lost = new Gap(Gap.Reason.EXPIRED, 0, log.floor() - 1);
        return whole
                ? StartPosition.of(Long.toString(seq), log)
                : new StartPosition(log.epoch(), log.floor() - 1, false, lost);
    }

    /**
     * A stream begins in the ring's epoch. When the log has just begun another, this node cannot know which of the two
     * the client means: a client that has followed on another node would be led back and receive everything twice, and
     * one that is ahead of this ring would get a gap that is none. So it comes again in a moment.
     */
    private LogState believed(LogState state) {
        if (!state.epoch().equals(log.known().epoch())) {
            throw restarted();
        }
        return state;
    }

    private static Refusal restarted() {
        return new Refusal(
                Refusal.Reason.OVERLOADED, "The log has restarted, and this server is about to follow: try again.");
    }

    /** A start behind which nothing is missing; only what is gone is too old. */
    private Start whole(Start start, String cursorName) {
        Gap gap = start.resume().gap();
        if (gap == null) {
            return start;
        }
        throw switch (gap.reason()) {
            case EXPIRED -> new TooOld(start.resume().after() + 1);
            case EPOCH -> new TooOld(log.known().floor());
            case FUTURE ->
                InvalidFilter.outOfRange(
                        cursorName,
                        "The cursor is ahead of the log, whose newest event is " + gap.to()
                                + ": begin there, or without a cursor.");
            case INVALID ->
                InvalidFilter.unacceptable(
                        cursorName, "The cursor must be the id of an event, such as 5f3a9c01-42, or its number alone.");
        };
    }

    /** A cursor whose successors are gone, where the client wants nothing else. */
    public static final class TooOld extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final long floor;

        TooOld(long floor) {
            super("CursorTooOld", null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
            this.floor = floor;
        }

        /** Lowest seq that can still be had. */
        public long floor() {
            return floor;
        }
    }

    /** The client comes back after it has received everything that it had requested. */
    public static final class Finished extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Finished() {
            super("finished", null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        }
    }

    private static long millis(String since) {
        try {
            return since.chars().allMatch(c -> c >= '0' && c <= '9')
                    ? Long.parseLong(since)
                    : OffsetDateTime.parse(since).toInstant().toEpochMilli();
        } catch (DateTimeException | NumberFormatException e) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The parameter since must be a moment such as 2026-01-02T03:04:05Z, or Unix milliseconds.");
        }
    }

    private static int count(String text) {
        int count = text.matches("-?[0-9]{1,6}") ? Integer.parseInt(text) : 0;
        if (count == 0 || Math.abs(count) > COUNT_MAX) {
            throw InvalidFilter.outOfRange(
                    "count", "The count must be between 1 and " + COUNT_MAX + ", or its negative to end after them.");
        }
        return count;
    }

    private Future<Start> last(int count, StreamFilter filter, BooleanSupplier gone) {
        LogState known = log.known();
        long until = count < 0 ? known.tip() : Long.MAX_VALUE;
        return new Search(filter.stateless(), known, Math.abs(count), gone)
                .run()
                .map(after -> new Start(new StartPosition(known.epoch(), after, false, null), until));
    }

    /**
     * Goes back over the log until so many events are found that a filter wants: over what is in memory first, over the
     * rest as replays do, at their pace.
     */
    private final class Search implements ReplayPages.Reader {
        private final StreamFilter filter;
        private final String epoch;
        private final BooleanSupplier gone;
        private final ReplayBudget budget = log.budget(timers.nanos());
        private final Promise<Long> before = Promise.promise();

        /** Seq up to which nothing has been looked at so far. */
        private long at;

        private long floor;
        private int left;

        Search(StreamFilter filter, LogState known, int count, BooleanSupplier gone) {
            this.filter = filter;
            this.epoch = known.epoch();
            this.gone = gone;
            this.at = known.tip();
            this.floor = known.floor();
            this.left = count;
        }

        /** The seq before the first of the events; the one before the floor when there are fewer. */
        Future<Long> run() {
            goOn();
            return before.future();
        }

        private void goOn() {
            try {
                step();
            } catch (RuntimeException | StackOverflowError e) {
                before.tryFail(e);
            }
        }

        private void step() {
            EventRing ring = log.ring();
            if (gone.getAsBoolean()) {
                before.fail(new Refusal(Refusal.Reason.OVERLOADED, "Nobody waits for this any more."));
            } else if (!ring.epoch().equals(epoch)) {
                before.fail(restarted());
            } else if (at < floor) {
                before.complete(floor - 1);
            } else if (at >= ring.first()) {
                look(ring, Math.max(ring.first(), at - TURN_EVENTS + 1));
                timers.after(1, this::goOnUnlessFound);
            } else {
                read();
            }
        }

        private void goOnUnlessFound() {
            if (!before.future().isComplete()) {
                goOn();
            }
        }

        /** Down to {@code from}, or to the last event that is wanted, or as far as one turn may go. */
        private void look(EventRing events, long from) {
            int weight = filter.cost();
            int cost = 0;
            for (long lowest = Math.max(from, floor); at >= lowest && cost < EventRing.COST_MAX; at--) {
                StreamEvent event = events.event(at);
                cost += event == null ? 0 : EventRing.cost(event, weight);
                if (event != null && wants(events, event) && --left == 0) {
                    before.complete(at - 1);
                    return;
                }
            }
        }

        private boolean wants(EventRing events, StreamEvent event) {
            try {
                return filter.wants(event);
            } catch (RuntimeException | StackOverflowError e) {
                if (events.dropUnreadable(event.logged().seq(), e)) {
                    return false;
                }
                throw e;
            }
        }

        private void read() {
            long waitMillis = budget.take(ReplayPages.PAGE_EVENTS, timers.nanos());
            if (waitMillis > 0) {
                timers.after(waitMillis, this::goOn);
            } else {
                log.pages().search(at - 1, this);
            }
        }

        @Override
        public void take(ReplayPages.Page page) {
            LogState log = page.state();
            if (!log.epoch().equals(epoch)) {
                before.fail(restarted());
                return;
            }
            floor = Math.max(floor, log.floor());
            try {
                look(page.events(), page.events().first());
            } catch (RuntimeException | StackOverflowError e) {
                before.tryFail(e);
            }
            goOnUnlessFound();
        }

        @Override
        public void broken() {
            before.fail(new IllegalStateException("a page of the log cannot be read"));
        }

        @Override
        public void unread() {
            before.fail(
                    new Refusal(Refusal.Reason.OVERLOADED, "The log cannot be read at the moment: try again later."));
        }
    }
}
