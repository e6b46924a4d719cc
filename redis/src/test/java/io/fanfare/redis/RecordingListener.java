package io.fanfare.redis;

import java.util.ArrayList;
import java.util.List;

/** Records the messages of a subscription, for a test's thread to read. */
final class RecordingListener implements RedisLink.Listener {
    private final List<String> events = new ArrayList<>();

    @Override
    public synchronized void subscribed() {
        events.add("subscribed");
    }

    @Override
    public synchronized void message(String channel, String payload) {
        events.add(payload);
    }

    @Override
    public synchronized void lost() {
        events.add("lost");
    }

    synchronized List<String> events() {
        return List.copyOf(events);
    }

    boolean has(String event) {
        return events().contains(event);
    }
}
