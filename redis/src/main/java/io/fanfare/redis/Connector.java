package io.fanfare.redis;

import io.fanfare.failure.Reason;
import io.fanfare.vertx.LoopContext;
import io.netty.util.concurrent.Ticker;
import io.vertx.core.Future;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ConnectOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections for one link: who we are to the server, how long anything may take, and the link's event loop with
 * its clock. Confined to that loop.
 */
final class Connector {
    private static final Logger log = LoggerFactory.getLogger(Connector.class);

    private static final long BACK_OFF_FIRST_MILLIS = 50;
    private static final long BACK_OFF_MAX_MILLIS = 2_000;

    // Notices of changes come among the replies in RESP3 only; and only of what is asked for, or a large key would be
    // tracked with every script that reads it.
    private static final Command RESP3 = Command.routed("HELLO", null, 3);

    // Only to learn whether the server is a master.
    private static final Command HELLO = Command.routed("HELLO", null);

    private static final Command TRACKING = Command.routed("CLIENT", null, "TRACKING", "ON", "OPTIN");

    private final LoopContext context;
    private final RedisOptions options;
    private final NodeAddress endpoint;
    private final NetClient client;
    private final Sentinels sentinelsOrNull;
    private final Ticker ticker;
    private final SplittableRandom random;
    private final boolean tracking;
    private final LinkMetrics metrics;
    private final Rights rights;
    private boolean reportedNoTracking;
    private long sent;
    private long slowNanos;
    private boolean everSlow;

    /** @param tracking whether servers are asked to track what connections for ordinary commands read */
    Connector(LoopContext context, RedisOptions options, NodeAddress endpoint, boolean tracking, LinkMetrics metrics) {
        this.tracking = tracking;
        this.metrics = metrics;
        this.context = context;
        this.options = options;
        this.rights = Rights.of(context.vertx(), options);
        this.endpoint = endpoint;
        this.client = context.vertx()
                .createNetClient(new NetClientOptions()
                        .setConnectTimeout(
                                Math.toIntExact(options.connectTimeout().toMillis()))
                        .setTcpKeepAlive(true));
        this.sentinelsOrNull = options.mode() == RedisOptions.Mode.SENTINEL
                ? new Sentinels(
                        this,
                        endpoint.address().host(),
                        NodeAddress.sentinels(options),
                        options.sentinelPassword().reveal())
                : null;
        // The loop's own clock: what its timers go by.
        this.ticker = context.ticker();
        // Only to spread reconnects of many links over time; nothing depends on the values.
        this.random = new SplittableRandom(ticker.nanoTime() ^ System.identityHashCode(context));
    }

    LoopContext context() {
        return context;
    }

    long nanos() {
        return ticker.nanoTime();
    }

    /** {@code redis.command-timeout}. */
    long commandTimeoutNanos() {
        return options.commandTimeout().toNanos();
    }

    /** {@code redis.wait-replicas}. */
    int waitReplicas() {
        return options.waitReplicas();
    }

    /** {@code redis.wait-timeout}. */
    long waitTimeoutMillis() {
        return options.waitTimeout().toMillis();
    }

    /** {@code redis.connect-timeout}. */
    long connectTimeoutNanos() {
        return options.connectTimeout().toNanos();
    }

    /** The namespace of all keys and channels. */
    Namespace namespace() {
        return options.namespace();
    }

    int inFlightMax() {
        return options.inFlightMax();
    }

    /** Numbers of the commands that have been sent so far, on all connections: the last one. */
    long sent() {
        return sent;
    }

    /** The number of one more. */
    long nextNumber() {
        return ++sent;
    }

    LinkMetrics metrics() {
        return metrics;
    }

    /** The rights that this process is known to have. */
    Rights rights() {
        return rights;
    }

    /** Takes note of how long a server took to answer. */
    void answeredAfter(long nanos, long nowNanos) {
        metrics.answeredAfter(nanos);
        took(nanos, nowNanos);
    }

    /** Takes note of how long a server took to answer, or has taken so far. */
    void took(long nanos, long nowNanos) {
        if (nanos > RedisLink.SLOW_NANOS) {
            everSlow = true;
            slowNanos = nowNanos;
        }
    }

    /** Whether an answer was slow within the last so many ns. */
    boolean wasSlow(long withinNanos) {
        return everSlow && nanos() - slowNanos < withinNanos;
    }

    NodeAddress endpoint() {
        return endpoint;
    }

