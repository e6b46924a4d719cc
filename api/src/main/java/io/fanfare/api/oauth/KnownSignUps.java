package io.fanfare.api.oauth;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether sign-ups are open, as one event loop knows it: it reads one field each second, so that no request waits.
 * Confined to one event loop.
 */
public final class KnownSignUps {
    private static final Logger LOG = LoggerFactory.getLogger(KnownSignUps.class);

    /** How long a change takes to be seen, about. */
    static final Duration EVERY = Duration.ofSeconds(1);

    private final SignUpSwitch choices;
    private final boolean byDefault;
    private boolean open;
    private boolean known;
    private boolean looking;

    /** @param byDefault {@code auth.registrations} */
    public KnownSignUps(SignUpSwitch choices, boolean byDefault) {
        this.choices = choices;
        this.byDefault = byDefault;
        this.open = byDefault;
    }

    /** Begins to look by itself, until the verticle is undeployed. Completes after the first look, and never fails. */
    public Future<Void> start(Vertx vertx) {
        long unused = vertx.setPeriodic(EVERY.toMillis(), tick -> {
            if (!looking) {
                look().onComplete(looked -> {});
            }
        });
        return look().transform(looked -> Future.succeededFuture());
    }

    /** The known state, for documents: the setting until the first look has succeeded. */
    public boolean shown() {
        return open;
    }

    /** The same for a sign-up, which waits for the first look, and fails as long as none has succeeded. */
    public Future<Boolean> areOpen() {
        return known ? Future.succeededFuture(open) : look();
    }

    /** Fails when Redis is away: what is known stays. */
    private Future<Boolean> look() {
        looking = true;
        return choices.read()
                .onComplete(read -> looking = false)
                .map(choice -> {
                    open = choice.map(SignUpSwitch.Choice::open).orElse(byDefault);
                    known = true;
                    return open;
                })
                .onFailure(cause -> LOG.debug("sign-ups not looked at cause={}", cause.toString()));
    }
}
