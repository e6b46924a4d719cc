package io.fanfare.common.keyspace;

import java.util.List;
import java.util.Optional;

/**
 * The kind of a key, by its spelling: the reverse of {@link Keys}, for code that finds keys instead of naming them.
 * Immutable.
 *
 * @param kind how it is declared
 * @param id the account, the status or the shard; 0 when the owner is {@code NONE}
 * @param rest what follows the id, or the family, without its colon; empty = nothing
 */
public record KeyShape(Key kind, long id, String rest) {
    /** Kinds of owners. */
    public enum Owner {
        ACCOUNT,
        STATUS,
        SHARD,
        /** The key belongs to the data set, to an app, to a name, or to somebody who tries something. */
        NONE
    }

    /** Every key that an account can have, but those of its requests, which end by themselves. */
    public static List<String> keysOf(long account) {
        return Key.ofAccount(account);
    }

    /** Every key of which a data set has one at most. */
    public static List<String> singleKeys() {
        return Key.single();
    }

    /**
     * Every key of which a data set has one at most for each hour.
     *
     * @param firstHour in hours since 1970
     * @param lastHour the same, inclusive
     */
    public static List<String> hourlyKeys(long firstHour, long lastHour) {
        return Key.hourly(firstHour, lastHour);
    }

    /** The shape of a key; empty when {@link Keys} spells none like it. */
    public static Optional<KeyShape> of(String key) {
        return Key.shapeOf(key);
    }

    /** The beginning of the key, without a colon or brace at the end. */
    public String family() {
        return kind.family();
    }

    /** The owner of the key. */
    public Owner owner() {
        return kind.owner();
    }
}
