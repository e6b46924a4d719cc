package io.fanfare.stream.session;

import io.fanfare.common.event.LogState;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.relay.ReplayBudget;
import io.fanfare.stream.relay.ReplayPages;
import io.fanfare.stream.wire.Disconnect;
import io.fanfare.stream.wire.Gap;
import java.util.OptionalLong;

/**
 * Leads the cursor of one stream to the ring: through pages of the log, over what the log has lost, and into a new
 * epoch; and waits until the stream's filter is ready. While it waits for something the stream rests, and goes on by
 * itself when that is there. Confined to one event loop.
 */
final class CatchUp implements ReplayPages.Reader {
    private final Subscriber stream;
    private final Turns turns;
    private final LoopParts loop;
    private final StreamOptions options;
    private ReplayBudget budget; // null = no page was read for the stream so far

    CatchUp(Subscriber stream, Turns turns, StreamOptions options) {
        this.stream = stream;
        this.turns = turns;
        this.loop = stream.loop;
        this.options = options;
    }

    /** Goes on when the filter is ready. */
    void await(StreamFilter filter) {
        stream.waiting = true;
        filter.whenReady(this::goOn);
    }

    private void goOn() {
        stream.waiting = false;
        stream.pump();
    }

    /** Goes on when the filter knows what has happened up to the cursor. */
    void learn(StreamFilter filter) {
        stream.waiting = true;
        filter.learnUpTo(stream.epoch(), stream.cursor())
                .onComplete(learned -> goOn(), unread -> loop.timers().retry(this::learnOrFail));
    }

    private void learnOrFail() {
        try {
            stream.inform();
        } catch (RuntimeException | StackOverflowError e) {
            stream.fail(e);
        }
    }

    /**
     * The log began another epoch. The stream was there all the time, so it continues behind the last event that it
     * shares with the log, or else with the first event of the new epoch. A stream that was to end somewhere ends here,
     * since its rest is lost.
     */
    void enterEpoch(String begun) {
        LogState log = loop.log().known();
        OptionalLong shared = loop.log().formerEpochs().after(stream.epoch(), stream.cursor());
        // A node that notices it late may find that the new epoch has lost its beginning as well.
        long before = Math.max(log.floor() - 1, log.inherited());
        Gap gap = new Gap(Gap.Reason.EPOCH, stream.cursor() + 1, shared.isPresent() ? Gap.UNKNOWN : before);
        stream.enter(begun, shared.orElse(before));
        stream.gap(gap);
        if (options.ends()) {
            stream.finish();
        } else {
            stream.inform();
            turns.later(stream);
        }
    }

    /** Brings the page of the log that follows the cursor: at the pace of one stream. */
    void readLog() {
        long cursor = stream.cursor();
        long now = loop.timers().nanos();
        budget = budget == null ? loop.log().budget(now) : budget;
        long waitMillis = budget.take(ReplayPages.events(cursor), now);
        stream.waiting = true;
        if (waitMillis > 0) {
            loop.timers().after(waitMillis, this::goOn);
        } else {
            loop.log().pages().ask(cursor, this);
        }
    }

    @Override
    public void unread() {
        stream.waiting = false;
        loop.timers().retry(stream::pump);
    }

    @Override
    public void broken() {
        stream.waiting = false;
        stream.evict(Disconnect.STREAM_EXCEPTION);
    }

    @Override
    public void take(ReplayPages.Page page) {
        stream.waiting = false;
        try {
            read(page);
        } catch (RuntimeException | StackOverflowError e) {
            stream.fail(e);
        }
    }

    private void read(ReplayPages.Page page) {
        if (stream.ended() || stream.sink.isFull() || !stream.isReady()) {
            return;
        }
        LogState log = page.state();
        if (!log.epoch().equals(stream.epoch()) || !page.follows(stream.cursor())) {
            // The ring will know of the new epoch in a moment, and which of its events the stream goes on with; or a
            // change of its filter has led the stream there while it waited.
            loop.timers().retry(stream::pump);
            return;
        }
        if (stream.cursor() + 1 < log.floor()) {
            skipTo(log.floor());
            if (stream.ended() || stream.waiting) {
                return;
            }
        }
        if (options.warns()) {
            stream.warn(loop.log().percentBehind(stream.cursor()));
        }
        stream.writeFrom(page.events());
        turns.later(stream);
    }

    /** Skips the events between the cursor and the floor, which have left the log. */
    private void skipTo(long floor) {
        Gap gap = new Gap(Gap.Reason.EXPIRED, stream.cursor() + 1, floor - 1);
        stream.advance(floor - 1);
        if (options.endsAtGap()) {
            stream.end(Disconnect.STALL).onFailure(gone -> {});
        } else {
            stream.gap(gap);
            stream.inform();
        }
    }
}
