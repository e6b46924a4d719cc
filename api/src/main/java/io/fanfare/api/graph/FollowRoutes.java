package io.fanfare.api.graph;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.account.Relationships;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.render.AccountRenderer;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.RelationshipDetails;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import io.fanfare.core.graph.Follows;
import io.fanfare.core.post.Announcer;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Follows and relationships, and the lists of followers and followees. */
public final class FollowRoutes {
    private static final Future<Page<Edge>> NOBODY = Future.succeededFuture(new Page<>(List.of(), 0, 0));
    private static final int LIST_LIMIT = 40;
    private static final int RELATIONSHIPS_MAX = 100;
    private static final int FAMILIAR_MAX = 20;

    /** Familiar followers shown of one account; clients show a handful. */
    private static final int FAMILIAR_SHOWN = 40;

    private final Settings.Limits limits;
    private final Accounts accounts;
    private final Graph graph;
    private final Follows follows;
    private final Announcer announcer;
    private final MemoryPressure pressure;
    private final RateLimits rates;
    private final ViewerRelationshipsReader viewerRelationships;
    private final AccountRenderer renderer;
    private final Views views;

    public FollowRoutes(
            Settings.Limits limits,
            Accounts accounts,
            Graph graph,
            Follows follows,
            Announcer announcer,
            MemoryPressure pressure,
            RateLimits rates,
            ViewerRelationshipsReader viewerRelationships,
            AccountRenderer renderer,
            Views views) {
        this.limits = limits;
        this.accounts = accounts;
        this.graph = graph;
        this.follows = follows;
        this.announcer = announcer;
        this.pressure = pressure;
        this.rates = rates;
        this.viewerRelationships = viewerRelationships;
        this.renderer = renderer;
        this.views = views;
    }

