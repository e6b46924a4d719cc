package io.fanfare.common.store;

import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.vertx.PeriodicRead;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The switches of the site, as one event loop knows them: it reads them each second, so that no request waits. Until
 * the first reading has succeeded all are off. Confined to one event loop.
 */
public final class KnownSwitches {
    private static final Logger LOG = LoggerFactory.getLogger(KnownSwitches.class);

    private static final Duration EVERY = Duration.ofSeconds(1);

    private final SiteSwitches stored;
    private final List<Runnable> listeners = new ArrayList<>();
    private Set<Switch> on = Set.of();

    public KnownSwitches(SiteSwitches stored) {
        this.stored = stored;
    }

    /**
     * Begins to read by itself, until the verticle is undeployed. Completes after the first reading, and never fails.
     */
    public Future<Void> start(Vertx vertx) {
        return new PeriodicRead(this::read).start(vertx, EVERY);
    }

    /** Whether a switch is on. */
    public boolean isOn(Switch one) {
        return on.contains(one);
    }

    /** Calls the listener after each change, on the event loop. */
    public void whenChanged(Runnable listener) {
        listeners.add(listener);
    }

    /** Never fails: when Redis is away, the known state stays. */
    private Future<Void> read() {
        return stored.read()
                .onSuccess(now -> {
                    Set<Switch> next = now.isEmpty() ? Set.of() : EnumSet.copyOf(now.keySet());
                    if (!next.equals(on)) {
                        on = next;
                        listeners.forEach(Runnable::run);
                    }
                })
                .onFailure(cause -> LOG.debug("switches of the site not read cause={}", cause.toString()))
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }
}
