package io.fanfare.redis;

import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Commands that were given to a link together, and their replies as they come. Of tracked reads that are kept
 * ({@link ClientSideCache}) none is sent when their server has answered anything of late enough, else one, whose reply
 * proves the others. Confined to the loop.
 */
final class Pipeline implements PendingCommand.Waiter {
    private final RedisLink link;
    private final Promise<List<Reply>> promise;
    private final List<Command> commands;
    private final Reply[] replies;
    private final Map<Node, List<Integer>> unproven = new HashMap<>();
    private long since;
    private int missing;

    Pipeline(RedisLink link, Promise<List<Reply>> promise, List<Command> commands) {
        this.link = link;
        this.promise = promise;
        this.commands = commands;
        this.replies = new Reply[commands.size()];
        this.missing = commands.size();
    }

    /** @param moment what is kept must have been true after it */
    void send(long moment) {
        since = moment;
        for (int i = 0; i < replies.length; i++) {
            if (commands.get(i).isTracked()) {
                recall(i);
            } else {
                link.dispatch(link.pending(commands.get(i), this, i));
            }
        }
    }

    private void recall(int index) {
        Command command = commands.get(index);
        Node node = link.nodeOf(command);
        Reply kept = node.kept(command.key());
        if (kept == null) {
            read(index);
        } else if (node.isProvenSince(since)) {
            answered(index, kept);
        } else if (unproven.containsKey(node)) {
            unproven.get(node).add(index);
        } else {
            unproven.put(node, new ArrayList<>());
            link.dispatch(link.pending(command, (first, reply) -> proven(node, first, reply), index), node);
        }
    }

    private void read(int index) {
        PendingCommand pending = link.pending(commands.get(index), this, index);
        pending.keeps = true;
        link.dispatch(pending, null);
    }

    /**
     * The first one's answer has come, and before it every notice of what was not true any more: the others are kept
     * and proven now, or not kept.
     */
    private void proven(Node node, int first, Reply reply) {
        List<Integer> others = unproven.remove(node);
        for (int index : others) {
            if (reply.isFailure()) {
                read(index);
            } else {
                recall(index);
            }
        }
        answered(first, reply);
    }

    @Override
    public void answered(int index, Reply reply) {
        replies[index] = reply;
        if (--missing == 0) {
            promise.complete(Collections.unmodifiableList(Arrays.asList(replies)));
        }
    }
}
