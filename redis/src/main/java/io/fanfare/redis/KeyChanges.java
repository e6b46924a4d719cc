package io.fanfare.redis;

import io.fanfare.redis.RedisError.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The keys of the namespace that change at one server, as the server reports them: CLIENT TRACKING in broadcasting mode
 * on a connection of its own. The server reports each write, deletion and expiry of every client. The user needs the
 * rights {@code +hello +client|tracking +ping}.
 *
 * <p>A connection that breaks is not restored, since what changed meanwhile would be missing. Confined to the link's
 * loop.
 */
public final class KeyChanges {
    /** Between two PINGs, which find a connection that is broken silently. */
    private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Command RESP3 = Command.routed("HELLO", null, 3);
    private static final Command PING = Command.routed("PING", null);

    private final Connector connector;
    private final NodeAddress.Address address;
    private final Command tracking;
    private final Consumer<String> changed;
    private final Consumer<String> lost;
    private final Promise<Void> begun;

    /** Each is completed by the next answer. */
    private final Deque<Promise<Void>> pings = new ArrayDeque<>();

    private RespConnection connection;
    private boolean ended;

    private KeyChanges(
            Connector connector, NodeAddress.Address address, Consumer<String> changed, Consumer<String> lost) {
        this.connector = connector;
        this.address = address;
        this.changed = changed;
        this.lost = lost;
        this.begun = connector.context().promise();
        this.tracking = Command.routed(
                "CLIENT",
                null,
                "TRACKING",
                "ON",
                "BCAST",
                "PREFIX",
                connector.namespace().prefix());
    }

    static KeyChanges start(
            Connector connector, NodeAddress.Address address, Consumer<String> changed, Consumer<String> lost) {
        KeyChanges changes = new KeyChanges(connector, address, changed, lost);
        connector.dial(address).onSuccess(changes::connected).onFailure(changes.begun::tryFail);
        return changes;
    }

    /** Complete once each later change is reported. Fails with a {@link RedisError}. */
    public Future<Void> begun() {
        return begun.future();
    }

    /**
     * Complete once every change has been reported that the server had made, and answered, before this call. Fails as
     * LOST when the connection is gone.
     */
    public Future<Void> reported() {
        Promise<Void> promise = connector.context().promise();
        if (ended || connection == null) {
            promise.fail(new RedisError(Kind.LOST, "the changes at " + address + " are no longer reported"));
        } else {
            pings.add(promise);
            connection.write(PING);
        }
        return promise.future();
    }

    /** Ends the reports. */
    public void close() {
        ended = true;
        if (connection != null) {
            connection.close("the changes are no longer wanted");
        }
    }

    private void connected(RespConnection fresh) {
        connection = fresh;
        if (ended) {
            fresh.close("the changes are no longer wanted");
            return;
        }
        fresh.listenToPushes(this::pushed);
        fresh.listen(this::greeted, this::lost);
        fresh.write(RESP3);
        fresh.write(tracking);
    }

    private void greeted(Reply reply) {
        if (reply instanceof Reply.Failure failure) {
            begun.tryFail(failure.error());
            close();
        } else if (reply instanceof Reply.Text) {
            // HELLO is answered with a map, so this is the answer to CLIENT TRACKING.
            connection.listen(this::answered, this::lost);
            begun.tryComplete();
            watch();
        }
    }

    private void answered(Reply reply) {
        Promise<Void> ping = pings.poll();
        if (ping == null || reply.isFailure()) {
            connection.close("an answer that is no PONG");
        } else {
            ping.tryComplete();
        }
    }

    /** {@code [invalidate, [key...]]}; nil in place of the keys when all of them are gone. */
    private void pushed(Reply push) {
        List<Reply> parts = push.items();
        if (ended || parts.size() < 2 || !"invalidate".equals(parts.get(0).asString())) {
            return;
        }
        if (parts.get(1).isNil()) {
            connection.close("the server was emptied (FLUSHALL or FLUSHDB)");
            return;
        }
        for (Reply key : parts.get(1).items()) {
            connector.namespace().without(key.asString()).ifPresent(changed);
        }
    }

    private void watch() {
        long unused = connector.after(PING_NANOS, () -> {
            if (ended) {
                return;
            }
            long since = connector.nanos();
            Future<Void> answer = reported();
            long late = connector.after(connector.commandTimeoutNanos(), () -> {
                if (!answer.isComplete()) {
                    connection.close("no answer to PING within "
                            + TimeUnit.NANOSECONDS.toMillis(connector.nanos() - since) + " ms");
                }
            });
            answer.onComplete(done -> connector.cancel(late));
            watch();
        });
    }

    private void lost(String why) {
        boolean closedByUs = ended;
        ended = true;
        RedisError error = new RedisError(Kind.LOST, "the changes at " + address + " are no longer reported: " + why);
        begun.tryFail(error);
        for (Promise<Void> ping = pings.poll(); ping != null; ping = pings.poll()) {
            ping.tryFail(error);
        }
        if (!closedByUs) {
            lost.accept(error.getMessage());
        }
    }
}
