package io.fanfare.app.migrate;

import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.StartFailed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * One key in parts, each of a bounded size: copied when it is too large for one message, and compared when its two
 * copies have other bytes in Redis' own format, which depend on the settings and the history of a server. A key that
 * changes meanwhile is copied again. For one thread.
 */
final class LargeKey {
    /** Elements of a part: those of Fanfare have some KB at most. */
    private static final int PART = 500;

    private static final int STRING_PART_BYTES = 4 << 20;

    private final EventLoop loop;
    private final RedisLink source;
    private final RedisLink target;
    private final String key;

    LargeKey(EventLoop loop, RedisLink source, RedisLink target, String key) {
        this.loop = loop;
        this.source = source;
        this.target = target;
        this.key = key;
    }

    /** Puts the key as it is into the place of whatever the target has. */
    void copy() {
        String type = type(source);
        run(Command.of("UNLINK", key));
        eachPart(type, part -> write(type, part));
        if (type.equals("stream")) {
            copyStreamEnd();
        }
        long end = end(source);
        if (end > 0) {
            run(Command.of("PEXPIREAT", key, end));
        }
    }

    /** Whether both sides have the same content, type and end. */
    boolean isSame() {
        String type = type(source);
        if (!type.equals(type(target)) || end(source) != end(target) || size(source, type) != size(target, type)) {
            return false;
        }
        boolean[] same = {true};
        long[] at = {0};
        eachPart(type, part -> {
            same[0] = same[0] && isAtTarget(type, part, at[0]);
            at[0] += part.size();
        });
        return same[0] && (!type.equals("stream") || streamEnd(source).equals(streamEnd(target)));
    }

    private void eachPart(String type, Consumer<List<Reply>> receiver) {
        switch (type) {
            case "string" -> {
                long length = size(source, type);
                for (long from = 0; from < length; from += STRING_PART_BYTES) {
                    receiver.accept(
                            List.of(ask(source, Command.of("GETRANGE", key, from, from + STRING_PART_BYTES - 1))));
                }
            }
            case "list" -> {
                long length = size(source, type);
                for (long from = 0; from < length; from += PART) {
                    receiver.accept(ask(source, Command.of("LRANGE", key, from, from + PART - 1))
                            .items());
                }
            }
            case "set" -> scan("SSCAN", receiver);
            case "zset" -> scan("ZSCAN", receiver);
            case "hash" -> scan("HSCAN", receiver);
            case "stream" -> {
                String from = "-";
                List<Reply> entries;
                do {
                    entries = ask(source, Command.of("XRANGE", key, from, "+", "COUNT", PART))
                            .items();
                    receiver.accept(entries);
                    from = entries.isEmpty() ? "" : "(" + id(entries.get(entries.size() - 1));
                } while (entries.size() == PART);
            }
            case "none" -> {}
            default ->
                throw new StartFailed("the key " + key + " is a " + type
                        + ", which Fanfare does not write: remove it, or leave its namespace to Fanfare");
        }
    }

    private void scan(String command, Consumer<List<Reply>> receiver) {
        String cursor = "0";
        do {
            List<Reply> page =
                    ask(source, Command.of(command, key, cursor, "COUNT", PART)).items();
            cursor = page.get(0).asString();
            if (!page.get(1).items().isEmpty()) {
                receiver.accept(page.get(1).items());
            }
        } while (!cursor.equals("0"));
    }

    private void write(String type, List<Reply> part) {
        if (part.isEmpty()) {
            return;
        }
        switch (type) {
            case "string" -> run(Command.of("APPEND", key, bytes(part.get(0))));
            case "list" -> run(with("RPUSH", part));
            case "set" -> run(with("SADD", part));
            case "zset" -> run(with("ZADD", scoresFirst(part)));
            case "hash" -> run(with("HSET", part));
            default -> {
                List<Command> adds = new ArrayList<>();
                for (Reply entry : part) {
                    List<Object> words = new ArrayList<>(List.of(id(entry)));
                    entry.items().get(1).items().forEach(field -> words.add(bytes(field)));
                    adds.add(Command.of("XADD", key, words.toArray()));
                }
                loop.await(() -> target.pipeline(adds)).forEach(LargeKey::requireDone);
            }
        }
    }

