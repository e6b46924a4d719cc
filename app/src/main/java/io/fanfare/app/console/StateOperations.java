package io.fanfare.app.console;

import io.fanfare.api.report.Reports;
import io.fanfare.app.operate.QueueReport;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.QueueStats;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The figures that every page of the console shows: what needs an operator, and how much of it. All open pages share an
 * answer for {@link #KEPT}. One event loop.
 */
final class StateOperations {
    /** Every page asks for it while nobody may be there: it keeps no session from ending. */
    static final String PATH = "state";

    private static final Duration KEPT = Duration.ofSeconds(4);

    private final Stores stores;
    private final MeterRegistry metrics;
    private final SharedAnswer<JsonObject> state;

    StateOperations(Stores stores, MeterRegistry metrics, LongSupplier nanos) {
        this.stores = stores;
        this.metrics = metrics;
        this.state = new SharedAnswer<>(KEPT, nanos, this::read);
    }

    List<Operation> operations() {
        return List.of(Operation.get(PATH, List.of(), given -> state.get()));
    }

    private Future<JsonObject> read() {
        Future<List<QueueStats>> queue = stores.queue().compose(JobQueue::stats);
        Future<Long> reports = stores.link().compose(redis -> new Reports(redis).count());
        return Future.all(queue, reports).map(both -> {
            List<QueueStats> shards = queue.result();
            return new JsonObject()
                    .put("waiting", QueueReport.sum(shards, QueueStats::waiting))
                    .put("oldest_seconds", QueueReport.oldestSeconds(shards))
                    .put("paused", QueueReport.pausedKeys(shards))
                    .put("dead", QueueReport.sum(shards, QueueStats::dead))
                    .put("reports", reports.result())
                    .put(
                            "refuses_files",
                            DiskRow.of(metrics).map(DiskRow::refuses).orElse(false));
        });
    }
}
