package io.fanfare.common.feed;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts what reads find of homes. Each event loop may have one on the registry of the process; they count together.
 */
public final class HomeMetrics {
    private final Counter shortHomes;
    private final Counter absentRebuilds;
    private final Counter shortRebuilds;
    private final Counter pulls;
    private final Counter caughtUp;

    public HomeMetrics(MeterRegistry registry) {
        shortHomes = Counter.builder("fanfare.homes.short")
                .description("Newest pages that a home could not fill, since its floor hides the rest")
                .register(registry);
        absentRebuilds = rebuilds(registry, "absent");
        shortRebuilds = rebuilds(registry, "short");
        pulls = Counter.builder("fanfare.homes.pulls")
                .description("Authors whom pages of homes have pulled")
                .register(registry);
        caughtUp = Counter.builder("fanfare.homes.caught.up")
                .description("Homes into which a page has put what it had pulled")
                .register(registry);
    }

    private static Counter rebuilds(MeterRegistry registry, String reason) {
        return Counter.builder("fanfare.homes.rebuilt")
                .description("Homes that a read has rebuilt, or helped to rebuild")
                .tag("reason", reason)
                .register(registry);
    }

    /** The floor of a home hides what its newest page shows. */
    void foundShort() {
        shortHomes.increment();
    }

    void rebuiltAbsent() {
        absentRebuilds.increment();
    }

    void rebuiltShort() {
        shortRebuilds.increment();
    }

    void pulled(int authors) {
        pulls.increment(authors);
    }

    void caughtUp() {
        caughtUp.increment();
    }

    double found() {
        return shortHomes.count();
    }

    double rebuilds() {
        return absentRebuilds.count() + shortRebuilds.count();
    }
}
