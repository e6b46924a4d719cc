package io.fanfare.redis;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A script whose KEYS and ARGV are given by name. The constants of two enums are the names in its header, in the
 * header's order; {@code ScriptNamesTest} compares them. Keys that not every call needs are {@code KEYS[13?]} in the
 * header: where one is absent, those behind it move up. What a script takes in any number comes after the named ones.
 * Immutable.
 *
 * @param <K> the names of its KEYS
 * @param <A> the names of its ARGV
 */
public final class BoundScript<K extends Enum<K>, A extends Enum<A>> {
    private final Script script;
    private final Class<K> keys;
    private final Class<A> args;
    private final List<K> allKeys;
    private final List<A> allArgs;

    private BoundScript(Script script, Class<K> keys, Class<A> args) {
        this.script = script;
        this.keys = keys;
        this.args = args;
        this.allKeys = List.of(keys.getEnumConstants());
        this.allArgs = List.of(args.getEnumConstants());
    }

    /** Loads {@code lua/<name>.lua}, see {@link Script#load}. */
    public static <K extends Enum<K>, A extends Enum<A>> BoundScript<K, A> load(
            String name, Class<K> keys, Class<A> args) {
        return new BoundScript<>(Script.load(name), keys, args);
    }

    public Script script() {
        return script;
    }

    /** As the header has them. */
    public List<String> keyNames() {
        return names(allKeys);
    }

    /** As the header has them. */
    public List<String> argNames() {
        return names(allArgs);
    }

    private static List<String> names(List<? extends Enum<?>> constants) {
        return constants.stream()
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Begins a call; all keys must be of one slot. */
    public Call<K, A> call() {
        return new Call<>(this);
    }

    /** A call as it is put together. For one use. */
    public static final class Call<K extends Enum<K>, A extends Enum<A>> {
        private final BoundScript<K, A> bound;
        private final Map<K, String> keys;
        private final Set<K> absent;
        private final Map<A, Object> args;
        private List<String> moreKeys = List.of();
        private List<?> moreArgs = List.of();

        private Call(BoundScript<K, A> bound) {
            this.bound = bound;
            this.keys = new EnumMap<>(bound.keys);
            this.absent = EnumSet.noneOf(bound.keys);
            this.args = new EnumMap<>(bound.args);
        }

        public Call<K, A> key(K name, String key) {
            keys.put(name, key);
            return this;
        }

        /** One of the KEYS that a script takes or not; null = absent. */
        public Call<K, A> optionalKey(K name, String keyOrNull) {
            if (keyOrNull == null) {
                absent.add(name);
                return this;
            }
            return key(name, keyOrNull);
        }

        public Call<K, A> arg(A name, Object value) {
            args.put(name, value);
            return this;
        }

        /** The keys behind those that have a name. */
        public Call<K, A> moreKeys(List<String> more) {
            moreKeys = more;
            return this;
        }

        /** The arguments behind those that have a name. */
        public Call<K, A> moreArgs(List<?> more) {
            moreArgs = more;
            return this;
        }

        /** The call; throws {@link IllegalStateException} when a key or an argument was not given. */
        public Command command() {
            List<String> allKeys = new ArrayList<>(bound.allKeys.size() + moreKeys.size());
            for (K name : bound.allKeys) {
                if (!absent.contains(name)) {
                    allKeys.add(given(name, keys.get(name)));
                }
            }
            allKeys.addAll(moreKeys);
            List<Object> allArgs = new ArrayList<>(bound.allArgs.size() + moreArgs.size());
            for (A name : bound.allArgs) {
                allArgs.add(given(name, args.get(name)));
            }
            allArgs.addAll(moreArgs);
            return bound.script.call(allKeys, allArgs.toArray());
        }

        private <T> T given(Enum<?> name, T value) {
            if (value == null) {
                throw new IllegalStateException(bound.script.name() + " is called without " + name);
            }
            return value;
        }
    }
}
