package io.fanfare.redis;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Replies to reads on one connection, kept while the server watches their keys for it (CLIENT TRACKING). The server
 * sends a notice of a change in the order of its replies: the notice of a write precedes the reply of every command
 * executed after it. So an entry is as fresh as the last reply received; the caller checks that this one is recent
 * enough. The cache goes with its connection. Bounded: it keeps at least the more recently used half of {@link #MAX}
 * replies. Older ones are dropped together, so that no lookup has to move its entry within a list in order of use.
 * Confined to the loop.
 */
final class ClientSideCache {
    /**
     * Replies to reads of a few fields, about 500 bytes each with their keys: what a few thousand pages show at a time,
     * in 10 MB for each connection.
     */
    static final int MAX = 20_000;

    /** Longer replies are read each time. */
    static final int ITEMS_MAX = 50;

    private static final int HALF = MAX / 2;

    private final Namespace namespace;

    /** The entries used since the halves last changed; a lookup reads this half first. */
    private Map<String, Reply> recent = new HashMap<>();

    /** Entries used before that, and not since. */
    private Map<String, Reply> older = new HashMap<>();

    /** @param namespace of the keys that the server names */
    ClientSideCache(Namespace namespace) {
        this.namespace = namespace;
    }

    /** Null = not kept. */
    Reply get(String key) {
        Reply reply = recent.get(key);
        if (reply == null) {
            reply = older.remove(key);
            if (reply != null) {
                use(key, reply);
            }
        }
        return reply;
    }

    /** Must be called when the reply arrives, before anything else is read. */
    void put(String key, Reply reply) {
        remove(key);
        if (!(reply instanceof Reply.Items items && items.list().size() > ITEMS_MAX)) {
            use(key, reply);
        }
    }

    private void use(String key, Reply reply) {
        if (recent.size() == HALF) {
            older = recent;
            recent = new HashMap<>();
        }
        recent.put(key, reply);
    }

    private void remove(String key) {
        recent.remove(key);
        older.remove(key);
    }

    int size() {
        return recent.size() + older.size();
    }

    void clear() {
        recent.clear();
        older.clear();
    }

    /**
     * Takes a push of the server: {@code [invalidate, [key, ...]]}, or nil in place of the keys, which are then all.
     * Others concern us not.
     */
    void pushed(Reply push) {
        if (!"invalidate".equals(push.items().get(0).asString())) {
            return;
        }
        Reply keys = push.items().get(1);
        if (keys.isNil()) {
            clear();
        } else {
            keys.items().forEach(key -> namespace
                    .without(new String(key.asBytes(), StandardCharsets.UTF_8))
                    .ifPresent(this::remove));
        }
    }
}
