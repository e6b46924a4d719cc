package io.fanfare.api.held;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.api.feature.Staff;
import io.fanfare.api.schedule.ScheduledStatusRenderer;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.held.Signals;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.Roles;
import java.util.List;
import java.util.stream.Stream;

/** Signals of abuse in new posts, and posts that wait for a moderator. */
public final class HeldFeature implements ApiFeature {
    private final HeldRoutes own;
    private final AdminHeldRoutes admin;

    public HeldFeature(ApiLoop loop, SecondFactors factors) {
        HeldStatuses held = new HeldStatuses(loop.stores());
        if (loop.settings().signals().isOn()) {
            loop.gate().review().use(new Signals(loop.stores(), loop.keys()), held);
        }
        HeldJson json = new HeldJson(new ScheduledStatusRenderer(loop.views()), loop.views());
        ModerationLog log =
                new ModerationLog(loop.redis(), loop.settings().log().auditEntries());
        this.own = new HeldRoutes(held, json);
        this.admin = new AdminHeldRoutes(
                new Staff(new Roles(loop.redis(), log), factors),
                held,
                loop.accounts(),
                json,
                log,
                loop.audit(),
                loop.limits(),
                loop.publicUrl());
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(own.endpoints(), admin.endpoints())
                .flatMap(List::stream)
                .toList();
    }
}
