package io.fanfare.api.schedule;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.core.schedule.ScheduledStatuses;
import java.util.List;

/** Scheduled posts. {@code POST /api/v1/statuses} schedules them. */
public final class ScheduleFeature implements ApiFeature {
    private final ScheduledRoutes scheduled;

    public ScheduleFeature(ApiLoop loop) {
        this.scheduled = new ScheduledRoutes(
                loop.limits(),
                loop.publicUrl(),
                new ScheduledStatuses(loop.stores().redis()),
                new ScheduledStatusRenderer(loop.views()));
    }

    @Override
    public List<Endpoint> endpoints() {
        return scheduled.endpoints();
    }
}
