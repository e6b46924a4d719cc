package io.fanfare.core.feed;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Counts what reads find of homes. Each event loop may have one on the registry of the process; they count together.
 */
public final class HomeMetrics {
    /** The sources of a page of a home. Each page has one of the first two, and the others as far as it needs them. */
    enum Source {
        /** The list. */
        HOME,
        /** Profiles, since there is no list, or one that is too short; it is built from them. */
        REBUILT,
        /** Profiles of authors whom readers pull, beside the list. */
        PULLED,
        /** Profiles below what the list has, or a rebuild has read. */
        PROFILES,
        /** The archive. */
        ARCHIVE
    }

    private final Map<Source, Counter> reads = new EnumMap<>(Source.class);
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
        for (Source source : Source.values()) {
            reads.put(
                    source,
                    Counter.builder("fanfare.homes.reads")
                            .description("Pages of homes, by where they were read")
                            .tag("source", source.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
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

    /** A page was read there. */
    void read(Source first, Set<Source> others) {
        reads.get(first).increment();
        others.forEach(other -> reads.get(other).increment());
    }

    void pulled(int authors) {
        pulls.increment(authors);
    }

    void caughtUp() {
        caughtUp.increment();
    }

    double reads(Source source) {
        return reads.get(source).count();
    }

    double found() {
        return shortHomes.count();
    }

    double rebuilds() {
        return absentRebuilds.count() + shortRebuilds.count();
    }
}
