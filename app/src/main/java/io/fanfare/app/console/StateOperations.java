package io.fanfare.app.console;

import io.fanfare.api.report.Reports;
import io.fanfare.app.operate.Concern;
import io.fanfare.app.operate.QueueReport;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.BackupStamp;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.QueueStats;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.server.runtime.StartFailed;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The figures that every page of the console shows: the concerns of an operator, and how much of each. All open pages
 * share an answer for {@link #KEPT}; the certificate and the forecast of the disk are looked at every
 * {@link #SLOW_KEPT}. One event loop.
 */
final class StateOperations {
    /** Every page asks for it while nobody may be there: it keeps no session from ending. */
    static final String PATH = "state";

    private static final Duration KEPT = Duration.ofSeconds(4);

    private static final Duration SLOW_KEPT = Duration.ofMinutes(10);

    private final Stores stores;
    private final MeterRegistry metrics;
    private final InstantSource clock;
    private final SharedAnswer<JsonObject> state;
    private final SharedAnswer<Optional<Instant>> diskFull;
    private final SharedAnswer<Optional<Certificate>> certificate;

    StateOperations(
            Stores stores,
            History history,
            Vertx vertx,
            Settings.Http http,
            MeterRegistry metrics,
            InstantSource clock,
            LongSupplier nanos) {
        this.stores = stores;
        this.metrics = metrics;
        this.clock = clock;
        this.state = new SharedAnswer<>(KEPT, nanos, this::read);
        this.diskFull = new SharedAnswer<>(SLOW_KEPT, nanos, history::diskFull);
        this.certificate = new SharedAnswer<>(SLOW_KEPT, nanos, () -> certificate(vertx, http));
    }

    /**
     * The certificate of {@code http.tls}.
     *
     * @param trouble why the files cannot be used; null if they can
     */
    private record Certificate(Instant end, String trouble) {
        Optional<Concern> concern(Instant now) {
            return trouble == null
                    ? Concern.ofCertificate(end, now)
                    : Optional.of(new Concern(
                            "certificate",
                            new JsonObject().put("trouble", trouble),
                            trouble,
                            "correct the files of http.tls"));
        }
    }

    /** Empty where this process speaks no TLS. */
    private Future<Optional<Certificate>> certificate(Vertx vertx, Settings.Http http) {
        if (!http.tls().isSet()) {
            return Future.succeededFuture(Optional.empty());
        }
        return vertx.executeBlocking(
                () -> {
                    try {
                        return Optional.of(new Certificate(ServerTls.end(http, clock.instant()), null));
                    } catch (StartFailed e) {
                        return Optional.of(new Certificate(null, e.getMessage()));
                    }
                },
                /* ordered= */ false);
    }

    List<Operation> operations() {
        return List.of(Operation.get(PATH, List.of(), given -> state.get()));
    }

    private Future<JsonObject> read() {
        Future<List<QueueStats>> queue = stores.queue().compose(JobQueue::stats);
        Future<Long> reports = stores.link().compose(redis -> new Reports(redis).count());
        Future<Long> held = stores.link().compose(HeldStatuses::count);
        Future<Optional<Instant>> backup = stores.link().compose(redis -> new BackupStamp(redis).read());
        return Future.all(queue, reports, held, backup, diskFull.get(), certificate.get())
                .map(all -> json(
                        queue.result(),
                        reports.result(),
                        held.result(),
                        backup.result(),
                        all.resultAt(4),
                        all.resultAt(5)));
    }

    private JsonObject json(
            List<QueueStats> shards,
            long reports,
            long held,
            Optional<Instant> backup,
            Optional<Instant> full,
            Optional<Certificate> certificate) {
        Instant now = clock.instant();
        boolean refuses = DiskRow.of(metrics).map(DiskRow::refuses).orElse(false);
        Stream<Concern> disk = refuses
                ? Stream.of(new Concern("disk", new JsonObject(), "files are refused: the disk is full", "make room"))
                : Concern.ofDisk(full, now).stream();
        List<Stream<Concern>> concerns = List.of(
                disk,
                Concern.ofQueue(shards, now.toEpochMilli()).stream(),
                Concern.ofReports(reports).stream(),
                Concern.ofHeld(held).stream(),
                certificate.flatMap(one -> one.concern(now)).stream(),
                Concern.ofBackup(backup, now).stream());
        return new JsonObject()
                .put("waiting", QueueReport.sum(shards, QueueStats::waiting))
                .put("dead", QueueReport.sum(shards, QueueStats::dead))
                .put("reports", reports)
                .put("backup_at", backup.map(Instant::toEpochMilli).orElse(null))
                .put("disk_full_at", full.map(Instant::toEpochMilli).orElse(null))
                .put(
                        "certificate_ends_at",
                        certificate
                                .map(Certificate::end)
                                .map(Instant::toEpochMilli)
                                .orElse(null))
                .put(
                        "concerns",
                        new JsonArray(concerns.stream()
                                .flatMap(stream -> stream)
                                .map(Concern::json)
                                .toList()));
    }
}
