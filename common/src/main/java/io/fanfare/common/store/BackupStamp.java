package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

/**
 * The moment of the last backup, kept in the data set: the command that makes a backup and the processes that show its
 * age may be on different machines. A restored data set has the stamp of the backup before.
 */
public final class BackupStamp {
    private static final String FIELD = "backup";
    private static final Command READ = Command.of("HGET", Keys.META, FIELD);

    private final Redis redis;

    public BackupStamp(Redis redis) {
        this.redis = redis;
    }

    /** Notes a complete backup. */
    public Future<Void> write(Instant moment) {
        return redis.send(Command.of("HSET", Keys.META, FIELD, moment.getEpochSecond()))
                .mapEmpty();
    }

    /** Empty when no backup has been made. */
    public Future<Optional<Instant>> read() {
        return redis.send(READ)
                .map(reply -> reply.isNil() ? Optional.empty() : Optional.of(Instant.ofEpochSecond(reply.asLong())));
    }
}
