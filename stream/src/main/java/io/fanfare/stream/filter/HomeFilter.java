package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LogState;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.FollowLanguages;
import io.fanfare.common.model.Post;
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
 * The events of a viewer's home: statuses of any visibility by the viewer and by followees, public posts with hashtags
 * that the viewer follows, the edits and deletes of all of these, and the viewer's notifications if the token may read
 * them. The followees are read from the graph, which counts for all that happened before, too; from there on they
 * change with the follows and unfollows in the log, at their place in the order. The terms of follows, the followed
 * hashtags and the accounts that exclusive lists leave out are read from the graph when the log reports a change, and
 * hold a moment later. Confined to one event loop.
 */
public final class HomeFilter implements StreamFilter {
    private final long viewer;
    private final boolean notified;
    private final boolean folding;
    private final Set<Long> followed;

    /** The followees whose reposts the viewer does not want. */
    private final Set<Long> withoutReposts;

    /** In which languages the viewer wants posts of some of them. */
    private FollowLanguages languages;

    /** Accounts that exclusive lists of the viewer take out of the home; never the viewer. */
    private final Set<Long> leftOut = new HashSet<>();

    /** Hashtags that the viewer follows. */
    private final Set<String> tags;

    private final Replies replies;
    private final Follows follows;

    /** Place in the log up to which all follows and unfollows are taken into account. */
    private String epoch;

    private long upTo;

    /** Former states by follows and unfollows: whether the viewer followed the account. */
    private final ChangeHistory<Boolean> passed = new ChangeHistory<>();

    /** The newest question about each account whose answer has not come. */
    private final Map<Long, Long> pending = new HashMap<>();

    private long questions;

    /** The newest question about hashtags whose answer has not come; 0 = none. */
    private long tagsQuestion;

    /** Passes changes to an index; there is none while the connection is called for each event. */
    private BiConsumer<Long, Boolean> change = HomeFilter::ignored;

    /** The same of hashtags. */
    private BiConsumer<String, Boolean> tagChange = HomeFilter::ignored;

    /** The answers of followees that the viewer receives. */
    public enum Replies {
        /** All, as the home shows them. */
        ALL,
        /** To the viewer and to whom the viewer follows. */
        FOLLOWED
    }

    /** Reads the graph. */
    public interface Follows {
        /** Reads the followees of the viewer. */
        Future<Known> all(long viewer);

        /**
         * Reads whether the viewer follows an account, and on what terms, and answers {@link HomeFilter#confirm}: the
         * event of an unfollow can come after the one of a later follow. About the viewer itself it reads whom
         * exclusive lists leave out, and answers {@link HomeFilter#leaveOut}.
         */
        void ask(HomeFilter home, long account, long question);

        /** Reads which hashtags the viewer follows, and answers {@link HomeFilter#confirmTags}. */
        void askTags(HomeFilter home, long question);
    }

    /**
     * The state of the graph.
     *
     * @param log the state of the log <em>before</em> the graph was read: {@code followed} contains all that happened
     *     up to there
     * @param withoutReposts followees whose reposts the viewer does not want
     * @param leftOut accounts that exclusive lists of the viewer take out of the home
     * @param tags hashtags that the viewer follows, folded
     * @param languages in which the viewer wants posts of some of {@code followed}
     */
    public record Known(
            LogState log,
            Collection<Long> followed,
            Collection<Long> withoutReposts,
            Collection<Long> leftOut,
            Collection<String> tags,
            Map<Long, List<String>> languages) {}

    /**
     * @param notified whether notifications are sent
     * @param folding whether the viewer's home leaves out reposts of statuses that it shows close below
     */
    public HomeFilter(long viewer, boolean notified, boolean folding, Known known, Replies replies, Follows follows) {
        this.folding = folding;
        this.viewer = viewer;
        this.notified = notified;
        this.followed = new HashSet<>(known.followed());
        this.withoutReposts = new HashSet<>(known.withoutReposts());
        this.tags = new HashSet<>(known.tags());
        this.languages = FollowLanguages.of(known.languages());
        this.epoch = known.log().epoch();
        this.upTo = known.log().tip();
        this.replies = replies;
        this.follows = follows;
        setLeftOut(known.leftOut());
    }

