package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;

/** The notifications of a viewer, and nothing else. */
public record NotificationFilter(long viewer) implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        return event.kind() == Event.Kind.NOTIFICATION && event.event().target() == viewer;
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public <S> boolean join(SubscriberIndex<S> subscriberIndex, S listener) {
        subscriberIndex.about(viewer, listener);
        return true;
    }

    @Override
    public <S> void leave(SubscriberIndex<S> subscriberIndex, S listener) {
        subscriberIndex.notAbout(viewer, listener);
    }
}
