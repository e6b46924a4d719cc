package io.fanfare.app.migrate;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Meta;
import io.fanfare.common.store.ShardRaise;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.ServerInfo;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.StartFailed;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The conditions that hold before anything is copied, each with a sentence. For one thread. */
final class Checks {
    private static final int MAJOR_MIN = 7;

    /**
     * Needed at both sides. Each step runs on a scratch key at each master: only administrators see a user's rights.
     */
    private static final List<String> OF_BOTH = List.of(
            "DUMP K",
            "PEXPIRETIME K",
            "TYPE K",
            "GET K",
            "SMEMBERS K",
            "ZRANGE K 0 1",
            "HGETALL K",
            "HDEL K f",
            "STRLEN K",
            "LLEN K",
            "SCARD K",
            "ZCARD K",
            "HLEN K",
            "XLEN K",
            "GETRANGE K 0 1",
            "LRANGE K 0 1",
            "XRANGE K - +",
            "SCAN 0 COUNT 1",
            "INFO server");

    private static final List<String> OF_SOURCE = List.of(
            "MEMORY USAGE K",
            "EXISTS K",
            "SSCAN K 0",
            "ZSCAN K 0",
            "HSCAN K 0",
            "DBSIZE",
            "CONFIG GET min-replicas-to-write");

    private static final List<String> OF_TARGET = List.of(
            "UNLINK K",
            "RESTORE K 0 x",
            "SMISMEMBER K a",
            "ZMSCORE K a",
            "HMGET K a",
            "APPEND K a",
            "UNLINK K",
            "RPUSH K a",
            "UNLINK K",
            "SADD K a",
            "UNLINK K",
            "ZADD K 1 a",
            "UNLINK K",
            "HSET K f 1",
            "UNLINK K",
            "XADD K 1-1 f 1",
            "XSETID K 1-1",
            "PEXPIREAT K 1");

    private final EventLoop loop;
    private final RedisLink source;
    private final RedisLink target;
    private final String scratch;
    private final List<String> notes = new ArrayList<>();
    private String products = "";
    private int shards;

    Checks(EventLoop loop, RedisLink source, RedisLink target, String scratch) {
        this.loop = loop;
        this.source = source;
        this.target = target;
        this.scratch = scratch;
    }

    /** Fails with a {@link StartFailed} about the first thing that is wrong. Only scratch keys are written. */
    void run() {
        requireRights("source", source, OF_SOURCE);
        requireRights("target", target, OF_TARGET);
        List<ServerInfo> from = infos(source);
        List<ServerInfo> to = infos(target);
        products = "source " + products(from) + ", target " + products(to);
        requireOthers(from, to);
        requireVersion("source", from);
        requireVersion("target", to);
        requireData();
        requireShards();
        requireReadableFormat();
        requireRoom(from, to);
        noteFiles(from, to);
    }

    /** Both servers, for people. */
    String products() {
        return products;
    }

    /** {@code redis.shards} of the data set. */
    int shards() {
        return shards;
    }

    /** Remarks that the operator should read. */
    List<String> notes() {
        return notes;
    }

    private void requireRights(String side, RedisLink redis, List<String> steps) {
        Set<String> missing = new LinkedHashSet<>();
        List<String> all = Stream.concat(OF_BOTH.stream(), steps.stream()).toList();
        for (String node : nodes(redis)) {
            for (String step : all) {
                try {
                    loop.run(() -> redis.sendTo(node, command(step)));
                } catch (EventLoop.StepFailed e) {
                    if (!(e.getCause() instanceof RedisError error)) {
                        throw e;
                    }
                    if (error.getMessage().startsWith("NOPERM")) {
                        missing.add("+" + right(step));
                    } else if (error.kind() == RedisError.Kind.UNAVAILABLE || error.kind() == RedisError.Kind.LOST) {
                        throw error;
                    }
                }
            }
        }
        if (!missing.isEmpty()) {
            String how = side.equals("source")
                    ? "FANFARE_REDIS_URL=redis://default:PASSWORD@HOST"
                    : "--to redis://default@HOST with FANFARE_TARGET_PASSWORD";
            throw new StartFailed("the user " + redis.user() + " lacks rights at the " + side + ": "
                    + String.join(" ", missing) + ". Name its administrator: " + how);
        }
    }

    private static String right(String step) {
        String[] words = step.toLowerCase(Locale.ROOT).split(" ", -1);
        return Set.of("memory", "config").contains(words[0]) ? words[0] + "|" + words[1] : words[0];
    }

    private Command command(String step) {
        String[] words = step.split(" ", -1);
        Object[] args = new Object[words.length - 1];
        for (int i = 1; i < words.length; i++) {
            args[i - 1] = words[i].equals("K") ? new Command.Named(Keys.limit("migrate", "K", scratch)) : words[i];
        }
        return Command.raw(words[0], null, args);
    }

    private List<ServerInfo> infos(RedisLink redis) {
        List<ServerInfo> infos = new ArrayList<>();
        for (String node : nodes(redis)) {
            infos.add(ServerInfo.of(loop.await(() -> redis.sendTo(node, Command.routed("INFO", null)))
                    .asString()));
        }
        return infos;
    }

