package io.fanfare.common.id;

import java.util.random.RandomGenerator;

/**
 * How many shards a data set has: a power of two up to 1024, chosen once per data set and kept in Redis. Users are
 * spread over shards at random when they sign up.
 */
public record Shards(int count) {
    public Shards {
        if (count < 1 || count > Id.SHARDS_MAX || Integer.bitCount(count) != 1) {
            throw new IllegalArgumentException(
                    "shards must be a power of two from 1 to " + Id.SHARDS_MAX + ", not " + count);
        }
    }

    /** The shard of a new user. */
    public int draw(RandomGenerator random) {
        return random.nextInt(count);
    }
}
