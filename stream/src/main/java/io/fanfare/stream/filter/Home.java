package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.ObjLongConsumer;

/**
 * What belongs into a viewer's home: statuses of any visibility by the viewer and by those the viewer follows, and their deletes. Whom the viewer follows changes with the follows
 * and unfollows that pass by, at their place in the order. Confined to one event loop.
 */
public final class Home implements StreamFilter {
    private final long viewer;
    private final Set<Long> followed;
    private final ObjLongConsumer<Home> changed;

    /**
     * @param followed read <em>after</em> the place in the log from which events are asked about: what has changed in between is met again
     * @param changed told whose relation to the viewer has changed. The event of an unfollow can come after the one of a later follow, so the truth is to be read and
     *     {@link #set}
     */
    public Home(long viewer, Collection<Long> followed, ObjLongConsumer<Home> changed) {
        this.viewer = viewer;
        this.followed = new HashSet<>(followed);
        this.changed = changed;
    }

    @Override
    public boolean wants(Event event) {
        return switch (event.kind()) {
            case STATUS, DELETE -> event.actor() == viewer || followed.contains(event.actor());
            case FOLLOW, UNFOLLOW -> learn(event);
        };
    }

    public long viewer() {
        return viewer;
    }

    /** What the graph says about an account. */
    public void set(long account, boolean follows) {
        if (follows) {
            followed.add(account);
        } else {
            followed.remove(account);
        }
    }

    private boolean learn(Event event) {
        if (event.actor() == viewer) {
            set(event.target(), event.kind() == Event.Kind.FOLLOW);
            changed.accept(this, event.target());
        }
        return false;
    }
}
