package io.fanfare.app.console;

import io.fanfare.app.operate.DiskForecast;
import io.fanfare.app.operate.DiskForecast.Room;
import io.fanfare.app.operate.Minutes;
import io.fanfare.app.operate.Minutes.Minute;
import io.fanfare.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * The work of all processes in each minute of the last hours, as they wrote it to {@link Minutes}. Hours that no longer
 * change are read once. Concurrent requests share one read of the others. Each hour is a separate read, so that other
 * work of the event loop runs between two of them. One event loop.
 */
final class History {
    private static final int HOURS_MAX = (int) Minutes.KEPT.toHours();
    private static final int MINUTES_PER_HOUR = 60;
    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

    /** Points of an answer. */
    private static final int POINTS_MAX = 720;

    /** Minutes may be written an hour late. */
    private static final int HOURS_OPEN = 2;

    private final Supplier<Future<RedisLink>> link;
    private final InstantSource clock;
    private final Map<Long, Read> reads = new HashMap<>();

    History(Supplier<Future<RedisLink>> link, InstantSource clock) {
        this.link = link;
        this.clock = clock;
    }

    /**
     * A minute of all processes, or several of them.
     *
     * @param minutes of which something is known
     */
    private record Step(long minute, int minutes, int processes, Figures figures) {
        Step and(Step other) {
            return new Step(
                    minute,
                    minutes + other.minutes,
                    Math.max(processes, other.processes),
                    figures.plusLaterMinute(other.figures));
        }

        JsonObject json() {
            return figures.json()
                    .put("at", minute * Duration.ofMinutes(1).toMillis())
                    .put("minutes", minutes)
                    .put("processes", processes);
        }
    }

    /**
     * An hour that is being read, or has been.
     *
     * @param settled whether it did not change any more when it was read
     */
    private record Read(Future<List<Step>> steps, boolean settled) {
        /** @param open whether the hour may change, now that the clock may have been set back */
        boolean isOld(boolean open) {
            return steps.isComplete() && (steps.failed() || !settled || open);
        }
    }

    /** The last hours, {@link #POINTS_MAX} points at most. */
    Future<JsonObject> last(Arguments given) {
        int hours = given.number("hours", 1, 1, HOURS_MAX);
        int each = Math.max(1, (hours * MINUTES_PER_HOUR + POINTS_MAX - 1) / POINTS_MAX);
        long end = clock.millis() / Duration.ofMinutes(1).toMillis();
        long begin = end - (long) hours * MINUTES_PER_HOUR;
        return steps(begin / MINUTES_PER_HOUR, end / MINUTES_PER_HOUR).map(steps -> {
            TreeMap<Long, Step> points = new TreeMap<>();
            steps.stream()
                    .filter(step -> step.minute() >= begin)
                    .forEach(step -> points.merge(
                            step.minute() / each * each,
                            new Step(step.minute() / each * each, 1, step.processes(), step.figures()),
                            Step::and));
            JsonArray shown = new JsonArray();
            points.values().forEach(point -> shown.add(point.json()));
            return new JsonObject().put("minutes_each", each).put("points", shown);
        });
    }

    /** When the disk with the least room is full, at the growth of all hours that are kept. */
    Future<Optional<Instant>> diskFull() {
        long end = clock.millis() / HOUR_MILLIS;
        return steps(end - HOURS_MAX, end)
                .map(steps -> DiskForecast.full(
                        steps.stream()
                                .map(step -> new Room(
                                        step.minute(), Math.round(step.figures().room())))
                                .toList(),
                        clock.instant()));
    }

    /** Each hour that is not known is read once, however many ask for it meanwhile. */
    private Future<List<Step>> steps(long firstHour, long lastHour) {
        long open = clock.millis() / HOUR_MILLIS - HOURS_OPEN;
        reads.entrySet()
                .removeIf(known -> known.getKey() < lastHour - HOURS_MAX
                        || known.getValue().isOld(known.getKey() >= open));
        List<Future<List<Step>>> all = LongStream.rangeClosed(firstHour, lastHour)
                .mapToObj(hour -> reads.computeIfAbsent(hour, none -> new Read(read(hour), hour < open))
                        .steps())
                .toList();
        return Future.all(all)
                .map(done ->
                        all.stream().flatMap(hour -> hour.result().stream()).toList());
    }

    private Future<List<Step>> read(long hour) {
        return link.get().compose(redis -> new Minutes(redis).read(hour, hour)).map(History::steps);
    }

    /** In the order of the minutes. */
    private static List<Step> steps(List<Minute> minutes) {
        Map<Long, Figures> sums = new TreeMap<>();
        Map<Long, Integer> processes = new HashMap<>();
        minutes.forEach(one -> {
            sums.merge(one.minute(), Figures.of(one.figures()), Figures::plusOtherProcess);
            processes.merge(one.minute(), 1, Integer::sum);
        });
        List<Step> steps = new ArrayList<>();
        sums.forEach((minute, figures) -> steps.add(new Step(minute, 1, processes.get(minute), figures)));
        return steps;
    }
}
