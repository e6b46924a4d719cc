package io.fanfare.app.migrate;

import io.fanfare.common.keyspace.Key;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.StartFailed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * Copies and compares keys between two servers, in Redis' own format (DUMP, RESTORE) with the moment of their end. What
 * is in memory at a time is bounded: keys go in batches of a few MB, and one that is larger in parts
 * ({@link LargeKey}). For one thread.
 */
final class KeyCopier {
    /** The keys of one batch, as the source estimates them in its memory. */
    private static final long BATCH_BYTES = 4L << 20;

    /** A larger key goes in parts. Redis estimates, so this is far below what a reply may have. */
    private static final long WHOLE_BYTES_MAX = 4L << 20;

    /** At the end of a dump: the version of the format, which differs between releases, and a checksum. */
    private static final int DUMP_END_BYTES = 10;

    /** Ends that are so near are not compared: one side may have removed the key already. */
    private static final long END_NEAR_MILLIS = 2_000;

    private final EventLoop loop;
    private final RedisLink source;
    private final RedisLink target;
    private final String products;
    private long copiedBytes;

    /** @param products both servers, for a sentence about a format that the target does not read */
    KeyCopier(EventLoop loop, RedisLink source, RedisLink target, String products) {
        this.loop = loop;
        this.source = source;
        this.target = target;
        this.products = products;
    }

    /** A key at one side; the dump is null when there is no such key. */
    @SuppressWarnings("ArrayRecordComponent") // Compared by its parts.
    private record Dumped(byte[] dump, long end) {
        boolean isThere() {
            return dump != null && end != -2;
        }

        boolean hasBytesOf(Dumped other) {
            return dump.length == other.dump.length
                    && Arrays.equals(
                            dump, 0, dump.length - DUMP_END_BYTES, other.dump, 0, dump.length - DUMP_END_BYTES);
        }

        boolean endsSoon() {
            return end > 0 && end < System.currentTimeMillis() + END_NEAR_MILLIS;
        }
    }

    /** Bytes copied so far, as they were sent. */
    long copiedBytes() {
        return copiedBytes;
    }

    /** Makes the target have these keys as the source has them now; one that the source lacks is removed there. */
    void copy(List<String> keys) {
        List<String> gone = new ArrayList<>();
        inBatches(keys, gone, this::copyBatch, key -> {
            new LargeKey(loop, source, target, key).copy();
            copiedBytes += WHOLE_BYTES_MAX;
        });
        remove(gone);
    }

    /**
     * The keys that differ between both sides, among these.
     *
     * @param types counts the keys that the source has
     */
    List<String> differing(List<String> keys, Map<Key.Type, Long> types) {
        List<String> differing = new ArrayList<>();
        List<String> gone = new ArrayList<>();
        inBatches(keys, gone, batch -> compareBatch(batch, types, differing), key -> {
            if (!new LargeKey(loop, source, target, key).isSame()) {
                differing.add(key);
            }
            String type = type(key);
            // It may have ended meanwhile.
            if (!type.equals("NONE")) {
                count(types, Key.Type.valueOf(type));
            }
        });
        compareBatch(gone, new EnumMap<>(Key.Type.class), differing);
        return differing;
    }

    private interface Batch {
        void run(List<String> keys);
    }

    private interface Single {
        void run(String key);
    }

    private void inBatches(List<String> keys, List<String> gone, Batch small, Single large) {
        List<Reply> sizes = ask(
                source,
                keys.stream()
                        .map(key -> Command.routed("MEMORY", key, "USAGE", key))
                        .toList());
        List<String> batch = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < keys.size(); i++) {
            if (sizes.get(i).isNil()) {
                gone.add(keys.get(i));
                continue;
            }
            long size = sizes.get(i).asLong();
            if (size > WHOLE_BYTES_MAX) {
                large.run(keys.get(i));
                continue;
            }
            if (bytes + size > BATCH_BYTES) {
                small.run(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(keys.get(i));
            bytes += size;
        }
        small.run(batch);
    }

    private void copyBatch(List<String> keys) {
        List<String> gone = new ArrayList<>();
        List<Command> restores = new ArrayList<>();
        each(keys, dumped(source, keys), (key, dumped) -> {
            if (dumped.isThere()) {
                restores.add(Command.of("RESTORE", key, Math.max(0, dumped.end()), dumped.dump(), "REPLACE", "ABSTTL"));
                copiedBytes += dumped.dump().length;
            } else {
                gone.add(key);
            }
        });
        for (Reply reply : loop.await(() -> target.pipeline(restores))) {
            if (reply instanceof Reply.Failure failure) {
                throw sentence(failure.error());
            }
        }
        remove(gone);
    }

    private void compareBatch(List<String> keys, Map<Key.Type, Long> types, List<String> differing) {
        List<Dumped> there = dumped(target, keys);
        List<Dumped> here = dumped(source, keys);
        Map<String, Key.Type> doubtful = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            Dumped ours = here.get(i);
            Dumped theirs = there.get(i);
            if (ours.isThere()) {
                count(types, typeOf(ours.dump()));
            }
            if (!ours.isThere() || !theirs.isThere()) {
                if (ours.isThere() != theirs.isThere() && !ours.endsSoon() && !theirs.endsSoon()) {
                    differing.add(keys.get(i));
                }
            } else if (ours.end() != theirs.end() || typeOf(ours.dump()) != typeOf(theirs.dump())) {
                differing.add(keys.get(i));
            } else if (!ours.hasBytesOf(theirs)) {
                doubtful.put(keys.get(i), typeOf(ours.dump()));
            }
        }
        compareContent(doubtful, differing);
    }

