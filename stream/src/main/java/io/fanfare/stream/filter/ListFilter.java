package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LogState;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.model.FollowLanguages;
import io.fanfare.common.model.ListRule;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.UserList;
import io.fanfare.common.store.UserLists.Standing;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The timeline of a list, by the same rule: statuses of its accounts, and their edits and deletes. An account that is
 * unfollowed is off the list at that place in the order. When follows or terms of other accounts change, the store is
 * read for them. When a list changes, it is read again, one reading at a time; each answer counts, except for accounts
 * that have changed in the log since the reading began. So these changes hold a moment later. Confined to one event
 * loop.
 */
public final class ListFilter implements StreamFilter {
    private static final Standing GONE = new Standing(false, false, true);

    private final long viewer;
    private final long list;
    private final boolean folding;
    private final Lists lists;

    /** The accounts on the list; the viewer follows all of them, or is it. */
    private final Set<Long> listed = new HashSet<>();

    /** Other followees of the viewer; held only where the policy of replies needs them. */
    private final Set<Long> followed = new HashSet<>();

    /** Accounts of {@code listed} whose reposts the viewer does not want. */
    private final Set<Long> withoutReposts = new HashSet<>();

    /** In which languages the viewer wants posts of some of {@code listed}. */
    private FollowLanguages languages = FollowLanguages.NONE;

    private UserList.Replies replies;

    /** The place in the log up to which all changes are applied, or are being read. */
    private String epoch;

    private long upTo;

    /** Former states by follows and unfollows. */
    private final ChangeHistory<Before> passed = new ChangeHistory<>();

    /** The newest question about each account whose answer has not come, unless a reading answers it. */
    private final Map<Long, Long> pending = new HashMap<>();

    private long questions;

    private boolean reading;

    /** Only the answer to this reading counts. */
    private long readings;

    /** Whether the list has changed since the reading began. */
    private boolean due;

    /** Changes of single accounts since the reading began. */
    private final Map<Long, Standing> changed = new HashMap<>();

    /** Passes changes to an index; there is none while the connection is called for each event. */
    private BiConsumer<Long, Boolean> change = ListFilter::ignored;

    /**
     * How an account stood up to a change.
     *
     * @param listed whether it was on the list
     * @param followed whether the viewer was known to follow it
     */
    private record Before(boolean listed, boolean followed) {}

    /** Reads lists. */
    public interface Lists {
        /** A list of the viewer; an empty one when there is none. */
        Future<Known> read(long viewer, long list);

        /** How one account stands to the viewer and to a list of the viewer. */
        Future<Standing> ask(long viewer, long list, long account);

        /** Does something again after a pause, since a reading has failed. */
        void retry(Runnable again);
    }

    /**
     * The state of a list.
     *
     * @param log the state of the log <em>before</em> the list was read: the list contains all that happened up to
     *     there
     * @param listed the accounts on the list: followees of the viewer, or the viewer
     * @param followed all followees of the viewer; counts only where the policy is {@code FOLLOWED}
     * @param withoutReposts accounts of {@code listed} whose reposts the viewer does not want
     * @param languages in which the viewer wants posts of some of {@code listed}
     */
    public record Known(
            LogState log,
            UserList.Replies replies,
            Collection<Long> listed,
            Collection<Long> followed,
            Collection<Long> withoutReposts,
            Map<Long, List<String>> languages) {}

    /** @param folding whether the viewer's lists leave out reposts of statuses that they show close below */
    public ListFilter(long viewer, long list, boolean folding, Known known, Lists lists) {
        this.viewer = viewer;
        this.list = list;
        this.folding = folding;
        this.lists = lists;
        this.epoch = known.log().epoch();
        this.upTo = known.log().tip();
        take(known);
    }

    @Override
    public boolean wants(StreamEvent event) {
        return switch (event.kind()) {
            case STATUS, EDIT ->
                !event.isDirect()
                        && rule(event.logged())
                                .shows(
                                        event.event().actor(),
                                        event.matchFields().kind(),
                                        event.matchFields().repliedTo(),
                                        event.matchFields().spoken());
            // Deletes pass: the list may have changed since the status was sent.
            case DELETE ->
                !event.isDirect()
                        && rule(event.logged()).hasOn(event.event().actor())
                        && event.matchFields().kind() != Post.Kind.COMMENT;
            // An unmute may be changed terms of a version before TERMS.
            case FOLLOW, UNFOLLOW, TERMS, UNMUTE -> learn(event);
            default -> false;
        };
    }

    /** The rule of the list, as to follows and unfollows by where the event stands in the order. */
    private ListRule rule(LoggedEvent at) {
        return new ListRule(
                viewer,
                replies,
                account -> isListed(account, at),
                account -> isListed(account, at) || isFollowed(account, at),
                withoutReposts::contains,
                languages::wants);
    }

