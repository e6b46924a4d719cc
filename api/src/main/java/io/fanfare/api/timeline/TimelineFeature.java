package io.fanfare.api.timeline;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.post.Pins;
import java.util.List;

/** Homes and profiles. */
public final class TimelineFeature implements ApiFeature {
    private final TimelineRoutes timelines;

    public TimelineFeature(ApiLoop loop) {
        Pins pins = new Pins(loop.redis(), loop.statuses().archived(), loop.statuses());
        this.timelines = new TimelineRoutes(
                loop.limits(), loop.publicUrl(), loop.timelines(), loop.accounts(), pins, loop.renderer());
    }

    @Override
    public List<Endpoint> endpoints() {
        return timelines.endpoints();
    }
}
