package io.fanfare.common.redis;

import java.util.List;

/**
 * One Redis command, ready to be written: a name, the key that decides its slot, and arguments. Arguments are {@code String}, {@code byte[]}, {@code Long} or {@code Integer}.
 * Immutable; may be sent again.
 */
public final class Command {
    private final String name;
    private final String key;
    private final Object[] args;
    private final Script script;

    private Command(String name, String key, Object[] args, Script script) {
        this.name = name;
        this.key = key;
        this.args = args;
        this.script = script;
        for (Object arg : args) {
            if (!(arg instanceof String || arg instanceof byte[] || arg instanceof Long || arg instanceof Integer)) {
                throw new IllegalArgumentException("not an argument of " + name + ": "
                        + (arg == null ? "null" : arg.getClass().getName()));
            }
        }
    }

    /** A command whose first argument is its key, for example {@code of("HGET", key, "text")}. All further keys, if any, must be of the same slot. */
    public static Command of(String name, String key, Object... args) {
        Object[] all = new Object[args.length + 1];
        all[0] = key;
        System.arraycopy(args, 0, all, 1, args.length);
        return new Command(name, key, all, null);
    }

    /** A command that has no key and may go to any node, or whose key is not its first argument ({@code routedBy} then decides the slot; null = any node). */
    public static Command routed(String name, String routedBy, Object... args) {
        return new Command(name, routedBy, args.clone(), null);
    }

    static Command script(Script script, List<String> keys, Object[] args) {
        int first = keys.size() + 2;
        Object[] all = new Object[first + args.length];
        all[0] = script.sha1();
        all[1] = keys.size();
        for (int i = 0; i < keys.size(); i++) {
            all[i + 2] = keys.get(i);
        }
        System.arraycopy(args, 0, all, first, args.length);
        return new Command("EVALSHA", keys.get(0), all, script);
    }

    /** The same call with the script's text in place of its digest, for a server that does not know the script yet. */
    Command withScriptText() {
        Object[] all = args.clone();
        all[0] = script.text();
        return new Command("EVAL", key, all, script);
    }

    public String name() {
        return name;
    }

    /** What decides the slot; null = any node. */
    public String key() {
        return key;
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