    private boolean isListed(long account, LoggedEvent at) {
        Before before = before(account, at);
        return before == null ? listed.contains(account) : before.listed();
    }

    private boolean isFollowed(long account, LoggedEvent at) {
        Before before = before(account, at);
        return before == null ? followed.contains(account) : before.followed();
    }

    /** At an event that is looked at again; null = as it stands now. */
    private Before before(long account, LoggedEvent at) {
        return !passed.isEmpty() && knows(at.epoch(), at.seq()) ? passed.at(at.seq(), account) : null;
    }

    private boolean learn(StreamEvent event) {
        LoggedEvent logged = event.logged();
        if (event.event().actor() == viewer && !knows(logged.epoch(), logged.seq())) {
            epoch = logged.epoch();
            upTo = logged.seq();
            long account = event.event().target();
            if (account == viewer) {
                readAgain();
            } else {
                turn(event.kind(), logged.seq(), account);
                pending.put(account, ++questions);
                ask(account, questions);
            }
        }
        return false;
    }

    private void turn(Event.Kind kind, long seq, long account) {
        if (kind == Event.Kind.FOLLOW || kind == Event.Kind.UNFOLLOW) {
            passed.add(seq, account, new Before(listed.contains(account), followed.contains(account)));
        }
        if (kind == Event.Kind.FOLLOW) {
            setFollowed(account, true);
        } else if (kind == Event.Kind.UNFOLLOW) {
            note(account, GONE);
        }
    }

    /**
     * The event of an unfollow can come after the one of a later follow, and of what has been put on the list since.
     */
    private void ask(long account, long question) {
        lists.ask(viewer, list, account)
                .onComplete(
                        standing -> {
                            if (pending.remove(account, question)) {
                                note(account, standing);
                            }
                        },
                        cause -> lists.retry(() -> {
                            if (Objects.equals(pending.get(account), question)) {
                                ask(account, question);
                            }
                        }));
    }

    private void note(long account, Standing standing) {
        if (reading) {
            changed.put(account, standing);
        }
        set(account, standing);
    }

    private void set(long account, Standing standing) {
        setListed(account, standing.listed());
        setFollowed(account, standing.followed());
        if (standing.listed() && !standing.reposts()) {
            withoutReposts.add(account);
        } else {
            withoutReposts.remove(account);
        }
        languages = languages.with(account, standing.listed() ? standing.languages() : List.of());
    }

    private void setListed(long account, boolean on) {
        if (on ? listed.add(account) : listed.remove(account)) {
            change.accept(account, on);
        }
    }

    private void setFollowed(long account, boolean follows) {
        if (follows && replies == UserList.Replies.FOLLOWED) {
            followed.add(account);
        } else {
            followed.remove(account);
        }
    }

    private void readAgain() {
        if (reading) {
            due = true;
        } else {
            read();
        }
    }

    private void read() {
        reading = true;
        due = false;
        // What has not been answered yet, this reading answers.
        pending.clear();
        changed.clear();
        long number = ++readings;
        lists.read(viewer, list)
                .onComplete(
                        known -> answer(number, known),
                        cause -> lists.retry(() -> {
                            if (number == readings) {
                                read();
                            }
                        }));
    }

    private void answer(long number, Known known) {
        if (number != readings) {
            return;
        }
        take(known);
        reading = false;
        changed.clear();
        if (due) {
            read();
        }
    }

    private void take(Known known) {
        replies = known.replies();
        followed.retainAll(pending.keySet());
        if (replies == UserList.Replies.FOLLOWED) {
            known.followed().stream()
                    .filter(account -> !pending.containsKey(account))
                    .forEach(followed::add);
        } else {
            followed.clear();
        }
        withoutReposts.clear();
        withoutReposts.addAll(known.withoutReposts());
        languages = FollowLanguages.of(known.languages());
        Set<Long> read = new HashSet<>(known.listed());
        changed.forEach((account, standing) -> {
            if (standing.listed()) {
                read.add(account);
            } else {
                read.remove(account);
            }
        });
        List.copyOf(listed).forEach(account -> setListed(account, read.contains(account)));
        read.forEach(account -> setListed(account, true));
        changed.forEach(this::set);
    }

    private static void ignored(long account, boolean on) {}

    @Override
    public StreamFilter stateless() {
        return event -> event.isOfStatus() && wants(event);
    }

    @Override
    public boolean foldsReposts() {
        return folding;
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
                    // Open readings and questions began before.
                    readings++;
                    reading = false;
                    due = false;
                    pending.clear();
                    changed.clear();
                    passed.clear();
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
        change = ListFilter::ignored;
    }

    @Override
    public String label() {
        return "list " + listed.size();
    }

    /** The accounts that it holds. */
    @Override
    public int weight() {
        return listed.size() + followed.size() + withoutReposts.size() + languages.weight();
    }

    /** Looking up an account costs the same however many there are. */
    @Override
    public int cost() {
        return 0;
    }
}
