package io.fanfare.app.console;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** The row of the console about disks, for tests of what fills it. */
public final class DiskRows {
    private DiskRows() {}

    /** The disk row that the console shows for these metrics. */
    public static Optional<JsonObject> shown(MeterRegistry metrics) {
        return DiskRow.of(metrics).map(DiskRow::json);
    }
}