    private List<String> nodes(RedisLink redis) {
        return loop.call(redis::nodes);
    }

    private static String products(List<ServerInfo> infos) {
        return String.join(
                " and ", infos.stream().map(ServerInfo::product).distinct().toList());
    }

    private static void requireOthers(List<ServerInfo> from, List<ServerInfo> to) {
        List<String> ids = from.stream().map(info -> info.text("run_id")).toList();
        if (to.stream().map(info -> info.text("run_id")).anyMatch(ids::contains)) {
            throw new StartFailed(
                    "the target is the source: --to names the Redis that the site uses already; name the one that it is to move to");
        }
    }

    private static void requireVersion(String side, List<ServerInfo> infos) {
        for (ServerInfo info : infos) {
            String major = info.text("redis_version").split("\\.", 2)[0];
            if (!major.matches("\\d{1,9}") || Integer.parseInt(major) < MAJOR_MIN) {
                throw new StartFailed("the " + side + " is " + info.product()
                        + ", and Fanfare needs Redis 7.0 or newer, or Valkey: install a newer one there");
            }
            if (side.equals("target") && !info.text("maxmemory_policy").equals("noeviction")) {
                throw new StartFailed(
                        "the target has maxmemory-policy " + info.text("maxmemory_policy")
                                + " and would throw away feeds and jobs when it is full: CONFIG SET maxmemory-policy noeviction there, also in its redis.conf");
            }
        }
    }

    private void requireData() {
        loop.run(() -> new Meta(source, new SecureRandom()).requireFormat());
        String stored = loop.await(() -> source.send(Command.of("HGET", Keys.META, "shards")))
                .asString();
        if (stored == null) {
            throw new StartFailed("the source has no data of Fanfare in the namespace "
                    + source.namespace().name() + ": name the right ones with redis.url and redis.namespace");
        }
        shards = Integer.parseInt(stored);
        requireNotRaising();
    }

    /** Also called once the source has its own mark of the move, which keeps a raise from beginning. */
    void requireNotRaising() {
        loop.await(() -> new ShardRaise(source).mark()).ifPresent(mark -> {
            throw new StartFailed("the number of shards of the source is being raised to " + mark.shards()
                    + ": wait for `fanfare migrate --shards " + mark.shards() + "`, or run it again");
        });
    }

    private void requireShards() {
        int masters = nodes(target).size();
        if (masters > shards) {
            throw new StartFailed("the target has " + masters + " masters and the data " + shards
                    + (shards == 1 ? " shard" : " shards")
                    + ": a master without a shard would only stand by. Move to a cluster of at most "
                    + shards + (shards == 1 ? " master" : " masters")
                    + " or to a single server, or raise the number first with `fanfare migrate --shards`");
        }
        if (masters > 1 && masters * 8 > shards) {
            notes.add("the data have " + shards + " shards for " + masters
                    + " masters: they will not share the load evenly (docs/operate/cluster.md, \"Sizing\")");
        }
    }

    /** By a key that there always is, which the target gives up within seconds. */
    private void requireReadableFormat() {
        String key = Keys.limit("migrate", "F", scratch);
        byte[] dump =
                loop.await(() -> source.send(Command.of("DUMP", Keys.META))).asBytes();
        try {
            loop.run(() -> target.send(Command.of("RESTORE", key, 5_000, dump)));
        } catch (EventLoop.StepFailed e) {
            if (!(e.getCause() instanceof RedisError error)) {
                throw e;
            }
            if (error.kind() == RedisError.Kind.READ_ONLY) {
                throw new StartFailed(
                        "the target takes no writes: " + error.getMessage()
                                + ". If a site has moved away from it, run `fanfare migrate --reopen` with redis.url set to it");
            }
            throw new KeyCopier(loop, source, target, products).sentence(error);
        }
        loop.run(() -> target.send(Command.of("UNLINK", key)));
    }

    private static void requireRoom(List<ServerInfo> from, List<ServerInfo> to) {
        long needed = from.stream()
                .mapToLong(info -> info.number("used_memory_dataset"))
                .sum();
        boolean bounded = to.stream().allMatch(info -> info.number("maxmemory") > 0);
        long room = to.stream()
                .mapToLong(info -> info.number("maxmemory") - info.number("used_memory"))
                .sum();
        if (bounded && needed > room) {
            throw new StartFailed(String.format(
                    Locale.ROOT,
                    "the data take %,d MiB and the target has room for %,d MiB: raise its maxmemory",
                    needed >> 20,
                    Math.max(0, room) >> 20));
        }
    }

    private void noteFiles(List<ServerInfo> from, List<ServerInfo> to) {
        boolean kept = from.stream().allMatch(info -> info.number("aof_enabled") == 1);
        if (kept && to.stream().anyMatch(info -> info.number("aof_enabled") == 0)) {
            notes.add(
                    "the target keeps no append-only file, as the source does: when it ends, it loses what came since its last snapshot. CONFIG SET appendonly yes and appendfsync always there, also in its redis.conf");
        }
    }
}
