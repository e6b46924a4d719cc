package io.fanfare.stream.filter;

import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.model.Post;
import java.util.Arrays;

/**
 * The events of a filter, without reposts of statuses that it has let through lately, as homes leave them out: when the
 * original or another repost of it is among the last {@value Post#REPOST_FOLD_WINDOW} statuses that the filter wanted
 * on this stream. It does not know events before the stream began, or in a gap, so that it may send a repost that the
 * home leaves out. Confined to one event loop.
 */
public final class RepostFoldingFilter implements DelegatingFilter {
    private static final int FIRST_SIZE = 8;

    private final StreamFilter filter;

    private String epoch = "";

    // The last statuses that the filter wanted, in the order of the log; the arrays grow with their number.
    private long[] places = new long[0];
    private long[] statuses = new long[0];
    private long[] originals = new long[0]; // Of a repost that was left out it is negative.
    private int count;

    public RepostFoldingFilter(StreamFilter filter) {
        this.filter = filter;
    }

    @Override
    public StreamFilter filter() {
        return filter;
    }

    @Override
    public boolean wants(StreamEvent event) {
        return filter.wants(event) && isShown(event);
    }

    @Override
    public boolean confirms(StreamEvent event) {
        return filter.confirms(event) && isShown(event);
    }

    private boolean isShown(StreamEvent event) {
        return switch (event.kind()) {
            case STATUS -> isNews(event);
            case DELETE -> {
                forget(event.event().status());
                yield true;
            }
            default -> true;
        };
    }

    private boolean isNews(StreamEvent event) {
        LoggedEvent logged = event.logged();
        if (!epoch.equals(logged.epoch())) {
            // Places restart, and everything before stays before.
            epoch = logged.epoch();
            Arrays.fill(places, 0, count, 0);
        }
        int known = find(event.event().status());
        if (known >= 0) {
            return originals[known] > 0;
        }
        if (count > 0 && logged.seq() < places[0]) {
            count = 0; // A slow stream goes back further than the known events: it restarts there.
        }
        long original = original(event);
        boolean folded = event.matchFields().kind() == Post.Kind.REPOST && hasBefore(logged.seq(), original);
        if (count == 0 || places[count - 1] < logged.seq()) {
            add(logged.seq(), event.event().status(), folded ? -original : original);
        }
        return !folded;
    }

    /** The original of a repost; else the status itself, also when the original is gone. */
    private static long original(StreamEvent event) {
        boolean shows = event.matchFields().kind() == Post.Kind.REPOST
                && !event.matchFields().shown().isEmpty();
        return shows
                ? Math.abs(event.matchFields().shown().get(0))
                : event.event().status();
    }

    private boolean hasBefore(long place, long original) {
        for (int i = 0; i < count; i++) {
            if (places[i] < place && Math.abs(originals[i]) == original) {
                return true;
            }
        }
        return false;
    }

    private int find(long status) {
        for (int i = count - 1; i >= 0; i--) {
            if (statuses[i] == status) {
                return i;
            }
        }
        return -1;
    }

    private void add(long place, long status, long original) {
        if (count == Post.REPOST_FOLD_WINDOW) {
            remove(0);
        }
        if (count == places.length) {
            int size = count == 0 ? FIRST_SIZE : Math.min(Post.REPOST_FOLD_WINDOW, 2 * count);
            places = Arrays.copyOf(places, size);
            statuses = Arrays.copyOf(statuses, size);
            originals = Arrays.copyOf(originals, size);
        }
        places[count] = place;
        statuses[count] = status;
        originals[count] = original;
        count++;
    }

    private void forget(long status) {
        int known = find(status);
        if (known >= 0) {
            remove(known);
        }
    }

    private void remove(int at) {
        count--;
        System.arraycopy(places, at + 1, places, at, count - at);
        System.arraycopy(statuses, at + 1, statuses, at, count - at);
        System.arraycopy(originals, at + 1, originals, at, count - at);
    }

    /** Without what it has noted: that goes by the order of events. */
    @Override
    public StreamFilter stateless() {
        return filter.stateless();
    }

    /** Any number of statuses may be missing there. */
    @Override
    public void skipped() {
        count = 0;
        filter.skipped();
    }

    @Override
    public StreamFilter changedTo(StreamFilter other) {
        return filter.changedTo(other);
    }
}
