package io.fanfare.common.store;

import io.fanfare.common.id.Shards;
import io.fanfare.common.redis.RedisLink;
import io.vertx.core.Future;
import java.security.SecureRandom;

/** What is chosen once per data set: number of shards, format version, signing key. */
public final class Meta {
    public Meta(RedisLink redis, SecureRandom random) {
        throw new UnsupportedOperationException();
    }

    /** Checks the server (Redis >= 7.0, maxmemory-policy noeviction) and claims or compares the shard count; fails with a sentence that says what to change. */
    public Future<Shards> join(int configuredShards) {
        throw new UnsupportedOperationException();
    }

    /** The signing key of the data set, made at the first call. */
    public Future<byte[]> signingKey() {
        throw new UnsupportedOperationException();
    }
}