    private boolean isAtTarget(String type, List<Reply> part, long at) {
        if (part.isEmpty()) {
            return true;
        }
        return switch (type) {
            case "string" -> {
                long from = at * STRING_PART_BYTES;
                yield equal(
                        part, List.of(ask(target, Command.of("GETRANGE", key, from, from + STRING_PART_BYTES - 1))));
            }
            case "list" ->
                equal(
                        part,
                        ask(target, Command.of("LRANGE", key, at, at + part.size() - 1))
                                .items());
            case "set" ->
                ask(target, with("SMISMEMBER", part)).items().stream().allMatch(member -> member.asLong() == 1);
            case "zset" ->
                equal(
                        every(part, 1),
                        ask(target, with("ZMSCORE", every(part, 0))).items());
            case "hash" ->
                equal(every(part, 1), ask(target, with("HMGET", every(part, 0))).items());
            default ->
                equal(
                        part,
                        ask(
                                        target,
                                        Command.of(
                                                "XRANGE",
                                                key,
                                                id(part.get(0)),
                                                id(part.get(part.size() - 1)),
                                                "COUNT",
                                                part.size()))
                                .items());
        };
    }

    /** A stream remembers its last id and what was deleted, beside its entries. */
    private void copyStreamEnd() {
        List<String> end = streamEnd(source);
        if (!end.isEmpty()) {
            run(Command.of("XSETID", key, end.get(0), "ENTRIESADDED", end.get(1), "MAXDELETEDID", end.get(2)));
        }
    }

    /** Last id, number of entries ever added, newest deleted id; empty when there is no stream. */
    private List<String> streamEnd(RedisLink redis) {
        List<Reply> info = loop.await(() -> redis.send(Command.routed("XINFO", key, "STREAM", new Command.Named(key)))
                        .otherwise(Reply.NIL))
                .items();
        List<String> end = new ArrayList<>();
        for (String name : List.of("last-generated-id", "entries-added", "max-deleted-entry-id")) {
            for (int i = 0; i + 1 < info.size(); i += 2) {
                if (info.get(i).asString().equals(name)) {
                    end.add(info.get(i + 1).asString());
                }
            }
        }
        return end;
    }

    private String type(RedisLink redis) {
        return ask(redis, Command.of("TYPE", key)).asString();
    }

    private long end(RedisLink redis) {
        return ask(redis, Command.of("PEXPIRETIME", key)).asLong();
    }

    private long size(RedisLink redis, String type) {
        return switch (type) {
            case "string" -> ask(redis, Command.of("STRLEN", key)).asLong();
            case "list" -> ask(redis, Command.of("LLEN", key)).asLong();
            case "set" -> ask(redis, Command.of("SCARD", key)).asLong();
            case "zset" -> ask(redis, Command.of("ZCARD", key)).asLong();
            case "hash" -> ask(redis, Command.of("HLEN", key)).asLong();
            case "stream" -> ask(redis, Command.of("XLEN", key)).asLong();
            default -> 0;
        };
    }

    private Reply ask(RedisLink redis, Command command) {
        return loop.await(() -> redis.send(command));
    }

    private void run(Command command) {
        loop.run(() -> target.send(command));
    }

    private static void requireDone(Reply reply) {
        if (reply instanceof Reply.Failure failure) {
            throw failure.error();
        }
    }

    private Command with(String name, List<Reply> words) {
        return Command.of(name, key, words.stream().map(LargeKey::bytes).toArray());
    }

    private static List<Reply> every(List<Reply> pairs, int from) {
        List<Reply> half = new ArrayList<>(pairs.size() / 2);
        for (int i = from; i < pairs.size(); i += 2) {
            half.add(pairs.get(i));
        }
        return half;
    }

    /** ZSCAN gives members first, ZADD takes scores first. */
    private static List<Reply> scoresFirst(List<Reply> pairs) {
        List<Reply> swapped = new ArrayList<>(pairs.size());
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            swapped.add(pairs.get(i + 1));
            swapped.add(pairs.get(i));
        }
        return swapped;
    }

    private static String id(Reply entry) {
        return entry.items().get(0).asString();
    }

    private static byte[] bytes(Reply reply) {
        return reply instanceof Reply.Bulk bulk
                ? bulk.bytes()
                : reply.asString().getBytes(StandardCharsets.UTF_8);
    }

    private static boolean equal(List<Reply> one, List<Reply> other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            if (!equal(one.get(i), other.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean equal(Reply one, Reply other) {
        if (one.isNil() || other.isNil()) {
            return one.isNil() && other.isNil();
        }
        if (one instanceof Reply.Items items) {
            return other instanceof Reply.Items others && equal(items.list(), others.list());
        }
        return Arrays.equals(bytes(one), bytes(other));
    }
}
