package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The switches of the whole site, which an operator turns on and off while the service runs. Each is one field of
 * {@code {meta}} with the ms since when it is on, and outlives every process; without it the switch is off.
 */
public final class SiteSwitches {
    /** A switch: it restricts the site while it is on. */
    public enum Switch {
        /** Nobody writes: requests that would are answered 503. Jobs go on. */
        READ_ONLY,
        /** Nobody reads without an account. */
        MEMBERS_ONLY,
        /** Nobody uploads files. */
        NO_UPLOADS;

        private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

        /** Its name in {@code {meta}}, in commands and in the console. */
        public String label() {
            return label;
        }

        /** The switch with this {@link #label}. */
        public static Optional<Switch> of(String label) {
            return Stream.of(values()).filter(one -> one.label.equals(label)).findFirst();
        }
    }

    private static final Object[] FIELDS =
            Stream.of(Switch.values()).map(Switch::label).toArray();

    private final Redis redis;

    public SiteSwitches(Redis redis) {
        this.redis = redis;
    }

    /** The switches that are on, with the ms since when, Unix time. One command. */
    public Future<Map<Switch, Long>> read() {
        return redis.send(Command.of("HMGET", Keys.META, FIELDS)).map(reply -> {
            Map<Switch, Long> on = new EnumMap<>(Switch.class);
            Iterator<Reply> fields = reply.items().iterator();
            for (Switch one : Switch.values()) {
                Reply since = fields.next();
                if (!since.isNil()) {
                    on.put(one, since.asLong());
                }
            }
            return on;
        });
    }

    /** Turns a switch on; false when it was on before, and then keeps since when. */
    public Future<Boolean> turnOn(Switch one, long nowMillis) {
        return redis.send(Command.of("HSETNX", Keys.META, one.label(), nowMillis))
                .map(set -> set.asLong() == 1);
    }

    /** Turns a switch off; false when it was off before. */
    public Future<Boolean> turnOff(Switch one) {
        return redis.send(Command.of("HDEL", Keys.META, one.label())).map(dropped -> dropped.asLong() == 1);
    }
}
