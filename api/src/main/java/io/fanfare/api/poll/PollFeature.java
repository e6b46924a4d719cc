package io.fanfare.api.poll;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.core.poll.Polls;
import java.util.List;

/** Polls: the routes. What a post has of its poll, posts write. */
public final class PollFeature implements ApiFeature {
    private final PollRoutes polls;

    public PollFeature(ApiLoop loop) {
        this.polls = new PollRoutes(
                new Polls(loop.stores().redis(), loop.clock()),
                loop.visible(),
                loop.viewerRelationships(),
                loop.pressure(),
                loop.views());
    }

    @Override
    public List<Endpoint> endpoints() {
        return polls.endpoints();
    }
}
