package io.fanfare.api.graph;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.account.Relationships;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.render.AccountRenderer;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.graph.Follows;
import io.vertx.core.Future;
import java.util.List;

/** Requests to follow a locked account, and the answers of its user; {@code :id} is the account that requests it. */
public final class FollowRequestRoutes {
    private static final int LIMIT = 40;

    private final Settings.Limits limits;
    private final Graph graph;
    private final Follows follows;
    private final MemoryPressure pressure;
    private final ViewerRelationshipsReader viewerRelationships;
    private final AccountRenderer renderer;

    public FollowRequestRoutes(
            Settings.Limits limits,
            Graph graph,
            Follows follows,
            MemoryPressure pressure,
            ViewerRelationshipsReader viewerRelationships,
            AccountRenderer renderer) {
        this.limits = limits;
        this.graph = graph;
        this.follows = follows;
        this.pressure = pressure;
        this.viewerRelationships = viewerRelationships;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/follow_requests", Access.user("read:follows"), this::list),
                post("/api/v1/follow_requests/:id/authorize", Access.user("write:follows"), this::authorize)
                        .withoutBody(),
                post("/api/v1/follow_requests/:id/reject", Access.user("write:follows"), this::reject)
                        .withoutBody());
    }

    /** Without those whom the viewer blocks: their requests are about to end. */
    private Future<Answer> list(Call call) {
        PageRequest page = call.parameters().page(LIMIT, limits.pageMax());
        return renderer.own(
                call,
                wanted -> graph.requests(call.viewer(), wanted),
                page,
                (relationships, edge) -> !relationships.blocks(edge.accountId()),
                AccountRenderer.NOTHING_MORE);
    }

    private Future<Answer> authorize(Call call) {
        pressure.check(call.viewer(), call.id());
        return follows.authorize(call.viewer(), call.id())
                .compose(done -> Relationships.one(viewerRelationships, call));
    }

    private Future<Answer> reject(Call call) {
        return follows.reject(call.viewer(), call.id()).compose(done -> Relationships.one(viewerRelationships, call));
    }
}
