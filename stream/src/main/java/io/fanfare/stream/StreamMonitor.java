package io.fanfare.stream;

import io.fanfare.server.runtime.HealthProbe;
import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.relay.StreamCounters;
import io.fanfare.stream.session.StreamHub;
import io.fanfare.stream.session.StreamRow;
import io.fanfare.stream.wire.Disconnect;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * The streams of a process as its operator sees them, whatever event loop they are on;
 * {@code docs/operate/monitoring.md} lists the metrics. They are read from the hubs when somebody asks, and cost the
 * streams nothing. Safe for every thread.
 */
public final class StreamMonitor implements HealthProbe {
    /** Shown when nobody says how many. */
    private static final int ROWS = 100;

    private final MeterRegistry registry;
    private final List<StreamHub> hubs = new CopyOnWriteArrayList<>();
    private final Set<StreamCounters.Kind> counted = ConcurrentHashMap.newKeySet();

    /** @param registry of the process */
    public StreamMonitor(MeterRegistry registry) {
        this.registry = registry;
        counter("opened", "Streams opened", hub -> hub.counters().opened);
        counter("events", "Events of the log that came in, on each event loop", hub -> hub.log()
                .ring()
                .added());
        counter("deliveries", "Events written, once for each stream", hub -> hub.counters().deliveries);
        counter("bytes", "Bytes written", hub -> hub.counters().bytes);
        counter("gaps", "Gaps sent", hub -> hub.counters().gaps);
        counter("warnings", "Warnings sent to slow readers", hub -> hub.counters().warnings);
        counter("replays", "Pages read from the log for streams that stood below the ring", hub -> hub.counters()
                .replays);
        counter("joins", "Streams that joined the audience", hub -> hub.counters().joins);
        ended("client", hub -> hub.counters().left());
        for (Disconnect why : EnumSet.complementOf(EnumSet.of(Disconnect.TOO_MANY))) {
            ended(Integer.toString(why.code()), hub -> hub.counters().endedBy(why));
        }
        counter("refused", "Streams refused because their address or user has or opens too many", hub -> hub.counters()
                .refused);
        counter("turned.away", "Streams turned away because as many as may be were open", hub -> hub.counters()
                .turnedAway);
        counter("violations", "WebSockets closed because their client broke a rule", hub -> hub.counters().violations);
        for (Failures.Scope what : Failures.Scope.values()) {
            FunctionCounter.builder("fanfare.streams.failures", this, monitor -> monitor.all(
                                    hub -> hub.failures().count(what))
                            .sum())
                    .description("Exceptions by what they ended: a stream, an event, a page of the log, a turn")
                    .tag("of", what.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        counter("events.unknown", "Events left out since only newer versions know their kind", hub -> hub.failures()
                .unknownEvents());
        gauge("audience", "Streams that are called instead of looking at every event", () -> all(StreamHub::indexed)
                .sum());
        gauge("terms", "Terms of the filters of open streams", () -> all(hub -> hub.counters().terms)
                .sum());
        gauge("ring.bytes", "Memory of the rings", () -> all(hub ->
                        hub.log().ring().bytes())
                .sum());
        gauge(
                "ring.first",
                "Lowest event that every ring has",
                () -> all(hub -> hub.log().ring().first()).max().orElse(0));
        gauge(
                "ring.tip",
                "Newest event that every ring has",
                () -> all(hub -> hub.log().ring().tip()).min().orElse(0));
        Gauge.builder("fanfare.streams.lag", this, StreamMonitor::lagSeconds)
                .description("How far the last of the event loops is behind what is published")
                .baseUnit("seconds")
                .register(registry);
    }

    /** The registry of the process. */
    MeterRegistry registry() {
        return registry;
    }

    /** Watches over a hub that works, for as long as the process lives. To be called on its event loop. */
    public void add(StreamHub hub) {
        hubs.add(hub);
        hub.counters().whenNew(this::count);
    }

    /** The trouble of the first hub that has one. */
    @Override
    public Optional<String> trouble() {
        return hubs.stream().flatMap(hub -> hub.trouble().stream()).findFirst();
    }

    /** {@code /streams?limit=100}: the streams that are furthest behind, and what all of them come to. */
    @Override
    public Map<String, Page> pages() {
        return Map.of("/streams", parameters -> Future.all(
                        hubs.stream().map(StreamHub::rows).toList())
                .map(all -> page(
                        all.<List<StreamRow>>list().stream()
                                .flatMap(List::stream)
                                .toList(),
                        limit(parameters.get("limit")))));
    }

    /** {@code /streams/close?conn=4f2a...}: ends one. */
    @Override
    public Map<String, Page> actions() {
        return Map.of("/streams/close", parameters -> Future.all(hubs.stream()
                        .map(hub -> hub.end(parameters.get("conn")))
                        .toList())
                .map(ends -> new JsonObject()
                        .put("conn", parameters.get("conn"))
                        .put("closed", ends.<Boolean>list().contains(true))));
    }

    private static int limit(String given) {
        return given != null && given.matches("[1-9]\\d{0,4}") ? Integer.parseInt(given) : ROWS;
    }

    private static JsonObject page(List<StreamRow> rows, int limit) {
        JsonArray shown = new JsonArray();
        rows.stream().sorted(StreamRow.WORST_FIRST).limit(limit).forEach(row -> shown.add(row.json()));
        return new JsonObject()
                .put("open", rows.size())
                .put("bytes", rows.stream().mapToLong(StreamRow::bytes).sum())
                .put("waiting", rows.stream().mapToLong(StreamRow::waiting).sum())
                .put("lag_max", rows.stream().mapToLong(StreamRow::lag).max().orElse(0))
                .put("streams", shown);
    }

    /** Adds a gauge for the kind. Each hub reports a kind, but a registry takes a gauge only once. */
    private void count(StreamCounters.Kind kind) {
        if (!counted.add(kind)) {
            return;
        }
        Gauge.builder("fanfare.streams.open", this, monitor -> monitor.all(
                                hub -> hub.counters().open(kind))
                        .sum())
                .description("Open streams")
                .tag("stream", kind.stream())
                .tag("dialect", kind.dialect().name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    private void ended(String code, ToLongFunction<StreamHub> streams) {
        FunctionCounter.builder("fanfare.streams.ended", this, monitor -> monitor.all(streams)
                        .sum())
                .description("Streams that have ended, by the code of the disconnect; client = the client went")
                .tag("code", code)
                .register(registry);
    }

    private void counter(String name, String description, ToLongFunction<StreamHub> field) {
        FunctionCounter.builder("fanfare.streams." + name, this, monitor -> monitor.all(field)
                        .sum())
                .description(description)
                .register(registry);
    }

    private void gauge(String name, String description, LongSupplier value) {
        Gauge.builder("fanfare.streams." + name, value::getAsLong)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private double lagSeconds() {
        return all(StreamHub::lagNanos).max().orElse(0) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private LongStream all(ToLongFunction<StreamHub> field) {
        return hubs.stream().mapToLong(field);
    }
}
