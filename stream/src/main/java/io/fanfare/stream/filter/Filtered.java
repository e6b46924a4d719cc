package io.fanfare.stream.filter;

import io.fanfare.stream.match.FilterSpec;
import java.util.ArrayList;
import java.util.List;

/** Public statuses that match a {@link FilterSpec}, their deletes, and the follows and unfollows of whom it follows. */
public record Filtered(FilterSpec spec) implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        if (!event.isPublic()) {
            return false;
        }
        return switch (event.kind()) {
            case STATUS, DELETE -> spec.matches(event.document());
            case FOLLOW, UNFOLLOW ->
                spec.follow().contains(event.event().actor())
                        || spec.follow().contains(event.event().target());
            case NOTIFICATION, BLOCK, UNBLOCK, MUTE, UNMUTE -> false;
        };
    }

    @Override
    public String label() {
        List<String> words = new ArrayList<>();
        count(words, "track", spec.track().size());
        count(words, "follow", spec.follow().size());
        count(words, "locations", spec.locations().size());
        count(words, "exclude", spec.exclude().size());
        count(words, "language", spec.languages().size());
        return String.join(spec.all() ? " and " : ", ", words) + (spec.sample().all() ? "" : ", sampled");
    }

    private static void count(List<String> words, String kind, int number) {
        if (number > 0) {
            words.add(kind + " " + number);
        }
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
    public <S> boolean join(Audience<S> audience, S listener) {
        audience.addFilter(spec, listener);
        return true;
    }

    @Override
    public <S> void leave(Audience<S> audience, S listener) {
        audience.removeFilter(spec, listener);
    }
}
