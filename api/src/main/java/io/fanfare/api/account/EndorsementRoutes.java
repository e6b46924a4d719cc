package io.fanfare.api.account;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.render.AccountRenderer;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.vertx.core.Future;
import java.util.List;

/** Accounts that an account recommends on its profile; {@code pin} and {@code unpin} are the former names. */
public final class EndorsementRoutes {
    private static final int LIMIT = 40;

    private final Settings.Limits limits;
    private final Accounts accounts;
    private final Endorsements endorsements;
    private final MemoryPressure pressure;
    private final ViewerRelationshipsReader viewerRelationships;
    private final AccountRenderer renderer;

    public EndorsementRoutes(
            Settings.Limits limits,
            Accounts accounts,
            Endorsements endorsements,
            MemoryPressure pressure,
            ViewerRelationshipsReader viewerRelationships,
            AccountRenderer renderer) {
        this.limits = limits;
        this.accounts = accounts;
        this.endorsements = endorsements;
        this.pressure = pressure;
        this.viewerRelationships = viewerRelationships;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        Access write = Access.user("write:accounts");
        return List.of(
                get("/api/v1/endorsements", Access.user("read:accounts"), call -> list(call, call.viewer())),
                get("/api/v1/accounts/:id/endorsements", Access.viewer("read:accounts"), this::listOf),
                post("/api/v1/accounts/:id/endorse", write, this::endorse).withoutBody(),
                post("/api/v1/accounts/:id/unendorse", write, this::unendorse).withoutBody(),
                post("/api/v1/accounts/:id/pin", write, this::endorse).withoutBody(),
                post("/api/v1/accounts/:id/unpin", write, this::unendorse).withoutBody());
    }

    private Future<Answer> listOf(Call call) {
        return accounts.require(call.id()).compose(owner -> list(call, owner.id()));
    }

    private Future<Answer> list(Call call, long owner) {
        PageRequest page = call.parameters().page(LIMIT, limits.pageMax());
        return renderer.of(
                List.of(owner), call, wanted -> endorsements.of(owner, wanted), page, AccountRenderer.NOTHING_MORE);
    }

    private Future<Answer> endorse(Call call) {
        pressure.check(call.viewer());
        return accounts.require(call.id())
                .compose(there -> endorsements.endorse(call.viewer(), call.id()))
                .compose(done -> Relationships.one(viewerRelationships, call));
    }

    private Future<Answer> unendorse(Call call) {
        return accounts.requireHolder(call.id())
                .compose(there -> endorsements.unendorse(call.viewer(), call.id()))
                .compose(done -> Relationships.one(viewerRelationships, call));
    }
}
