package io.fanfare.stream.filter;

import io.fanfare.stream.match.Sample;

/**
 * Everything that is public, or a fair part of it.
 *
 * @param sample which statuses; {@link Sample#ALL} with follows and unfollows, any other without
 */
public record Firehose(Sample sample) implements StreamFilter {
    /** Statuses and their deletes, comments and replies among them, follows and unfollows. */
    public static final Firehose WHOLE = new Firehose(Sample.ALL);

    @Override
    public boolean wants(StreamEvent event) {
        boolean sampled = event.isOfStatus() && sample.keeps(event.event().subject());
        return event.isPublic() && (sampled || (sample.all() && isEdge(event)));
    }

    private static boolean isEdge(StreamEvent event) {
        return switch (event.kind()) {
            case FOLLOW, UNFOLLOW -> true;
            case STATUS, DELETE, NOTIFICATION, BLOCK, UNBLOCK, MUTE, UNMUTE -> false;
        };
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
