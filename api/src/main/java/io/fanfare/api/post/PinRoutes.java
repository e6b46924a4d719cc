package io.fanfare.api.post;

import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.core.post.VisibleStatuses;
import io.vertx.core.Future;
import java.util.List;

/**
 * Pinned statuses, which stand at the top of their author's profile. {@link io.fanfare.api.timeline.TimelineRoutes}
 * lists them.
 */
public final class PinRoutes {
    private final Pins pins;
    private final VisibleStatuses visible;
    private final MemoryPressure pressure;
    private final StatusRenderer renderer;

    public PinRoutes(Pins pins, VisibleStatuses visible, MemoryPressure pressure, StatusRenderer renderer) {
        this.pins = pins;
        this.visible = visible;
        this.pressure = pressure;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                post("/api/v1/statuses/:id/pin", Access.user("write:accounts"), this::pin)
                        .withoutBody(),
                post("/api/v1/statuses/:id/unpin", Access.user("write:accounts"), this::unpin)
                        .withoutBody());
    }

    private Future<Answer> pin(Call call) {
        return visible.find(call.viewer(), call.id())
                .compose(status -> {
                    pressure.check(call.viewer());
                    return pins.pin(call.viewer(), status.id());
                })
                .compose(done -> answer(call));
    }

    private Future<Answer> unpin(Call call) {
        return pins.unpin(call.viewer(), call.id()).compose(done -> answer(call));
    }

    private Future<Answer> answer(Call call) {
        return visible.find(call.viewer(), call.id())
                .compose(status -> renderer.one(status, call.viewer()))
                .map(body -> Answer.json(body));
    }
}
