package io.fanfare.stream.filter;

import io.fanfare.common.model.Draft;

/**
 * What a viewer does and is told: a home without those whom the viewer follows.
 *
 * @param notified whether notifications are told
 */
public record Own(long viewer, boolean notified) implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        return switch (event.kind()) {
            case STATUS, DELETE ->
                event.event().actor() == viewer && event.particulars().kind() != Draft.Kind.COMMENT;
            case NOTIFICATION -> notified && event.event().target() == viewer;
            case FOLLOW, UNFOLLOW, BLOCK, UNBLOCK, MUTE, UNMUTE -> false;
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
    public <S> boolean join(Audience<S> audience, S listener) {
        audience.about(viewer, listener);
        audience.addAuthor(viewer, listener);
        return true;
    }

    @Override
    public <S> void leave(Audience<S> audience, S listener) {
        audience.notAbout(viewer, listener);
        audience.removeAuthor(viewer, listener);
    }
}
