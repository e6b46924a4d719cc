package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.stream.match.Sample;

/**
 * Everything that is public, or a fair part of its statuses.
 *
 * @param sample of statuses, comments and replies among them, and their edits and deletes
 * @param edges whether follows and unfollows are sent, too
 */
public record FirehoseFilter(Sample sample, boolean edges) implements StreamFilter {
    public static final FirehoseFilter WHOLE = new FirehoseFilter(Sample.ALL, true);

    /** A sample has no follows, however large it is. */
    public static FirehoseFilter of(Sample sample) {
        return new FirehoseFilter(sample, false);
    }

    @Override
    public boolean wants(StreamEvent event) {
        boolean sampled = event.isOfStatus() && sample.keeps(event.event().status());
        return event.isPublic() && (sampled || (edges && isEdge(event)));
    }

    private static boolean isEdge(StreamEvent event) {
        return event.kind() == Event.Kind.FOLLOW || event.kind() == Event.Kind.UNFOLLOW;
    }

    @Override
    public String label() {
        return sample.all() ? "" : "sampled";
    }

    @Override
    public boolean shared() {
        return true;
    }
}