    @Override
    public boolean wants(StreamEvent event) {
        return switch (event.kind()) {
            case STATUS, EDIT, DELETE ->
                event.isDirect()
                        ? event.isDirectFor(viewer)
                        : (hasFollowedTag(event) || isFromFollowed(event)) && isToBeRead(event);
            // An unmute may be changed terms of a version before TERMS.
            case FOLLOW, UNFOLLOW, TERMS, UNMUTE -> learn(event);
            default -> notified && event.event().isFor(viewer);
        };
    }

    @Override
    public StreamFilter stateless() {
        return event -> (event.isOfStatus() || event.event().isFor(viewer)) && wants(event);
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
        return follows.all(viewer)
                .onSuccess(known -> renew(known, inEpoch, seq))
                .mapEmpty();
    }

    private void renew(Known known, String inEpoch, long seq) {
        epoch = inEpoch;
        upTo = known.log().epoch().equals(inEpoch) ? Math.max(known.log().tip(), seq) : seq;
        // Open questions were asked before.
        pending.clear();
        passed.clear();
        Set<Long> read = new HashSet<>(known.followed());
        List.copyOf(followed).forEach(account -> set(account, read.contains(account)));
        read.forEach(account -> set(account, true));
        withoutReposts.clear();
        withoutReposts.addAll(known.withoutReposts());
        languages = FollowLanguages.of(known.languages());
        setLeftOut(known.leftOut());
        tagsQuestion = 0;
        setTags(known.tags());
    }

    private boolean isFromFollowed(StreamEvent event) {
        return isFrom(event.event().actor(), event) && isWanted(event) && isNotElsewhere(event);
    }

    private void setLeftOut(Collection<Long> accounts) {
        leftOut.clear();
        leftOut.addAll(accounts);
        leftOut.remove(viewer);
    }

    private static void ignored(Object followed, boolean follows) {}

    /** As in the timeline of the hashtag. */
    private boolean hasFollowedTag(StreamEvent event) {
        return !tags.isEmpty()
                && event.isPublic()
                && event.matchFields().kind() == Post.Kind.POST
                && event.versions().stream()
                        .anyMatch(version -> version.tags().stream().anyMatch(tags::contains));
    }

    /** Whether the author is the viewer, or followed where the event stands in the order. */
    private boolean isFrom(long author, StreamEvent at) {
        return author == viewer || isFollowed(author, at.logged());
    }

    private boolean isFollowed(long author, LoggedEvent at) {
        boolean again = !passed.isEmpty() && knows(at.epoch(), at.seq());
        Boolean before = again ? passed.at(at.seq(), author) : null;
        return before == null ? followed.contains(author) : before;
    }

    /** Deletes pass: the viewer may have wanted the status when it was sent. */
    private boolean isWanted(StreamEvent event) {
        return switch (event.matchFields().kind()) {
            case POST ->
                event.kind() == Event.Kind.DELETE
                        || languages.wants(
                                event.event().actor(), event.matchFields().spoken());
            case COMMENT, DIRECT -> false;
            case REPOST ->
                event.kind() == Event.Kind.DELETE
                        || !withoutReposts.contains(event.event().actor());
        };
    }

    /** Deletes pass: the lists may have changed since the status was sent. */
    private boolean isNotElsewhere(StreamEvent event) {
        return leftOut.isEmpty()
                || event.kind() == Event.Kind.DELETE
                || !leftOut.contains(event.event().actor());
    }

    /** Deletes pass: the followees may have changed since the status was sent. */
    private boolean isToBeRead(StreamEvent event) {
        long author = event.event().actor();
        if (replies == Replies.ALL || event.kind() == Event.Kind.DELETE || author == viewer) {
            return true;
        }
        MatchFields about = event.matchFields();
        long answered = about.repliedTo() != 0 ? about.repliedTo() : about.addressedTo();
        return answered == 0 || answered == author || isFrom(answered, event);
    }

