package io.fanfare.client.http;

import java.time.Duration;

/** Waits before the next attempt. */
@FunctionalInterface
public interface Pause {
    void of(Duration duration) throws InterruptedException;
}
