package io.fanfare.app.migrate;

import io.fanfare.redis.KeyChanges;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The keys that have changed at the source since they were copied last, each once. The servers report them
 * ({@link KeyChanges}). For one thread; the reports come on the event loop.
 */
final class ChangedKeys implements AutoCloseable {
    /** About 100 MB. More are only there when the site writes faster than the copy goes on. */
    private static final int KEYS_MAX = 500_000;

    private final EventLoop loop;
    private final Predicate<String> wanted;
    private final List<KeyChanges> servers = new ArrayList<>();

    // Both belong to the event loop.
    private final Set<String> keys = new HashSet<>();
    private String fault = "";

    private ChangedKeys(EventLoop loop, Predicate<String> wanted) {
        this.loop = loop;
        this.wanted = wanted;
    }

    /**
     * Has each master of the source report its changes.
     *
     * @param wanted which keys are copied at all
     */
    static ChangedKeys watch(EventLoop loop, RedisLink source, Predicate<String> wanted) {
        ChangedKeys changed = new ChangedKeys(loop, wanted);
        loop.run(() -> {
            for (String node : source.nodes()) {
                changed.servers.add(source.changes(node, changed::add, changed::lost));
            }
            return Future.all(changed.servers.stream().map(KeyChanges::begun).toList());
        });
        return changed;
    }

    private void add(String key) {
        if (!wanted.test(key)) {
            return;
        }
        if (keys.size() < KEYS_MAX) {
            boolean unused = keys.add(key);
        } else {
            lost("more than " + KEYS_MAX + " keys have changed and wait to be copied: try again at a quieter hour, or"
                    + " from a machine nearer to both servers");
        }
    }

    private void lost(String why) {
        if (fault.isEmpty()) {
            fault = why;
        }
    }

    /** Adds keys that must be copied again. */
    void addAll(List<String> more) {
        loop.run(() -> {
            more.forEach(this::add);
            return Future.succeededFuture();
        });
    }

    /** How many there are. Fails when not every change has been reported. */
    int count() {
        return loop.call(() -> {
            requireWhole();
            return keys.size();
        });
    }

    /** Takes some of them, at most so many. Fails when not every change has been reported. */
    List<String> take(int most) {
        return loop.call(() -> {
            requireWhole();
            List<String> taken = new ArrayList<>(Math.min(most, keys.size()));
            Iterator<String> next = keys.iterator();
            while (taken.size() < most && next.hasNext()) {
                taken.add(next.next());
                next.remove();
            }
            return taken;
        });
    }

    /** Waits until every change is reported that the servers have answered before. */
    void awaitReports() {
        loop.run(() -> Future.all(servers.stream().map(KeyChanges::reported).toList()));
    }

    private void requireWhole() {
        if (!fault.isEmpty()) {
            throw new StartFailed("the copy cannot follow the changes of the source: " + fault
                    + "; run the same command again, which goes on with what is copied");
        }
    }

    @Override
    public void close() {
        loop.later(() -> servers.forEach(KeyChanges::close));
    }
}