    /** Fixed paths stand before {@code :id}, which would match them as well. */
    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/accounts/relationships", Access.user("read:follows"), this::relationships),
                get("/api/v1/accounts/familiar_followers", Access.user("read:follows"), this::familiarFollowers),
                post("/api/v1/accounts/follow", Access.user("write:follows"), this::followAll),
                post("/api/v1/accounts/unfollow", Access.user("write:follows"), this::unfollowAll),
                get("/api/v1/accounts/:id/followers", Access.viewer("read:accounts"), this::followers),
                get("/api/v1/accounts/:id/following", Access.viewer("read:accounts"), this::following),
                get("/api/v1/accounts/:id/common_following", Access.user("read:follows"), this::commonFollowing),
                post("/api/v1/accounts/:id/follow", Access.user("write:follows"), this::follow)
                        .within(RateLimit.FOLLOWS),
                post("/api/v1/accounts/:id/unfollow", Access.user("write:follows"), this::unfollow)
                        .withoutBody()
                        .within(RateLimit.FOLLOWS),
                post("/api/v1/accounts/:id/remove_from_followers", Access.user("write:follows"), this::removeFollower)
                        .withoutBody());
    }

    /** In the order asked; unknown ids are left out. */
    private Future<Answer> relationships(Call call) {
        Set<Long> ids = ids(call, RELATIONSHIPS_MAX);
        Future<Map<Long, Account>> known = accounts.load(ids);
        Future<RelationshipDetails> details = viewerRelationships.details(call.viewer(), ids);
        return Future.all(known, details)
                .map(both -> Answer.json(json -> {
                    json.writeStartArray();
                    for (long id : ids) {
                        if (known.result().containsKey(id)) {
                            Relationships.write(json, id, details.result());
                        }
                    }
                    json.writeEndArray();
                }));
    }

    /** The ids asked for, in order; what cannot be one is left out. */
    private static Set<Long> ids(Call call, int max) {
        Set<Long> ids = new LinkedHashSet<>();
        call.parameters().all("id").forEach(text -> ids.add(Id.parse(text)));
        ids.remove(-1L);
        if (ids.size() > max) {
            throw tooMany(max);
        }
        return ids;
    }

    private static Refusal tooMany(int max) {
        return new Refusal(Refusal.Reason.INVALID, "At most " + max + " ids at once: ask in parts.");
    }

    private Future<Answer> follow(Call call) {
        pressure.check(call.viewer(), call.id());
        return follows.follow(call.viewer(), call.id(), NewFollow.of(call.parameters()))
                .compose(done -> Relationships.one(viewerRelationships, call));
    }

    private Future<Answer> unfollow(Call call) {
        return accounts.requireHolder(call.id())
                .compose(there -> follows.unfollow(call.viewer(), call.id()))
                .compose(done -> Relationships.one(viewerRelationships, call));
    }

    private Future<Answer> removeFollower(Call call) {
        return accounts.requireHolder(call.id())
                .compose(there -> follows.removeFollower(call.viewer(), call.id()))
                .compose(done -> Relationships.one(viewerRelationships, call));
    }

    private Future<Answer> followAll(Call call) {
        return changeAll(call, ids -> accounts.load(ids).map(Map::keySet), (viewer, known) -> {
            pressure.check(
                    LongStream.concat(LongStream.of(viewer), known.stream().mapToLong(id -> id))
                            .toArray());
            return follows.followAll(viewer, known);
        });
    }

    private Future<Answer> unfollowAll(Call call) {
        return changeAll(call, accounts::heldAmong, follows::unfollowAll);
    }

    /** Changes many edges of the viewer; answers what was refused. */
    private interface ChangeAll {
        Future<Map<Long, Refusal>> run(long viewer, Set<Long> accounts);
    }

    /**
     * Counts as many follows as it names accounts. Three round trips besides, however many they are: are they there,
     * the change, the relations after it.
     *
     * @param there those of some ids that this can be done to
     */
    private Future<Answer> changeAll(Call call, Function<Set<Long>, Future<Set<Long>>> there, ChangeAll change) {
        List<String> requested = call.parameters().all("id");
        if (requested.isEmpty()) {
            throw new Refusal(Refusal.Reason.MALFORMED, "The list id is missing: send the ids of the accounts.");
        }
        if (requested.size() > RELATIONSHIPS_MAX) {
            throw tooMany(RELATIONSHIPS_MAX);
        }
        Set<Long> ids = ids(call, RELATIONSHIPS_MAX);
        return rates.take(call.request(), call.principal(), RateLimit.FOLLOWS, Math.max(1, ids.size()))
                .compose(counted -> there.apply(ids))
                .compose(known -> change.run(call.viewer(), known)
                        .onSuccess(refused -> wake(call.viewer(), known.size()))
                        .compose(refused -> viewerRelationships
                                .details(call.viewer(), ids)
                                .map(details ->
                                        Answer.json(json -> results(json, requested, known, refused, details)))));
    }

    private void wake(long viewer, int changes) {
        if (changes > Follows.AT_ONCE_MAX) {
            announcer.wake(viewer);
        }
    }

    /** One entry for each id, in the order asked: the Relationship, or what was wrong. */
    private static void results(
            JsonGenerator json,
            List<String> requested,
            Set<Long> known,
            Map<Long, Refusal> refused,
            RelationshipDetails details)
            throws IOException {
        json.writeStartArray();
        for (String text : requested) {
            long id = Id.parse(text);
            Refusal refusal = known.contains(id) ? refused.get(id) : Refusal.unknown();
            if (refusal == null) {
                Relationships.write(json, id, details);
            } else {
                json.writeStartObject();
                json.writeStringField("id", text);
                json.writeStringField("error", refusal.getMessage());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private Future<Answer> followers(Call call) {
        return edges(call, graph::followers);
    }

    private Future<Answer> following(Call call) {
        return edges(call, graph::following);
    }

    /** One of the two lists of an account. */
    private interface EdgeList {
        Future<Page<Edge>> read(long account, PageRequest page);
    }

    private Future<Answer> edges(Call call, EdgeList list) {
        PageRequest page = call.parameters().page(LIST_LIMIT, limits.pageMax());
        return accounts.require(call.id())
                .compose(owner -> renderer.of(
                        List.of(owner.id()),
                        call,
                        wanted -> hides(owner, call.viewer()) ? NOBODY : list.read(owner.id(), wanted),
                        page,
                        FollowRoutes::followedAt));
    }

    /** Whether somebody else may not see whom the account follows and who follows it. */
    private static boolean hides(Account account, long viewer) {
        return account.profileSettings().hidesFollows() && account.id() != viewer;
    }

    private static void followedAt(JsonGenerator json, ViewerRelationships relationships, Edge edge)
            throws IOException {
        json.writeStringField("relationship_state", Relationships.state(edge.accountId(), relationships));
        json.writeStringField("followed_at", Timestamps.time(Id.epochMillis(edge.edgeId())));
    }

    /**
     * Accounts that both the account and another one ({@code with}, else the viewer) follow. {@code order_of} names the
     * account whose follows give the order, so that all pages of a walk have the same; the first page takes the one
     * that follows fewer.
     */
    private Future<Answer> commonFollowing(Call call) {
        PageRequest page = call.parameters().page(LIST_LIMIT, limits.pageMax());
        long one = call.id();
        long other = call.parameters().has("with") ? call.parameters().id("with") : call.viewer();
        return accounts.load(List.of(one, other)).compose(both -> {
            long walked = walked(call, both.get(one), both.get(other));
            boolean isHidden = both.values().stream().anyMatch(account -> hides(account, call.viewer()));
            return renderer.of(
                    List.of(one, other),
                    call.with("order_of", walked),
                    wanted -> isHidden ? NOBODY : graph.commonFollowing(walked, walked == one ? other : one, wanted),
                    page,
                    AccountRenderer.NOTHING_MORE);
        });
    }

    private static long walked(Call call, Account one, Account other) {
        if (one == null || other == null) {
            throw Refusal.unknown();
        }
        long wanted = call.parameters().id("order_of");
        if (wanted == one.id() || wanted == other.id()) {
            return wanted;
        }
        return one.followingCount() <= other.followingCount() ? one.id() : other.id();
    }

    /**
     * The Mastodon entity FamiliarFollowers, for each account: who of those that the viewer follows follows it. Nobody
     * of whom others may not see whom they follow.
     */
    private Future<Answer> familiarFollowers(Call call) {
        Set<Long> ids = ids(call, FAMILIAR_MAX);
        Future<ViewerRelationships> relationships = viewerRelationships.of(call.viewer(), ids);
        Future<Map<Long, Account>> known = accounts.load(ids);
        Future<Map<Long, List<Long>>> familiar = graph.familiarFollowers(call.viewer(), ids);
        return Future.all(relationships, known, familiar).compose(all -> {
            Set<Long> requested = ids.stream()
                    .filter(known.result()::containsKey)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            Map<Long, List<Long>> shown = requested.stream()
                    .collect(Collectors.toMap(
                            id -> id,
                            id -> hides(known.result().get(id), call.viewer())
                                    ? List.of()
                                    : familiar(id, relationships.result(), familiar.result())));
            Set<Long> people = new HashSet<>();
            shown.values().forEach(people::addAll);
            return accounts.load(people).map(loaded -> Answer.json(json -> familiar(json, requested, shown, loaded)));
        });
    }

    private static List<Long> familiar(
            long account, ViewerRelationships relationships, Map<Long, List<Long>> familiar) {
        List<Long> people = relationships.isBlockedBy(account) ? List.of() : familiar.getOrDefault(account, List.of());
        return people.subList(0, Math.min(people.size(), FAMILIAR_SHOWN));
    }

    private void familiar(
            JsonGenerator json, Set<Long> requested, Map<Long, List<Long>> familiar, Map<Long, Account> people)
            throws IOException {
        json.writeStartArray();
        for (long id : requested) {
            json.writeStartObject();
            json.writeStringField("id", Long.toString(id));
            json.writeArrayFieldStart("accounts");
            for (long person : familiar.get(id)) {
                Account shown = people.get(person);
                if (shown != null && !shown.profileSettings().hidesFollows()) {
                    views.accounts().write(json, shown);
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
