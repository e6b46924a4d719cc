package io.fanfare.api.notification;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Owns {@code markers} keys: how far an account has read, as its clients tell one another. */
public class Markers {
    private static final Script SET = Script.load("set_markers");

    private final Redis redis;

    public Markers(Redis redis) {
        this.redis = redis;
    }

    /** The timelines with a marker. */
    public enum Timeline {
        HOME,
        NOTIFICATIONS;

        private final String wire = name().toLowerCase(Locale.ROOT);

        /** The word in answers, requests and Redis. */
        public String wire() {
            return wire;
        }
    }

    /**
     * How far one is read.
     *
     * @param lastRead id of the newest entry that was read
     * @param version how often it was set
     * @param setMillis when it was set last
     */
    public record Marker(long lastRead, long version, long setMillis) {
        private static Marker of(Reply reply) {
            String[] words = reply.asString().split(" ", 3);
            return new Marker(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
        }
    }

    /** The markers, of these timelines, that were ever set. */
    public Future<Map<Timeline, Marker>> of(long account, Collection<Timeline> timelines) {
        if (timelines.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<Timeline> requested = List.copyOf(timelines);
        Object[] fields = requested.stream().map(Timeline::wire).toArray();
        return redis.send(Command.of("HMGET", Keys.markers(account), fields)).map(found -> markers(requested, found));
    }

    /** Sets these to the ids of what was read last, forwards or backwards; answers what they are then. */
    public Future<Map<Timeline, Marker>> set(long account, Map<Timeline, Long> lastRead) {
        if (lastRead.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<Timeline> requested = List.copyOf(lastRead.keySet());
        List<Object> arguments = new ArrayList<>(List.of(""));
        requested.forEach(timeline -> arguments.addAll(List.of(timeline.wire(), lastRead.get(timeline))));
        return redis.send(SET.call(List.of(Keys.markers(account)), arguments.toArray()))
                .map(set -> markers(requested, set));
    }

    private static Map<Timeline, Marker> markers(List<Timeline> requested, Reply found) {
        Map<Timeline, Marker> markers = new EnumMap<>(Timeline.class);
        for (int i = 0; i < requested.size(); i++) {
            Reply marker = found.items().get(i);
            if (!marker.isNil()) {
                markers.put(requested.get(i), Marker.of(marker));
            }
        }
        return markers;
    }
}
