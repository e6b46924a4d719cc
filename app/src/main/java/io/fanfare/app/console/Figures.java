package io.fanfare.app.console;

import io.fanfare.app.operate.Minutes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * The work of this process since its start, and its present state. The values come from its metrics, so that both say
 * the same.
 *
 * @param posts statuses, comments and articles that it has taken
 * @param requests of the REST API that it has answered
 * @param failures those of them that were answered with 5xx
 * @param deliveries events that it has written to streams, once for each
 * @param streamBytes bytes that it has written to streams
 * @param jobs that it has done
 * @param streams open ones
 * @param lagMillis how far the last of its event loops is behind what is published
 * @param waiting jobs of the whole queue that wait, as this process last saw it; 0 where it has no worker
 * @param oldestMillis age of the oldest of them
 * @param room MiB that files may still take on the disk with the least room, 1 at least; 0 = it writes no files
 */
record Figures(
        double posts,
        double requests,
        double failures,
        double deliveries,
        double streamBytes,
        double jobs,
        double streams,
        double lagMillis,
        double waiting,
        double oldestMillis,
        double room) {
    private static final int COMPONENTS = Minutes.ROOM + 1;
    private static final double MIB = 1 << 20;

    /** Routes whose POST takes something new that somebody has written. */
    private static final Set<String> POSTING =
            Set.of("/api/v1/statuses", "/api/v1/statuses/:id/comments", "/api/v1/articles");

    private static final Set<String> WAITING = Set.of("high", "normal", "low", "suspect");
    private static final double MILLIS = 1000;

    /** As the metrics are now; walks through all of them once. */
    static Figures of(MeterRegistry metrics) {
        Sum sum = new Sum();
        for (Meter meter : metrics.getMeters()) {
            sum.add(meter);
        }
        return sum.figures()
                .withRoom(DiskRow.of(metrics)
                        .map(disk -> Math.max(1, (disk.free() - disk.reserve()) / MIB))
                        .orElse(0.0));
    }

    /** Adds up the meters. */
    private static final class Sum {
        private double posts;
        private double requests;
        private double failures;
        private double deliveries;
        private double streamBytes;
        private double jobs;
        private double streams;
        private double lag;
        private double waiting;
        private double oldest;

        void add(Meter meter) {
            Meter.Id id = meter.getId();
            switch (id.getName()) {
                case "fanfare.http.requests" -> request(id, ((Timer) meter).count());
                case "fanfare.streams.deliveries" -> deliveries += ((FunctionCounter) meter).count();
                case "fanfare.streams.bytes" -> streamBytes += ((FunctionCounter) meter).count();
                case "fanfare.jobs.executed" -> jobs += ((Counter) meter).count();
                case "fanfare.streams.open" -> streams += ((Gauge) meter).value();
                case "fanfare.streams.lag" -> lag = ((Gauge) meter).value() * MILLIS;
                case "fanfare.queue.depth" ->
                    waiting += WAITING.contains(id.getTag("list")) ? ((Gauge) meter).value() : 0;
                case "fanfare.queue.oldest" -> oldest = ((Gauge) meter).value() * MILLIS;
                default -> {}
            }
        }

        private void request(Meter.Id id, long count) {
            requests += count;
            String status = id.getTag("status");
            if ("5xx".equals(status)) {
                failures += count;
            } else if ("2xx".equals(status)
                    && "POST".equals(id.getTag("method"))
                    && POSTING.contains(id.getTag("route"))) {
                posts += count;
            }
        }

        Figures figures() {
            return new Figures(
                    posts, requests, failures, deliveries, streamBytes, jobs, streams, lag, waiting, oldest, 0);
        }
    }

    /** The counters since {@code before}; streams, lag and queue keep their present values. */
    Figures since(Figures before) {
        return new Figures(
                posts - before.posts,
                requests - before.requests,
                failures - before.failures,
                deliveries - before.deliveries,
                streamBytes - before.streamBytes,
                jobs - before.jobs,
                streams,
                lagMillis,
                waiting,
                oldestMillis,
                room);
    }

    /**
     * The sum of two processes in the same period. Lag and queue take the higher value: both see the same queue. Of two
     * disks the one with less room counts.
     */
    Figures plusOtherProcess(Figures other) {
        return new Figures(
                posts + other.posts,
                requests + other.requests,
                failures + other.failures,
                deliveries + other.deliveries,
                streamBytes + other.streamBytes,
                jobs + other.jobs,
                streams + other.streams,
                Math.max(lagMillis, other.lagMillis),
                Math.max(waiting, other.waiting),
                Math.max(oldestMillis, other.oldestMillis),
                less(room, other.room));
    }

    /** The sum of two consecutive periods; of streams, lag and queue the higher value counts, of room the lower. */
    Figures plusLaterMinute(Figures later) {
        return new Figures(
                posts + later.posts,
                requests + later.requests,
                failures + later.failures,
                deliveries + later.deliveries,
                streamBytes + later.streamBytes,
                jobs + later.jobs,
                Math.max(streams, later.streams),
                Math.max(lagMillis, later.lagMillis),
                Math.max(waiting, later.waiting),
                Math.max(oldestMillis, later.oldestMillis),
                less(room, later.room));
    }

    Figures withRoom(double mib) {
        return new Figures(
                posts,
                requests,
                failures,
                deliveries,
                streamBytes,
                jobs,
                streams,
                lagMillis,
                waiting,
                oldestMillis,
                mib);
    }

    private static double less(double room, double other) {
        return room == 0 || other == 0 ? Math.max(room, other) : Math.min(room, other);
    }

    /** In the order of the components, rounded. */
    List<Long> numbers() {
        return DoubleStream.of(
                        posts,
                        requests,
                        failures,
                        deliveries,
                        streamBytes,
                        jobs,
                        streams,
                        lagMillis,
                        waiting,
                        oldestMillis,
                        room)
                .mapToObj(Math::round)
                .toList();
    }

    /** The reverse of {@link #numbers}; what another version did not write is 0. */
    static Figures of(List<Long> numbers) {
        double[] all = new double[COMPONENTS];
        for (int i = 0; i < Math.min(COMPONENTS, numbers.size()); i++) {
            all[i] = numbers.get(i);
        }
        return new Figures(all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8], all[9], all[10]);
    }

    JsonObject json() {
        return new JsonObject()
                .put("posts", posts)
                .put("requests", requests)
                .put("failures", failures)
                .put("deliveries", deliveries)
                .put("stream_bytes", streamBytes)
                .put("jobs", jobs)
                .put("streams", streams)
                .put("lag_ms", lagMillis)
                .put("waiting", waiting)
                .put("oldest_ms", oldestMillis);
    }
}
