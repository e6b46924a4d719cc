package io.fanfare.redis;

import io.fanfare.redis.RedisError.Kind;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Redis server: keeps a connection to it, restores a lost one with back-off, and fails commands fast while it is
 * away. Only at the first connect and right after a loss commands wait for a moment, since most losses are mended at
 * once. Blocking commands get connections of their own. Confined to the loop.
 */
final class Node implements CommandConnection.Owner {
    private static final Logger log = LoggerFactory.getLogger(Node.class);

    /** How long commands wait for the first attempt to connect. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Connections for blocking commands, busy and idle. */
    private static final int BLOCKING_MAX = 64;

    /** Receives the events of this node. */
    interface Owner {
        void answered(Node node, PendingCommand pending, Reply reply);

        /** The connection to it was lost, or it could not be reached. */
        void away(Node node);
    }

    private final Connector connector;
    private final NodeAddress.Address address;
    private final Owner owner;
    private final Deque<PendingCommand> held = new ArrayDeque<>();
    private final Deque<CommandConnection> blockingIdle = new ArrayDeque<>();
    private final Set<CommandConnection> blocking = new HashSet<>();
    private int blockingDialled;
    private CommandConnection commandConnection;
    private boolean graceful;
    private Future<Void> attempt = Future.succeededFuture();
    private int failures;
    private boolean everUp;
    private LinkMetrics.Outage outageOrNull;
    private long lostNanos;
    private boolean closed;

    private final CommandConnection.Owner blockingOwner = new CommandConnection.Owner() {
        @Override
        public void answered(CommandConnection from, PendingCommand pending, Reply reply) {
            if (!from.hasEnded() && from.isIdle()) { // Else this was what goes before a command.
                blockingIdle.push(from);
            }
            owner.answered(Node.this, pending, reply);
        }

        @Override
        public void ended(CommandConnection gone, String cause) {
            blocking.remove(gone);
            blockingIdle.remove(gone);
        }
    };

    Node(Connector connector, NodeAddress.Address address, Owner owner) {
        this.connector = connector;
        this.address = address;
        this.owner = owner;
    }

    /** Begins to connect; the future has the result of the first attempt, after which attempts go on. */
    Future<Void> start() {
        graceful = true;
        long unused = connector.after(GRACE_NANOS, this::endGrace);
        attempt = connect();
        return attempt;
    }

    /** The last result of {@link #start}. */
    Future<Void> attempt() {
        return attempt;
    }

    NodeAddress.Address address() {
        return address;
    }

    /** The server that the commands go to, which sentinels may change; null = it is away. */
    NodeAddress.Address server() {
        return commandConnection == null ? null : commandConnection.server();
    }

    /** Gives up its connections for new ones; what waits on them is LOST. */
    void renew(LinkMetrics.Loss why, String cause) {
        List.copyOf(blocking).forEach(each -> each.close(cause));
        if (commandConnection != null) {
            commandConnection.close(why, cause);
        }
    }

    boolean isUp() {
        return commandConnection != null;
    }

    /** The cached reply to a read of the key, as of the last reply received; null = none. */
    Reply kept(String key) {
        return commandConnection == null ? null : commandConnection.kept(key);
    }

    /** Whether what is kept was true after {@code moment}: see {@link RedisLink#moment}. */
    boolean isProvenSince(long moment) {
        return commandConnection != null && commandConnection.isProvenSince(moment);
    }

    /** Keys have left this server. */
    void forget() {
        if (commandConnection != null) {
            commandConnection.forget();
        }
    }

    /** Sends it now or after the grace, or fails it as UNAVAILABLE or SATURATED. */
    void send(PendingCommand pending) {
        if (pending.blocking) {
            sendBlocking(pending);
        } else if (commandConnection != null) {
            commandConnection.send(pending);
        } else if (!graceful) {
            unavailable(pending);
        } else if (held.size() < connector.inFlightMax()) {
            held.add(pending);
        } else {
            pending.fail(Kind.SATURATED, "too many commands wait for the connection to " + address);
        }
    }

    private void unavailable(PendingCommand pending) {
        pending.fail(Kind.UNAVAILABLE, "Redis is away: " + address);
    }

