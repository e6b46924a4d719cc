package io.fanfare.api.routes;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.common.action.Blocks;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.vertx.core.Future;
import java.util.List;

/** Whom one does not want to see, or to be seen by. */
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
        if (call.parameters().number("duration", 0, 0, 1) > 0) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "Mutes last until they are taken back: leave the duration out, and unmute the account when it is time.");
        }
        boolean notifications = call.parameters().flag("notifications", true);
        return blocks.mute(call.viewer(), call.id(), notifications)
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

    /** The Mastodon entity MutedAccount: mutes do not expire. */
    private Future<Answer> muted(Call call) {
        Future<Page<Edge>> page = blocks.mutes(call.viewer(), page(call));
        return page.compose(mutes ->
                renderer.own(call, mutes, (json, relationships, edge) -> json.writeNullField("mute_expires_at")));
    }

    private PageRequest page(Call call) {
        return call.parameters().page(LIST_LIMIT, limits.pageMax());
    }
}
