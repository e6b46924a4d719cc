package io.fanfare.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Keeps channels subscribed on a connection of their own: connect, SSUBSCRIBE and SUBSCRIBE, wait for the confirmation,
 * watch; when the connection ends or falls silent, or the slot has moved to another node, again. Redis answers PING on
 * a subscribed connection, which distinguishes a silent channel from a dead line; where messages come, none is sent.
 * Confined to the loop.
 */
final class ChannelSubscription {
    /** Turns per command time-out. A silent one sends a PING; two more without an answer end the connection. */
    private static final int TURNS = 3;

    private static final byte[] MESSAGE = "message".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SHARDED = "smessage".getBytes(StandardCharsets.US_ASCII);
    private static final Set<String> CONFIRMATIONS = Set.of("subscribe", "ssubscribe");
    private static final Command PING = Command.routed("PING", null);

    private final Connector connector;
    private final Supplier<NodeAddress.Address> where;
    private final Runnable unreachable;
    private final RedisLink.Channels channels;
    private final RedisLink.Listener listener;
    private RespConnection connection;
    private int confirmations;
    private boolean confirmed;
    private boolean proven;
    private boolean received;
    private boolean pinged;
    private int silentPings;
    private int failures;
    private LinkMetrics.Outage outageOrNull;
    private boolean closed;

    /** Calls {@code where} before each attempt, {@code unreachable} after each failed one. */
    ChannelSubscription(
            Connector connector,
            Supplier<NodeAddress.Address> where,
            Runnable unreachable,
            RedisLink.Channels channels,
            RedisLink.Listener listener) {
        this.connector = connector;
        this.where = where;
        this.unreachable = unreachable;
        this.channels = channels;
        this.listener = listener;
    }

    void start() {
        if (!closed) {
            connector.dial(where.get()).onComplete(this::connected, cause -> again());
        }
    }

    private void connected(RespConnection fresh) {
        if (closed) {
            fresh.close("the subscription is closed");
            return;
        }
        if (fresh.hasEnded()) {
            again();
            return;
        }
        connection = fresh;
        received = true;
        proven = false;
        confirmations = 0;
        silentPings = 0;
        pinged = false;
        fresh.listen(this::received, cause -> ended(fresh.loss()));
        if (!channels.sharded().isEmpty()) {
            fresh.write(Command.routed("SSUBSCRIBE", null, channels.sharded().toArray()));
        }
        if (!channels.copied().isEmpty()) {
            fresh.write(Command.routed("SUBSCRIBE", null, channels.copied().toArray()));
        }
        watch(fresh);
    }

    private void watch(RespConnection watched) {
        long unused = connector.after(connector.commandTimeoutNanos() / TURNS, () -> {
            if (watched != connection) {
                return;
            }
            boolean silent = !received;
            silentPings = silent && pinged ? silentPings + 1 : 0;
            received = false;
            // One silent turn may be our own loop, held up and with answers still to be read.
            if (silentPings >= 2) {
                watched.close(LinkMetrics.Loss.TIMEOUT, "no answer to PING");
                return;
            }
            // A message proves that the line is alive, as an answer to PING does.
            pinged = silent;
            if (silent) {
                watched.write(PING);
            }
            watch(watched);
        });
    }

    /**
     * {@code [message, channel, payload]}, {@code [subscribe, channel, count]}, the same with an s before them for
     * sharded channels, {@code [sunsubscribe, channel, count]} or {@code [pong, ""]}.
     */
    private void received(Reply reply) {
        received = true;
        if (!(reply instanceof Reply.Items array) || array.list().size() < 2) {
            // An error: this user may not subscribe, the server is still loading, or the slot lies elsewhere.
            connection.close(LinkMetrics.Loss.REFUSED, "the subscription was refused");
            return;
        }
        List<Reply> parts = array.list();
        if (parts.get(0) instanceof Reply.Bulk kind
                && (Arrays.equals(kind.bytes(), SHARDED) || Arrays.equals(kind.bytes(), MESSAGE))) {
            connector
                    .namespace()
                    .without(parts.get(1).asString())
                    .ifPresent(channel -> listener.message(channel, parts.get(2).asString()));
        } else if (CONFIRMATIONS.contains(parts.get(0).asString())) {
            // One answer for each channel.
            confirmations++;
            if (confirmations == channels.sharded().size() + channels.copied().size()) {
                confirmed = true;
                if (outageOrNull != null) {
                    outageOrNull.restored();
                    outageOrNull = null;
                }
                listener.subscribed();
            }
        } else if ("sunsubscribe".equals(parts.get(0).asString())) {
            // The node has given the slot away, and ends the subscription of each channel with a message.
            unreachable.run();
            connection.close(LinkMetrics.Loss.MOVED, "the slot of the channels has moved");
        } else {
            // A PONG. Not before: a server that takes subscriptions to drop them at once must not be called again at
            // once.
            proven = true;
            failures = 0;
        }
    }

    private void ended(LinkMetrics.Loss why) {
        connection = null;
        boolean wasConfirmed = confirmed;
        confirmed = false;
        if (closed) {
            return;
        }
        nowLost(why);
        if (wasConfirmed) {
            listener.lost();
        }
        if (proven) {
            start();
        } else {
            again();
        }
    }

    private void nowLost(LinkMetrics.Loss why) {
        if (outageOrNull == null) {
            outageOrNull = connector.metrics().lost(why);
        }
    }

    private void again() {
        failures++;
        if (!closed) {
            nowLost(LinkMetrics.Loss.UNREACHABLE);
            unreachable.run();
            long unused = connector.after(connector.backOffNanos(failures), this::start);
        }
    }

    void close() {
        closed = true;
        if (outageOrNull != null) {
            outageOrNull.givenUp();
            outageOrNull = null;
        }
        if (connection != null) {
            connection.close("the subscription is closed");
        }
    }

    /** Gives the connection up for a new one, perhaps to another node. */
    void renew(String cause) {
        if (connection != null) {
            unreachable.run();
            connection.close(LinkMetrics.Loss.SILENT, cause);
        }
    }
}
