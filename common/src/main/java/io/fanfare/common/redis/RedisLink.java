package io.fanfare.common.redis;

import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/**
 * The way to Redis for one event loop: standalone server or cluster, the same to callers. One connection per node, everything pipelined; MOVED, ASK and NOSCRIPT are
 * followed; a lost connection is restored with back-off while commands fail fast. Confined to the event loop (context) that opened it.
 */
public final class RedisLink implements Redis {
    /** Opens a link on the current context (or a new event-loop one) and checks that a server answers; fails with a {@link RedisError} that says what to do. */
    public static Future<RedisLink> open(Vertx vertx, Settings.Redis settings) {
        throw new UnsupportedOperationException();
    }

    /** Sends one command; the future fails with a {@link RedisError} on an error reply. */
    @Override
    public Future<Reply> send(Command command) {
        throw new UnsupportedOperationException();
    }

    /** Sends many commands, each to its node, each node's share in one write; one reply per command, in order, errors as {@link Reply.Failure}. Never fails as a whole. */
    @Override
    public Future<List<Reply>> pipeline(List<Command> commands) {
        throw new UnsupportedOperationException();
    }

    /** Sends a blocking command (BLPOP ...) on a connection of its own, which stays for the next one; {@code atMostMillis} is the command's own time-out. */
    public Future<Reply> block(Command command, long atMostMillis) {
        throw new UnsupportedOperationException();
    }

    /** What a {@link Subscription} tells, in order, on the link's event loop. */
    public interface Listener {
        /** The server has confirmed the subscription (at first, and after each reconnect): what was published in between is to be read elsewhere. */
        void subscribed();

        void message(String payload);

        /** The connection ended; a new one is on its way. */
        void lost();
    }

    /** SUBSCRIBEs to a channel on the node that owns the slot of {@code routedBy}, for as long as it is not closed. */
    public Subscription subscribe(String channel, String routedBy, Listener listener) {
        throw new UnsupportedOperationException();
    }

    /** A running subscription. */
    public interface Subscription {
        Future<Void> close();
    }

    /** The addresses of the masters, for commands that concern every node (INFO, CONFIG). */
    public List<String> nodes() {
        throw new UnsupportedOperationException();
    }

    /** Sends a command to one node of {@link #nodes()}. */
    public Future<Reply> sendTo(String node, Command command) {
        throw new UnsupportedOperationException();
    }

    public Future<Void> close() {
        throw new UnsupportedOperationException();
    }
}
