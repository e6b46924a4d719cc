package io.fanfare.redis;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The beginning of all keys and channels of a link, by which several sites share a server. Callers name keys without
 * it: the link writes it before each key that it sends, and takes it away from each that a server names. It has no
 * brace, so that a key with a hash tag stays in its slot. Immutable.
 */
public final class Namespace {
    /** That of a link that takes keys as they are. */
    public static final Namespace NONE = new Namespace("");

    /** A name that {@link #of} takes, in words. */
    public static final String ALLOWED =
            "1 to 32 of a-z, 0-9, dot, hyphen and underscore, with a letter or digit first";

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,31}");

    private final String prefix;
    private final byte[] bytes;

    /** The checksum of the prefix, from which that of a key without a hash tag goes on. */
    private final int checksum;

    private Namespace(String prefix) {
        this.prefix = prefix;
        this.bytes = prefix.getBytes(StandardCharsets.US_ASCII);
        this.checksum = Slots.checksum(0, bytes);
    }

    /** Whether {@link #of} takes a name. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** The keys that begin with a name and a colon. Fails with an {@link IllegalArgumentException}. */
    public static Namespace of(String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException("a namespace of Redis must have " + ALLOWED);
        }
        return new Namespace(name + ":");
    }

    /** As {@link #of} takes it; empty for {@link #NONE}. */
    public String name() {
        return prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1);
    }

    /** The beginning of each key; empty for {@link #NONE}. */
    public String prefix() {
        return prefix;
    }

    /** All keys or channels of it, as a pattern of Redis. */
    public String pattern() {
        return prefix + "*";
    }

    /** A key as the server has it. */
    public String with(String key) {
        return prefix + key;
    }

    /** A key as callers name it; empty when the server's key is of another namespace. */
    public Optional<String> without(String key) {
        return key.startsWith(prefix) ? Optional.of(key.substring(prefix.length())) : Optional.empty();
    }

    /** The slot of a key that callers name. */
    public int slot(String key) {
        return Slots.of(checksum, key);
    }

    /** The bytes before each key; not to be changed. */
    byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Namespace namespace && prefix.equals(namespace.prefix);
    }

    @Override
    public int hashCode() {
        return prefix.hashCode();
    }

    @Override
    public String toString() {
        return pattern();
    }
}
