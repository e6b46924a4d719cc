package io.fanfare.app;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.ServerInfo;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The mode and the shards of an existing Redis, for settings that the operator left out. */
final class RedisFacts {
    /**
     * The maximum number of nodes that are tried. Each one that is down may take {@code redis.connect-timeout}; the
     * start goes on without the answer.
     */
    private static final int NODES_MAX = 4;

    private RedisFacts() {}

    /**
     * {@code redis.mode} and {@code redis.shards}, as far as they can be found out: nothing where Redis is away, and no
     * number of shards for a new data set. Blocks for as long as it takes to connect.
     *
     * @param options with the defaults in place of what was left out
     * @param modeSet whether the operator says the mode
     */
    static Map<String, String> of(RedisOptions options, boolean modeSet) {
        Map<String, String> facts = new LinkedHashMap<>();
        Optional<RedisOptions.Mode> mode = modeSet ? Optional.of(options.mode()) : mode(options);
        if (mode.isEmpty()) {
            return facts;
        }
        if (!modeSet && mode.get() == RedisOptions.Mode.CLUSTER) {
            facts.put("redis.mode", "cluster");
        }
        shards(options.as(mode.get())).ifPresent(shards -> facts.put("redis.shards", shards));
        return facts;
    }

    private static Optional<RedisOptions.Mode> mode(RedisOptions options) {
        for (String node :
                options.nodes().subList(0, Math.min(NODES_MAX, options.nodes().size()))) {
            try {
                String mode = RemoteStores.askRedis(
                        options.alone(node), redis -> redis.send(Command.routed("INFO", null, "server"))
                                .map(info -> ServerInfo.of(info.asString()).text("redis_mode")));
                return Optional.of(mode.equals("cluster") ? RedisOptions.Mode.CLUSTER : RedisOptions.Mode.STANDALONE);
            } catch (RedisError e) {
                if (e.getMessage().contains(RedisLink.PART_OF_A_CLUSTER)) {
                    return Optional.of(RedisOptions.Mode.CLUSTER);
                }
            } catch (IllegalArgumentException e) {
                return Optional.empty(); // Whoever opens a link next says what is wrong with the address.
            }
        }
        return Optional.empty();
    }

    private static Optional<String> shards(RedisOptions options) {
        try {
            return RemoteStores.askRedis(options, redis -> redis.send(Command.of("HGET", Keys.META, "shards"))
                    .map(shards -> shards.isNil() ? Optional.empty() : Optional.of(shards.asString())));
        } catch (RedisError | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
