package io.fanfare.app.operate;

import io.fanfare.api.oauth.SignUpSwitch;
import io.fanfare.api.oauth.SignUpSwitch.Choice;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;

/** Whether people can sign up, for an operator, who opens and closes sign-ups. For a link's event loop. */
public final class SignUpReport {
    private final SignUpSwitch choices;
    private final boolean byDefault;
    private final InstantSource clock;

    /** @param byDefault {@code auth.registrations} */
    public SignUpReport(Redis redis, boolean byDefault, InstantSource clock) {
        this.choices = new SignUpSwitch(redis);
        this.byDefault = byDefault;
        this.clock = clock;
    }

    /** Whether they are open, and since when by whose word, for programs. */
    public Future<JsonObject> status() {
        return choices.read().map(choice -> new JsonObject()
                .put("open", choice.map(Choice::open).orElse(byDefault))
                .put("by", choice.isPresent() ? "operator" : "setting")
                .put(
                        "since",
                        choice.map(made -> Terminal.time(made.sinceMillis())).orElse(null)));
    }

    /** Opens or closes them, for programs: as {@link #status}, and whether that has changed anything. */
    public Future<JsonObject> choose(boolean open) {
        return choices.read()
                .compose(before -> before.isPresent() && before.get().open() == open
                        ? changed(false)
                        : choices.choose(new Choice(open, clock.millis())).compose(done -> changed(true)));
    }

    /** Leaves them to {@code auth.registrations} again, for programs, likewise. */
    public Future<JsonObject> leaveToSetting() {
        return choices.read().compose(before -> choices.forget().compose(done -> changed(before.isPresent())));
    }

    private Future<JsonObject> changed(boolean changed) {
        return status().map(status -> status.put("changed", changed));
    }
}
