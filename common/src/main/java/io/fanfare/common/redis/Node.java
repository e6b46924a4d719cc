package io.fanfare.common.redis;

import io.fanfare.common.redis.RedisError.Kind;
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
 * One Redis server: keeps a connection to it, restores a lost one with back-off, and fails commands fast while it is away. Only at the first connect and right after a loss
 * commands wait for a moment, since most losses are mended at once. Blocking commands get connections of their own. Confined to the loop.
 */
final class Node implements Pipe.Owner {
    private static final Logger log = LoggerFactory.getLogger(Node.class);

    /** How long commands wait for the first attempt to connect. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Connections for blocking commands, busy and idle. */
    private static final int BLOCKING_MAX = 64;

    /** What the link is told. */
    interface Owner {
        void answered(Node node, Flight flight, Reply reply);

        /** The connection to it was lost, or it could not be reached. */
        void away(Node node);
    }

    private final Dialer dialer;
    private final Endpoint.Address address;
    private final Owner owner;
    private final Deque<Flight> held = new ArrayDeque<>();
    private final Deque<Pipe> blockingIdle = new ArrayDeque<>();
    private final Set<Pipe> blocking = new HashSet<>();
    private int blockingDialled;
    private Pipe pipe;
    private boolean graceful;
    private Future<Void> attempt = Future.succeededFuture();
    private int failures;
    private boolean everUp;
    private boolean lost;
    private long lostNanos;
    private boolean closed;

    private final Pipe.Owner blockingOwner = new Pipe.Owner() {
        @Override
        public void answered(Pipe from, Flight flight, Reply reply) {
            blockingIdle.push(from);
            owner.answered(Node.this, flight, reply);
        }

        @Override
        public void ended(Pipe gone, String cause) {
            blocking.remove(gone);
            blockingIdle.remove(gone);
        }
    };

    Node(Dialer dialer, Endpoint.Address address, Owner owner) {
        this.dialer = dialer;
        this.address = address;
        this.owner = owner;
    }

    /** Begins to connect; the future tells how the first attempt ended, after which attempts go on. */
    Future<Void> start() {
        graceful = true;
        long unused = dialer.after(GRACE_NANOS, this::endGrace);
        attempt = connect();
        return attempt;
    }

    /** What {@link #start} answered last. */
    Future<Void> attempt() {
        return attempt;
    }

    Endpoint.Address address() {
        return address;
    }

    boolean isUp() {
        return pipe != null;
    }

    /** What is kept of a key, as it was at the last reply; null = nothing. */
    Reply kept(String key) {
        return pipe == null ? null : pipe.kept(key);
    }

    /** Whether what is kept was true after {@code moment}: see {@link RedisLink#moment}. */
    boolean isProvenSince(long moment) {
        return pipe != null && pipe.isProvenSince(moment);
    }

    /** Keys have left this server. */
    void forget() {
        if (pipe != null) {
            pipe.forget();
        }
    }

    /** Sends it now or after the grace, or fails it as UNAVAILABLE or SATURATED. */
    void send(Flight flight) {
        if (flight.blocking) {
            sendBlocking(flight);
        } else if (pipe != null) {
            pipe.send(flight);
        } else if (!graceful) {
            unavailable(flight);
        } else if (held.size() < dialer.inFlightMax()) {
            held.add(flight);
        } else {
            flight.fail(Kind.SATURATED, "too many commands wait for the connection to " + address);
        }
    }

    private void unavailable(Flight flight) {
        flight.fail(Kind.UNAVAILABLE, "Redis is away: " + address);
    }

    private Future<Void> connect() {
        return dialer.dialShared(address)
                .onComplete(this::connected, this::refused)
                .mapEmpty();
    }

    private void connected(RespConnection connection) {
        if (closed) {
            connection.close("the link is closed");
            return;
        }
        Pipe fresh = new Pipe(dialer, connection, this);
        if (fresh.hasEnded()) {
            refused(new RedisError(Kind.UNAVAILABLE, "the connection ended at once"));
            return;
        }
        pipe = fresh;
        everUp = true;
        if (lost) {
            lost = false;
            log.info(
                    "redis back node={} downMillis={}",
                    address,
                    TimeUnit.NANOSECONDS.toMillis(dialer.nanos() - lostNanos));
        }
        releaseHeld();
    }

    private void releaseHeld() {
        graceful = false;
        for (Flight flight = held.poll(); flight != null; flight = held.poll()) {
            send(flight);
        }
    }

    private void endGrace() {
        if (pipe == null) {
            releaseHeld();
        }
    }

    private void refused(Throwable cause) {
        failures++;
        if (closed) {
            return;
        }
        if (everUp || failures > 1) { // Of the very first attempt the opener of the link hears.
            nowLost(cause.getMessage());
        }
        releaseHeld();
        owner.away(this);
        reconnectLater();
    }

    private void reconnectLater() {
        long unused = dialer.after(dialer.backOffNanos(failures), () -> {
            if (!closed && pipe == null) {
                connect()
                        .onFailure(
                                cause -> log.debug("redis still away node={} cause={}", address, cause.getMessage()));
            }
        });
    }

    private void nowLost(String cause) {
        if (!lost) {
            lost = true;
            lostNanos = dialer.nanos();
            log.warn("redis lost node={} cause={}", address, cause);
        }
    }

    @Override
    public void answered(Pipe from, Flight flight, Reply reply) {
        owner.answered(this, flight, reply);
    }

    /** The main connection is gone: a server that had answered is called again at once, one that only takes connections to drop them after a while. */
    @Override
    public void ended(Pipe gone, String cause) {
        pipe = null;
        if (closed) {
            return;
        }
        nowLost(cause);
        owner.away(this);
        failures = gone.everAnswered() ? 1 : failures + 1;
        if (failures == 1) {
            start().onFailure(again -> log.debug("redis still away node={} cause={}", address, again.getMessage()));
        } else {
            reconnectLater();
        }
    }

    /** Sends a blocking command on a connection that nothing else uses meanwhile. */
    private void sendBlocking(Flight flight) {
        Pipe idle = blockingIdle.poll();
        if (idle != null) {
            idle.send(flight);
        } else if (closed || blocking.size() + blockingDialled >= BLOCKING_MAX) {
            flight.fail(
                    closed ? Kind.UNAVAILABLE : Kind.SATURATED,
                    BLOCKING_MAX + " blocking commands are waiting at " + address + " already");
        } else {
            blockingDialled++;
            dialer.dial(address).onComplete(connection -> sendAlone(connection, flight), cause -> {
                blockingDialled--;
                unavailable(flight);
            });
        }
    }

    private void sendAlone(RespConnection connection, Flight flight) {
        blockingDialled--;
        if (closed) {
            connection.close("the link is closed");
            unavailable(flight);
            return;
        }
        Pipe fresh = new Pipe(dialer, connection, blockingOwner);
        blocking.add(fresh);
        fresh.send(flight);
    }

    /** No further commands; what waits is LOST, attempts to connect stop. */
    void close(String cause) {
        closed = true;
        releaseHeld();
        if (pipe != null) {
            pipe.close(cause);
        }
        List.copyOf(blocking).forEach(each -> each.close(cause));
    }
}
