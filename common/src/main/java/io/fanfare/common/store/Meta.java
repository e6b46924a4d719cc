package io.fanfare.common.store;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Shards;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Keys;
import io.fanfare.common.redis.RedisError;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is chosen once per data set: number of shards, format version, signing key. */
public final class Meta {
    private static final Logger log = LoggerFactory.getLogger(Meta.class);

    /** The layout of the keys; a release that changes it counts up and brings a migration. */
    private static final int FORMAT = 1;

    private static final int SIGNING_KEY_BYTES = 32;
    private static final int REDIS_MAJOR_MIN = 7;

    private final RedisLink redis;
    private final SecureRandom random;

    public Meta(RedisLink redis, SecureRandom random) {
        this.redis = redis;
        this.random = random;
    }

    /**
     * Checks the servers (Redis >= 7.0, maxmemory-policy noeviction) and claims or compares the shard count. Fails with an {@link IllegalStateException} that says what to
     * change, or a {@link RedisError}.
     */
    public Future<Shards> join(int configuredShards) {
        return checkServers(redis.nodes())
                .compose(checked -> redis.pipeline(List.of(
                        Command.of("HSETNX", Keys.META, "shards", configuredShards),
                        Command.of("HSETNX", Keys.META, "format", FORMAT),
                        Command.of("HMGET", Keys.META, "shards", "format"))))
                .map(replies -> compare(configuredShards, claimed(replies, 2)));
    }

    /** The keys of tokens as they are set; without one, the data set's. */
    public Future<SigningKeys> signingKeys(Settings.Auth settings) {
        List<String> texts = settings.keys();
        if (!texts.contains(Settings.Auth.STORED_KEY)) {
            return Future.succeededFuture(keys(texts, null));
        }
        return signingKey().map(stored -> keys(texts, stored));
    }

    private static SigningKeys keys(List<String> texts, byte[] stored) {
        return new SigningKeys(texts.stream()
                .map(text -> text.equals(Settings.Auth.STORED_KEY) ? stored : text.getBytes(StandardCharsets.UTF_8))
                .toList());
    }

    /** The signing key of the data set, made at the first call. */
    public Future<byte[]> signingKey() {
        byte[] fresh = new byte[SIGNING_KEY_BYTES];
        random.nextBytes(fresh);
        return redis.pipeline(List.of(
                        Command.of(
                                "HSETNX",
                                Keys.META,
                                "signing-key",
                                HexFormat.of().formatHex(fresh)),
                        Command.of("HGET", Keys.META, "signing-key")))
                .map(replies -> HexFormat.of().parseHex(claimed(replies, 1).asString()));
    }

    /** The reply that tells who won, once nothing before it has failed: a full server refuses to store. */
    private static Reply claimed(List<Reply> replies, int last) {
        for (Reply reply : replies.subList(0, last)) {
            long unused = reply.asLong();
        }
        return replies.get(last);
    }

    private static Shards compare(int configuredShards, Reply stored) {
        long shards = stored.items().get(0).asLong();
        long format = stored.items().get(1).asLong();
        if (format != FORMAT) {
            throw new IllegalStateException("the data set has format " + format + ", this release reads format "
                    + FORMAT + ": run the release that wrote it");
        }
        if (shards != configuredShards) {
            throw new IllegalStateException("the data set has " + shards + " shards, but redis.shards is "
                    + configuredShards + ": set redis.shards to " + shards + ", the number cannot be changed later");
        }
        return new Shards(configuredShards);
    }

    /** One server after the other: a cluster has few. */
    private Future<Void> checkServers(List<String> nodes) {
        if (nodes.isEmpty()) {
            return Future.succeededFuture();
        }
        String node = nodes.get(0);
        return redis.sendTo(node, Command.routed("INFO", null, "server"))
                .map(info -> requireVersion(node, info.asString()))
                .compose(modern -> policy(node))
                .map(policy -> requireNoEviction(node, policy))
                .compose(fit -> checkServers(nodes.subList(1, nodes.size())));
    }

    private static Void requireVersion(String node, String info) {
        String version = info.lines()
                .filter(line -> line.startsWith("redis_version:"))
                .map(line -> line.substring("redis_version:".length()))
                .findFirst()
                .orElse("0 (unknown)");
        if (Integer.parseInt(version.substring(0, version.indexOf('.') < 0 ? 1 : version.indexOf('.')))
                < REDIS_MAJOR_MIN) {
            throw new IllegalStateException(
                    "Redis at " + node + " is version " + version + ": Fanfare needs 7.0 or newer");
        }
        return null;
    }

    /** The server's maxmemory-policy; empty when it does not tell. */
    private Future<String> policy(String node) {
        return redis.sendTo(node, Command.routed("CONFIG", null, "GET", "maxmemory-policy"))
                .map(pair -> pair.items().size() == 2 ? pair.items().get(1).asString() : "")
                .recover(cause -> unknownPolicy(node, cause));
    }

    /** Managed servers forbid CONFIG; then we have to trust the operator. */
    private static Future<String> unknownPolicy(String node, Throwable cause) {
        if (!(cause instanceof RedisError error) || error.kind() != RedisError.Kind.COMMAND) {
            return Future.failedFuture(cause);
        }
        log.warn(
                "cannot see maxmemory-policy, make sure that it is noeviction node={} cause={}",
                node,
                cause.getMessage());
        return Future.succeededFuture("");
    }

    private static Void requireNoEviction(String node, String policy) {
        if (!policy.isEmpty() && !policy.equals("noeviction")) {
            throw new IllegalStateException("Redis at " + node + " has maxmemory-policy " + policy
                    + " and would throw away feeds and jobs when it is full: set maxmemory-policy noeviction");
        }
        return null;
    }
}
