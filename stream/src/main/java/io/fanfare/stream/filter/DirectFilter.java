package io.fanfare.stream.filter;

/** The conversations of a viewer: their changes, and the deletes of direct messages that were for the viewer. */
public record DirectFilter(long viewer) implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        return switch (event.kind()) {
            case CONVERSATION -> event.event().target() == viewer;
            case DELETE -> event.isDirectFor(viewer);
            default -> false;
        };
    }

    @Override
    public String label() {
        return "direct";
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
