package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.stream.match.FilterSpec;
import io.fanfare.stream.match.Partition;
import io.fanfare.stream.wire.FieldSelection;
import io.fanfare.stream.wire.MatchExplanation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Public statuses that match a {@link FilterSpec}, edits that make them match, their deletes, and the follows and
 * unfollows of the accounts it follows.
 *
 * @param level of noise; follows have none
 * @param partition of the authors; a follow is of the follower
 * @param fields of each status that are sent
 * @param explains whether each status comes with the predicates that it matched
 */
public record PredicateFilter(
        FilterSpec spec, NoiseLevel level, Partition partition, FieldSelection fields, boolean explains)
        implements StreamFilter {
    public PredicateFilter(FilterSpec spec) {
        this(spec, NoiseLevel.NONE, Partition.WHOLE, FieldSelection.ALL, false);
    }

    @Override
    public LoggedEvent replacement(StreamEvent event) {
        boolean changes = explains || !fields.names().isEmpty();
        if (!changes || (event.kind() != Event.Kind.STATUS && event.kind() != Event.Kind.EDIT)) {
            return null;
        }
        LoggedEvent selected = fields.of(event.logged());
        return explains ? MatchExplanation.of(selected, spec.explain(event.document())) : selected;
    }

    @Override
    public boolean wants(StreamEvent event) {
        if (!event.isPublic() || !partition.has(event.event().actor())) {
            return false;
        }
        return switch (event.kind()) {
            case STATUS, EDIT -> level.lets(event) && spec.matches(event.document());
            case DELETE ->
                level.lets(event)
                        && (spec.matches(event.document())
                                || event.otherDocuments().stream().anyMatch(spec::matches));
            case FOLLOW, UNFOLLOW ->
                spec.matchesEdge(event.event().actor(), event.event().target());
            default -> false;
        };
    }

    /**
     * The index finds what matches, and nothing else. To ask each phrase again would cost more than finding it among
     * those of all.
     */
    @Override
    public boolean confirms(StreamEvent event) {
        return event.isPublic() && partition.has(event.event().actor()) && (!event.isOfStatus() || level.lets(event));
    }

    @Override
    public boolean wantsRedacted(StreamEvent event) {
        return wants(event);
    }

    @Override
    public String label() {
        List<String> words = new ArrayList<>();
        count(words, "track", spec.track().size());
        count(words, "follow", spec.follow().size());
        count(words, "locations", spec.locations().size());
        count(words, "exclude", spec.exclude().size());
        count(words, "language", spec.languages().size());
        if (level != NoiseLevel.NONE) {
            words.add("level " + level.name().toLowerCase(Locale.ROOT));
        }
        if (partition.count() > 1) {
            words.add(partition.label());
        }
        return String.join(spec.all() ? " and " : ", ", words) + (spec.sample().all() ? "" : ", sampled");
    }

    private static void count(List<String> words, String kind, int number) {
        if (number > 0) {
            words.add(kind + " " + number);
        }
    }

    @Override
    public int weight() {
        return spec.weight();
    }

    /** A status of which fields are left out is read and written again. */
    @Override
    public int cost() {
        return fields.names().isEmpty() ? weight() : Math.max(1, weight());
    }

    @Override
    public boolean changeable() {
        return true;
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public <S> boolean join(SubscriberIndex<S> subscriberIndex, S listener) {
        subscriberIndex.addFilter(spec, listener);
        return true;
    }

    @Override
    public <S> void leave(SubscriberIndex<S> subscriberIndex, S listener) {
        subscriberIndex.removeFilter(spec, listener);
    }
}
