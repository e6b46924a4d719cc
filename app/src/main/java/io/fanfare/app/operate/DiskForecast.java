package io.fanfare.app.operate;

import io.fanfare.app.operate.Minutes.Minute;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The moment at which the disk with the least room has none left, if it goes on as measured: the straight line that
 * fits the lowest room of each hour best (least squares). Redis rewrites its file and backups come and go, so that a
 * few hours say nothing.
 */
public final class DiskForecast {
    /** Between the first and the last hour. */
    static final Duration MEASURED_MIN = Duration.ofHours(6);

    /** The longest forecast: a later date would say little. */
    static final Duration SIGHT = Duration.ofDays(365);

    private static final int MINUTES_PER_HOUR = 60;

    private DiskForecast() {}

    /**
     * A measurement.
     *
     * @param minute since the Unix epoch
     * @param room MiB that files may still take; 0 = not known
     */
    public record Room(long minute, long room) {
        /** That of a process in a minute. */
        public static Room of(Minute one) {
            return new Room(
                    one.minute(),
                    one.figures().size() > Minutes.ROOM ? one.figures().get(Minutes.ROOM) : 0);
        }
    }

    /** Empty when too little is known, the room does not shrink, or its end is further than {@link #SIGHT}. */
    public static Optional<Instant> full(Collection<Room> rooms, Instant now) {
        TreeMap<Long, Long> hours = new TreeMap<>();
        rooms.stream()
                .filter(one -> one.room() > 0)
                .forEach(one -> hours.merge(one.minute() / MINUTES_PER_HOUR, one.room(), Math::min));
        if (hours.isEmpty() || hours.lastKey() - hours.firstKey() < MEASURED_MIN.toHours()) {
            return Optional.empty();
        }
        double slope = slope(hours);
        double left = slope < 0 ? hours.lastEntry().getValue() / -slope : Double.POSITIVE_INFINITY;
        return left > SIGHT.toHours()
                ? Optional.empty()
                : Optional.of(
                        now.plusMillis(Math.round(left * Duration.ofHours(1).toMillis())));
    }

    /** In MiB an hour. */
    private static double slope(Map<Long, Long> hours) {
        double meanHour =
                hours.keySet().stream().mapToLong(hour -> hour).average().orElseThrow();
        double meanRoom =
                hours.values().stream().mapToLong(room -> room).average().orElseThrow();
        double products = 0;
        double squares = 0;
        for (var hour : hours.entrySet()) {
            products += (hour.getKey() - meanHour) * (hour.getValue() - meanRoom);
            squares += (hour.getKey() - meanHour) * (hour.getKey() - meanHour);
        }
        return products / squares;
    }
}
