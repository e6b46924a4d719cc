package io.fanfare.api.endpoint;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads for many callers at once. Of each key one reading is under way at most: callers that come meanwhile share the
 * next one, which begins when that has ended. So what a caller gets was read after its call, however many call, and
 * nothing is kept that nobody waits for. Confined to one event loop.
 */
public final class RequestCoalescer<K, V> {
    private final Function<K, Future<V>> read;
    private final Map<K, Reading<V>> underWay = new HashMap<>();

    /** @param read reads anew at each call */
    public RequestCoalescer(Function<K, Future<V>> read) {
        this.read = read;
    }

    private static final class Reading<V> {
        /** The promise for callers that came after this reading had begun; null = nobody. */
        private Promise<V> next;
    }

    /** Fails as the reading does, for all who share it. */
    public Future<V> get(K key) {
        Reading<V> reading = underWay.get(key);
        if (reading == null) {
            return begin(key);
        }
        if (reading.next == null) {
            reading.next = Promise.promise();
        }
        return reading.next.future();
    }

    private Future<V> begin(K key) {
        underWay.put(key, new Reading<>());
        // What throws fails the future.
        return Future.succeededFuture(key).compose(read).onComplete(done -> ended(key));
    }

    private void ended(K key) {
        Promise<V> next = underWay.remove(key).next;
        if (next != null) {
            begin(key).onComplete(next);
        }
    }
}
