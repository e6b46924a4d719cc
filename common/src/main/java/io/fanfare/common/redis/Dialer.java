package io.fanfare.common.redis;

import io.fanfare.common.settings.Settings;
import io.netty.util.concurrent.Ticker;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ConnectOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Opens connections for one link: who we are to the server, how long anything may take, and the link's event loop with its clock. Confined to that loop.
 */
final class Dialer {
    private static final long BACK_OFF_FIRST_MILLIS = 50;
    private static final long BACK_OFF_MAX_MILLIS = 5_000;

    private final ContextInternal context;
    private final Settings.Redis settings;
    private final Endpoint endpoint;
    private final NetClient client;
    private final Ticker ticker;
    private final SplittableRandom random;

    Dialer(ContextInternal context, Settings.Redis settings, Endpoint endpoint) {
        this.context = context;
        this.settings = settings;
        this.endpoint = endpoint;
        this.client = context.owner()
                .createNetClient(new NetClientOptions()
                        .setConnectTimeout(
                                Math.toIntExact(settings.connectTimeout().toMillis()))
                        .setTcpKeepAlive(true));
        // The loop's own clock: what its timers go by.
        this.ticker = context.nettyEventLoop().ticker();
        // Only to spread reconnects of many links over time; nothing depends on the values.
        this.random = new SplittableRandom(ticker.nanoTime() ^ System.identityHashCode(context));
    }

    ContextInternal context() {
        return context;
    }

    long nanos() {
        return ticker.nanoTime();
    }

    /** {@code redis.command-timeout}. */
    long commandTimeoutNanos() {
        return settings.commandTimeout().toNanos();
    }

    int inFlightMax() {
        return settings.inFlightMax();
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** Runs {@code task} on the loop after a delay; the id is for {@link #cancel}. */
    long after(long delayNanos, Runnable task) {
        return context.setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(delayNanos)), id -> task.run());
    }

    void cancel(long timer) {
        context.owner().cancelTimer(timer);
    }

    /** How long to wait before the attempt after {@code failures} failed ones: 50 ms doubled up to 5 s, less up to half of it by chance. */
    long backOffNanos(int failures) {
        long most = Math.min(BACK_OFF_MAX_MILLIS, BACK_OFF_FIRST_MILLIS << Math.min(failures - 1, 10));
        return TimeUnit.MILLISECONDS.toNanos(most - random.nextLong(most / 2 + 1));
    }

    /**
     * Connects to a server and introduces us: AUTH, SELECT, CLIENT SETNAME. Fails with a {@link RedisError} UNAVAILABLE within {@code redis.connect-timeout}, or COMMAND when
     * the server refuses us.
     */
    Future<RespConnection> dial(Endpoint.Address address) {
        ConnectOptions to = new ConnectOptions().setHost(address.host()).setPort(address.port());
        if (endpoint.tls()) {
            to.setSsl(true).setSslOptions(new ClientSSLOptions().setHostnameVerificationAlgorithm("HTTPS"));
        }
        return client.connect(to)
                .map(socket -> new RespConnection(context, socket))
                .recover(cause -> Future.failedFuture(new RedisError(
                        RedisError.Kind.UNAVAILABLE, "Redis does not answer at " + address + ": " + reason(cause))))
                .compose(connection -> introduce(connection, address));
    }

    private Future<RespConnection> introduce(RespConnection connection, Endpoint.Address address) {
        List<Command> greeting = new ArrayList<>();
        if (!endpoint.password().isEmpty()) {
            greeting.add(
                    endpoint.user().isEmpty()
                            ? Command.routed("AUTH", null, endpoint.password())
                            : Command.routed("AUTH", null, endpoint.user(), endpoint.password()));
        }
        if (endpoint.db() != 0) {
            greeting.add(Command.routed("SELECT", null, endpoint.db()));
        }
        // May be forbidden to us, which is no harm; but it is where a server that wants a password says so.
        greeting.add(Command.routed("CLIENT", null, "SETNAME", "fanfare"));
        return context.<RespConnection>future(promise -> {
            long timer = after(
                    settings.connectTimeout().toNanos(),
                    () -> connection.close("no answer to the greeting within redis.connect-timeout"));
            Consumer<Reply> onReply = new Consumer<>() {
                private int answered;

                @Override
                public void accept(Reply reply) {
                    Command command = greeting.get(answered++);
                    if (reply instanceof Reply.Failure failure && refusesUs(command, failure.error())) {
                        promise.tryFail(new RedisError(
                                RedisError.Kind.COMMAND,
                                "Redis at " + address + " refuses the user, password or database of redis.url: "
                                        + failure.error().getMessage()));
                        connection.close("refused");
                    } else if (answered == greeting.size()) {
                        promise.tryComplete(connection);
                    }
                }
            };
            connection.listen(
                    onReply,
                    cause -> promise.tryFail(new RedisError(
                            RedisError.Kind.UNAVAILABLE, "Redis does not answer at " + address + ": " + cause)));
            greeting.forEach(connection::write);
            promise.future().onComplete(done -> cancel(timer));
        });
    }

    private static boolean refusesUs(Command command, RedisError error) {
        return !command.name().equals("CLIENT") || error.getMessage().startsWith("NOAUTH");
    }

    private static String reason(Throwable cause) {
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    Future<Void> close() {
        return client.close();
    }
}
