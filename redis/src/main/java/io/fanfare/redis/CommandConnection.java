package io.fanfare.redis;

import io.fanfare.redis.RedisError.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * A connection and the commands that wait for their answers on it, in order. When the oldest has waited for longer than
 * its time-out, the server is taken for dead: the connection is closed, and everything that waits is LOST. Confined to
 * the loop.
 */
final class CommandConnection {
    /** Receives the events of this connection. */
    interface Owner {
        void answered(CommandConnection from, PendingCommand pending, Reply reply);

        /** The connection is gone; its waiting commands are answered LOST after this. */
        void ended(CommandConnection gone, String cause);
    }

    /**
     * A loop that was held up itself (garbage collection, a sleeping laptop) must read what has come before it says
     * that nothing came.
     */
    private static final long SECOND_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Under load, one answer in this many is timed: reading the clock costs as much as decoding a short one. */
    private static final int TIMED_EVERY = 16;

    private static final Command ASKING = Command.routed("ASKING", null);
    private static final Command CACHING = Command.routed("CLIENT", null, "CACHING", "YES");
    private static final Command PING = Command.routed("PING", null);
    private static final PendingCommand.Waiter NOBODY = (index, reply) -> {};

    private final Connector connector;
    private final RespConnection connection;
    private final Owner owner;
    private final Deque<PendingCommand> waiting = new ArrayDeque<>();
    private final ClientSideCache cache;
    private boolean tracks;
    private long provenNumber;
    private boolean watching;
    private PendingCommand overdue;
    private boolean everAnswered;
    private boolean demoted;

    CommandConnection(Connector connector, RespConnection connection, Owner owner) {
        this.connector = connector;
        this.cache = new ClientSideCache(connector.namespace());
        this.connection = connection;
        this.owner = owner;
        this.tracks = connection.tracks();
        connection.listen(this::answered, this::ended);
        connection.listenToPushes(cache::pushed);
    }

    /** Sends it, or fails it as SATURATED. */
    void send(PendingCommand pending) {
        if (waiting.size() >= connector.inFlightMax()) {
            pending.fail(
                    Kind.SATURATED,
                    connector.inFlightMax() + " commands are waiting for Redis already (redis.in-flight-max)");
            return;
        }
        long now = connector.nanos();
        PendingCommand oldest = waiting.peek();
        if (oldest != null && !oldest.blocking) {
            connector.took(now - oldest.sentNanos, now);
        }
        // Either is sent back to back with it, else another command could take what it permits.
        if (pending.asking) {
            pending.asking = false;
            push(new PendingCommand(ASKING, NOBODY, 0, now, pending.timeoutNanos, false), now);
        } else if (pending.keeps && tracks) {
            push(new PendingCommand(CACHING, this::permitted, 0, now, pending.timeoutNanos, false), now);
        } else if (pending.command.name().equals("WAIT")) {
            // WAIT is about what the server had executed at the end of the last command of the same connection.
            push(new PendingCommand(PING, NOBODY, 0, now, pending.timeoutNanos, true), now);
        }
        push(pending, now);
        if (!watching) {
            watch(pending.timeoutNanos);
        }
    }

    private void push(PendingCommand pending, long now) {
        if (connection.hasEnded()) {
            // Perhaps within the write of what goes before it.
            pending.fail(Kind.UNAVAILABLE, "Redis is away: the connection has just ended");
            return;
        }
        pending.sentNanos = now;
        pending.number = connector.nextNumber();
        // Before it is written: a write may find the connection ended, and then whatever waits is answered.
        waiting.add(pending);
        connection.write(pending.command);
    }

    boolean hasEnded() {
        return connection.hasEnded();
    }

    /** Whether nothing waits for an answer. */
    boolean isIdle() {
        return waiting.isEmpty();
    }

    /** The server at its other end. */
    NodeAddress.Address server() {
        return connection.server();
    }

    /** Whether the server has answered anything here: then it is a server in working order. */
    boolean everAnswered() {
        return everAnswered;
    }

    /** Whether it was closed because the server takes no writes any more. */
    boolean isDemoted() {
        return demoted;
    }

    private void answered(Reply reply) {
        everAnswered = true;
        PendingCommand pending = waiting.poll();
        if (pending == null) {
            connection.close(LinkMetrics.Loss.PROTOCOL, "an answer to nothing");
            return;
        }
        if (!pending.blocking && (waiting.isEmpty() || pending.number % TIMED_EVERY == 0)) {
            long now = connector.nanos();
            connector.answeredAfter(now - pending.sentNanos, now);
        }
        if (!reply.isFailure()) {
            took(pending, reply);
        }
        if (reply instanceof Reply.Failure failure && failure.error().isOfReplica() && connector.hasOneMaster()) {
            // It was the master; where a name or a proxy leads, a new connection finds the next one. The close comes
            // first, since the caller may send another command at once.
            demoted = true;
            connection.close(LinkMetrics.Loss.REPLICA, "the server has become a replica");
        }
        owner.answered(this, pending, reply);
    }

    /**
     * Caches the reply before anybody else receives it, since the next message may be the notice that it is outdated.
     */
    private void took(PendingCommand pending, Reply reply) {
        if (pending.command.key() != null) {
            // A server that has lost its keys to another still answers what has none.
            provenNumber = pending.number;
        }
        if (pending.keeps && tracks) {
            cache.put(pending.command.key(), reply);
        }
    }

    /** Rights that have been taken away meanwhile: what follows would not be tracked. */
    private void permitted(int index, Reply reply) {
        if (reply.isFailure()) {
            tracks = false;
            cache.clear();
        }
    }

    /** The cached reply to a read of the key, as of the last reply received; null = none. */
    Reply kept(String key) {
        return cache.get(key);
    }

    /** Whether a command sent after {@code moment} has its reply: then the cached replies were true after it. */
    boolean isProvenSince(long moment) {
        return provenNumber > moment;
    }

    /** Drops the cached replies: keys have left this server, and its notices about them no longer count. */
    void forget() {
        cache.clear();
    }

    private void watch(long delayNanos) {
        watching = true;
        long unused = connector.after(delayNanos, this::look);
    }

    private void look() {
        watching = false;
        PendingCommand oldest = waiting.peek();
        if (oldest == null || connection.hasEnded()) {
            overdue = null;
            return;
        }
        long leftNanos = oldest.sentNanos + oldest.timeoutNanos - connector.nanos();
        if (leftNanos > 0) {
            watch(leftNanos);
        } else if (overdue != oldest) {
            overdue = oldest;
            watch(SECOND_LOOK_NANOS);
        } else {
            connection.close(
                    LinkMetrics.Loss.TIMEOUT,
                    "no answer to " + oldest.command.name() + " within "
                            + TimeUnit.NANOSECONDS.toMillis(oldest.timeoutNanos) + " ms");
        }
    }

    private void ended(String cause) {
        owner.ended(this, cause);
        for (PendingCommand pending = waiting.poll(); pending != null; pending = waiting.poll()) {
            pending.fail(Kind.LOST, "the connection to Redis ended before the answer came: " + cause);
        }
    }

    void close(String cause) {
        connection.close(cause);
    }

    void close(LinkMetrics.Loss why, String cause) {
        connection.close(why, cause);
    }

    /** Why it has ended, once it has. */
    LinkMetrics.Loss loss() {
        return connection.loss();
    }
}
