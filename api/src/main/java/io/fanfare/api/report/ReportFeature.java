package io.fanfare.api.report;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.SiteFacts;
import java.util.List;

/** Reports of accounts and statuses to the operator. */
public final class ReportFeature implements ApiFeature {
    private final ReportRoutes reports;

    public ReportFeature(ApiLoop loop, SiteFacts site) {
        this.reports = new ReportRoutes(
                loop.accounts(),
                new Reports(loop.redis()),
                site,
                loop.visible(),
                loop.pressure(),
                loop.audit(),
                loop.clock(),
                loop.views());
    }

    @Override
    public List<Endpoint> endpoints() {
        return reports.endpoints();
    }
}
