package io.fanfare.api.graph;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.core.LoopStores;
import java.util.List;
import java.util.stream.Stream;

/** Follows, requests to follow, blocks and mutes. */
public final class GraphFeature implements ApiFeature {
    private final FollowRoutes follows;
    private final FollowRequestRoutes requests;
    private final BlockRoutes blocks;

    public GraphFeature(ApiLoop loop) {
        LoopStores stores = loop.stores();
        this.follows = new FollowRoutes(
                loop.limits(),
                loop.accounts(),
                stores.graph(),
                stores.follows(),
                loop.announcer(),
                loop.pressure(),
                loop.rates(),
                loop.viewerRelationships(),
                loop.accountRenderer(),
                loop.views());
        this.requests = new FollowRequestRoutes(
                loop.limits(),
                stores.graph(),
                stores.follows(),
                loop.pressure(),
                loop.viewerRelationships(),
                loop.accountRenderer());
        this.blocks = new BlockRoutes(
                loop.limits(), loop.accounts(), stores.blocks(), loop.viewerRelationships(), loop.accountRenderer());
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(follows.endpoints(), requests.endpoints(), blocks.endpoints())
                .flatMap(List::stream)
                .toList();
    }
}
