package io.fanfare.common.store;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.ServerInfo;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The choices made once per data set: format version, signing key, key of Web Push, and the number of shards, which
 * only {@link ShardRaise} changes later.
 */
public final class Meta {
    private static final Logger log = LoggerFactory.getLogger(Meta.class);

    private static final Command LAYOUT = Command.of(
            "HMGET", Keys.META, "shards", "format", "format-by", Moves.MOVED, Moves.ARRIVING, ShardRaise.MARK);

    /** The same in data of format 1, whose keys have no namespace; a user may lack the right to read it. */
    private static final Command FORMER = Command.raw("HMGET", null, Keys.META, "shards", "format", "format-by");

    private static final int SIGNING_KEY_BYTES = 32;
    private static final int REDIS_MAJOR_MIN = 7;

    private final RedisLink redis;
    private final SecureRandom random;

    public Meta(RedisLink redis, SecureRandom random) {
        this.redis = redis;
        this.random = random;
    }

    /**
     * Checks the servers (Redis >= 7.0, maxmemory-policy noeviction) and claims or compares the shard count. Writes
     * only into a new data set, so that commands can look at one whose server takes no writes. Fails with an
     * {@link IllegalStateException} that says what to change, or a {@link RedisError}.
     */
    public Future<Shards> join(int configuredShards) {
        return checkServers(redis.nodes())
                .compose(checked -> redis.send(LAYOUT))
                .map(Meta::requireHere)
                .compose(stored -> stored.items().subList(0, 2).stream().anyMatch(Reply::isNil)
                        ? claim(configuredShards)
                        : Future.succeededFuture(stored))
                .map(stored -> compare(configuredShards, stored));
    }

    /** Processes on data that move, or have moved, would write what nobody reads. */
    private static Reply requireHere(Reply stored) {
        List<Reply> fields = stored.items();
        Moves.refusal(fields.get(3), fields.get(4))
                .or(() -> ShardRaise.refusal(fields.get(5)))
                .ifPresent(sentence -> {
                    throw new DataSetRefused(sentence);
                });
        return stored;
    }

    private Future<Reply> claim(int configuredShards) {
        return requireFormat().compose(unused -> claimNew(configuredShards));
    }

    private Future<Reply> claimNew(int configuredShards) {
        return redis.pipeline(List.of(
                        Command.of("HSETNX", Keys.META, "shards", configuredShards),
                        Command.of("HSETNX", Keys.META, "format", DataFormat.NOW),
                        Command.of(
                                "HSETNX",
                                Keys.META,
                                "format-by",
                                Release.running().version()),
                        LAYOUT))
                .map(replies -> claimed(replies, 3));
    }

    /**
     * The mark of the data set, or else of one that an older release has left in the same Redis; empty when there is
     * neither.
     */
    public Future<Optional<DataFormat.Mark>> format() {
        return redis.send(LAYOUT)
                .compose(stored -> isMarked(stored)
                        ? Future.succeededFuture(Optional.of(mark(stored)))
                        : redis.send(FORMER).map(Meta::former).recover(Meta::unreadableIsNone));
    }

    /** A key of another type, or one that the user may not read, belongs to another program. Other failures remain. */
    private static Future<Optional<DataFormat.Mark>> unreadableIsNone(Throwable cause) {
        return cause instanceof RedisError error && (error.kind() == RedisError.Kind.RIGHTS || error.isWrongType())
                ? Future.succeededFuture(Optional.empty())
                : Future.failedFuture(cause);
    }

    private static boolean isMarked(Reply stored) {
        return !stored.items().get(1).isNil();
    }

    /** Empty for a hash of others, which lacks our fields. */
    private static Optional<DataFormat.Mark> former(Reply stored) {
        boolean ours = isMarked(stored)
                && !stored.items().get(0).isNil()
                && stored.items().get(1).asString().matches("\\d{1,9}");
        return ours ? Optional.of(mark(stored)) : Optional.empty();
    }

    /** Fails with {@link DataSetRefused} when the data set has a layout that this release does not read. */
    public Future<Void> requireFormat() {
        return format().map(mark -> {
            mark.ifPresent(Meta::require);
            return null;
        });
    }

    private static DataFormat.Mark mark(Reply stored) {
        Reply by = stored.items().get(2);
        return new DataFormat.Mark(stored.items().get(1).asLong(), by.isNil() ? "" : by.asString());
    }

    private static void require(DataFormat.Mark mark) {
        mark.refusal("the data set").ifPresent(sentence -> {
            throw new DataSetRefused(sentence);
        });
    }

    /**
     * The keys of tokens as they are set. Without one, the one that an earlier release has kept in the data set; fails
     * with an {@link IllegalStateException} that says what to set when there is none.
     */
    public Future<SigningKeys> signingKeys(Settings.Auth settings) {
        List<String> texts = settings.keys();
        if (texts.contains("")) {
            return storedKey().map(stored -> keys(texts, stored.orElseThrow(Meta::noKey)));
        }
        if (!texts.contains(Settings.Auth.STORED_KEY)) {
            return Future.succeededFuture(keys(texts, null));
        }
        return signingKey().map(stored -> keys(texts, stored));
    }

