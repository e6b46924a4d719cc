package io.fanfare.api.list;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.common.store.UserLists;
import io.fanfare.core.graph.Lists;
import java.util.List;

/** Lists of followed accounts, and their timelines. */
public final class ListFeature implements ApiFeature {
    private final ListRoutes lists;

    public ListFeature(ApiLoop loop) {
        UserLists stored = new UserLists(loop.redis(), loop.settings());
        this.lists = new ListRoutes(
                loop.limits(),
                loop.publicUrl(),
                new Lists(stored, loop.stores().follows()),
                stored,
                loop.timelines(),
                loop.accounts(),
                loop.pressure(),
                loop.accountRenderer(),
                loop.renderer());
    }

    @Override
    public List<Endpoint> endpoints() {
        return lists.endpoints();
    }
}
