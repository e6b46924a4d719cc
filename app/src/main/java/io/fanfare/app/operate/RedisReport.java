package io.fanfare.app.operate;

import io.fanfare.common.keyspace.KeyShape;
import io.fanfare.redis.Command;
import io.fanfare.redis.Namespace;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.ServerInfo;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How the servers of Redis stand: state, persistence, replication, slow commands and slots. For a link's event loop.
 */
public final class RedisReport {
    private static final Command INFO = Command.routed("INFO", null);
    private static final int SLOW_MAX = 32;

    /** The fields of INFO that are shown: numbers, states and versions only. */
    private static final List<String> FIELDS = List.of(
            "redis_version",
            "valkey_version",
            "uptime_in_seconds",
            "role",
            "connected_slaves",
            "connected_clients",
            "used_memory",
            "used_memory_peak",
            "maxmemory",
            "mem_fragmentation_ratio",
            "instantaneous_ops_per_sec",
            "total_commands_processed",
            "rejected_connections",
            "evicted_keys",
            "expired_keys",
            "loading",
            "rdb_last_save_time",
            "rdb_last_bgsave_status",
            "aof_enabled",
            "aof_last_write_status",
            "aof_last_bgrewrite_status",
            "aof_rewrite_in_progress",
            "aof_current_size",
            "aof_base_size",
            "total_system_memory");

    private RedisReport() {}

    /** Each master, for programs; one that does not answer has an {@code error}. */
    public static Future<JsonArray> nodes(RedisLink redis) {
        List<Future<JsonObject>> all = redis.nodes().stream()
                .map(node -> redis.sendTo(node, INFO)
                        .map(info -> info(info.asString()))
                        .otherwise(cause -> new JsonObject().put("error", cause.getMessage()))
                        .map(found -> found.put("node", node)))
                .toList();
        return Future.join(all).map(done -> {
            JsonArray nodes = new JsonArray();
            all.forEach(node -> nodes.add(node.result()));
            return nodes;
        });
    }

    static JsonObject info(String text) {
        Map<String, String> lines = ServerInfo.of(text).fields();
        JsonObject shown = new JsonObject();
        FIELDS.stream().filter(lines::containsKey).forEach(field -> shown.put(field, lines.get(field)));
        long keys = lines.entrySet().stream()
                .filter(entry -> entry.getKey().matches("db\\d+"))
                .mapToLong(entry -> Long.parseLong(entry.getValue().replaceAll("keys=(\\d+),.*", "$1")))
                .sum();
        return shown.put("keys", keys);
    }

    /**
     * The slow commands of each master, the newest first, for programs: when, how long, the command, and the key if it
     * has one; never a value, which users may have written.
     *
     * @param administrator a link as a user who may SLOWLOG
     */
    public static Future<JsonArray> slow(RedisLink administrator) {
        List<String> nodes = administrator.nodes();
        List<Future<Reply>> all = nodes.stream()
                .map(node -> administrator.sendTo(node, Command.routed("SLOWLOG", null, "GET", SLOW_MAX)))
                .toList();
        return Future.join(all).map(done -> {
            List<JsonObject> entries = new ArrayList<>();
            for (int i = 0; i < nodes.size(); i++) {
                for (Reply entry : all.get(i).result().items()) {
                    entries.add(slow(entry, administrator.namespace()).put("node", nodes.get(i)));
                }
            }
            entries.sort((one, other) -> Long.compare(other.getLong("at"), one.getLong("at")));
            return new JsonArray(List.copyOf(entries));
        });
    }

    private static JsonObject slow(Reply entry, Namespace namespace) {
        List<String> words = entry.items().get(3).items().stream()
                .map(Reply::asString)
                .map(argument -> argument == null ? "" : argument)
                .toList();
        String key = words.stream()
                .skip(1)
                .filter(argument ->
                        namespace.without(argument).flatMap(KeyShape::of).isPresent())
                .findFirst()
                .orElse("");
        return new JsonObject()
                .put("at", entry.items().get(1).asLong() * 1000)
                .put("micros", entry.items().get(2).asLong())
                .put("command", words.get(0).toUpperCase(Locale.ROOT))
                .put("key", Terminal.printable(key))
                .put("words", words.size());
    }

    /** Which master has which slots, for programs; empty when this is no cluster. */
    public static Future<JsonArray> slots(RedisLink redis) {
        return redis.isOneServer()
                ? Future.succeededFuture(new JsonArray())
                : redis.send(Command.routed("CLUSTER", null, "SLOTS")).map(RedisReport::slots);
    }

    private static JsonArray slots(Reply reply) {
        JsonArray ranges = new JsonArray();
        for (Reply range : reply.items()) {
            List<Reply> parts = range.items();
            JsonArray replicas = new JsonArray();
            parts.stream().skip(3).forEach(node -> replicas.add(address(node)));
            ranges.add(new JsonObject()
                    .put("first", parts.get(0).asLong())
                    .put("last", parts.get(1).asLong())
                    .put("master", address(parts.get(2)))
                    .put("replicas", replicas));
        }
        return ranges;
    }

    private static String address(Reply node) {
        return node.items().get(0).asString() + ":" + node.items().get(1).asLong();
    }

    /** Whether it is for lack of rights that Redis has refused. */
    public static boolean isForbidden(Throwable cause) {
        return cause instanceof RedisError error && error.getMessage().startsWith("NOPERM");
    }
}
