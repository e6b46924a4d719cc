package io.fanfare.common.model;

import io.fanfare.common.id.Id;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which notifications are shown as one: the likes of a status, its reposts, and follows, each of one half day of UTC;
 * any other stands alone. It follows from the notification itself, so that it is the same in every answer and stream,
 * and nothing of it is kept. On the wire {@code favourite-281474976710656-488820}, {@code follow-488820} or
 * {@code ungrouped-281474976710650}.
 *
 * @param type null = of one notification that stands alone
 * @param subject the status, 0 of follows; of one that stands alone its id
 * @param hour with which the half day begins, counted from 1970; 0 of one that stands alone
 */
public record NotificationGroupKey(Notification.Type type, long subject, long hour) {
    /** The types that are shown in groups. */
    public static final Set<Notification.Type> GROUPED =
            Set.of(Notification.Type.FAVOURITE, Notification.Type.REBLOG, Notification.Type.FOLLOW);

    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
    private static final long HOURS = 12;

    /** How many ids there are in a half day. */
    private static final long IDS = Id.of(Id.EPOCH_MILLIS + HOURS * HOUR_MILLIS, 0, 0);

    private static final Pattern WIRE =
            Pattern.compile("(favourite|reblog)-(\\d{1,16})-(\\d{1,7})|follow-(\\d{1,7})|ungrouped-(\\d{1,16})");

    /** The group of a notification. */
    public static NotificationGroupKey of(Notification notification) {
        return GROUPED.contains(notification.type())
                ? new NotificationGroupKey(notification.type(), notification.statusId(), hour(notification.id()))
                : alone(notification.id());
    }

    /** The group that a notification is by itself, whatever its type. */
    public static NotificationGroupKey alone(long notification) {
        return new NotificationGroupKey(null, notification, 0);
    }

    /** Reads what {@link #wire} has written; empty when it is nothing of the kind. */
    public static Optional<NotificationGroupKey> parse(String wire) {
        Matcher parts = WIRE.matcher(wire);
        if (!parts.matches()) {
            return Optional.empty();
        }
        NotificationGroupKey key = parts.group(5) != null
                ? alone(Long.parseLong(parts.group(5)))
                : parts.group(4) != null
                        ? new NotificationGroupKey(Notification.Type.FOLLOW, 0, Long.parseLong(parts.group(4)))
                        : new NotificationGroupKey(
                                Notification.Type.of(parts.group(1)),
                                Long.parseLong(parts.group(2)),
                                Long.parseLong(parts.group(3)));
        return Optional.of(key).filter(read -> read.wire().equals(wire) && read.isPossible());
    }

    private boolean isPossible() {
        if (type == null) {
            return subject <= Id.MAX;
        }
        return subject <= Id.MAX && hour % HOURS == 0 && hour * HOUR_MILLIS >= Id.EPOCH_MILLIS && hour <= hour(Id.MAX);
    }

    /** As answers spell it; clients take it as it is. */
    public String wire() {
        if (type == null) {
            return "ungrouped-" + subject;
        }
        return type.wire() + (subject == 0 ? "" : "-" + subject) + "-" + hour;
    }

    /** Whether a notification belongs to it. */
    public boolean has(Notification notification) {
        return equals(type == null ? alone(notification.id()) : of(notification));
    }

    /** The lowest id that one of its notifications may have. */
    public long first() {
        return type == null ? subject : Id.of(hour * HOUR_MILLIS, 0, 0);
    }

    /** The highest id that one of its notifications may have. */
    public long last() {
        return type == null ? subject : Math.min(Id.MAX, first() + IDS - 1);
    }

    /** The lowest id of the half day of an id: what has lower ones is in no group with it. */
    public static long firstBeside(long id) {
        return Id.of(hour(id) * HOUR_MILLIS, 0, 0);
    }

    /** The highest id of the half day of an id. */
    public static long lastBeside(long id) {
        return Math.min(Id.MAX, firstBeside(id) + IDS - 1);
    }

    private static long hour(long id) {
        return Id.epochMillis(id) / (HOURS * HOUR_MILLIS) * HOURS;
    }
}
