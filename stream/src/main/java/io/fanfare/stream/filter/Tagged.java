package io.fanfare.stream.filter;

import io.fanfare.common.model.Draft;

/**
 * What stands in the timeline of a hashtag, answers to others among it, and its deletes.
 *
 * @param tag folded, without {@code #}
 */
public record Tagged(String tag) implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        return event.isOfStatus()
                && event.isPublic()
                && event.particulars().kind() == Draft.Kind.POST
                && event.particulars().tags().contains(tag);
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public <S> boolean join(Audience<S> audience, S listener) {
        audience.addTag(tag, listener);
        return true;
    }

    @Override
    public <S> void leave(Audience<S> audience, S listener) {
        audience.removeTag(tag, listener);
    }
}
