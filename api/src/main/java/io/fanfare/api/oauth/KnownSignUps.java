package io.fanfare.api.oauth;

import io.fanfare.common.settings.Registrations;
import io.fanfare.vertx.PeriodicRead;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mode of sign-ups, as one event loop knows it: it reads one field each second, so that no request waits. Confined
 * to one event loop.
 */
public final class KnownSignUps {
    private static final Logger LOG = LoggerFactory.getLogger(KnownSignUps.class);

    /** How long a change takes to be seen, about. */
    static final Duration EVERY = Duration.ofSeconds(1);

    private final SignUpSwitch choices;
    private final Registrations byDefault;
    private Registrations mode;
    private boolean known;

    /** @param byDefault {@code auth.registrations} */
    public KnownSignUps(SignUpSwitch choices, Registrations byDefault) {
        this.choices = choices;
        this.byDefault = byDefault;
        this.mode = byDefault;
    }

    /** Begins to look by itself, until the verticle is undeployed. Completes after the first look, and never fails. */
    public Future<Void> start(Vertx vertx) {
        return new PeriodicRead(this::look).start(vertx, EVERY);
    }

    /** The known mode, for documents: the setting until the first look has succeeded. */
    public Registrations shown() {
        return mode;
    }

    /** The same for a sign-up, which waits for the first look, and fails as long as none has succeeded. */
    public Future<Registrations> mode() {
        return known ? Future.succeededFuture(mode) : look();
    }

    /** Fails when Redis is away: what is known stays. */
    private Future<Registrations> look() {
        return choices.read()
                .map(choice -> {
                    mode = choice.map(SignUpSwitch.Choice::mode).orElse(byDefault);
                    known = true;
                    return mode;
                })
                .onFailure(cause -> LOG.debug("sign-ups not looked at cause={}", cause.toString()));
    }
}
