package io.fanfare.stream;

import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.runtime.Inspection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The streams of a process as its operator sees them, whatever event loop they are on. Safe for every thread. */
public final class StreamMonitor implements Inspection {
    private final List<StreamHub> hubs = new CopyOnWriteArrayList<>();

    /** Watches over a hub that works, for as long as the process lives. To be called on its event loop. */
    public void add(StreamHub hub, RedisLink link) {
        hubs.add(hub);
        if (hubs.size() == 1) {
            // Once is enough for all who ask the same server.
            OutputBuffer.check(link);
        }
    }

    /** Of the hub that is worst off. */
    @Override
    public Optional<String> trouble() {
        return hubs.stream().flatMap(hub -> hub.trouble().stream()).findFirst();
    }
}
