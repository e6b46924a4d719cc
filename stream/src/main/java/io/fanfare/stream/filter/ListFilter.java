package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LogState;
import io.fanfare.common.model.ListRule;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.UserList;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What the timeline of a list shows, by the same rule: statuses of who is on the list, and their edits and deletes.
 * Nobody is told who is on a list, so all of it is read anew when word of a change passes, one reading at a time, and
 * only an answer counts that is younger than the last word. Who is followed no more is off the list at once. Confined
 * to one event loop.
 */
public final class ListFilter implements StreamFilter {
    private final long viewer;
    private final long list;
    private final Lists lists;

    private final Set<Long> listed = new HashSet<>();
    private final Set<Long> followed = new HashSet<>();
    private final Set<Long> withoutReposts = new HashSet<>();
    private ListRule rule;

    /** Place in the log up to which all changes are taken into account, or are being asked about. */
    private String epoch;

    private long upTo;

    private boolean reading;

    /** Whether a change has passed since the reading began. */
    private boolean due;

    /** Where an index hears of changes; there is none while the connection is asked about each event. */
    private BiConsumer<Long, Boolean> change = ListFilter::unheard;

    /** Reads lists. */
    public interface Lists {
        /** A list of the viewer; an empty one when there is none. */
        Future<Known> read(long viewer, long list);

        /** Does something again after a pause, since a reading has failed. */
        void retry(Runnable again);
    }

    /**
     * What is known of a list.
     *
     * @param log where the log stood <em>before</em> the list was read: what has happened up to there is in it
     * @param listed who is on the list
     * @param followed whom the viewer follows
     * @param withoutReposts those of them whose reposts the viewer does not want
     */
    public record Known(
            LogState log,
            UserList.Replies replies,
            Collection<Long> listed,
            Collection<Long> followed,
            Collection<Long> withoutReposts) {}

    public ListFilter(long viewer, long list, Known known, Lists lists) {
        this.viewer = viewer;
        this.list = list;
        this.lists = lists;
        this.epoch = known.log().epoch();
        this.upTo = known.log().tip();
        take(known);
    }

    @Override
    public boolean wants(StreamEvent event) {
        return switch (event.kind()) {
            case STATUS, EDIT ->
                rule.shows(
                        event.event().actor(),
                        event.matchFields().kind(),
                        event.matchFields().repliedTo());
            // Deletes pass: what the list leaves out may have changed since the status was told.
            case DELETE ->
                rule.hasOn(event.event().actor()) && event.matchFields().kind() != Post.Kind.COMMENT;
            case FOLLOW, UNFOLLOW, TERMS, UNMUTE -> learn(event);
            case NOTIFICATION, BLOCK, UNBLOCK, MUTE -> false;
        };
    }

    private boolean learn(StreamEvent event) {
        long seq = event.logged().seq();
        if (event.event().actor() == viewer && !knows(event.logged().epoch(), seq)) {
            epoch = event.logged().epoch();
            upTo = seq;
            if (event.kind() == Event.Kind.UNFOLLOW) {
                takeOff(event.event().target());
            }
            readAgain();
        }
        return false;
    }

    private void readAgain() {
        due = reading;
        if (reading) {
            return;
        }
        reading = true;
        lists.read(viewer, list)
                .onComplete(
                        known -> {
                            if (!due) {
                                take(known);
                            }
                            goOn();
                        },
                        cause -> {
                            due = true;
                            lists.retry(this::goOn);
                        });
    }

    private void goOn() {
        reading = false;
        if (due) {
            readAgain();
        }
    }

    private void take(Known known) {
        followed.clear();
        followed.addAll(known.followed());
        withoutReposts.clear();
        withoutReposts.addAll(known.withoutReposts());
        rule = new ListRule(viewer, known.replies(), listed::contains, followed::contains, withoutReposts::contains);
        Set<Long> read = new HashSet<>(known.listed());
        List.copyOf(listed).stream().filter(account -> !read.contains(account)).forEach(this::takeOff);
        for (long account : read) {
            if (listed.add(account)) {
                change.accept(account, true);
            }
        }
    }

    private void takeOff(long account) {
        if (listed.remove(account)) {
            change.accept(account, false);
        }
    }

    private static void unheard(long account, boolean on) {}

    @Override
    public StreamFilter stateless() {
        return event -> event.isOfStatus() && wants(event);
    }

    @Override
    public boolean knows(String inEpoch, long seq) {
        return epoch.equals(inEpoch) && seq <= upTo;
    }

    @Override
    public Future<Void> learnUpTo(String inEpoch, long seq) {
        return lists.read(viewer, list)
                .onSuccess(known -> {
                    epoch = inEpoch;
                    upTo = known.log().epoch().equals(inEpoch)
                            ? Math.max(known.log().tip(), seq)
                            : seq;
                    // What is still being read was asked for before.
                    due = reading;
                    take(known);
                })
                .mapEmpty();
    }

    @Override
    public <S> boolean join(SubscriberIndex<S> subscriberIndex, S listener) {
        subscriberIndex.about(viewer, listener);
        listed.forEach(account -> subscriberIndex.addAuthor(account, listener));
        change = (account, on) -> {
            if (on) {
                subscriberIndex.addAuthor(account, listener);
            } else {
                subscriberIndex.removeAuthor(account, listener);
            }
        };
        return true;
    }

    @Override
    public <S> void leave(SubscriberIndex<S> subscriberIndex, S listener) {
        subscriberIndex.notAbout(viewer, listener);
        listed.forEach(account -> subscriberIndex.removeAuthor(account, listener));
        change = ListFilter::unheard;
    }

    @Override
    public String label() {
        return "list " + listed.size();
    }
}