    /** Runs {@code task} on the loop after a delay; the id is for {@link #cancel}. */
    long after(long delayNanos, Runnable task) {
        return context.after(Math.max(1, TimeUnit.NANOSECONDS.toMillis(delayNanos)), task);
    }

    void cancel(long timer) {
        context.cancel(timer);
    }

    /**
     * How long to wait before the attempt after {@code failures} failed ones: 50 ms doubled up to 2 s, less up to half
     * of it by chance.
     */
    long backOffNanos(int failures) {
        long most = Math.min(BACK_OFF_MAX_MILLIS, BACK_OFF_FIRST_MILLIS << Math.min(failures - 1, 10));
        return TimeUnit.MILLISECONDS.toNanos(most - random.nextLong(most / 2 + 1));
    }

    /**
     * Connects to a server and introduces us: AUTH, SELECT, CLIENT SETNAME, and without a cluster HELLO, for its role.
     * Fails with a {@link RedisError} UNAVAILABLE within {@code redis.connect-timeout}, COMMAND when the server refuses
     * us, or READ_ONLY when it is a replica and not part of a cluster.
     */
    Future<RespConnection> dial(NodeAddress.Address address) {
        return dial(address, List.of());
    }

    /**
     * The same for a connection that all ordinary commands share: in RESP3, and the server tracks the requested keys,
     * if the link wants that and the server allows it.
     */
    Future<RespConnection> dialShared(NodeAddress.Address address) {
        return dial(address, tracking ? List.of(RESP3, TRACKING) : List.of());
    }

    /**
     * The server that stands behind the address of a node: with sentinels, the one that they name as the master at the
     * moment, else the same.
     */
    Future<NodeAddress.Address> whereIs(NodeAddress.Address address) {
        return sentinelsOrNull == null ? context.succeeded(address) : sentinelsOrNull.master();
    }

    /** Whether one of several servers is the master, and a failover that nobody watches changes which. */
    boolean seeksMaster() {
        return options.mode() == RedisOptions.Mode.STANDALONE
                && endpoint.nodes().size() > 1;
    }

    private Future<RespConnection> dial(NodeAddress.Address node, List<Command> wishes) {
        if (seeksMaster() && node.equals(endpoint.address())) {
            return dialMaster(wishes);
        }
        return whereIs(node)
                .compose(address -> open(address).compose(connection -> introduce(connection, address, wishes)));
    }

    /**
     * Asks all servers of redis.url, and keeps the connection to the one that is the master. Two masters are none: one
     * of them has come back with outdated data.
     */
    private Future<RespConnection> dialMaster(List<Command> wishes) {
        List<Future<RespConnection>> dials = endpoint.nodes().stream()
                .map(address -> open(address).compose(connection -> introduce(connection, address, wishes)))
                .toList();
        return Future.join(dials).transform(all -> {
            List<RespConnection> masters =
                    dials.stream().filter(Future::succeeded).map(Future::result).toList();
            if (masters.size() == 1) {
                return context.succeeded(masters.get(0));
            }
            masters.forEach(connection -> connection.close("not the only master"));
            if (masters.isEmpty()) {
                return Future.failedFuture(NodeAddress.noneOf(dials.stream()
                        .map(dial -> dial.cause() instanceof RedisError error
                                ? error
                                : new RedisError(RedisError.Kind.UNAVAILABLE, String.valueOf(dial.cause())))
                        .toList()));
            }
            return Future.failedFuture(new RedisError(
                    RedisError.Kind.READ_ONLY,
                    "several nodes of redis.url are masters, and one of them has the data: make the others its replicas (REPLICAOF) or take them out: "
                            + String.join(
                                    ", ",
                                    masters.stream()
                                            .map(connection ->
                                                    connection.server().toString())
                                            .toList())));
        });
    }

    /** Connects to a server without any greeting. Fails as UNAVAILABLE. */
    Future<RespConnection> open(NodeAddress.Address address) {
        return socket(address).map(socket -> new RespConnection(context, socket, address, options.namespace()));
    }

    /** The same for a connection that will not speak RESP only. */
    Future<NetSocket> socket(NodeAddress.Address address) {
        ConnectOptions to = new ConnectOptions()
                .setRemoteAddress(
                        address.isSocket()
                                ? SocketAddress.domainSocketAddress(address.host())
                                : SocketAddress.inetSocketAddress(address.port(), address.host()));
        if (endpoint.tls()) {
            to.setSsl(true).setSslOptions(new ClientSSLOptions().setHostnameVerificationAlgorithm("HTTPS"));
        }
        return client.connect(to)
                .recover(cause -> Future.failedFuture(new RedisError(
                        RedisError.Kind.UNAVAILABLE, "Redis does not answer at " + address + ": " + reason(cause))));
    }

