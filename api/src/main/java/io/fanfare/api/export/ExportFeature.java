package io.fanfare.api.export;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import java.util.List;

/** Exports of users. May be left out of a build. */
public final class ExportFeature implements ApiFeature {
    private final ExportRoutes exports;

    public ExportFeature(ApiLoop loop) {
        this.exports = new ExportRoutes(
                new CsvExports(loop.stores()),
                new AccountExport(
                        loop.vertx(),
                        loop.stores(),
                        loop.media() == null ? null : loop.media().store()),
                loop.accounts(),
                loop.rates(),
                request -> loop.authentication().identify(loop.sessions().bearerOrToken(request)),
                loop.audit(),
                loop.clock(),
                loop.nanos());
    }

    @Override
    public List<Endpoint> endpoints() {
        return exports.endpoints();
    }
}
