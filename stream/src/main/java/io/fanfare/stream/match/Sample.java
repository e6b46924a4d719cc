package io.fanfare.stream.match;

/**
 * A fair part of all statuses. Whether one belongs to it depends on its id and a secret alone, so it is the same on
 * every node, live and on replay, unrelated to time, and a smaller sample lies within a larger one. (Twitter's sample
 * went by the millisecond of the post and could be aimed at: Pfeffer et al., EPJ Data Science 2018.)
 *
 * @param threshold how much of 2^64 belongs to it, unsigned
 * @param all everything; the threshold says nothing then
 * @param secret salt of the data set, mixed with the client's seed
 */
public record Sample(long threshold, boolean all, long secret) {
    /** Everything. */
    public static final Sample ALL = new Sample(0, true, 0);

    /**
     * The sample of that size.
     *
     * @param percent above 0, at most 100
     * @param salt secret of the data set
     * @param seed the client's: equal seeds see equal samples
     */
    public static Sample of(double percent, long salt, long seed) {
        if (!(percent > 0 && percent <= 100)) {
            throw InvalidFilter.unacceptable("rate", "The rate is a percentage above 0 and at most 100.");
        }
        if (percent == 100) {
            return ALL;
        }
        double part = percent / 100 * 0x1p64;
        long threshold = part >= 0x1p63 ? (long) (part - 0x1p63) + Long.MIN_VALUE : (long) part;
        return new Sample(threshold, false, salt ^ seed);
    }

    public boolean keeps(long statusId) {
        return all || Long.compareUnsigned(mix(statusId ^ secret), threshold) < 0;
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
    static long mix(long x) {
        long z = x + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
