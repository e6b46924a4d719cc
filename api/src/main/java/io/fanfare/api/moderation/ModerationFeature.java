package io.fanfare.api.moderation;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.Roles;
import java.util.List;
import java.util.stream.Stream;

/** Moderation by accounts that have a role. */
public final class ModerationFeature implements ApiFeature {
    private final RoleRoutes roles;
    private final LogRoutes log;

    public ModerationFeature(ApiLoop loop) {
        ModerationLog acts =
                new ModerationLog(loop.redis(), loop.settings().log().auditEntries());
        Roles known = new Roles(loop.redis(), acts);
        Staff staff = new Staff(known);
        this.roles = new RoleRoutes(staff, known, loop.accounts(), loop.audit());
        this.log = new LogRoutes(staff, acts);
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(roles.endpoints(), log.endpoints())
                .flatMap(List::stream)
                .toList();
    }
}
