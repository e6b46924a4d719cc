package io.fanfare.server.runtime;

import io.vertx.core.Deployable;
import java.util.function.Supplier;

/**
 * A verticle that a {@link Service} runs. Its {@code start} is complete when it works; its {@code stop} drains: takes
 * nothing new, finishes what it has, and then completes.
 *
 * @param name for logs
 * @param verticle makes one instance
 * @param instances how many, each on an event loop of its own
 * @param writes whether it cannot do its work while Redis takes no writes
 */
public record Component(
        String name, Supplier<? extends Deployable> verticle, int instances, HealthProbe probe, boolean writes) {
    /** One that writes. */
    public Component(String name, Supplier<? extends Deployable> verticle, int instances, HealthProbe probe) {
        this(name, verticle, instances, probe, /* writes= */ true);
    }

    /** One that has nothing to show. */
    public Component(String name, Supplier<? extends Deployable> verticle, int instances) {
        this(name, verticle, instances, HealthProbe.NONE);
    }
}