    /**
     * The bytes of a dump depend on the settings and the history of a server: a hash, say, may be a table there whose
     * fields come in an order of its own.
     */
    private void compareContent(Map<String, Key.Type> keys, List<String> differing) {
        List<Command> reads = new ArrayList<>();
        List<String> read = new ArrayList<>();
        keys.forEach((key, type) -> {
            if (type == Key.Type.STREAM) {
                if (!new LargeKey(loop, source, target, key).isSame()) {
                    differing.add(key);
                }
                return;
            }
            read.add(key);
            reads.add(
                    switch (type) {
                        case LIST -> Command.of("LRANGE", key, 0, -1);
                        case SET -> Command.of("SMEMBERS", key);
                        case ZSET -> Command.of("ZRANGE", key, 0, -1, "WITHSCORES");
                        case HASH -> Command.of("HGETALL", key);
                        default -> Command.of("GET", key);
                    });
        });
        // An error is a key that has another type by now: it has changed.
        List<Reply> here = loop.await(() -> source.pipeline(reads));
        List<Reply> there = loop.await(() -> target.pipeline(reads));
        for (int i = 0; i < read.size(); i++) {
            Key.Type type = keys.get(read.get(i));
            if (here.get(i).isFailure()
                    || there.get(i).isFailure()
                    || !content(type, here.get(i)).equals(content(type, there.get(i)))) {
                differing.add(read.get(i));
            }
        }
    }

    /** In an order that does not depend on the server. */
    private static List<ByteBuffer> content(Key.Type type, Reply reply) {
        if (!(reply instanceof Reply.Items)) {
            return List.of(bytes(reply));
        }
        List<ByteBuffer> words = reply.items().stream().map(KeyCopier::bytes).toList();
        if (type == Key.Type.SET) {
            return words.stream().sorted().toList();
        }
        if (type != Key.Type.HASH) {
            return words;
        }
        Map<ByteBuffer, ByteBuffer> fields = new TreeMap<>();
        for (int i = 0; i + 1 < words.size(); i += 2) {
            fields.put(words.get(i), words.get(i + 1));
        }
        return fields.entrySet().stream()
                .flatMap(field -> Stream.of(field.getKey(), field.getValue()))
                .toList();
    }

    private static ByteBuffer bytes(Reply reply) {
        return ByteBuffer.wrap(reply.isNil() ? new byte[0] : reply.asBytes());
    }

    private List<Dumped> dumped(RedisLink redis, List<String> keys) {
        List<Command> reads = new ArrayList<>(2 * keys.size());
        for (String key : keys) {
            reads.add(Command.of("DUMP", key));
            reads.add(Command.of("PEXPIRETIME", key));
        }
        List<Reply> replies = ask(redis, reads);
        List<Dumped> all = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            all.add(new Dumped(
                    replies.get(2 * i).asBytes(), replies.get(2 * i + 1).asLong()));
        }
        return all;
    }

    private void remove(List<String> keys) {
        List<Reply> unused =
                ask(target, keys.stream().map(key -> Command.of("UNLINK", key)).toList());
    }

    private String type(String key) {
        return loop.await(() -> source.send(Command.of("TYPE", key))).asString().toUpperCase(Locale.ROOT);
    }

    private static void each(List<String> keys, List<Dumped> dumped, BiConsumer<String, Dumped> receiver) {
        for (int i = 0; i < keys.size(); i++) {
            receiver.accept(keys.get(i), dumped.get(i));
        }
    }

    private static void count(Map<Key.Type, Long> types, Key.Type type) {
        types.merge(type, 1L, Long::sum);
    }

    /** By the first byte of a dump (rdb.h of Redis and Valkey). */
    static Key.Type typeOf(byte[] dump) {
        return switch (dump[0]) {
            case 0 -> Key.Type.STRING;
            case 1, 10, 14, 18 -> Key.Type.LIST;
            case 2, 11, 20 -> Key.Type.SET;
            case 3, 5, 12, 17 -> Key.Type.ZSET;
            case 15, 19, 21, 26, 27 -> Key.Type.STREAM;
            default -> Key.Type.HASH;
        };
    }

    /** One reply for each command, none of which is an error. */
    private List<Reply> ask(RedisLink redis, List<Command> commands) {
        List<Reply> replies = loop.await(() -> redis.pipeline(commands));
        for (Reply reply : replies) {
            if (reply instanceof Reply.Failure failure) {
                throw failure.error();
            }
        }
        return replies;
    }

    /** A refusal of the target, as a sentence for the operator. */
    RuntimeException sentence(RedisError error) {
        if (error.getMessage().contains("DUMP payload") || error.getMessage().contains("Bad data format")) {
            return new StartFailed("the target does not read the format in which the source keeps its data (" + products
                    + "): install the same product there, in the version of the source or a newer one; Valkey reads what"
                    + " Redis up to 7.2 writes");
        }
        if (error.kind() == RedisError.Kind.OOM) {
            return new StartFailed("the memory of the target is full: raise its maxmemory, and run the same command"
                    + " again, which goes on with what is copied");
        }
        return error;
    }
}
