package io.fanfare.stream;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.event.LogState;
import io.fanfare.common.http.Parameters;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Graph;
import io.fanfare.common.view.Entities;
import io.fanfare.stream.filter.Home;
import io.fanfare.stream.filter.Own;
import io.fanfare.stream.filter.PublicTimeline;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.filter.Tagged;
import io.vertx.core.Future;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The streams that have a name in Mastodon's API, over HTTP and over WebSocket. Confined to one event loop. */
final class Streams implements Home.Follows {
    private static final Logger LOG = LoggerFactory.getLogger(Streams.class);
    private static final Set<String> PERSONAL = Set.of("user", "home");

    private final StreamHub hub;
    private final Graph graph;

    Streams(StreamHub hub, Graph graph) {
        this.hub = hub;
        this.graph = graph;
    }

    /** Whether a stream of that name is somebody's own, so that a user must be signed in. */
    static boolean isPersonal(String name) {
        return PERSONAL.contains(name);
    }

    /**
     * What it tells; refuses ({@code NOT_FOUND}) a name that is none, ({@code MALFORMED}) a hashtag that is none.
     *
     * @param tag of {@code hashtag} and {@code hashtag:local}
     * @param who never null for one that {@link #isPersonal}
     */
    Future<? extends StreamFilter> named(String name, String tag, Principal who) {
        return switch (name) {
            case "user" -> home(who, Home.Replies.ALL);
            case "public", "public:local" -> Future.succeededFuture(new PublicTimeline());
            case "hashtag", "hashtag:local" -> Future.succeededFuture(new Tagged(folded(tag)));
            default ->
                Future.failedFuture(new Refusal(
                        Refusal.Reason.NOT_FOUND,
                        "There is no such stream: take user, public, public:local or hashtag."));
        };
    }

    private static String folded(String tag) {
        String folded = Entities.tag(tag.strip());
        if (folded == null) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The parameter tag is missing, or no text can have it: send the hashtag to listen to.");
        }
        return folded;
    }

    /**
     * The stream that is somebody's own, as Twitter's users could have it: {@code with} says whose statuses, {@code replies} which of their answers it tells. Without either it
     * tells what the home shows. Throws {@link io.fanfare.stream.match.BadFilter} for words that are none of theirs.
     */
    Future<? extends StreamFilter> home(Parameters parameters, Principal who) {
        String with = Choice.of(parameters, "with", "followings", "user");
        Home.Replies replies = Choice.of(parameters, "replies", Home.Replies.class);
        return with.equals("user")
                ? Future.succeededFuture(new Own(who.userId(), isNotified(who)))
                : home(who, replies);
    }

    private Future<Home> home(Principal who, Home.Replies replies) {
        return all(who.userId()).map(known -> new Home(who.userId(), isNotified(who), known, replies, this));
    }

    /** Who may not read notifications hears none, and everything else, as with Mastodon. */
    private static boolean isNotified(Principal who) {
        return who.allows("read:notifications");
    }

    @Override
    public Future<Home.Known> all(long viewer) {
        LogState log = hub.known();
        return graph.followingOf(viewer)
                .map(followed -> new Home.Known(log, followed.accounts(), followed.withoutReposts()));
    }

    @Override
    public void ask(Home home, long account, long question) {
        graph.follows(home.viewer(), account)
                .onSuccess(found -> home.confirm(
                        account,
                        question,
                        found.accounts().contains(account),
                        !found.withoutReposts().contains(account)))
                .onFailure(cause -> {
                    LOG.warn("follow not confirmed viewer={} reason={}", home.viewer(), cause.getMessage());
                    hub.retry(() -> askAgain(home, account, question));
                });
    }

    private void askAgain(Home home, long account, long question) {
        if (home.asks(account, question)) {
            ask(home, account, question);
        }
    }
}
