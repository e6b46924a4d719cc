package io.fanfare.common.store;

import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Arrays;
import java.util.List;

/**
 * Sends any number of commands in chunks of at most {@value #CHUNK}, at most {@value #AT_ONCE} chunks on the way, so that a long list neither fills the link's window nor makes
 * Redis wait between chunks. One use per instance; one event loop.
 */
final class Pipeline {
    private static final int CHUNK = 1000;
    private static final int AT_ONCE = 3;

    private final Redis redis;
    private final List<Command> commands;
    private final Reply[] replies;
    private final Promise<List<Reply>> done = Promise.promise();
    private int sent;
    private int answered;

    private Pipeline(Redis redis, List<Command> commands) {
        this.redis = redis;
        this.commands = commands;
        this.replies = new Reply[commands.size()];
    }

    /** All replies, in the order of the commands; fails with the first error reply. The other commands may have been executed: send only what may be sent again. */
    static Future<List<Reply>> send(Redis redis, List<Command> commands) {
        if (commands.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        Pipeline pipeline = new Pipeline(redis, commands);
        for (int i = 0; i < AT_ONCE; i++) {
            pipeline.sendChunk();
        }
        return pipeline.done.future();
    }

    private void sendChunk() {
        int from = sent;
        int to = Math.min(from + CHUNK, commands.size());
        if (from == to || done.future().isComplete()) {
            return;
        }
        sent = to;
        redis.pipeline(commands.subList(from, to)).onComplete(chunk -> take(from, chunk), done::tryFail);
    }

    private void take(int from, List<Reply> chunk) {
        for (int i = 0; i < chunk.size(); i++) {
            if (chunk.get(i) instanceof Reply.Failure failure) {
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