    private Future<Void> connect() {
        return connector
                .dialShared(address)
                .onComplete(this::connected, this::refused)
                .mapEmpty();
    }

    private void connected(RespConnection connection) {
        if (closed) {
            connection.close("the link is closed");
            return;
        }
        CommandConnection fresh = new CommandConnection(connector, connection, this);
        if (fresh.hasEnded()) {
            refused(new RedisError(Kind.UNAVAILABLE, "the connection ended at once"));
            return;
        }
        commandConnection = fresh;
        if (everUp || outageOrNull != null) {
            connector.rights().reconnected();
        }
        everUp = true;
        if (outageOrNull != null) {
            outageOrNull.restored();
            outageOrNull = null;
            log.info(
                    "redis back node={} downMillis={}",
                    address,
                    TimeUnit.NANOSECONDS.toMillis(connector.nanos() - lostNanos));
        }
        releaseHeld();
    }

    private void releaseHeld() {
        graceful = false;
        for (PendingCommand pending = held.poll(); pending != null; pending = held.poll()) {
            send(pending);
        }
    }

    private void endGrace() {
        if (commandConnection == null) {
            releaseHeld();
        }
    }

    private void refused(Throwable cause) {
        failures++;
        if (closed) {
            return;
        }
        if (everUp || failures > 1) { // The opener of the link gets the result of the very first attempt.
            nowLost(LinkMetrics.Loss.UNREACHABLE, cause.getMessage());
        }
        releaseHeld();
        owner.away(this);
        reconnectLater();
    }

    private void reconnectLater() {
        long unused = connector.after(connector.backOffNanos(failures), () -> {
            if (!closed && commandConnection == null) {
                connect()
                        .onFailure(
                                cause -> log.debug("redis still away node={} cause={}", address, cause.getMessage()));
            }
        });
    }

    private void nowLost(LinkMetrics.Loss why, String cause) {
        if (outageOrNull == null) {
            outageOrNull = connector.metrics().lost(why);
            lostNanos = connector.nanos();
            log.warn("redis lost node={} cause={}", address, cause);
        }
    }

    @Override
    public void answered(CommandConnection from, PendingCommand pending, Reply reply) {
        owner.answered(this, pending, reply);
    }

    /**
     * The main connection is gone: a server that had answered is called again at once, one that only takes connections
     * to drop them after a while.
     */
    @Override
    public void ended(CommandConnection gone, String cause) {
        commandConnection = null;
        if (closed) {
            return;
        }
        nowLost(gone.loss(), cause);
        owner.away(this);
        failures = gone.everAnswered() && !gone.isDemoted() ? 1 : failures + 1;
        if (failures == 1) {
            start().onFailure(again -> log.debug("redis still away node={} cause={}", address, again.getMessage()));
        } else {
            reconnectLater();
        }
    }

    /** Sends a blocking command on a connection that nothing else uses meanwhile. */
    private void sendBlocking(PendingCommand pending) {
        CommandConnection idle = blockingIdle.poll();
        if (idle != null) {
            idle.send(pending);
        } else if (closed || blocking.size() + blockingDialled >= BLOCKING_MAX) {
            pending.fail(
                    closed ? Kind.UNAVAILABLE : Kind.SATURATED,
                    BLOCKING_MAX + " blocking commands are waiting at " + address + " already");
        } else {
            blockingDialled++;
            connector.dial(address).onComplete(connection -> sendAlone(connection, pending), cause -> {
                blockingDialled--;
                unavailable(pending);
            });
        }
    }

    private void sendAlone(RespConnection connection, PendingCommand pending) {
        blockingDialled--;
        if (closed) {
            connection.close("the link is closed");
            unavailable(pending);
            return;
        }
        CommandConnection fresh = new CommandConnection(connector, connection, blockingOwner);
        blocking.add(fresh);
        fresh.send(pending);
    }

    /** No further commands; what waits is LOST, attempts to connect stop. */
    void close(String cause) {
        closed = true;
        if (outageOrNull != null) {
            outageOrNull.givenUp();
            outageOrNull = null;
        }
        releaseHeld();
        if (commandConnection != null) {
            commandConnection.close(cause);
        }
        List.copyOf(blocking).forEach(each -> each.close(cause));
    }
}
