package io.fanfare.common.redis;

import io.fanfare.common.redis.RedisError.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * A connection and the commands that wait for their answers on it, in order. When the oldest has waited for longer than its time-out, the server is taken for dead: the
 * connection is closed, and everything that waits is LOST. Confined to the loop.
 */
final class Pipe {
    /** What the owner of a pipe is told. */
    interface Owner {
        void answered(Pipe pipe, Flight flight, Reply reply);

        /** The connection is gone; its waiting commands are answered LOST after this. */
        void ended(Pipe pipe, String cause);
    }

    /** A loop that was held up itself (garbage collection, a sleeping laptop) must read what has come before it says that nothing came. */
    private static final long SECOND_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final Command ASKING = Command.routed("ASKING", null);
    private static final Flight.Waiter NOBODY = (index, reply) -> {};

    private final Dialer dialer;
    private final RespConnection connection;
    private final Owner owner;
    private final Deque<Flight> waiting = new ArrayDeque<>();
    private boolean watching;
    private Flight overdue;
    private boolean everAnswered;

    Pipe(Dialer dialer, RespConnection connection, Owner owner) {
        this.dialer = dialer;
        this.connection = connection;
        this.owner = owner;
        connection.listen(this::answered, this::ended);
    }

    /** Sends it, or fails it as SATURATED. */
    void send(Flight flight) {
        if (waiting.size() >= dialer.inFlightMax()) {
            flight.fail(
                    Kind.SATURATED,
                    dialer.inFlightMax() + " commands are waiting for Redis already (redis.in-flight-max)");
            return;
        }
        if (connection.hasEnded()) {
            flight.fail(Kind.UNAVAILABLE, "Redis is away: the connection has just ended");
            return;
        }
        long now = dialer.nanos();
        if (flight.asking) {
            // Back to back, else another command could take the permission.
            flight.asking = false;
            push(new Flight(ASKING, NOBODY, 0, now, flight.timeoutNanos, false), now);
        }
        push(flight, now);
        if (!watching) {
            watch(flight.timeoutNanos);
        }
    }

    private void push(Flight flight, long now) {
        flight.sentNanos = now;
        // Before it is written: a write may find the connection ended, and then whatever waits is answered.
        waiting.add(flight);
        connection.write(flight.command);
    }

    boolean hasEnded() {
        return connection.hasEnded();
    }

    /** Whether the server has answered anything here: then it is a server in working order. */
    boolean everAnswered() {
        return everAnswered;
    }

    private void answered(Reply reply) {
        everAnswered = true;
        Flight flight = waiting.poll();
        if (flight == null) {
            connection.close("an answer to nothing");
            return;
        }
        owner.answered(this, flight, reply);
    }

    private void watch(long delayNanos) {
        watching = true;
        long unused = dialer.after(delayNanos, this::look);
    }

    private void look() {
        watching = false;
        Flight oldest = waiting.peek();
        if (oldest == null || connection.hasEnded()) {
            overdue = null;
            return;
        }
        long leftNanos = oldest.sentNanos + oldest.timeoutNanos - dialer.nanos();
        if (leftNanos > 0) {
            watch(leftNanos);
        } else if (overdue != oldest) {
            overdue = oldest;
            watch(SECOND_LOOK_NANOS);
        } else {
            connection.close("no answer to " + oldest.command.name() + " within "
                    + TimeUnit.NANOSECONDS.toMillis(oldest.timeoutNanos) + " ms");
        }
    }

    private void ended(String cause) {
        owner.ended(this, cause);
        for (Flight flight = waiting.poll(); flight != null; flight = waiting.poll()) {
            flight.fail(Kind.LOST, "the connection to Redis ended before the answer came: " + cause);
        }
    }

    void close(String cause) {
        connection.close(cause);
    }
}
