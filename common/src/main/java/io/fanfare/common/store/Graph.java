package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.FollowLanguages;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.SubjectEdges.Kind;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Owns {@code following} and {@code followers} keys and the steps of docs/feeds.md, section 6. A follow is:
 * {@link #follow} (follower's side, with its repair job), {@link #link} (followee's side), {@link #stillFollows}
 * (re-check, else {@link #unlink}), then the backfill of the home. The repair job does the same steps again.
 *
 * <p>Both are ZSETs of account ids scored by edge id: unique and time-ordered, so a cursor is exact. The counters in
 * the {@code user} HASH change only in the script that changes the set.
 */
public class Graph {
    private static final Script FOLLOW = Script.load("follow");
    private static final Script UNFOLLOW = Script.load("unfollow");
    private static final Script FOLLOWED = Script.load("followed");
    private static final Script FOLLOW_ALL = Script.load("follow_all");
    private static final Script FOLLOW_SOME = Script.load("follow_some");
    private static final Script UNFOLLOW_SOME = Script.load("unfollow_some");

    /**
     * Accounts that may ask to be told of each post of one. Each costs every post a notification and an event, all of
     * them in one run of a job.
     */
    public static final int LISTENERS_MAX = 200;

    /** Answers of the script when there is nothing to be admitted. */
    private static final Set<String> REFUSALS_TO_ADMIT = Set.of("none", "inactive", "blocking", "blocked");

    /** How often a change that crosses another is made again. */
    private static final int BELL_TRIES_MAX = 5;

    /** Follows of a viewer among which familiar followers are looked for. */
    private static final int FAMILIAR_MAX = 1000;

    private final Redis redis;
    private final Settings settings;
    private final SubjectEdges subjectEdges;

    public Graph(Redis redis, Settings settings) {
        this.redis = redis;
        this.settings = settings;
        this.subjectEdges = new SubjectEdges(redis, settings);
    }

    /**
     * The result of a change of an edge: {@code changed} is false when it was so already; {@code edge} is the (former)
     * edge's id, 0 when there never was one.
     *
     * @param terms id of the change when only the terms of the follow have changed; 0 = they have not
     * @param request edge of the request that there is now, when {@code edge} is 0, or that this has ended; 0 = none
     */
    public record Change(long edge, boolean changed, long terms, long request) {
        public Change(long edge, boolean changed) {
            this(edge, changed, 0, 0);
        }

        public Change(long edge, boolean changed, long terms) {
            this(edge, changed, terms, 0);
        }
    }

    /** How an account lets others follow it. */
    public enum Admission {
        /** Anybody may follow. */
        OPEN,
        /** It is asked first. */
        LOCKED,
        /** Nobody can: there is no such account, or it is suspended. */
        CLOSED
    }

    /** The ways in which a follow proceeds. */
    private enum How {
        FOLLOW,
        ASK,
        ADMIT;

        private final String argument = name().toLowerCase(Locale.ROOT);
    }

    /**
     * The terms of a follow.
     *
     * @param reposts whether the followee's reposts are wanted in the home; null = as before, and of a new edge yes
     * @param notifies whether each post notifies the follower; null = as before, and of a new edge no
     * @param languages of the posts that are wanted, at most {@link FollowLanguages#MAX}; empty = all, null = as
     *     before, and of a new edge all
     */
    public record Terms(Boolean reposts, Boolean notifies, List<String> languages) {
        public static final Terms AS_BEFORE = new Terms(null, null);

        /** Without a word about languages. */
        public Terms(Boolean reposts, Boolean notifies) {
            this(reposts, notifies, null);
        }

        private String wants() {
            return languages == null ? "" : languages.isEmpty() ? "*" : String.join(" ", languages);
        }
    }

    /**
     * The followees of an account.
     *
     * @param withoutReposts followees whose reposts it does not want
     * @param leftOut accounts that its exclusive lists take out of its home, perhaps the account itself, whose own
     *     posts stay
     * @param languages of the posts that it wants of some of them
     */
    public record Followed(
            List<Long> accounts, List<Long> withoutReposts, List<Long> leftOut, Map<Long, List<String>> languages) {}

    /**
     * The follower's side of a follow. A follow that exists answers its edge. Refuses an account that is not active
     * ({@code FORBIDDEN}), more than {@code limits.following-max} ({@code INVALID}), when one of the two blocks the
     * other ({@code FORBIDDEN}), and when {@code queue.depth-max} jobs wait already ({@code OVERLOADED}); whether the
     * followee exists is for the caller to know.
     */
    public Future<Change> follow(long follower, long followee) {
        return follow(follower, followee, null);
    }

    /**
     * The same on terms; of a follow that exists, they are changed.
     *
     * @param reposts whether the followee's are wanted in the home; null = as before, and of a new edge yes
     */
    public Future<Change> follow(long follower, long followee, Boolean reposts) {
        return follow(follower, followee, Lane.HIGH, new Terms(reposts, null));
    }

    /** The same with its job in this lane. */
    public Future<Change> follow(long follower, long followee, Lane lane, Terms terms) {
        return follow(follower, followee, lane, terms, "", How.FOLLOW);
    }

    /**
     * The follower's side of a request to follow; of a follow that exists, the terms are changed. Refuses as
     * {@link #follow} does.
     */
    public Future<Change> request(long follower, long followee, Lane lane, Terms terms) {
        return follow(follower, followee, lane, terms, "", How.ASK);
    }

    /** Puts a new request in the place of one that the followee's side holds for ended, as {@link #renew} does. */
    public Future<Change> renewRequest(long follower, long followee, long ended) {
        return follow(follower, followee, Lane.HIGH, Terms.AS_BEFORE, Long.toString(ended), How.ASK);
    }

    /**
     * The follower's side of the end of a request by a follow, on the terms that were asked for. Changes nothing when
     * there is no request, or one that cannot be admitted now: the follower is suspended, or one of the two blocks the
     * other.
     *
     * @param request the only one that is meant; 0 = whichever there is
     * @param room whether one more may be told of each post of the followee; otherwise the follower is not told
     */
    public Future<Change> admit(long follower, long followee, long request, boolean room) {
        Terms terms = new Terms(null, room ? null : Boolean.FALSE);
        String only = request == 0 ? "" : Long.toString(request);
        return follow(follower, followee, Lane.HIGH, terms, only, How.ADMIT);
    }

    /**
     * Puts a new edge in the place of one that stands on the follower's side and has ended on the followee's: a
     * failover or a restore has brought it back. Refuses as {@link #follow} does; changes nothing when the edge is
     * another one by now.
     */
    public Future<Change> renew(long follower, long followee, long ended) {
        return follow(follower, followee, Lane.HIGH, Terms.AS_BEFORE, Long.toString(ended), How.FOLLOW);
    }

    private static String wanted(Boolean choiceOrNull) {
        return choiceOrNull == null ? "" : choiceOrNull ? "1" : "0";
    }

    /**
     * The follower's side of several follows and requests at once, with one job for each hundred changes. Answers a
     * change for each account, failed with what {@link #follow} refuses.
     *
     * @param followees how each of them lets others follow it; none is {@link Admission#CLOSED}, or the follower
     */
    public Future<Map<Long, Future<Change>>> followSome(long follower, Map<Long, Admission> followees, Lane lane) {
        if (followees.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<Long> order = List.copyOf(followees.keySet());
        List<Object> args = new ArrayList<>(List.of(
                Script.CHECKED_NOW,
                Id.shard(follower),
                follower,
                settings.limits().followingMax(),
                settings.queue().depthMax()));
        for (long followee : order) {
            args.add(followee);
            args.add((followees.get(followee) == Admission.LOCKED ? How.ASK : How.FOLLOW).argument);
        }
        return redis.send(FOLLOW_SOME.call(followKeys(follower, lane), args.toArray()))
                .map(reply -> IntStream.range(0, order.size())
                        .boxed()
                        .collect(Collectors.toMap(
                                order::get, i -> followed(reply.items().get(i).items()))));
    }

    private Future<Change> followed(List<Reply> answer) {
        return followed(answer.get(0).asString(), answer);
    }

    private static List<String> followKeys(long follower, Lane lane) {
        int shard = Id.shard(follower);
        return List.of(
                Keys.user(follower),
                Keys.following(follower),
                Keys.ids(shard),
                Keys.queueStats(shard),
                Keys.lane(shard, lane.key()),
                Keys.blocks(follower),
                Keys.blockedBy(follower),
                Keys.noReposts(follower),
                Keys.bells(follower),
                Keys.endorsed(follower),
                Keys.requesting(follower),
                Keys.requestTerms(follower),
                Keys.languages(follower));
    }

    private Future<Change> follow(long follower, long followee, Lane lane, Terms terms, String ended, How how) {
        int shard = Id.shard(follower);
        return redis.send(FOLLOW.call(
                        followKeys(follower, lane),
                        Script.CHECKED_NOW,
                        shard,
                        follower,
                        followee,
                        settings.limits().followingMax(),
                        settings.queue().depthMax(),
                        wanted(terms.reposts()),
                        wanted(terms.notifies()),
                        ended,
                        how.argument,
                        terms.wants()))
                .compose(reply -> followed(reply.items(), how));
    }

    private Future<Change> followed(List<Reply> answer, How how) {
        String outcome = answer.get(0).asString();
        return how == How.ADMIT && REFUSALS_TO_ADMIT.contains(outcome)
                ? Future.succeededFuture(new Change(0, false))
                : followed(outcome, answer);
    }

    private Future<Change> followed(String outcome, List<Reply> answer) {
        return switch (outcome) {
            case "new" ->
                Future.succeededFuture(new Change(
                        answer.get(1).asLong(),
                        true,
                        answer.get(2).asLong(),
                        answer.get(3).asLong()));
            case "requested" ->
                Future.succeededFuture(new Change(0, true, 0, answer.get(1).asLong()));
            case "asked" ->
                Future.succeededFuture(new Change(0, false, 0, answer.get(1).asLong()));
            case "same" -> Future.succeededFuture(new Change(answer.get(1).asLong(), false));
            case "terms" ->
                Future.succeededFuture(
                        new Change(answer.get(1).asLong(), false, answer.get(2).asLong()));
            case "inactive" -> Future.failedFuture(new Refusal(Reason.FORBIDDEN, "This account cannot follow others."));
            case "blocking" ->
                Future.failedFuture(
                        new Refusal(Reason.FORBIDDEN, "You block this account: unblock it first to follow it."));
            case "blocked" ->
                Future.failedFuture(new Refusal(Reason.FORBIDDEN, "This account does not let you follow it."));
            case "full" ->
                Future.failedFuture(new Refusal(
                        Reason.INVALID,
                        "You follow or ask to follow " + settings.limits().followingMax()
                                + " accounts, which is the most that is allowed: unfollow one first."));
            case "busy" ->
                Future.failedFuture(new Refusal(
                        Reason.OVERLOADED, "Too many follows are still on their way: try again in a few seconds."));
            default -> throw new IllegalStateException("follow answered " + answer);
        };
    }

    /** The follower's side of an unfollow, or of the end of a request: {@code edge} is then 0. */
    public Future<Change> unfollow(long follower, long followee) {
        return unfollow(follower, followee, Lane.HIGH, "");
    }

    /**
     * The same with its job in this lane.
     *
     * @param block only while the followee blocks the follower by this edge; empty = in any case
     */
    public Future<Change> unfollow(long follower, long followee, Lane lane, String block) {
        return unfollow(follower, followee, lane, block, "all");
    }

    /** The follower's side of the end of a request, whoever ends it. A follow stays. */
    public Future<Change> withdraw(long follower, long followee) {
        return unfollow(follower, followee, Lane.HIGH, "", "request");
    }

    /** The follower's side of the end of several follows and requests at once, as {@link #followSome}. */
    public Future<Map<Long, Change>> unfollowSome(long follower, Set<Long> followees, Lane lane) {
        if (followees.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<Long> order = List.copyOf(followees);
        List<Object> args = new ArrayList<>(List.of("", follower));
        args.addAll(order);
        return redis.sendSafely(UNFOLLOW_SOME.call(unfollowKeys(follower, lane), args.toArray()))
                .map(reply -> {
                    Map<Long, Change> changes = new HashMap<>();
                    for (int i = 0; i < order.size(); i++) {
                        changes.put(order.get(i), ended(reply.items().get(i).items()));
                    }
                    return changes;
                });
    }

    private static Change ended(List<Reply> edgeAndRequest) {
        long edge = edgeAndRequest.get(0).asLong();
        long request = edgeAndRequest.get(1).asLong();
        return new Change(edge, edge != 0 || request != 0, 0, request);
    }

    private static List<String> unfollowKeys(long follower, Lane lane) {
        int shard = Id.shard(follower);
        return List.of(
                Keys.user(follower),
                Keys.following(follower),
                Keys.queueStats(shard),
                Keys.lane(shard, lane.key()),
                Keys.blockedBy(follower),
                Keys.noReposts(follower),
                Keys.lists(follower),
                Keys.listed(follower),
                Keys.bells(follower),
                Keys.endorsed(follower),
                Keys.requesting(follower),
                Keys.requestTerms(follower),
                Keys.languages(follower));
    }

    private Future<Change> unfollow(long follower, long followee, Lane lane, String block, String what) {
        return redis.sendSafely(UNFOLLOW.call(unfollowKeys(follower, lane), "", follower, followee, block, what))
                .map(reply -> reply.isNil() ? new Change(0, false) : ended(reply.items()));
    }

    /** The followee's side of a request, as {@link #link}. */
    public Future<SubjectEdges.Linked> linkRequest(long follower, long followee, long edge) {
        return subjectEdges.link(Kind.REQUEST, followee, followee, follower, edge, wordOfRequest(follower));
    }

    /** Takes the followee's side of a request back, as {@link #unlink}. */
    public Future<Void> unlinkRequest(long follower, long followee, long edge) {
        return subjectEdges.unlink(Kind.REQUEST, followee, followee, follower, edge, wordOfRequest(follower));
    }

    private static Notification wordOfRequest(long follower) {
        return Notification.of(Notification.Type.FOLLOW_REQUEST, follower, 0);
    }

    /** Whether the follower's side still asks by this edge. */
    public Future<Boolean> stillRequests(long follower, long followee, long edge) {
        return redis.send(Command.of("ZSCORE", Keys.requesting(follower), followee))
                .map(score -> !score.isNil() && score.asLong() == edge);
    }

    /** The request that the followee's side alone lists, see {@link SubjectEdges#oneSided}; 0 = none. */
    public Future<Long> oneSidedRequest(long follower, long followee) {
        return subjectEdges.oneSided(Kind.REQUEST, followee, follower, edge -> stillRequests(follower, followee, edge));
    }

    /** The requests to follow an account, newest first; cursors are edge ids. */
    public Future<Page<Edge>> requests(long account, PageRequest page) {
        return Edges.page(redis, Keys.requests(account), page);
    }

    /** How many ask to follow an account. */
    public Future<Long> requestCount(long account) {
        return redis.send(Command.of("ZCARD", Keys.requests(account))).map(Reply::asLong);
    }

    /** The requests to follow an account, by edge id, ascending, after {@code cursor} (exclusive). */
    public Future<List<Edge>> requestsAfter(long account, long cursor, int limit) {
        return redis.send(Edges.upward(Keys.requests(account), cursor, Id.MAX, limit))
                .map(Edges::of);
    }

    /** The accounts that an account requests to follow, the oldest request first. */
    public Future<List<Edge>> requesting(long account, int limit) {
        return redis.send(Edges.upward(Keys.requesting(account), 0, Id.MAX, limit))
                .map(Edges::of);
    }

    /** How this account lets others follow it. */
    public Future<Admission> admission(long account) {
        return redis.send(admissionOf(account)).map(Graph::admission);
    }

    /** How each of these lets others follow it; one round trip. */
    public Future<Map<Long, Admission>> admissions(Set<Long> accounts) {
        List<Long> ids = List.copyOf(accounts);
        return BatchedPipeline.send(redis, ids.stream().map(Graph::admissionOf).toList())
                .map(replies -> {
                    Map<Long, Admission> admissions = new HashMap<>();
                    for (int i = 0; i < ids.size(); i++) {
                        admissions.put(ids.get(i), admission(replies.get(i)));
                    }
                    return admissions;
                });
    }

    /** Whether a moderator has limited an account: then it asks before it follows. */
    public Future<Boolean> isLimited(long account) {
        return redis.send(Command.of("HEXISTS", Keys.user(account), "limited")).map(reply -> reply.asLong() == 1);
    }

    private static Command admissionOf(long account) {
        return Command.of("HMGET", Keys.user(account), "state", "locked");
    }

    private static Admission admission(Reply stateAndLocked) {
        if (!"active".equals(stateAndLocked.items().get(0).asString())) {
            return Admission.CLOSED;
        }
        return stateAndLocked.items().get(1).isNil() ? Admission.OPEN : Admission.LOCKED;
    }

    /**
     * The followee's side, with word to the followee; keeps the greater edge id. Does nothing when {@link #unlink} has
     * ended this edge or a later one, so it may come late by a day.
     */
    public Future<SubjectEdges.Linked> link(long follower, long followee, long edge) {
        return subjectEdges.link(Kind.FOLLOW, followee, followee, follower, edge, notification(follower));
    }

    /**
     * Takes the followee's side back if it is still this edge, and keeps it from coming back. Only for an edge that has
     * ended on the follower's side.
     */
    public Future<Void> unlink(long follower, long followee, long edge) {
        return subjectEdges.unlink(Kind.FOLLOW, followee, followee, follower, edge, notification(follower));
    }

    private static Notification notification(long follower) {
        return Notification.of(Notification.Type.FOLLOW, follower, 0);
    }

    /** The edge by which the followee's side alone lists the follower, see {@link SubjectEdges#oneSided}; 0 = none. */
    public Future<Long> oneSidedEdge(long follower, long followee) {
        return subjectEdges.oneSided(Kind.FOLLOW, followee, follower, edge -> stillFollows(follower, followee, edge));
    }

    public Future<Boolean> stillFollows(long follower, long followee, long edge) {
        return redis.send(Command.of("ZSCORE", Keys.following(follower), followee))
                .map(score -> !score.isNil() && score.asLong() == edge);
    }

    /**
     * Whether a follower is told of each post of this account, or another one may ask to be: those who want it no more
     * make room.
     */
    public Future<Boolean> hasRoomForListener(long follower, long followee) {
        return hasRoom(follower, followee)
                .compose(room -> room
                        ? Future.succeededFuture(true)
                        : listeners(followee, 0, /* language= */ null)
                                .compose(Listeners::rest)
                                .transform(cleaned -> hasRoom(follower, followee)));
    }

    private Future<Boolean> hasRoom(long follower, long followee) {
        String listeners = Keys.listeners(followee);
        List<Command> commands = List.of(Command.of("ZCARD", listeners), Command.of("ZSCORE", listeners, follower));
        return BatchedPipeline.send(redis, commands)
                .map(replies -> replies.get(0).asLong() < LISTENERS_MAX
                        || !replies.get(1).isNil());
    }

    /**
     * The followee's side of whether a follower is told of each post: as the follower's side says, which decides and is
     * asked again after the write.
     *
     * @param change the id of the change of terms, before which no post is told of
     */
    public Future<Void> settleBell(long follower, long followee, long change) {
        return settleBell(follower, followee, change, BELL_TRIES_MAX);
    }

    private Future<Void> settleBell(long follower, long followee, long change, int tries) {
        String listeners = Keys.listeners(followee);
        return wantsWord(follower, followee).compose(wants -> redis.send(
                        wants
                                ? Command.of("ZADD", listeners, "GT", change, follower)
                                : Command.of("ZREM", listeners, follower))
                .compose(done -> wantsWord(follower, followee))
                .compose(still -> still.equals(wants) || tries == 0
                        ? Future.succeededFuture()
                        : settleBell(follower, followee, change, tries - 1)));
    }

    private Future<Boolean> wantsWord(long follower, long followee) {
        return BatchedPipeline.send(redis, bell(follower, followee)).map(scores -> rings(scores.get(0), scores.get(1)));
    }

    private static List<Command> bell(long follower, long followee) {
        return List.of(
                Command.of("ZSCORE", Keys.bells(follower), followee),
                Command.of("ZSCORE", Keys.following(follower), followee));
    }

    /** A bell counts by the edge that there is: an unfollow by a process of an older version leaves it behind. */
    static boolean rings(Reply bell, Reply edge) {
        return !bell.isNil() && !edge.isNil() && bell.asLong() == edge.asLong();
    }

    /**
     * The subscribers to an author's posts.
     *
     * @param rest ends when accounts that have unsubscribed are removed from the author's side; fails when some could
     *     not be checked, who are not among the accounts
     */
    public record Listeners(List<Long> accounts, Future<Void> rest) {
        static final Listeners NONE = new Listeners(List.of(), Future.succeededFuture());
    }

    /**
     * The subscribers to be notified of a post: accounts that subscribed before it was made, and still follow its
     * author on these terms. Others are removed from the author's side, except those that want posts in other
     * languages.
     *
     * @param language by which the post is judged, see {@link Post#spoken}; null = none
     */
    public Future<Listeners> listeners(long author, long post, String language) {
        return listed(author)
                .compose(all -> all.isEmpty()
                        ? Future.succeededFuture(Listeners.NONE)
                        : listeners(author, post, language, all));
    }

    private Future<List<Edge>> listed(long author) {
        return redis.send(Command.of("ZRANGE", Keys.listeners(author), 0, 2 * LISTENERS_MAX, "WITHSCORES"))
                .map(Edges::of);
    }

    /** The accounts that may have been notified of posts of this account, as far as they are still on its side. */
    public Future<List<Long>> formerListeners(long author) {
        return listed(author).map(all -> all.stream().map(Edge::accountId).toList());
    }

    private Future<Listeners> listeners(long author, long post, String language, List<Edge> all) {
        List<Command> commands = new ArrayList<>(3 * all.size());
        all.forEach(listener -> {
            commands.addAll(bell(listener.accountId(), author));
            commands.add(Command.of("HGET", Keys.languages(listener.accountId()), author));
        });
        return BatchedPipeline.sendEach(redis, commands).map(scores -> {
            List<Long> notified = new ArrayList<>();
            List<Future<Void>> rest = new ArrayList<>();
            rest.add(BatchedPipeline.check(scores));
            for (int i = 0; i < all.size(); i++) {
                Edge listener = all.get(i);
                Reply bell = scores.get(3 * i);
                Reply edge = scores.get(3 * i + 1);
                Reply line = scores.get(3 * i + 2);
                if (Stream.of(bell, edge, line).anyMatch(Reply.Failure.class::isInstance)) {
                    continue;
                }
                if (!rings(bell, edge)) {
                    rest.add(settleBell(listener.accountId(), author, listener.edgeId()));
                } else if (listener.edgeId() < post
                        && FollowLanguages.of(Map.of(author, FollowedLanguages.codes(line, edge)))
                                .wants(author, language)) {
                    notified.add(listener.accountId());
                }
            }
            return new Listeners(notified, Future.join(rest).mapEmpty());
        });
    }

    /** Whether this account exists, be it suspended. */
    public Future<Boolean> exists(long account) {
        return redis.send(Command.of("HGET", Keys.user(account), "state"))
                .map(Reply::asString)
                .map(Accounts::isSignedUp);
    }

    /** Whether this account is one that can be followed. */
    public Future<Boolean> isActive(long account) {
        return redis.send(Command.of("HGET", Keys.user(account), "state"))
                .map(state -> "active".equals(state.asString()));
    }

    /**
     * Whether {@code follower} follows {@code followee}, by whatever edge, and on what terms: at most one account in
     * either list.
     */
    public Future<Followed> follows(long follower, long followee) {
        List<Command> commands = List.of(
                Command.of("ZSCORE", Keys.following(follower), followee),
                Command.of("ZSCORE", Keys.noReposts(follower), followee),
                Command.of("HGET", Keys.languages(follower), followee));
        return BatchedPipeline.send(redis, commands)
                .map(terms -> new Followed(
                        one(followee, terms.get(0)),
                        one(followee, terms.get(1)),
                        /* leftOut= */ List.of(),
                        Map.of(followee, FollowedLanguages.codes(terms.get(2), terms.get(0)))));
    }

    private static List<Long> one(long account, Reply score) {
        return score.isNil() ? List.of() : List.of(account);
    }

    /**
     * Many follows at once, both sides, without jobs, events, backfill and limits: for replays that fill an empty
     * server. All accounts must exist. Cut off in the middle it leaves edges with one side; the same call again
     * completes them.
     */
    public Future<Void> followAll(List<long[]> followerFolloweePairs) {
        Map<Long, List<Long>> followeesOf = new LinkedHashMap<>();
        for (long[] pair : followerFolloweePairs) {
            followeesOf.computeIfAbsent(pair[0], follower -> new ArrayList<>()).add(pair[1]);
        }
        List<Command> calls = new ArrayList<>();
        List<Share> shares = new ArrayList<>();
        followeesOf.forEach((follower, followees) -> {
            for (int from = 0; from < followees.size(); from += SubjectEdges.BULK) {
                Share share = new Share(
                        follower, followees.subList(from, Math.min(from + SubjectEdges.BULK, followees.size())));
                shares.add(share);
                calls.add(share.call());
            }
        });
        return BatchedPipeline.send(redis, calls).compose(edges -> linkAll(shares, edges));
    }

    /** A part of one account's follows, small enough for one script call. */
    private record Share(long follower, List<Long> followees) {
        Command call() {
            int shard = Id.shard(follower);
            List<Object> args = new ArrayList<>(List.of("", shard));
            args.addAll(followees);
            return FOLLOW_ALL.call(
                    List.of(Keys.user(follower), Keys.following(follower), Keys.ids(shard)), args.toArray());
        }
    }

    private Future<Void> linkAll(List<Share> shares, List<Reply> edges) {
        Map<Long, List<Long>> linksOf = new LinkedHashMap<>();
        for (int i = 0; i < shares.size(); i++) {
            Share share = shares.get(i);
            List<Long> edgeIds = Statuses.longs(edges.get(i));
            for (int j = 0; j < edgeIds.size(); j++) {
                List<Long> links = linksOf.computeIfAbsent(share.followees().get(j), followee -> new ArrayList<>());
                links.add(share.follower());
                links.add(edgeIds.get(j));
            }
        }
        List<SubjectEdges.Many> followees = new ArrayList<>();
        linksOf.forEach((followee, links) -> followees.add(new SubjectEdges.Many(followee, followee, links)));
        return subjectEdges.linkAll(Kind.FOLLOW, followees);
    }

    /** Followers by edge id, ascending, after {@code cursor} (exclusive). */
    public Future<List<Edge>> followersAfter(long author, long cursor, int limit) {
        return redis.send(Edges.upward(Keys.followers(author), cursor, Id.MAX, limit))
                .map(Edges::of);
    }

    /**
     * The ends of pages of {@code size} followers after {@code cursor} (exclusive): the edge ids of their last
     * followers, of at most {@code count} whole pages.
     */
    public Future<List<Long>> followerPages(long author, long cursor, int size, int count) {
        List<Command> ends = new ArrayList<>(count);
        for (int page = 1; page <= count; page++) {
            ends.add(Command.of(
                    "ZRANGE",
                    Keys.followers(author),
                    "(" + cursor,
                    "+inf",
                    "BYSCORE",
                    "LIMIT",
                    page * size - 1,
                    1,
                    "WITHSCORES"));
        }
        return BatchedPipeline.send(redis, ends).map(replies -> replies.stream()
                .flatMap(reply -> Edges.of(reply).stream())
                .map(Edge::edgeId)
                .toList());
    }

    /**
     * Followers by edge id, ascending, after {@code cursor} (exclusive) up to {@code last}: at most as many as the page
     * that had these ends.
     */
    public Future<List<Edge>> followersBetween(long author, long cursor, long last) {
        return redis.send(Edges.upward(Keys.followers(author), cursor, last + 1, Integer.MAX_VALUE))
                .map(Edges::of);
    }

    /** Newest follow first; cursors are edge ids. */
    public Future<Page<Edge>> followers(long account, PageRequest page) {
        return Edges.page(redis, Keys.followers(account), page);
    }

    /** Newest follow first; cursors are edge ids. */
    public Future<Page<Edge>> following(long account, PageRequest page) {
        return Edges.page(redis, Keys.following(account), page);
    }

    /**
     * The accounts that both follow, by the edges of {@code walked}, newest first: best of the two the one who follows
     * fewer. A page may be short; its cursors lead on.
     */
    public Future<Page<Edge>> commonFollowing(long walked, long other, PageRequest page) {
        return new CommonFollows(redis, walked, other, page).run();
    }

    /**
     * The followers of each of these accounts among the viewer's newest {@value #FAMILIAR_MAX} follows, newest first.
     * Two round trips.
     */
    public Future<Map<Long, List<Long>>> familiarFollowers(long viewer, Set<Long> accounts) {
        return redis.send(Command.of("ZRANGE", Keys.following(viewer), 0, FAMILIAR_MAX - 1, "REV"))
                .map(Statuses::longs)
                .compose(followed -> familiar(followed, List.copyOf(accounts)));
    }

    private Future<Map<Long, List<Long>>> familiar(List<Long> followed, List<Long> accounts) {
        if (followed.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<Command> lookUps = new ArrayList<>();
        for (long account : accounts) {
            lookUps.add(Command.of("ZMSCORE", Keys.followers(account), followed.toArray()));
        }
        return BatchedPipeline.send(redis, lookUps).map(replies -> {
            Map<Long, List<Long>> familiar = new HashMap<>();
            for (int i = 0; i < accounts.size(); i++) {
                familiar.put(accounts.get(i), present(followed, replies.get(i).items()));
            }
            return familiar;
        });
    }

    private static List<Long> present(List<Long> ids, List<Reply> scores) {
        List<Long> present = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            if (!scores.get(i).isNil()) {
                present.add(ids.get(i));
            }
        }
        return present;
    }

    /** Everybody the account follows. */
    public Future<Followed> followingOf(long account) {
        return redis.send(followees(account))
                .map(Reply::items)
                .map(lists -> new Followed(
                        Statuses.longs(lists.get(0)),
                        Statuses.longs(lists.get(1)),
                        Statuses.longs(lists.get(2)),
                        FollowedLanguages.of(lists.get(3).items())));
    }

    /** Reads what {@link Followed} has. */
    public static Command followees(long account) {
        return FOLLOWED.call(List.of(
                Keys.following(account),
                Keys.noReposts(account),
                Keys.lists(account),
                Keys.listed(account),
                Keys.languages(account)));
    }
}
