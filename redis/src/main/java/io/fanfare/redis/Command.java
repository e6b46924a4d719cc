package io.fanfare.redis;

import java.util.List;
import java.util.Set;

/**
 * One Redis command, ready to be written: a name, the key that decides its slot, and arguments. Arguments are
 * {@code String}, {@code byte[]}, {@code Long} or {@code Integer}. Immutable; may be sent again.
 */
public final class Command {
    /** Behind the first key of a script, a key of the same slot and the same rights that nobody writes. */
    private static final String FENCE = "~";

    /** Commands that change nothing, so that a missing right tears nothing. */
    private static final Set<String> READS = Set.of(
            "PING",
            "TIME",
            "INFO",
            "WAIT",
            "CLUSTER",
            "EXISTS",
            "GET",
            "MGET",
            "TTL",
            "HGET",
            "HMGET",
            "HGETALL",
            "HLEN",
            "HEXISTS",
            "HSCAN",
            "SCARD",
            "SISMEMBER",
            "LINDEX",
            "LLEN",
            "LPOS",
            "LRANGE",
            "ZCARD",
            "ZSCORE",
            "ZMSCORE",
            "ZRANGE",
            "ZRANGEBYLEX",
            "XRANGE",
            "XREVRANGE");

    private final String name;
    private final String key;
    private final Object[] args;
    private final Script script;
    private final boolean tracked;

    private Command(String name, String key, Object[] args, Script script, boolean tracked) {
        this.name = name;
        this.key = key;
        this.args = args;
        this.script = script;
        this.tracked = tracked;
        for (Object arg : args) {
            if (!(arg instanceof String || arg instanceof byte[] || arg instanceof Long || arg instanceof Integer)) {
                throw new IllegalArgumentException("not an argument of " + name + ": "
                        + (arg == null ? "null" : arg.getClass().getName()));
            }
        }
    }

    /**
     * A command whose first argument is its key, for example {@code of("HGET", key, "text")}. All further keys, if any,
     * must be of the same slot.
     */
    public static Command of(String name, String key, Object... args) {
        return keyed(name, key, args, false);
    }

    /**
     * The same for a read whose answer a pipeline may take from memory, where the server says when it is outdated: see
     * {@link Redis#pipeline(List, long)}. Of one key it must always be the same read, and the key must have no time to
     * live that matters: Redis reports its end only when it removes it.
     */
    public static Command tracked(String name, String key, Object... args) {
        return keyed(name, key, args, true);
    }

    private static Command keyed(String name, String key, Object[] args, boolean tracked) {
        Object[] all = new Object[args.length + 1];
        all[0] = key;
        System.arraycopy(args, 0, all, 1, args.length);
        return new Command(name, key, all, null, tracked);
    }

    /**
     * A command that has no key and may go to any node, or whose key is not its first argument ({@code routedBy} then
     * decides the slot; null = any node).
     */
    public static Command routed(String name, String routedBy, Object... args) {
        return new Command(name, routedBy, args.clone(), null, false);
    }

    static Command script(Script script, List<String> keys, Object[] args) {
        int count = keys.size() + (script.isFenced() ? 1 : 0);
        int first = count + 2;
        Object[] all = new Object[first + args.length];
        all[0] = script.sha1();
        all[1] = count;
        for (int i = 0; i < keys.size(); i++) {
            all[i + 2] = keys.get(i);
        }
        if (script.isFenced()) {
            all[first - 1] = fence(keys.get(0));
        }
        System.arraycopy(args, 0, all, first, args.length);
        return new Command("EVALSHA", keys.get(0), all, script, false);
    }

    /**
     * The key that fences a script. A key without a tag has none: its script has no other key, and does not write what
     * it has removed.
     */
    private static String fence(String key) {
        return Slots.hasTag(key) ? key + FENCE : key;
    }

    /** Whether it is the call of a script whose first argument is {@link Script#CHECKED_NOW}. */
    boolean asksForWitness() {
        return script != null && nowAt() < args.length && args[nowAt()] == Script.CHECKED_NOW;
    }

    /** Such a call with what the caller's clock says, and by how many ms that of the server may differ. */
    Command witnessed(long millis, long max) {
        Object[] all = args.clone();
        all[nowAt()] = Script.CHECKED_NOW + millis + "/" + max;
        return new Command(name, key, all, script, false);
    }

    /** The place of a script's first argument, behind digest, number of keys and keys. */
    private int nowAt() {
        return 2 + (Integer) args[1];
    }

    /** The same call with the script's text in place of its digest, for a server that does not know the script yet. */
    Command withScriptText() {
        Object[] all = args.clone();
        all[0] = script.text();
        return new Command("EVAL", key, all, script, false);
    }

    /** The reverse. */
    Command withScriptDigest() {
        Object[] all = args.clone();
        all[0] = script.sha1();
        return new Command("EVALSHA", key, all, script, false);
    }

    public String name() {
        return name;
    }

    /** The key that decides the slot; null = any node. */
    public String key() {
        return key;
    }

    /** Whether it changes nothing. */
    boolean reads() {
        return script == null ? READS.contains(name) : script.reads();
    }

    boolean isTracked() {
        return tracked;
    }

    Object[] args() {
        return args;
    }

    Script script() {
        return script;
    }

    /** Name and key only: arguments may be message texts or secrets. */
    @Override
    public String toString() {
        return (script == null ? name : script.name()) + " " + key;
    }
}
