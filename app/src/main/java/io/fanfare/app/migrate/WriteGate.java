package io.fanfare.app.migrate;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Moves;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Closes the masters of the source for writes and opens them again: {@code min-replicas-to-write} with more replicas
 * than anybody has. A server refuses every write from then on, of each user and each script before its first change,
 * and serves reads. For one thread.
 */
final class WriteGate {
    /** As the gate for a full disk has it. */
    static final String REPLICAS_NOBODY_HAS = "1000000";

    private static final String REPLICAS = "min-replicas-to-write";

    /** With 0 seconds, servers do not count their replicas. */
    private static final String LAG = "min-replicas-max-lag";

    private static final String USUAL_LAG = "10";

    /** Changes nothing, and is refused where writes are. */
    private static final Command WRITE = Command.of("HDEL", Keys.META, "probe");

    private final EventLoop loop;
    private final RedisLink source;

    WriteGate(EventLoop loop, RedisLink source) {
        this.loop = loop;
        this.source = source;
    }

    /** {@code min-replicas-to-write} of the masters: the largest, since those of one site have the same. */
    int replicas() {
        int most = 0;
        for (String node : nodes()) {
            most = Math.max(most, Integer.parseInt(setting(node, REPLICAS)));
        }
        return most;
    }

    /** Whether a master has the setting of a closed gate. */
    boolean isClosed() {
        return nodes().stream().anyMatch(node -> setting(node, REPLICAS).equals(REPLICAS_NOBODY_HAS));
    }

    /** Fails with a sentence when the source takes no writes, or the gate cannot be closed later. */
    void requireOpen() {
        try {
            loop.run(() -> source.send(WRITE));
            // Changes nothing.
            open(replicas());
        } catch (EventLoop.StepFailed e) {
            if (e.getCause() instanceof RedisError error && error.isOfRights()) {
                throw error;
            }
            throw new StartFailed("the source takes no writes: " + e.getMessage()
                    + ". Mend that first (docs/operate/disk.md for a full disk), and run the command again");
        }
    }

    /** Closes all masters. When it returns, no write is executed any more. */
    void close() {
        for (String node : nodes()) {
            if (setting(node, LAG).equals("0")) {
                set(node, LAG, USUAL_LAG);
            }
        }
        loop.run(() -> Future.all(source.nodes().stream()
                .map(node -> source.sendTo(node, set(REPLICAS, REPLICAS_NOBODY_HAS)))
                .toList()));
        Reply answer = loop.await(() -> source.send(WRITE).otherwise(WriteGate::refused));
        if (!answer.isFailure()) {
            throw new StartFailed("the source still takes writes although " + REPLICAS
                    + " is set: this server cannot be closed for writes, stop the site and move its files instead");
        }
    }

    private static Reply refused(Throwable cause) {
        if (cause instanceof RedisError error && error.kind() == RedisError.Kind.READ_ONLY) {
            return new Reply.Failure(error);
        }
        throw cause instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(cause);
    }

    /** Opens all masters. */
    void open(int replicas) {
        loop.run(() -> Future.all(source.nodes().stream()
                .map(node -> source.sendTo(node, set(REPLICAS, Integer.toString(replicas))))
                .toList()));
    }

    /**
     * Writes a mark into the closed source. The three commands are one message to the server, which it executes without
     * another client's in between unless the network cuts the message; then a write may slip in, and is reported as any
     * change. Fails when an answer is lost: then the mark may be there or not, and the source may be open.
     */
    void markClosed(Moves.Mark mark) {
        loop.run(() -> {
            String node = source.nodeOf(Keys.META);
            List<Future<Reply>> sent = new ArrayList<>();
            sent.add(source.sendTo(node, set(REPLICAS, "0")));
            sent.add(source.sendTo(node, Command.of("HSET", Keys.META, Moves.MOVED, mark.text())));
            sent.add(source.sendTo(node, set(REPLICAS, REPLICAS_NOBODY_HAS)));
            return Future.join(sent);
        });
    }

    private List<String> nodes() {
        return loop.call(source::nodes);
    }

    private String setting(String node, String name) {
        List<Reply> pair = loop.await(() -> source.sendTo(node, Command.routed("CONFIG", null, "GET", name)))
                .items();
        if (pair.size() < 2) {
            throw new StartFailed("the source at " + node + " does not know the setting " + name
                    + ": it cannot be closed for writes; stop the site and move its files instead");
        }
        return pair.get(1).asString();
    }

    private void set(String node, String name, String value) {
        loop.run(() -> source.sendTo(node, set(name, value)));
    }

    private static Command set(String name, String value) {
        return Command.routed("CONFIG", null, "SET", name, value);
    }
}
