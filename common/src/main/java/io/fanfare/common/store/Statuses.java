package io.fanfare.common.store;

import io.fanfare.common.model.Draft;
import io.fanfare.common.model.Status;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** Owns {@code status}, {@code profile}, {@code outbox} and {@code idem} keys. */
public final class Statuses {
    public Statuses(Redis redis, Settings settings) {
        throw new UnsupportedOperationException();
    }

    /** What posting answered. {@code repeated}: the Idempotency-Key had been used, this is the status made then. */
    public record Posted(Status status, boolean repeated) {}

    /**
     * Publishes: one script assigns the id, stores the status, adds it to profile, outbox and own home, counts it and enqueues its fan-out job - all or nothing.
     *
     * @param idempotencyKey null = none. Used with another body within an hour: {@code Refusal(INVALID)}
     */
    public Future<Posted> post(Draft draft, String idempotencyKey) {
        throw new UnsupportedOperationException();
    }

    /** The status, if it exists and is not deleted. Says nothing about who may see it. */
    public Future<Optional<Status>> find(long id) {
        throw new UnsupportedOperationException();
    }

    /** The living ones among these, by id; one round trip per node. */
    public Future<Map<Long, Status>> load(Collection<Long> ids) {
        throw new UnsupportedOperationException();
    }

    /**
     * Deletes the author's status: tombstone, author's lists, counters and clean-up job in one script. Answers the status as it was; empty when there is none, when it is
     * deleted already, or when it is somebody else's.
     */
    public Future<Optional<Status>> delete(long author, long id) {
        throw new UnsupportedOperationException();
    }
}
