package io.fanfare.api.search;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.ProcessFeature;
import io.fanfare.api.feature.ProcessParts;
import io.fanfare.api.tag.TagRenderer;
import io.fanfare.common.store.UsernameIndex;
import io.fanfare.server.runtime.Component;
import java.util.List;

/** Search by name and in texts. May be left out of a build. */
public final class SearchFeature implements ProcessFeature {
    private final ProcessParts process;

    /** One for all event loops; null = texts are not searched. */
    private final SearchIndex index;

    public SearchFeature(ProcessParts process) {
        this.process = process;
        this.index = SearchIndex.of(process.vertx(), process.settings().search(), process.metrics());
    }

    /** The parts that fill the index. */
    @Override
    public List<Component> components() {
        return index == null ? List.of() : List.of(new Component("search", this::feed, 1));
    }

    private SearchFeed feed() {
        return new SearchFeed(
                index,
                process.settings(),
                process.archive(),
                process.metrics(),
                process.random(),
                process.clock(),
                process.disk());
    }

    @Override
    public ApiFeature on(ApiLoop loop) {
        return new OfLoop(routes(loop).endpoints());
    }

    private SearchRoutes routes(ApiLoop loop) {
        return new SearchRoutes(
                loop.publicUrl(),
                loop.accounts(),
                new UsernameIndex(loop.redis()),
                loop.viewerRelationships(),
                loop.statuses(),
                loop.timelines(),
                loop.stores().publicTimelines(),
                TagRenderer.of(loop),
                loop.renderer(),
                index,
                loop.views());
    }

    private record OfLoop(List<Endpoint> endpoints) implements ApiFeature {}
}
