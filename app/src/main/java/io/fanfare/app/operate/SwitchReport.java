package io.fanfare.app.operate;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.SiteSwitches;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The switches of the site, for an operator, who turns them on and off. For a link's event loop. */
public final class SwitchReport {
    private final SiteSwitches switches;
    private final InstantSource clock;

    public SwitchReport(Redis redis, InstantSource clock) {
        this.switches = new SiteSwitches(redis);
        this.clock = clock;
    }

    /** The names of all switches, with commas between. */
    public static String names() {
        return Stream.of(Switch.values()).map(Switch::label).collect(Collectors.joining(", "));
    }

    /** Each switch with the time since when it is on, null = it is off; for programs. */
    public Future<JsonObject> status() {
        return switches.read().map(on -> {
            JsonObject status = new JsonObject();
            for (Switch one : Switch.values()) {
                status.put(one.label(), on.containsKey(one) ? Terminal.time(on.get(one)) : null);
            }
            return status;
        });
    }

    /** Turns a switch on or off, for programs: as {@link #status}, and whether that has changed anything. */
    public Future<JsonObject> turn(String label, boolean on) {
        Switch one = Switch.of(label)
                .orElseThrow(() -> new Refusal(Refusal.Reason.MALFORMED, "The switches are " + names() + "."));
        return (on ? switches.turnOn(one, clock.millis()) : switches.turnOff(one))
                .compose(changed -> status().map(status -> status.put("changed", changed)));
    }
}
