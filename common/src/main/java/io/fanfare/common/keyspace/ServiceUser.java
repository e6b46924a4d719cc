package io.fanfare.common.keyspace;

import io.fanfare.redis.Namespace;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The user that the service is to Redis, with the least rights that it works with: its own channels, and the commands
 * that it sends or its scripts call. No command reads or changes the server's settings, users, scripts or clients, none
 * lists keys, none moves data elsewhere; so who takes the service's password becomes neither administrator nor gets a
 * script of their own to run. A script's commands are checked against the same rights.
 *
 * <p>It may use the keys and the channels of its namespace and no others, by one pattern each.
 *
 * <p>{@code config/redis.conf} has the same line for operators' own servers, with {@code +eval}, since nobody else
 * loads the scripts there.
 */
public final class ServiceUser {
    public static final String NAME = "fanfare";

    /** By what they are for; {@code ServiceUserTest} compares them with the sources, and tries every other one. */
    private static final List<String> COMMANDS = List.of(
            // Connections: the name, notices of changes, the database of redis.url, slots of a cluster.
            "client|setname client|tracking client|caching select ping asking cluster|slots",
            // State of the server: version, memory, policy.
            "info",
            "evalsha",
            "subscribe ssubscribe publish spublish",
            "wait",
            "get set mget getdel incr del unlink exists expire pexpire persist ttl time",
            "hget hset hsetnx hmget hgetall hdel hlen hexists hincrby hscan",
            "sadd scard sismember",
            "lindex llen lpos lpush lrange lrem lset ltrim rpop rpush rpushx blmpop sort",
            "zadd zcard zmscore zrange zrangebylex zrem zremrangebyrank zremrangebyscore zscore",
            "xadd xdel xrange xrevrange");

    private ServiceUser() {}

    /** The line of a redis.conf that makes the user, its password as a digest. */
    public static String conf(String password, Namespace namespace) {
        return "user " + NAME + " on #" + sha256(password) + " " + rights(namespace);
    }

    /** As in {@code ACL SETUSER}, without a password. */
    static String rights(Namespace namespace) {
        return "~" + namespace.pattern() + " &" + namespace.pattern() + " -@all "
                + commands().map(command -> "+" + command).collect(Collectors.joining(" "));
    }

    /** The permitted commands in lower case, with a bar before a sub-command. */
    public static Stream<String> commands() {
        return COMMANDS.stream().flatMap(line -> Stream.of(line.split(" ")));
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
