package io.fanfare.app.backup;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Meta;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.Reply;
import io.fanfare.redis.ServerInfo;
import io.fanfare.redis.ServerSnapshot;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Snapshots of all masters of a Redis, taken at the same time, each into a file. Blocks; for one thread, but for
 * {@link #bytes}.
 */
final class RedisSnapshots implements AutoCloseable {
    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    private final Context context = vertx.getOrCreateContext();
    private final List<Taken> all = new ArrayList<>();
    private RedisLink redis;
    private Map<String, String> slots = Map.of();
    private boolean closing;

    private RedisSnapshots() {}

    /** One snapshot. */
    record Taken(String node, String version, Path file, AsyncFile to, ServerSnapshot snapshot) {}

    /** Connects, as a user who may replicate. Fails with a {@code RedisError}. */
    static RedisSnapshots open(RedisOptions options) {
        RedisSnapshots snapshots = new RedisSnapshots();
        try {
            snapshots.redis = snapshots.await(() -> RedisLink.open(snapshots.vertx, options));
            return snapshots;
        } catch (RuntimeException e) {
            snapshots.close();
            throw e;
        }
    }

    /** {@code redis.shards} of the data set; fails when there is none. */
    int shards() {
        if (await(() -> Future.succeededFuture(redis.database())) != 0) {
            throw new StartFailed(
                    "redis.url names a database other than 0: a backup has whole servers, and `fanfare up` uses database 0; move the data there, or copy the server with its own tools");
        }
        await(() -> new Meta(redis, new SecureRandom()).requireFormat());
        String shards =
                await(() -> redis.send(Command.of("HGET", Keys.META, "shards"))).asString();
        if (shards == null) {
            throw new StartFailed("this Redis has no data of Fanfare in the namespace "
                    + redis.namespace().name() + ": name the right ones with redis.url and redis.namespace");
        }
        return Integer.parseInt(shards);
    }

    /**
     * Asks all masters at once. Complete when each of them has begun, so that what they have is of that moment; fails
     * as {@link ServerSnapshot#begun}.
     */
    CompletableFuture<Void> begin(Path folder) {
        slots = await(this::ownSlots);
        requireNoMove(slots);
        return future(() -> {
            List<Future<Void>> begun = new ArrayList<>();
            for (String node : redis.nodes()) {
                Path file = folder.resolve(begun.size() + 1 + ".rdb");
                begun.add(version(node).compose(version -> start(node, version, file)));
            }
            return Future.all(begun).mapEmpty();
        });
    }

    private Future<Void> start(String node, String version, Path file) {
        OpenOptions options = new OpenOptions().setCreateNew(true).setPerms("rw-------");
        return vertx.fileSystem().open(file.toString(), options).compose(to -> {
            ServerSnapshot snapshot = redis.snapshot(node, to);
            all.add(new Taken(node, version, file, to, snapshot));
            if (closing) {
                snapshot.cancel();
            }
            return snapshot.begun();
        });
    }

    private Future<String> version(String node) {
        return redis.sendTo(node, Command.routed("INFO", null, "server"))
                .map(info -> ServerInfo.of(info.asString()).product());
    }

    /** Waits until all files are complete and on the disk. */
    List<Taken> finish() {
        List<Taken> complete = await(() -> Future.all(
                        all.stream().map(taken -> taken.snapshot().ended()).toList())
                .compose(ended -> Future.all(all.stream()
                        .map(taken ->
                                taken.to().flush().compose(flushed -> taken.to().close()))
                        .toList()))
                .map(closed -> List.copyOf(all)));
        Map<String, String> now = await(this::ownSlots);
        requireNoMove(now);
        if (!now.equals(slots)) {
            throw new StartFailed("slots of the cluster have moved during the backup: take another one");
        }
        return complete;
    }

    /** Bytes that have come so far. */
    long bytes() {
        return await(() -> Future.succeededFuture(
                all.stream().mapToLong(taken -> taken.snapshot().bytes()).sum()));
    }

    /**
     * The slots of each master, as it reports them. A key that moves during the backup may be missing from all
     * snapshots.
     */
    private Future<Map<String, String>> ownSlots() {
        Map<String, String> own = new TreeMap<>();
        if (redis.isOneServer()) {
            return Future.succeededFuture(own);
        }
        List<Future<Reply>> answers = new ArrayList<>();
        for (String node : redis.nodes()) {
            answers.add(
                    redis.sendTo(node, Command.routed("CLUSTER", null, "NODES")).onSuccess(reply -> reply.asString()
                            .lines()
                            .filter(line -> line.contains("myself"))
                            .forEach(line -> own.put(node, slots(line)))));
        }
        return Future.all(answers).map(own);
    }

    /** {@code <id> <address> <flags> <master> <ping> <pong> <epoch> <state> <slot> ... [<moving slot>-><id>]}. */
    private static String slots(String line) {
        String[] words = line.split(" ", 9);
        return words.length < 9 ? "" : words[8];
    }

    private static void requireNoMove(Map<String, String> slots) {
        if (slots.values().stream().anyMatch(text -> text.contains("["))) {
            throw new StartFailed(
                    "slots of the cluster are on the move: take the backup when `redis-cli --cluster reshard` is done");
        }
    }

    private <T> T await(Supplier<Future<T>> step) {
        return BackupRun.unwrapped(future(step));
    }

    private <T> CompletableFuture<T> future(Supplier<Future<T>> step) {
        Promise<T> promise = Promise.promise();
        context.runOnContext(
                run -> Future.succeededFuture().compose(none -> step.get()).onComplete(promise));
        return promise.future().toCompletionStage().toCompletableFuture();
    }

    @Override
    public void close() {
        if (redis != null) {
            context.runOnContext(run -> {
                closing = true;
                all.forEach(taken -> taken.snapshot().cancel());
            });
            Void unused = await(redis::close);
        }
        vertx.close().onFailure(late -> {});
    }
}