    @Override
    public <S> boolean join(SubscriberIndex<S> subscriberIndex, S listener) {
        subscriberIndex.about(viewer, listener);
        subscriberIndex.addAuthor(viewer, listener);
        followed.forEach(account -> subscriberIndex.addAuthor(account, listener));
        tags.forEach(tag -> subscriberIndex.addTag(tag, listener));
        tagChange = (tag, follows) -> {
            if (follows) {
                subscriberIndex.addTag(tag, listener);
            } else {
                subscriberIndex.removeTag(tag, listener);
            }
        };
        change = (account, follows) -> {
            if (follows) {
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
        subscriberIndex.removeAuthor(viewer, listener);
        followed.forEach(account -> subscriberIndex.removeAuthor(account, listener));
        tags.forEach(tag -> subscriberIndex.removeTag(tag, listener));
        change = HomeFilter::ignored;
        tagChange = HomeFilter::ignored;
    }

    public long viewer() {
        return viewer;
    }

    /** Whether the answer to this question still counts. */
    public boolean asks(long account, long question) {
        return Objects.equals(pending.get(account), question);
    }

    /**
     * Takes over the graph's answer about an account; ignores it when the account has changed since the question.
     *
     * @param spoken languages of its posts that the viewer wants; empty = all
     */
    public void confirm(long account, long question, boolean follows, boolean reposts, List<String> spoken) {
        if (pending.remove(account, question)) {
            set(account, follows);
            languages = languages.with(account, follows ? spoken : List.of());
            if (follows && !reposts) {
                withoutReposts.add(account);
            } else {
                withoutReposts.remove(account);
            }
        }
    }

    /**
     * Takes over the accounts that exclusive lists leave out; ignores them when a list has changed since the question.
     */
    public void leaveOut(long question, Collection<Long> accounts) {
        if (pending.remove(viewer, question)) {
            setLeftOut(accounts);
        }
    }

    /** Whether the answer to this question about hashtags still counts. */
    public boolean asksTags(long question) {
        return tagsQuestion == question;
    }

    /** Takes over the followed hashtags; ignores them when they have changed since the question. */
    public void confirmTags(long question, Collection<String> followedTags) {
        if (asksTags(question)) {
            tagsQuestion = 0;
            setTags(followedTags);
        }
    }

    private void setTags(Collection<String> followedTags) {
        Set<String> read = new HashSet<>(followedTags);
        for (String tag : List.copyOf(tags)) {
            if (!read.contains(tag) && tags.remove(tag)) {
                tagChange.accept(tag, false);
            }
        }
        for (String tag : read) {
            if (tags.add(tag)) {
                tagChange.accept(tag, true);
            }
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

    private boolean learn(StreamEvent event) {
        LoggedEvent logged = event.logged();
        if (event.event().actor() == viewer && !knows(logged.epoch(), logged.seq())) {
            epoch = logged.epoch();
            upTo = logged.seq();
            long account = event.event().target();
            if (account == viewer) {
                // Of a hashtag that is followed or no more, of a list or of a filter: it does not say of which.
                tagsQuestion = ++questions;
                follows.askTags(this, tagsQuestion);
            } else if (event.kind() == Event.Kind.FOLLOW || event.kind() == Event.Kind.UNFOLLOW) {
                passed.add(logged.seq(), account, followed.contains(account));
                set(account, event.kind() == Event.Kind.FOLLOW);
                // Those of an ended follow say nothing of the next: rather too much for a moment than a post lost.
                languages = languages.with(account, List.of());
                boolean unused = withoutReposts.remove(account);
                if (leftOut.contains(account)) {
                    // The end of a follow takes the account off every list.
                    pending.put(viewer, ++questions);
                    follows.ask(this, viewer, questions);
                }
            }
            pending.put(account, ++questions);
            follows.ask(this, account, questions);
        }
        return false;
    }
}
