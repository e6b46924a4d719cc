package io.fanfare.api.graph;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.account.Relationships;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.render.AccountRenderer;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.graph.Blocks;
import io.vertx.core.Future;
import java.util.List;

/** Blocks and mutes of a user. */
public final class BlockRoutes {
    private static final int LIST_LIMIT = 40;

    private final Settings.Limits limits;
    private final Accounts accounts;
    private final Blocks blocks;
    private final ViewerRelationshipsReader viewerRelationships;
    private final AccountRenderer renderer;

    public BlockRoutes(
            Settings.Limits limits,
            Accounts accounts,
            Blocks blocks,
            ViewerRelationshipsReader viewerRelationships,
            AccountRenderer renderer) {
        this.limits = limits;
        this.accounts = accounts;
        this.blocks = blocks;
        this.viewerRelationships = viewerRelationships;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                post("/api/v1/accounts/:id/block", Access.user("write:blocks"), this::block)
                        .withoutBody(),
                post("/api/v1/accounts/:id/unblock", Access.user("write:blocks"), this::unblock)
                        .withoutBody(),
                post("/api/v1/accounts/:id/mute", Access.user("write:mutes"), this::mute),
                post("/api/v1/accounts/:id/unmute", Access.user("write:mutes"), this::unmute)
                        .withoutBody(),
                get("/api/v1/blocks", Access.user("read:blocks"), this::blocked),
                get("/api/v1/mutes", Access.user("read:mutes"), this::muted));
    }

    private Future<Answer> block(Call call) {
        return blocks.block(call.viewer(), call.id()).compose(done -> Relationships.one(viewerRelationships, call));
    }

    private Future<Answer> unblock(Call call) {
        return accounts.requireHolder(call.id())
                .compose(there -> blocks.unblock(call.viewer(), call.id()))
                .compose(done -> Relationships.one(viewerRelationships, call));
    }

    private Future<Answer> mute(Call call) {
        long seconds = call.parameters().number("duration", 0, 0, Integer.MAX_VALUE);
        boolean notifications = call.parameters().flag("notifications", true);
        return blocks.mute(call.viewer(), call.id(), notifications, seconds * 1000)
                .compose(done -> Relationships.one(viewerRelationships, call));
    }

    private Future<Answer> unmute(Call call) {
        return accounts.requireHolder(call.id())
                .compose(there -> blocks.unmute(call.viewer(), call.id()))
                .compose(done -> Relationships.one(viewerRelationships, call));
    }

    private Future<Answer> blocked(Call call) {
        return blocks.blocks(call.viewer(), page(call))
                .compose(page -> renderer.own(call, page, AccountRenderer.NOTHING_MORE));
    }

    /** The Mastodon entity MutedAccount; of mutes that have not ended. */
    private Future<Answer> muted(Call call) {
        return renderer.own(
                call,
                page -> blocks.mutes(call.viewer(), page),
                page(call),
                (relationships, edge) -> relationships.mutes(edge.accountId()),
                (json, relationships, edge) ->
                        json.writeStringField("mute_expires_at", Relationships.end(edge.accountId(), relationships)));
    }

    private PageRequest page(Call call) {
        return call.parameters().page(LIST_LIMIT, limits.pageMax());
    }
}
