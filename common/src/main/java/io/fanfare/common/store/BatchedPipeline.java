package io.fanfare.common.store;

import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Arrays;
import java.util.List;

/**
 * Sends any number of commands in chunks of at most {@value #CHUNK}, at most {@value #AT_ONCE} chunks on the way, so
 * that a long list neither fills the link's window nor makes Redis wait between chunks. One use per instance; one event
 * loop.
 */
public final class BatchedPipeline {
    private static final int CHUNK = 1000;
    private static final int AT_ONCE = 3;

    private final Redis redis;
    private final List<Command> commands;
    private final long since;
    private final boolean stopsAtFailure;
    private final Reply[] replies;
    private final Promise<List<Reply>> done = Promise.promise();
    private int sent;
    private int answered;

    private BatchedPipeline(Redis redis, List<Command> commands, long since, boolean stopsAtFailure) {
        this.redis = redis;
        this.commands = commands;
        this.since = since;
        this.stopsAtFailure = stopsAtFailure;
        this.replies = new Reply[commands.size()];
    }

    /**
     * All replies, in the order of the commands; fails with the first error reply and sends no further chunks then. The
     * other commands may have been executed: for reads, and for writes that go on only together.
     */
    public static Future<List<Reply>> send(Redis redis, List<Command> commands) {
        return send(redis, commands, Redis.NOW);
    }

    /** The same for what may have been true at any instant since a moment: see {@link Redis#pipeline(List, long)}. */
    public static Future<List<Reply>> send(Redis redis, List<Command> commands, long since) {
        return isOneChunk(commands)
                ? redis.pipeline(commands, since)
                        .compose(replies -> check(replies).map(replies))
                : new BatchedPipeline(redis, commands, since, true).start();
    }

    /**
     * All replies, in the order of the commands, errors as {@link Reply.Failure}. Every command is sent, whatever has
     * become of others: for writes that have nothing to do with each other.
     */
    public static Future<List<Reply>> sendEach(Redis redis, List<Command> commands) {
        return isOneChunk(commands)
                ? redis.pipeline(commands)
                : new BatchedPipeline(redis, commands, Redis.NOW, false).start();
    }

    /** As nearly all are: a page of a timeline sends four. */
    private static boolean isOneChunk(List<Command> commands) {
        return !commands.isEmpty() && commands.size() <= CHUNK;
    }

    /** Fails with the first error among the replies, if there is one. */
    @SafeVarargs
    public static Future<Void> check(List<Reply>... replies) {
        for (List<Reply> batch : replies) {
            for (Reply reply : batch) {
                if (reply instanceof Reply.Failure failure) {
                    return Future.failedFuture(failure.error());
                }
            }
        }
        return Future.succeededFuture();
    }

    private Future<List<Reply>> start() {
        if (commands.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        for (int i = 0; i < AT_ONCE; i++) {
            sendChunk();
        }
        return done.future();
    }

    private void sendChunk() {
        int from = sent;
        int to = Math.min(from + CHUNK, commands.size());
        if (from == to || done.future().isComplete()) {
            return;
        }
        sent = to;
        redis.pipeline(commands.subList(from, to), since).onComplete(chunk -> take(from, chunk), done::tryFail);
    }

    private void take(int from, List<Reply> chunk) {
        for (int i = 0; i < chunk.size(); i++) {
            if (stopsAtFailure && chunk.get(i) instanceof Reply.Failure failure) {
                done.tryFail(failure.error());
                return;
            }
            replies[from + i] = chunk.get(i);
        }
        answered += chunk.size();
        if (answered == replies.length) {
            done.tryComplete(Arrays.asList(replies));
        } else {
            sendChunk();
        }
    }
}
