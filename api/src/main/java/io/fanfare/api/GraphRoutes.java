package io.fanfare.api;

import static io.fanfare.api.Endpoint.get;
import static io.fanfare.api.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Relation;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Follows;
import io.fanfare.common.store.Graph;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who follows whom. */
final class GraphRoutes {
    private static final int LIST_LIMIT = 40;
    private static final int RELATIONSHIPS_MAX = 100;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Accounts accounts;
    private final Graph graph;
    private final Follows follows;
    private final Views views;

    GraphRoutes(
            Settings.Limits limits, String publicUrl, Accounts accounts, Graph graph, Follows follows, Views views) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.accounts = accounts;
        this.graph = graph;
        this.follows = follows;
        this.views = views;
    }

    /** Fixed paths stand before {@code :id}, which would match them as well. */
    List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/accounts/relationships", Access.user("read:follows"), this::relationships),
                get("/api/v1/accounts/:id/followers", Access.viewer("read:accounts"), this::followers),
                get("/api/v1/accounts/:id/following", Access.viewer("read:accounts"), this::following),
                post("/api/v1/accounts/:id/follow", Access.user("write:follows"), this::follow)
                        .within(Limit.FOLLOWS),
                post("/api/v1/accounts/:id/unfollow", Access.user("write:follows"), this::unfollow)
                        .within(Limit.FOLLOWS));
    }

    /** In the order asked; unknown ids are left out. */
    private Future<Answer> relationships(Call call) {
        Set<Long> ids = new LinkedHashSet<>();
        call.parameters().all("id").forEach(text -> ids.add(Id.parse(text)));
        ids.remove(-1L);
        if (ids.size() > RELATIONSHIPS_MAX) {
            throw new Refusal(Refusal.Reason.INVALID, "At most " + RELATIONSHIPS_MAX + " ids at once: ask in parts.");
        }
        return accounts.load(ids).compose(known -> {
            List<Long> asked = ids.stream().filter(known::containsKey).toList();
            return graph.relations(call.viewer(), asked)
                    .map(relations -> Answer.json(json -> {
                        json.writeStartArray();
                        for (long id : asked) {
                            Relationships.write(json, id, relations.get(id));
                        }
                        json.writeEndArray();
                    }));
        });
    }

    private Future<Answer> follow(Call call) {
        return follows.follow(call.viewer(), call.id()).compose(done -> relationship(call));
    }

    private Future<Answer> unfollow(Call call) {
        return find(call.id())
                .compose(account -> follows.unfollow(call.viewer(), account.id()))
                .compose(done -> relationship(call));
    }

    private Future<Answer> relationship(Call call) {
        long account = call.id();
        return graph.relations(call.viewer(), List.of(account))
                .map(relations -> Answer.json(json -> Relationships.write(json, account, relations.get(account))));
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
        return find(call.id()).compose(owner -> list.read(owner.id(), page)).compose(edges -> people(call, edges));
    }

    private Future<Answer> people(Call call, Page<Edge> page) {
        List<Long> ids = page.items().stream().map(Edge::accountId).toList();
        Future<Map<Long, Account>> people = accounts.load(ids);
        Future<Map<Long, Relation>> relations =
                call.viewer() == 0 ? Future.succeededFuture(Map.of()) : graph.relations(call.viewer(), ids);
        return Future.all(people, relations)
                .map(both -> Answer.json(json -> people(json, call.viewer(), page, people.result(), relations.result()))
                        .link(Links.of(publicUrl, call, page)));
    }

    private void people(
            JsonGenerator json, long viewer, Page<Edge> page, Map<Long, Account> people, Map<Long, Relation> relations)
            throws IOException {
        json.writeStartArray();
        for (Edge edge : page.items()) {
            Account account = people.get(edge.accountId());
            if (account != null) {
                json.writeStartObject();
                views.accountFields(json, account);
                Relation relation = relations.getOrDefault(edge.accountId(), Relation.NONE);
                json.writeStringField("relationship_state", Relationships.state(viewer, edge.accountId(), relation));
                json.writeStringField("followed_at", Views.time(Id.epochMillis(edge.edgeId())));
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private Future<Account> find(long id) {
        return accounts.find(id).map(found -> found.orElseThrow(Refusal::unknown));
    }
}
