package io.fanfare.app.operate;

import io.fanfare.api.oauth.SignUpSwitch;
import io.fanfare.api.oauth.SignUpSwitch.Choice;
import io.fanfare.common.settings.Registrations;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;

/** The mode of sign-ups, for an operator, who changes it. For a link's event loop. */
public final class SignUpReport {
    private final SignUpSwitch choices;
    private final Registrations byDefault;
    private final InstantSource clock;

    /** @param byDefault {@code auth.registrations} */
    public SignUpReport(Redis redis, Registrations byDefault, InstantSource clock) {
        this.choices = new SignUpSwitch(redis);
        this.byDefault = byDefault;
        this.clock = clock;
    }

    /** The mode, and since when by whose word, for programs. */
    public Future<JsonObject> status() {
        return choices.read().map(choice -> new JsonObject()
                .put("mode", choice.map(Choice::mode).orElse(byDefault).spelling())
                .put("open", choice.map(Choice::mode).orElse(byDefault) == Registrations.OPEN)
                .put("by", choice.isPresent() ? "operator" : "setting")
                .put(
                        "since",
                        choice.map(made -> Terminal.time(made.sinceMillis())).orElse(null)));
    }

    /** Chooses a mode, for programs: as {@link #status}, and whether that has changed anything. */
    public Future<JsonObject> choose(Registrations mode) {
        return choices.read()
                .compose(before -> before.isPresent() && before.get().mode() == mode
                        ? changed(false)
                        : choices.choose(new Choice(mode, clock.millis())).compose(done -> changed(true)));
    }

    /** Leaves them to {@code auth.registrations} again, for programs, likewise. */
    public Future<JsonObject> leaveToSetting() {
        return choices.read().compose(before -> choices.forget().compose(done -> changed(before.isPresent())));
    }

    private Future<JsonObject> changed(boolean changed) {
        return status().map(status -> status.put("changed", changed));
    }
}
