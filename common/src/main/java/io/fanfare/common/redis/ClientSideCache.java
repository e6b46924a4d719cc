package io.fanfare.common.redis;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one connection has read of keys that the server watches for it (CLIENT TRACKING), so that it need not be read
 * again. The server tells of a change in the order of its replies: a notice of whatever was written before a command
 * was executed stands before that command's reply. So what is kept here is as good as new at the last reply that was
 * heard; who asks makes sure of one that is new enough. Goes with its connection. Bounded: the least recently used is
 * left out. Confined to the loop.
 */
final class ClientSideCache {
    /**
     * Replies to reads of a few fields, about 500 bytes each with their keys: what a few thousand pages show at a time,
     * in 10 MB for each connection.
     */
    static final int MAX = 20_000;

    /** Longer replies are read each time. */
    static final int ITEMS_MAX = 50;

    private final Map<String, Reply> byKey = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Reply> eldest) {
            return size() > MAX;
        }
    };

    /** Null = not kept. */
    Reply get(String key) {
        return byKey.get(key);
    }

    /** To be called when the reply is heard, before anything else is. */
    void put(String key, Reply reply) {
        if (reply instanceof Reply.Items items && items.list().size() > ITEMS_MAX) {
            byKey.remove(key);
        } else {
            byKey.put(key, reply);
        }
    }

    int size() {
        return byKey.size();
    }

    void clear() {
        byKey.clear();
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
            keys.items().forEach(key -> byKey.remove(new String(key.asBytes(), StandardCharsets.UTF_8)));
        }
    }
}