    private static IllegalStateException noKey() {
        return new DataSetRefused(
                "no key to check access tokens with: give every process the same auth.signing-key (with FANFARE_AUTH_SIGNING_KEY), let it join by --data the service that has one, or set it to the word "
                        + Settings.Auth.STORED_KEY + " to keep one in Redis, where every copy of its files has it too");
    }

    private static SigningKeys keys(List<String> texts, byte[] stored) {
        return new SigningKeys(texts.stream().map(text -> key(text, stored)).toList());
    }

    private static byte[] key(String text, byte[] stored) {
        if (text.isEmpty() || text.equals(Settings.Auth.STORED_KEY)) {
            return stored;
        }
        return text.startsWith(Settings.Auth.HEX_KEY)
                ? HexFormat.of().parseHex(text.substring(Settings.Auth.HEX_KEY.length()))
                : text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The signing key that is kept in the data set; empty when there is none. Says in the log that it should lie
     * elsewhere.
     */
    public Future<Optional<byte[]>> storedKey() {
        return redis.send(Command.of("HGET", Keys.META, "signing-key")).map(stored -> {
            if (stored.isNil()) {
                return Optional.empty();
            }
            log.warn(
                    "the signing key of access tokens is kept in redis, as earlier releases did: every copy of its files has it; see docs/operate/signing-key.md");
            return Optional.of(HexFormat.of().parseHex(stored.asString()));
        });
    }

    /** The signing key of the data set, made at the first call. */
    public Future<byte[]> signingKey() {
        Command stored = Command.of("HGET", Keys.META, "signing-key");
        return redis.send(stored)
                .compose(there -> there.isNil() ? claimKey(stored) : Future.succeededFuture(there))
                .map(key -> HexFormat.of().parseHex(key.asString()));
    }

    /**
     * The key pair of Web Push, made at the first call unless it is set; null when push is switched off, or Redis has
     * no room for a new one.
     */
    public Future<Vapid> vapid(Settings.Push settings) {
        if (!settings.enabled()) {
            return Future.succeededFuture(null);
        }
        if (settings.vapidKey().isSet()) {
            return Future.succeededFuture(Vapid.of(settings.vapidKey().reveal()));
        }
        Command stored = Command.of("HGET", Keys.META, "vapid-key");
        return redis.send(stored)
                .compose(there -> there.isNil() ? claimVapidKey(stored) : Future.succeededFuture(there))
                .map(key -> Vapid.of(key.asString()))
                .recover(Meta::withoutPush);
    }

    private Future<Reply> claimVapidKey(Command stored) {
        return redis.pipeline(List.of(Command.of("HSETNX", Keys.META, "vapid-key", Vapid.draw(random)), stored))
                .map(replies -> claimed(replies, 1));
    }

    /** A server that takes no writes must not keep a process from starting. */
    private static Future<Vapid> withoutPush(Throwable cause) {
        if (cause instanceof RedisError error && error.kind() == RedisError.Kind.COMMAND) {
            log.warn("push is off until the next start: redis keeps no key for it cause={}", error.getMessage());
            return Future.succeededFuture(null);
        }
        return Future.failedFuture(cause);
    }

    private Future<Reply> claimKey(Command stored) {
        byte[] fresh = new byte[SIGNING_KEY_BYTES];
        random.nextBytes(fresh);
        String text = HexFormat.of().formatHex(fresh);
        return redis.pipeline(List.of(Command.of("HSETNX", Keys.META, "signing-key", text), stored))
                .map(replies -> claimed(replies, 1));
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
        require(mark(stored));
        if (shards != configuredShards) {
            throw new DataSetRefused("the data set has " + shards + " shards, but redis.shards is " + configuredShards
                    + ": set redis.shards to " + shards + "; `fanfare migrate --shards` raises the number");
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
                .map(info -> requireVersion(node, ServerInfo.of(info.asString()).text("redis_version")))
                .compose(modern -> redis.sendTo(node, Command.routed("INFO", null, "memory")))
                .map(info ->
                        requireNoEviction(node, ServerInfo.of(info.asString()).text("maxmemory_policy")))
                .compose(fit -> checkServers(nodes.subList(1, nodes.size())));
    }

    private static Void requireVersion(String node, String version) {
        String major = version.split("\\.", 2)[0];
        if (!major.matches("\\d{1,9}") || Integer.parseInt(major) < REDIS_MAJOR_MIN) {
            throw new DataSetRefused("Redis at " + node + " is version " + (version.isEmpty() ? "(unknown)" : version)
                    + ": Fanfare needs 7.0 or newer");
        }
        return null;
    }

    private static Void requireNoEviction(String node, String policy) {
        if (policy.isEmpty()) {
            log.warn("cannot see maxmemory-policy, make sure that it is noeviction node={}", node);
        } else if (!policy.equals("noeviction")) {
            throw new DataSetRefused("Redis at " + node + " has maxmemory-policy " + policy
                    + " and would throw away feeds and jobs when it is full: set maxmemory-policy noeviction");
        }
        return null;
    }
}
