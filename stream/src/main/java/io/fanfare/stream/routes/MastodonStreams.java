package io.fanfare.stream.routes;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.event.LogState;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Preferences;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.UserList;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.UserLists;
import io.fanfare.common.text.TextEntities;
import io.fanfare.server.http.Authentication;
import io.fanfare.server.http.Parameters;
import io.fanfare.stream.filter.DirectFilter;
import io.fanfare.stream.filter.EmptyFilter;
import io.fanfare.stream.filter.HashtagFilter;
import io.fanfare.stream.filter.HomeFilter;
import io.fanfare.stream.filter.ListFilter;
import io.fanfare.stream.filter.NotificationFilter;
import io.fanfare.stream.filter.PublicMedia;
import io.fanfare.stream.filter.PublicTimeline;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.filter.UserFilter;
import io.fanfare.stream.session.EnumParameter;
import io.fanfare.stream.session.StreamHub;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The streams that have a name in Mastodon's API, over HTTP and over WebSocket. Confined to one event loop. */
final class MastodonStreams implements HomeFilter.Follows, ListFilter.Lists {
    private static final Logger LOG = LoggerFactory.getLogger(MastodonStreams.class);
    /** Streams that also have an address of their own, with / for the colon; {@code user} has one too. */
    static final List<String> OVER_HTTP = List.of(
            "public",
            "public:local",
            "public:remote",
            "hashtag",
            "hashtag:local",
            "user:notification",
            "direct",
            "list");

    private static final Set<String> PERSONAL = Set.of("user", "user:notification", "direct", "list", "home");

    private static final String NOTIFICATIONS = "read:notifications";

    private final StreamHub hub;
    private final Graph graph;
    private final UserLists lists;
    private final FollowedTags followedTags;
    private final Accounts accounts;

    MastodonStreams(StreamHub hub, Graph graph, UserLists lists, FollowedTags followedTags, Accounts accounts) {
        this.followedTags = followedTags;
        this.accounts = accounts;
        this.hub = hub;
        this.graph = graph;
        this.lists = lists;
    }

    /** Whether a stream of that name is somebody's own, so that a user must be signed in. */
    static boolean isPersonal(String name) {
        return PERSONAL.contains(name);
    }

    /**
     * The filter of a stream; refuses ({@code NOT_FOUND}) an unknown name and a list of somebody else,
     * ({@code MALFORMED}) an invalid hashtag, ({@code FORBIDDEN}) notifications without their scope. Streams of
     * features that Fanfare does not have are empty.
     *
     * @param argument the hashtag of {@code hashtag} and {@code hashtag:local}, the id of {@code list}
     * @param who never null for one that {@link #isPersonal}
     */
    Future<? extends StreamFilter> named(String name, String argument, Principal who) {
        return switch (name) {
            case "user" -> home(who, HomeFilter.Replies.ALL);
            case "user:notification" -> {
                Principal reader = Authentication.require(who, /* user= */ true, NOTIFICATIONS);
                yield Future.succeededFuture(new NotificationFilter(reader.userId()));
            }
            case "public", "public:local" -> Future.succeededFuture(new PublicTimeline());
            case "hashtag", "hashtag:local" -> Future.succeededFuture(new HashtagFilter(folded(argument)));
            case "list" -> list(who.userId(), Id.parse(argument));
            case "direct" -> Future.succeededFuture(new DirectFilter(who.userId()));
            case "public:media", "public:local:media" -> Future.succeededFuture(new PublicMedia());
            case "public:remote", "public:remote:media" -> Future.succeededFuture(new EmptyFilter());
            default ->
                Future.failedFuture(
                        new Refusal(
                                Refusal.Reason.NOT_FOUND,
                                "There is no such stream: take user, user:notification, public, public:local, hashtag or list."));
        };
    }

    private Future<ListFilter> list(long viewer, long id) {
        LogState log = hub.known();
        if (id < 0) {
            return Future.failedFuture(Refusal.unknown());
        }
        return lists.contents(viewer, id).map(found -> {
            UserLists.Contents contents = found.orElseThrow(Refusal::unknown);
            return new ListFilter(viewer, id, contents.foldsReposts(), known(log, contents), this);
        });
    }

    private static ListFilter.Known known(LogState log, UserLists.Contents list) {
        return new ListFilter.Known(
                log, list.list().replies(), list.accounts(), list.followed(), list.withoutReposts(), list.languages());
    }