    private Future<RespConnection> introduce(
            RespConnection connection, NodeAddress.Address address, List<Command> wishes) {
        List<Command> greeting = new ArrayList<>();
        endpoint.auth().ifPresent(greeting::add);
        if (endpoint.db() != 0) {
            greeting.add(Command.routed("SELECT", null, endpoint.db()));
        }
        // May be forbidden to us, which is no harm; but it is where a server that wants a password says so.
        greeting.add(Command.routed("CLIENT", null, "SETNAME", "fanfare"));
        greeting.addAll(wishes);
        if (hasOneMaster() && !wishes.contains(RESP3)) {
            greeting.add(HELLO);
        }
        return context.<RespConnection>future(promise -> {
            long timer = after(
                    connectTimeoutNanos(),
                    () -> connection.close("no answer to the greeting within redis.connect-timeout"));
            Consumer<Reply> onReply = new Consumer<>() {
                private int answered;
                private boolean tracks = !wishes.isEmpty();

                @Override
                public void accept(Reply reply) {
                    Command command = greeting.get(answered++);
                    if (reply.isFailure() && wishes.contains(command)) {
                        tracks = false;
                        reportNoTracking(address, reply);
                    }
                    if (reply instanceof Reply.Failure failure && refusesUs(command, failure.error())) {
                        promise.tryFail(new RedisError(
                                RedisError.Kind.COMMAND,
                                "Redis at " + address + " refuses the user, password or database of redis.url: "
                                        + failure.error().getMessage()));
                        connection.close("refused");
                    } else if (hasOneMaster() && command.name().equals("HELLO") && isReplica(reply)) {
                        promise.tryFail(replica(address, reply));
                        connection.close("a replica");
                    } else if (answered == greeting.size()) {
                        connection.tracks(tracks);
                        promise.tryComplete(connection);
                    }
                }
            };
            connection.listen(
                    onReply,
                    why -> promise.tryFail(new RedisError(
                            RedisError.Kind.UNAVAILABLE, "Redis does not answer at " + address + ": " + why)));
            greeting.forEach(connection::write);
            promise.future().onComplete(done -> cancel(timer));
        });
    }

    /** Without a cluster, one server is the master, and a failover changes which. In a cluster, slots say which. */
    boolean hasOneMaster() {
        return options.mode() != RedisOptions.Mode.CLUSTER;
    }

    /** Whether the answer to HELLO says so; what does not know HELLO is taken for a master. */
    private static boolean isReplica(Reply hello) {
        String role = field(hello, "role");
        return !role.isEmpty() && !role.equals("master");
    }

    private static RedisError replica(NodeAddress.Address address, Reply hello) {
        return field(hello, "mode").equals("cluster")
                ? new RedisError(RedisError.Kind.COMMAND, RedisLink.PART_OF_A_CLUSTER + ": set redis.mode to cluster")
                : new RedisError(
                        RedisError.Kind.READ_ONLY,
                        "Redis at " + address
                                + " is a replica, which takes no writes: redis.url must lead to the master");
    }

    /** Empty when there is none. */
    private static String field(Reply hello, String name) {
        List<Reply> fields = hello instanceof Reply.Items ? hello.flat() : List.of();
        for (int i = 0; i + 1 < fields.size(); i += 2) {
            if (text(fields.get(i)).equals(name)) {
                return text(fields.get(i + 1));
            }
        }
        return "";
    }

    private static String text(Reply reply) {
        return reply instanceof Reply.Bulk || reply instanceof Reply.Text ? reply.asString() : "";
    }

    private static boolean refusesUs(Command command, RedisError error) {
        return command.name().equals("AUTH")
                || command.name().equals("SELECT")
                || error.getMessage().startsWith("NOAUTH");
    }

    /** An old proxy, or rights that do not go so far: everything works, but is read each time. */
    private void reportNoTracking(NodeAddress.Address address, Reply refusal) {
        if (!reportedNoTracking && refusal instanceof Reply.Failure failure) {
            reportedNoTracking = true;
            log.warn(
                    "redis does not track keys node={} cause={}",
                    address,
                    failure.error().getMessage());
        }
    }

    private static String reason(Throwable cause) {
        return Reason.of(cause);
    }

    Future<Void> close() {
        return client.close();
    }
}
