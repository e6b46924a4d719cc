package io.fanfare.stream.filter;

import io.fanfare.common.model.Post;

/**
 * The timeline of a hashtag: statuses with it, answers to others included, and their edits and deletes.
 *
 * @param tag folded, without {@code #}
 */
public record HashtagFilter(String tag) implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        return event.isOfStatus()
                && event.isPublic()
                && event.matchFields().kind() == Post.Kind.POST
                && event.versions().stream().anyMatch(version -> version.tags().contains(tag));
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public <S> boolean join(SubscriberIndex<S> subscriberIndex, S listener) {
        subscriberIndex.addTag(tag, listener);
        return true;
    }

    @Override
    public <S> void leave(SubscriberIndex<S> subscriberIndex, S listener) {
        subscriberIndex.removeTag(tag, listener);
    }
}
