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
    private static final Command CACHING = Command.routed("CLIENT", null, "CACHING", "YES");
    private static final Flight.Waiter NOBODY = (index, reply) -> {};

    private final Dialer dialer;
    private final RespConnection connection;
    private final Owner owner;
    private final Deque<Flight> waiting = new ArrayDeque<>();
    private final KeptReplies kept = new KeptReplies();
    private boolean tracks;
    private long provenNumber;
    private boolean watching;
    private Flight overdue;
    private boolean everAnswered;

    Pipe(Dialer dialer, RespConnection connection, Owner owner) {
        this.dialer = dialer;
        this.connection = connection;
        this.owner = owner;
        this.tracks = connection.tracks();
        connection.listen(this::answered, this::ended);
        connection.listenToPushes(kept::heard);
    }

    /** Sends it, or fails it as SATURATED. */
    void send(Flight flight) {
        if (waiting.size() >= dialer.inFlightMax()) {
            flight.fail(
                    Kind.SATURATED,
                    dialer.inFlightMax() + " commands are waiting for Redis already (redis.in-flight-max)");
            return;
        }
        long now = dialer.nanos();
        // Either is sent back to back with it, else another command could take what it permits.
        if (flight.asking) {
            flight.asking = false;
            push(new Flight(ASKING, NOBODY, 0, now, flight.timeoutNanos, false), now);
        } else if (flight.keeps && tracks) {
            push(new Flight(CACHING, this::permitted, 0, now, flight.timeoutNanos, false), now);
        }
        push(flight, now);
        if (!watching) {
            watch(flight.timeoutNanos);
        }
    }

    private void push(Flight flight, long now) {
        if (connection.hasEnded()) {
            // Perhaps within the write of what goes before it.
            flight.fail(Kind.UNAVAILABLE, "Redis is away: the connection has just ended");
            return;
        }
        flight.sentNanos = now;
        flight.number = dialer.nextNumber();
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
        if (!reply.isFailure()) {
            took(flight, reply);
        }
        owner.answered(this, flight, reply);
    }

    /** Before anybody else hears of the reply, since a notice that what it tells is outdated may be the next thing to come. */
    private void took(Flight flight, Reply reply) {
        if (flight.command.key() != null) {
            // A server that has lost its keys to another still answers what has none.
            provenNumber = flight.number;
        }
        if (flight.keeps && tracks) {
            kept.put(flight.command.key(), reply);
        }
    }

    /** Rights that have been taken away meanwhile: what follows would not be tracked. */
    private void permitted(int index, Reply reply) {
        if (reply.isFailure()) {
            tracks = false;
            kept.clear();
        }
    }

    /** What is kept of a key, as it was at the last reply; null = nothing. */
    Reply kept(String key) {
        return kept.get(key);
    }

    /** Whether a reply has been heard to something that was sent after {@code moment}: then what is kept was true after it. */
    boolean isProvenSince(long moment) {
        return provenNumber > moment;
    }

    /** Keys have left this server: what it tells of them no longer counts. */
    void forget() {
        kept.clear();
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