    @Override
    public Future<ListFilter.Known> read(long viewer, long list) {
        LogState log = hub.known();
        return lists.contents(viewer, list)
                .onFailure(cause -> LOG.warn("list not read viewer={} reason={}", viewer, cause.getMessage()))
                .map(found -> found.isPresent()
                        ? known(log, found.get())
                        : new ListFilter.Known(log, UserList.Replies.NONE, List.of(), List.of(), List.of(), Map.of()));
    }

    @Override
    public Future<UserLists.Standing> ask(long viewer, long list, long account) {
        return lists.standing(viewer, list, account)
                .onFailure(cause -> LOG.warn("list not read viewer={} reason={}", viewer, cause.getMessage()));
    }

    @Override
    public void retry(Runnable again) {
        hub.timers().retry(again);
    }

    private static String folded(String tag) {
        String folded = TextEntities.tag(tag.strip());
        if (folded == null) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The parameter tag is missing, or no text can have it: send the hashtag to listen to.");
        }
        return folded;
    }

    /**
     * The stream that is somebody's own, as Twitter's users could have it: {@code with} selects the authors,
     * {@code replies} their answers. Without either it sends what the home shows. Throws
     * {@link io.fanfare.stream.match.InvalidFilter} for words that are none of theirs.
     */
    Future<? extends StreamFilter> home(Parameters parameters, Principal who) {
        String with = EnumParameter.of(parameters, "with", "followings", "user");
        HomeFilter.Replies replies = EnumParameter.of(parameters, "replies", HomeFilter.Replies.class);
        return with.equals("user")
                ? Future.succeededFuture(new UserFilter(who.userId(), isNotified(who)))
                : home(who, replies);
    }

    private Future<HomeFilter> home(Principal who, HomeFilter.Replies replies) {
        Future<HomeFilter.Known> known = all(who.userId());
        Future<Preferences> preferences = accounts.preferences(who.userId());
        return Future.all(known, preferences)
                .map(both -> new HomeFilter(
                        who.userId(),
                        isNotified(who),
                        preferences.result().foldsReposts(),
                        known.result(),
                        replies,
                        this));
    }

    /**
     * Whether the token may read notifications. Without that scope the stream has everything else, as with Mastodon.
     */
    private static boolean isNotified(Principal who) {
        return who.allows(NOTIFICATIONS);
    }

    @Override
    public Future<HomeFilter.Known> all(long viewer) {
        LogState log = hub.known();
        Future<Graph.Followed> following = graph.followingOf(viewer);
        Future<List<String>> tags = followedTags.of(viewer);
        return Future.all(following, tags).map(both -> {
            Graph.Followed followed = following.result();
            return new HomeFilter.Known(
                    log,
                    followed.accounts(),
                    followed.withoutReposts(),
                    followed.leftOut(),
                    tags.result(),
                    followed.languages());
        });
    }

    @Override
    public void ask(HomeFilter home, long account, long question) {
        answer(home, account, question).onFailure(cause -> {
            LOG.warn("follow not confirmed viewer={} reason={}", home.viewer(), cause.getMessage());
            hub.timers().retry(() -> askAgain(home, account, question));
        });
    }

    private Future<Void> answer(HomeFilter home, long account, long question) {
        if (account == home.viewer()) {
            return lists.leftOut(account)
                    .onSuccess(accounts -> home.leaveOut(question, accounts))
                    .mapEmpty();
        }
        return graph.follows(home.viewer(), account)
                .onSuccess(found -> home.confirm(
                        account,
                        question,
                        found.accounts().contains(account),
                        !found.withoutReposts().contains(account),
                        found.languages().getOrDefault(account, List.of())))
                .mapEmpty();
    }

    @Override
    public void askTags(HomeFilter home, long question) {
        followedTags
                .of(home.viewer())
                .onSuccess(tags -> home.confirmTags(question, tags))
                .onFailure(cause -> {
                    LOG.warn("followed tags not read viewer={} reason={}", home.viewer(), cause.getMessage());
                    hub.timers().retry(() -> askTagsAgain(home, question));
                });
    }

    private void askTagsAgain(HomeFilter home, long question) {
        if (home.asksTags(question)) {
            askTags(home, question);
        }
    }

    private void askAgain(HomeFilter home, long account, long question) {
        if (home.asks(account, question)) {
            ask(home, account, question);
        }
    }
}
