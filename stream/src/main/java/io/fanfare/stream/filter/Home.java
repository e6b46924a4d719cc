package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.Particulars;
import io.fanfare.common.model.Draft;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What belongs into a viewer's home: statuses of any visibility by the viewer and by those the viewer follows, and their deletes, and the viewer's notifications. Whom the viewer follows changes with the follows
 * and unfollows that pass by, at their place in the order. Confined to one event loop.
 */
public final class Home implements StreamFilter {
    private final long viewer;
    private final Set<Long> followed;
    private final Replies replies;
    private final Recheck recheck;

    /** The newest question about each account whose answer has not come. */
    private final Map<Long, Long> asked = new HashMap<>();

    private long questions;

    /** Where an audience hears of changes; there is none while the connection is asked about each event. */
    private BiConsumer<Long, Boolean> change = Home::unheard;

    /** Which answers of those whom the viewer follows are told. */
    public enum Replies {
        /** All, as the home shows them. */
        ALL,
        /** To the viewer and to whom the viewer follows. */
        FOLLOWED
    }

    /** Reads whether the viewer follows an account and answers {@link Home#confirm}: the event of an unfollow can come after the one of a later follow. */
    @FunctionalInterface
    public interface Recheck {
        void ask(Home home, long account, long question);
    }

    /**
     * @param followed read <em>after</em> the place in the log from which events are asked about: what has changed in between is met again
     * @param recheck asks the graph after each change
     */
    public Home(long viewer, Collection<Long> followed, Replies replies, Recheck recheck) {
        this.viewer = viewer;
        this.followed = new HashSet<>(followed);
        this.replies = replies;
        this.recheck = recheck;
    }

    @Override
    public boolean wants(StreamEvent event) {
        return switch (event.kind()) {
            case STATUS, DELETE ->
                isFrom(event.event().actor()) && event.particulars().kind() != Draft.Kind.COMMENT && isToBeRead(event);
            case NOTIFICATION -> event.event().target() == viewer;
            case FOLLOW, UNFOLLOW -> learn(event.event());
            case BLOCK, UNBLOCK, MUTE, UNMUTE -> false;
        };
    }

    private static void unheard(long account, boolean follows) {}

    private boolean isFrom(long author) {
        return author == viewer || followed.contains(author);
    }

    /** Deletes pass: whom the viewer follows may have changed since the status was told. */
    private boolean isToBeRead(StreamEvent event) {
        long author = event.event().actor();
        if (replies == Replies.ALL || event.kind() == Event.Kind.DELETE || author == viewer) {
            return true;
        }
        Particulars about = event.particulars();
        long answered = about.repliedTo() != 0 ? about.repliedTo() : about.addressedTo();
        return answered == 0 || answered == author || isFrom(answered);
    }

    @Override
    public <S> boolean join(Audience<S> audience, S listener) {
        audience.about(viewer, listener);
        audience.addAuthor(viewer, listener);
        followed.forEach(account -> audience.addAuthor(account, listener));
        change = (account, follows) -> {
            if (follows) {
                audience.addAuthor(account, listener);
            } else {
                audience.removeAuthor(account, listener);
            }
        };
        return true;
    }

    @Override
    public <S> void leave(Audience<S> audience, S listener) {
        audience.notAbout(viewer, listener);
        audience.removeAuthor(viewer, listener);
        followed.forEach(account -> audience.removeAuthor(account, listener));
        change = Home::unheard;
    }

    public long viewer() {
        return viewer;
    }

    /** What the graph says about an account; nothing when something has happened since it was asked. */
    public void confirm(long account, long question, boolean follows) {
        if (asked.remove(account, question)) {
            set(account, follows);
        }
    }

    private void set(long account, boolean follows) {
        if (follows ? followed.add(account) : followed.remove(account)) {
            change.accept(account, follows);
        }
    }

    @Override
    public String label() {
        return "follows " + followed.size();
    }

    private boolean learn(Event event) {
        if (event.actor() == viewer) {
            set(event.target(), event.kind() == Event.Kind.FOLLOW);
            asked.put(event.target(), ++questions);
            recheck.ask(this, event.target(), questions);
        }
        return false;
    }
}
