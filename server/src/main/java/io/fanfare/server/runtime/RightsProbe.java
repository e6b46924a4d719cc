package io.fanfare.server.runtime;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Namespace;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Checks on every node of Redis, before anything is served and whenever there is a doubt ({@link RightsWatch}), that
 * the service's user has its rights (Redis: ACL). A script that meets a missing right in its middle leaves what it has
 * written before: an acknowledged post without its event, or one idempotency key with several statuses.
 *
 * <p>Every command that scripts call runs on scratch keys, since Redis shows a user's rights only to users who may see
 * them all. The keys live for seconds at most.
 */
public final class RightsProbe {
    /** Refused, as every NOPERM of Redis begins. */
    private static final String REFUSED = "NOPERM";

    /**
     * One command each, on the scratch keys S (string), H (hash), L (list), Z (sorted set), M (set) and X (stream). The
     * first ones give every key an end, so that nothing is left behind when the process dies.
     */
    static final List<String> STEPS = List.of(
            "DEL S",
            "SET S 1",
            "PEXPIRE S 5000",
            "GET S",
            "MGET S",
            "INCR S",
            "EXISTS S",
            "TTL S",
            "EXPIRE S 5",
            "GETDEL S",
            "PERSIST S",
            "UNLINK H",
            "HSET H f 1",
            "EXPIRE H 5",
            "HSETNX H g 1",
            "HGET H f",
            "HMGET H f",
            "HGETALL H",
            "HLEN H",
            "HEXISTS H f",
            "HINCRBY H f 1",
            "HSCAN H 0",
            "HDEL H f",
            "DEL H",
            "DEL L",
            "RPUSH L 1 2 3 4 5 6",
            "EXPIRE L 5",
            "LPUSH L 0",
            "RPUSHX L 7",
            "LINDEX L 0",
            "LLEN L",
            "LPOS L 3",
            "LRANGE L 0 -1",
            "LREM L 1 3",
            "LSET L 0 1",
            "SORT L STORE L",
            "RPOP L",
            "BLMPOP 0.01 1 L LEFT",
            "LTRIM L 0 1",
            "DEL L",
            "DEL Z",
            "ZADD Z 1 a 2 b 3 c",
            "EXPIRE Z 5",
            "ZCARD Z",
            "ZSCORE Z a",
            "ZMSCORE Z a",
            "ZRANGE Z 0 -1",
            "ZRANGEBYLEX Z - +",
            "ZREM Z a",
            "ZREMRANGEBYRANK Z 0 0",
            "ZREMRANGEBYSCORE Z 3 3",
            "DEL Z",
            "DEL M",
            "SADD M a",
            "EXPIRE M 5",
            "SCARD M",
            "SISMEMBER M a",
            "DEL M",
            "DEL X",
            "XADD X 1-1 f 1",
            "EXPIRE X 5",
            "XRANGE X - +",
            "XREVRANGE X + -",
            "XDEL X 1-1",
            "DEL X",
            "TIME",
            "WAIT 0 1",
            // Of no script that any server knows.
            "EVALSHA 0000000000000000000000000000000000000000 0",
            "INFO server");

    private RightsProbe() {}

    /**
     * Fails with {@link StartFailed}, which names what is missing and where. Fails with a {@link RedisError} that
     * passes when a node does not answer.
     *
     * @param scratch a word that no other process uses
     */
    public static Future<Void> run(RedisLink redis, String scratch) {
        List<Future<Void>> nodes =
                redis.nodes().stream().map(node -> run(redis, node, scratch)).toList();
        return Future.all(nodes).mapEmpty();
    }

    private static Future<Void> run(RedisLink redis, String node, String scratch) {
        List<Command> commands = new ArrayList<>();
        STEPS.forEach(step -> commands.add(command(step, scratch)));
        // Scripts ask for the right by a key in place of the channel.
        for (String channel : List.of(Keys.busBeat(scratch), Keys.limit("probe", "S", scratch))) {
            commands.add(Command.routed("PUBLISH", null, channel, ""));
            commands.add(Command.routed("SPUBLISH", null, channel, ""));
        }
        List<Future<Reply>> answers =
                commands.stream().map(command -> redis.sendTo(node, command)).toList();
        return Future.join(answers).transform(done -> {
            Set<String> missing = new LinkedHashSet<>();
            for (int i = 0; i < answers.size(); i++) {
                if (answers.get(i).cause() instanceof RedisError error) {
                    if (error.kind() == RedisError.Kind.LOST || error.kind() == RedisError.Kind.UNAVAILABLE) {
                        return Future.failedFuture(error);
                    }
                    if (error.getMessage().contains(REFUSED)) {
                        missing.add(what(commands.get(i), error, redis.namespace()));
                    }
                }
            }
            return missing.isEmpty()
                    ? Future.succeededFuture()
                    : Future.failedFuture(refused(redis.user(), node, missing));
        });
    }

    private static Command command(String step, String scratch) {
        String[] words = step.split(" ", -1);
        Object[] args = new Object[words.length - 1];
        for (int i = 1; i < words.length; i++) {
            args[i - 1] = words[i].length() == 1 && "SHLMZX".contains(words[i])
                    ? new Command.Named(Keys.limit("probe", words[i], scratch))
                    : words[i];
        }
        return Command.raw(words[0], null, args);
    }

    private static String what(Command command, RedisError error, Namespace namespace) {
        String name = command.name().toLowerCase(Locale.ROOT);
        if (error.getMessage().contains("channel")) {
            return "&" + namespace.pattern();
        }
        return error.getMessage().contains("keys") ? "~" + namespace.pattern() : "+" + name;
    }

    private static StartFailed refused(String user, String node, Set<String> missing) {
        return new StartFailed("the user of redis.url lacks rights at " + node
                + ". Give it what is missing, in redis-cli: ACL SETUSER " + user + " " + String.join(" ", missing)
                + " (all of its rights: the user fanfare in config/redis.conf)");
    }
}
