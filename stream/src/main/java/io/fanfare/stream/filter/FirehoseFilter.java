package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.stream.match.Partition;
import io.fanfare.stream.match.Sample;
import io.fanfare.stream.wire.FieldSelection;

/**
 * Everything that is public, or a fair part of its statuses.
 *
 * @param sample of statuses, comments and replies among them, and their edits and deletes
 * @param edges whether follows and unfollows are sent, too
 * @param partition of the authors; a follow is of the follower
 * @param fields of each status that are sent
 */
public record FirehoseFilter(Sample sample, boolean edges, Partition partition, FieldSelection fields)
        implements StreamFilter {
    public static final FirehoseFilter WHOLE =
            new FirehoseFilter(Sample.ALL, true, Partition.WHOLE, FieldSelection.ALL);

    /** A sample has no follows, however large it is. */
    public static FirehoseFilter of(Sample sample) {
        return new FirehoseFilter(sample, false, Partition.WHOLE, FieldSelection.ALL);
    }

    /** A part of it. */
    public FirehoseFilter part(Partition part) {
        return new FirehoseFilter(sample, edges, part, fields);
    }

    /** The same with less of each status. */
    public FirehoseFilter selecting(FieldSelection selection) {
        return new FirehoseFilter(sample, edges, partition, selection);
    }

    @Override
    public LoggedEvent replacement(StreamEvent event) {
        boolean ofStatus = event.kind() == Event.Kind.STATUS || event.kind() == Event.Kind.EDIT;
        return ofStatus && !fields.names().isEmpty() ? fields.of(event.logged()) : null;
    }

    @Override
    public boolean wants(StreamEvent event) {
        boolean sampled = event.isOfStatus() && sample.keeps(event.event().status());
        return event.isPublic() && partition.has(event.event().actor()) && (sampled || (edges && isEdge(event)));
    }

    private static boolean isEdge(StreamEvent event) {
        return event.kind() == Event.Kind.FOLLOW || event.kind() == Event.Kind.UNFOLLOW;
    }

    /** A status of which fields are left out is read and written again. */
    @Override
    public int cost() {
        return fields.names().isEmpty() ? 0 : 1;
    }

    @Override
    public String label() {
        String sampled = sample.all() ? "" : "sampled";
        return sampled + (sampled.isEmpty() || partition.count() == 1 ? "" : ", ") + partition.label();
    }

    @Override
    public boolean shared() {
        return true;
    }
}
