package io.fanfare.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Keeps channels subscribed on a connection of their own: connect, SUBSCRIBE, wait for the confirmation, watch; when
 * the connection ends or falls silent, again. Redis answers PING on a subscribed connection, which distinguishes a
 * silent channel from a dead line. Confined to the loop.
 */
final class ChannelSubscription {
    /** PINGs per command time-out; two without an answer end the connection. */
    private static final int PINGS = 3;

    private static final byte[] MESSAGE = "message".getBytes(StandardCharsets.US_ASCII);
    private static final Command PING = Command.routed("PING", null);

    private final Connector connector;
    private final Supplier<NodeAddress.Address> where;
    private final Runnable unreachable;
    private final int channels;
    private final Command subscribe;
    private final RedisLink.Listener listener;
    private RespConnection connection;
    private boolean confirmed;
    private boolean proven;
    private boolean received;
    private int silentPings;
    private int failures;
    private LinkMetrics.Outage outageOrNull;
    private boolean closed;

    /** Calls {@code where} before each attempt, {@code unreachable} after each failed one. */
    ChannelSubscription(
            Connector connector,
            Supplier<NodeAddress.Address> where,
            Runnable unreachable,
            List<String> channels,
            RedisLink.Listener listener) {
        this.connector = connector;
        this.where = where;
        this.unreachable = unreachable;
        this.channels = channels.size();
        this.subscribe = Command.routed("SUBSCRIBE", null, channels.toArray());
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
        silentPings = 0;
        fresh.listen(this::received, cause -> ended(fresh.loss()));
        fresh.write(subscribe);
        watch(fresh);
    }

    private void watch(RespConnection watched) {
        long unused = connector.after(connector.commandTimeoutNanos() / PINGS, () -> {
            if (watched != connection) {
                return;
            }
            silentPings = received ? 0 : silentPings + 1;
            received = false;
            // One silent turn may be our own loop, held up and with answers still to be read.
            if (silentPings >= 2) {
                watched.close(LinkMetrics.Loss.TIMEOUT, "no answer to PING");
                return;
            }
            watched.write(PING);
            watch(watched);
        });
    }

    /** {@code [message, channel, payload]}, {@code [subscribe, channel, count]} or {@code [pong, ""]}. */
    private void received(Reply reply) {
        received = true;
        if (!(reply instanceof Reply.Items array) || array.list().size() < 2) {
            // An error: this user may not SUBSCRIBE, or the server is still loading.
            connection.close(LinkMetrics.Loss.REFUSED, "SUBSCRIBE was refused");
            return;
        }
        List<Reply> parts = array.list();
        if (parts.get(0) instanceof Reply.Bulk kind && Arrays.equals(kind.bytes(), MESSAGE)) {
            connector
                    .namespace()
                    .without(parts.get(1).asString())
                    .ifPresent(channel -> listener.message(channel, parts.get(2).asString()));
        } else if ("subscribe".equals(parts.get(0).asString())) {
            // One answer for each channel, with how many there are by then.
            if (parts.get(2).asLong() == channels) {
                confirmed = true;
                if (outageOrNull != null) {
                    outageOrNull.restored();
                    outageOrNull = null;
                }
                listener.subscribed();
            }
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
