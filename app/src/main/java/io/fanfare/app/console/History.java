package io.fanfare.app.console;

import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.store.Minutes;
import io.fanfare.common.store.Minutes.Minute;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * What all processes together did in each minute of the last hours, as they wrote it to {@link Minutes}. Hours that do
 * not change any more are read once. One event loop.
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
    private final Map<Long, List<Step>> settled = new TreeMap<>();

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
                    minute, minutes + other.minutes, Math.max(processes, other.processes), figures.then(other.figures));
        }

        JsonObject json() {
            return figures.json()
                    .put("at", minute * Duration.ofMinutes(1).toMillis())
                    .put("minutes", minutes)
                    .put("processes", processes);
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

    private Future<List<Step>> steps(long firstHour, long lastHour) {
        settled.keySet().removeIf(hour -> hour < lastHour - HOURS_MAX);
        long[] missing = LongStream.rangeClosed(firstHour, lastHour)
                .filter(hour -> !settled.containsKey(hour))
                .toArray();
        // What is missing is one stretch: the newest hours, and all of them at first.
        return link.get()
                .compose(redis -> new Minutes(redis).read(missing[0], missing[missing.length - 1]))
                .map(minutes -> {
                    Map<Long, List<Step>> byHour = byHour(minutes);
                    List<Step> steps = new ArrayList<>();
                    for (long hour = firstHour; hour <= lastHour; hour++) {
                        List<Step> found = settled.containsKey(hour) ? settled.get(hour) : byHour.get(hour);
                        if (hour < clock.millis() / HOUR_MILLIS - HOURS_OPEN) {
                            settled.putIfAbsent(hour, found == null ? List.of() : found);
                        }
                        steps.addAll(found == null ? List.of() : found);
                    }
                    return steps;
                });
    }

    private static Map<Long, List<Step>> byHour(List<Minute> minutes) {
        Map<Long, Figures> sums = new TreeMap<>();
        Map<Long, Set<String>> processes = new TreeMap<>();
        minutes.forEach(one -> {
            sums.merge(one.minute(), Figures.of(one.figures()), Figures::beside);
            processes.computeIfAbsent(one.minute(), none -> new HashSet<>()).add(one.process());
        });
        Map<Long, List<Step>> byHour = new TreeMap<>();
        sums.forEach((minute, figures) -> byHour.computeIfAbsent(minute / MINUTES_PER_HOUR, none -> new ArrayList<>())
                .add(new Step(minute, 1, processes.get(minute).size(), figures)));
        return byHour;
    }
}
