package io.fanfare.stream.filter;

import io.fanfare.common.model.Post;

/**
 * A viewer's own actions and notifications: a home without followees.
 *
 * @param notified whether events for the viewer alone are sent, such as notifications
 */
public record UserFilter(long viewer, boolean notified) implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        return switch (event.kind()) {
            case STATUS, EDIT, DELETE ->
                event.isDirect()
                        ? event.isDirectFor(viewer)
                        : event.event().actor() == viewer && event.matchFields().kind() != Post.Kind.COMMENT;
            default -> notified && event.event().isFor(viewer);
        };
    }

    @Override
    public String label() {
        return "own";
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public <S> boolean join(SubscriberIndex<S> subscriberIndex, S listener) {
        subscriberIndex.about(viewer, listener);
        subscriberIndex.addAuthor(viewer, listener);
        return true;
    }

    @Override
    public <S> void leave(SubscriberIndex<S> subscriberIndex, S listener) {
        subscriberIndex.notAbout(viewer, listener);
        subscriberIndex.removeAuthor(viewer, listener);
    }
}
