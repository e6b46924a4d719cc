package io.fanfare.api.schedule;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.put;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.vertx.core.Future;
import java.util.List;

/** Scheduled statuses of the viewer. Those of others are as unknown as those that do not exist or are published. */
public final class ScheduledRoutes {
    private static final int LIMIT = 20;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final ScheduledStatuses scheduled;
    private final ScheduledStatusRenderer renderer;

    public ScheduledRoutes(
            Settings.Limits limits, String publicUrl, ScheduledStatuses scheduled, ScheduledStatusRenderer renderer) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.scheduled = scheduled;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        Access read = Access.user("read:statuses");
        Access write = Access.user("write:statuses");
        return List.of(
                get("/api/v1/scheduled_statuses", read, this::list),
                get("/api/v1/scheduled_statuses/:id", read, this::show),
                put("/api/v1/scheduled_statuses/:id", write, this::move),
                delete("/api/v1/scheduled_statuses/:id", write, this::cancel));
    }

    private Future<Answer> list(Call call) {
        return scheduled
                .page(call.viewer(), call.parameters().page(LIMIT, limits.pageMax()))
                .map(page -> renderer.answer(page.items()).link(Links.of(publicUrl, call, page)));
    }

    private Future<Answer> show(Call call) {
        return scheduled
                .find(call.viewer(), call.id())
                .map(found -> renderer.answer(found.orElseThrow(Refusal::unknown)));
    }

    /** Without a time it stays as it is. */
    private Future<Answer> move(Call call) {
        String when = call.parameters().text("scheduled_at", "");
        return when.isEmpty()
                ? show(call)
                : scheduled
                        .move(call.viewer(), call.id(), NewSchedule.millis(when))
                        .map(renderer::answer);
    }

    private Future<Answer> cancel(Call call) {
        return scheduled.cancel(call.viewer(), call.id()).map(cancelled -> {
            if (!cancelled) {
                throw Refusal.unknown();
            }
            return Answer.EMPTY_OBJECT;
        });
    }
}
