package io.fanfare.app.console;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * The disk with the least room, and whether files are refused for it: read from the metrics of the process, so that
 * both say the same.
 *
 * @param refuses whether uploads and other files are refused now, with all that is being received
 * @param since seconds since 1970 at which the reserve was touched; 0 = it is not
 */
record DiskRow(double free, double reserve, boolean refuses, double since) {
    private static final double MILLIS = 1000;

    /** Empty for a process that writes no files, and before its first look. */
    static Optional<DiskRow> of(MeterRegistry metrics) {
        double free = gauge(metrics, "fanfare.disk.free");
        return Double.isNaN(free)
                ? Optional.empty()
                : Optional.of(new DiskRow(
                        free,
                        gauge(metrics, "fanfare.disk.reserve"),
                        gauge(metrics, "fanfare.disk.short") > 0,
                        gauge(metrics, "fanfare.disk.short.since")));
    }

    private static double gauge(MeterRegistry metrics, String name) {
        Gauge gauge = metrics.find(name).gauge();
        return gauge == null ? Double.NaN : gauge.value();
    }

    /** {@code room_bytes} is what files may still take; below 0 the reserve is touched. */
    JsonObject json() {
        return new JsonObject()
                .put("free_bytes", Math.round(free))
                .put("reserve_bytes", Math.round(reserve))
                .put("room_bytes", Math.round(free - reserve))
                .put("refuses", refuses)
                .put("refused_since", since > 0 ? Math.round(since * MILLIS) : null);
    }
}
