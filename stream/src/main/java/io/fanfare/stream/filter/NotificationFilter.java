package io.fanfare.stream.filter;

/** What a viewer is notified of, and nothing else. */
public record NotificationFilter(long viewer) implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        return switch (event.kind()) {
            case NOTIFICATION -> event.event().target() == viewer;
            case STATUS, EDIT, DELETE, FOLLOW, UNFOLLOW, BLOCK, UNBLOCK, MUTE, UNMUTE, TERMS, CONVERSATION -> false;
        };
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
