package io.fanfare.redis;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What one connection has read of keys that the server watches for it (CLIENT TRACKING), so that it need not be read
 * again. The server tells of a change in the order of its replies: a notice of whatever was written before a command
 * was executed stands before that command's reply. So what is kept here is as good as new at the last reply that was
 * heard; who asks makes sure of one that is new enough. Goes with its connection. Bounded: it keeps at least the half
 * of {@link #MAX} replies that was used last. Older ones go together, so that no look has to move its entry within a
 * list in order of use. Confined to the loop.
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

    /** What has been used since the last change of halves, and takes precedence. */
    private Map<String, Reply> recent = new HashMap<>();

    /** What was used before it, and not since. */
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

    /** To be called when the reply is heard, before anything else is. */
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
    void heard(Reply push) {
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
