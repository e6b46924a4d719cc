package io.fanfare.redis;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One Redis command, ready to be written: a name, the key that decides its slot, and arguments. Arguments are
 * {@code String}, {@code byte[]}, {@code Long}, {@code Integer} or {@link Named}. Immutable; may be sent again. Keys
 * and channels are named without the {@link Namespace} of the link, which the link adds.
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

    /** How a command names further keys behind the first one. */
    private enum Further {
        /** All of its arguments are keys. */
        ALL,
        /** They stand among other arguments, so the caller must give them as {@link Named}. */
        NAMED
    }

    private static final Map<String, Further> FURTHER = Map.ofEntries(
            Map.entry("DEL", Further.ALL),
            Map.entry("UNLINK", Further.ALL),
            Map.entry("EXISTS", Further.ALL),
            Map.entry("MGET", Further.ALL),
            Map.entry("RENAME", Further.ALL),
            Map.entry("MSET", Further.NAMED),
            Map.entry("COPY", Further.NAMED),
            Map.entry("SMOVE", Further.NAMED),
            Map.entry("LMOVE", Further.NAMED),
            Map.entry("SORT", Further.NAMED),
            Map.entry("ZRANGESTORE", Further.NAMED),
            Map.entry("ZINTERSTORE", Further.NAMED),
            Map.entry("ZUNIONSTORE", Further.NAMED));

    /**
     * A key, a channel, or what keys begin with, in the place of an argument that the link does not take for one: where
     * a script makes a key of it, or publishes.
     */
    public record Named(String name) {}

    private final String name;
    private final String key;
    private final Object[] args;
    private final Script script;
    private final boolean tracked;

    /** The first of the arguments that are keys or channels. */
    private final int keysFrom;

    /** Behind the last of them. */
    private final int keysTo;

    private Command(String name, String key, Object[] args, int keysFrom, int keysTo, Script script, boolean tracked) {
        this.name = name;
        this.key = key;
        this.args = args;
        this.script = script;
        this.tracked = tracked;
        this.keysFrom = keysFrom;
        this.keysTo = keysTo;
        for (Object arg : args) {
            if (!(arg instanceof String
                    || arg instanceof byte[]
                    || arg instanceof Long
                    || arg instanceof Integer
                    || arg instanceof Named)) {
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
        Further further = FURTHER.get(name);
        return new Command(name, key, all, 0, further == null ? 1 : keysTo(name, further, args), null, tracked);
    }

    /** A key that stayed without the namespace would be another site's. */
    private static int keysTo(String name, Further further, Object[] args) {
        if (further == Further.NAMED && Arrays.stream(args).noneMatch(Named.class::isInstance)) {
            throw new IllegalArgumentException("the further keys of " + name + " must be Command.Named");
        }
        return further == Further.ALL ? 1 + args.length : 1;
    }

    /**
     * A command that has no key and may go to any node, or whose key is not its first argument ({@code routedBy} then
     * decides the slot; null = any node). The link knows the keys and channels of PUBLISH, SPUBLISH, SUBSCRIBE,
     * SSUBSCRIBE, MEMORY, OBJECT and BLMPOP; elsewhere a key among the arguments is {@link Named}.
     */
    public static Command routed(String name, String routedBy, Object... args) {
        Object[] all = args.clone();
        return switch (name) {
            case "PUBLISH", "SPUBLISH" -> new Command(name, routedBy, all, 0, 1, null, false);
            case "SUBSCRIBE", "SSUBSCRIBE" -> new Command(name, routedBy, all, 0, all.length, null, false);
            case "MEMORY", "OBJECT" -> new Command(name, routedBy, all, 1, 2, null, false);
            case "BLMPOP" ->
                new Command(name, routedBy, all, 2, 2 + Integer.parseInt(String.valueOf(all[1])), null, false);
            default -> new Command(name, routedBy, all, 0, 0, null, false);
        };
    }

    /** The same with every argument as it is, for what lies outside the namespace of the link. */
    public static Command raw(String name, String routedBy, Object... args) {
        return new Command(name, routedBy, args.clone(), 0, 0, null, false);
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
        return new Command("EVALSHA", keys.get(0), all, 2, first, script, false);
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
        return new Command(name, key, all, keysFrom, keysTo, script, false);
    }

    /** The place of a script's first argument, behind digest, number of keys and keys. */
    private int nowAt() {
        return 2 + (Integer) args[1];
    }

    /** The same call with the script's text in place of its digest, for a server that does not know the script yet. */
    Command withScriptText() {
        Object[] all = args.clone();
        all[0] = script.text();
        return new Command("EVAL", key, all, keysFrom, keysTo, script, false);
    }

    /** The reverse. */
    Command withScriptDigest() {
        Object[] all = args.clone();
        all[0] = script.sha1();
        return new Command("EVALSHA", key, all, keysFrom, keysTo, script, false);
    }

    public String name() {
        return name;
    }

    /** The key that decides the slot; null = any node. */
    public String key() {
        return key;
    }

    /** How many keys or channels it names. */
    public int keys() {
        return keysTo - keysFrom;
    }

    public boolean isScript() {
        return script != null;
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

    int keysFrom() {
        return keysFrom;
    }

    int keysTo() {
        return keysTo;
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
