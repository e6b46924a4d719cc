package io.fanfare.app.size;

import java.util.List;
import java.util.stream.Stream;

/**
 * The processors, memory, disk and network that a site needs. {@link Sizing} makes it.
 *
 * @param load at the peak: what happens in a second, and the streams that are open
 * @param memory of the keys of Redis by kind, without replicas
 * @param disk of one copy of the data
 * @param network bytes a second at the peak
 * @param limits the most exhausted first
 */
public record Size(
        Site site,
        List<Amount> load,
        List<Role> roles,
        List<Amount> memory,
        List<Amount> disk,
        List<Amount> network,
        List<Limit> limits) {

    /**
     * A value with its name.
     *
     * @param costs the names of the {@link Costs} in it
     */
    public record Amount(String name, double value, List<String> costs) {}

    /**
     * Processes of one kind.
     *
     * @param cores to provide, of which the peak uses {@link Sizing#USE_MAX}
     * @param memory of all of them, bytes
     */
    public record Role(String name, long processes, Amount cores, Amount memory) {}

    /**
     * The use of a resource.
     *
     * @param use the need as a multiple of {@link Resource#one}
     */
    public record Limit(Resource resource, double use) {}

    /** The most exhausted limit; one that is exhausted and cannot be spread comes first. */
    public Limit bottleneck() {
        return limits.stream()
                .filter(limit -> !limit.resource().isSpread() && limit.use() > 1)
                .findFirst()
                .orElse(limits.get(0));
    }

    /** The use of a limit. */
    public double use(Resource resource) {
        return limits.stream()
                .filter(limit -> limit.resource().equals(resource))
                .findFirst()
                .orElseThrow()
                .use();
    }

    /** A value by its name. */
    public double value(String name) {
        return Stream.of(load, memory, disk, network)
                .flatMap(List::stream)
                .filter(amount -> amount.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }

    /** Bytes of all keys of Redis. */
    public double memoryBytes() {
        return memory.stream().mapToDouble(Amount::value).sum();
    }
}
