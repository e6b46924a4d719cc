package io.fanfare.redis;

import io.fanfare.redis.RedisError.Kind;
import io.fanfare.vertx.LoopContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The way to Redis for one event loop: standalone server or cluster, the same to callers. One connection per node,
 * everything pipelined; MOVED, ASK and NOSCRIPT are followed; CLUSTERDOWN and LOADING are waited out for as long as
 * {@code redis.command-timeout}, TRYAGAIN for a moment ({@link MovingSlots}); a lost connection is restored with
 * back-off while commands fail fast. A command that has to be sent again may be overtaken by later ones, and ends after
 * at most twice the time-out.
 *
 * <p>Belongs to the event loop (context) that opened it, where all its futures complete. Calls from other threads are
 * allowed, for start-up and tests, and hop onto it.
 */
public final class RedisLink implements Redis {
    /** An answer that takes longer shows that Redis, or the network to it, is overloaded. */
    public static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Begins the error of a link that takes a node of a cluster for a server of its own. */
    public static final String PART_OF_A_CLUSTER = "this Redis is part of a cluster";

    /** Times to follow MOVED or ASK at once; beyond it the cluster is changing, and a pause helps. */
    private static final int FOLLOWS_MAX = 4;

    /**
     * Commands that name a key but that the service's user may not run: operators' commands do without that right.
     * Commands without a key go to whole servers.
     */
    private static final Set<String> OF_ADMINISTRATORS = Set.of("MEMORY");

    private static final long PAUSE_FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long PAUSE_MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final LoopContext context;
    private final Connector connector;
    private final Topology topology;
    private final Set<ChannelSubscription> subscriptions = new HashSet<>();
    private final MovingSlots movingSlots = new MovingSlots();
    private final LongPipelines longPipelines;

    /** Tasks for the end of this turn of the event loop; all together take one place among the loop's tasks. */
    private final Deque<Runnable> afterTurn = new ArrayDeque<>();

    /** Whether a server has refused us EVAL. */
    private boolean mayNotSendText;

    private boolean closed;

    private RedisLink(LoopContext context, Connector connector, RedisOptions.Mode mode) {
        this.context = context;
        this.connector = connector;
        this.topology = new Topology(connector, new Answers(), mode);
        this.longPipelines = new LongPipelines(connector);
    }

    /**
     * Opens a link on the current context (or a new event-loop one) and checks that a server answers; fails with a
     * {@link RedisError} that says what to do, or an {@link IllegalArgumentException} about {@code redis.url}.
     */
    public static Future<RedisLink> open(Vertx vertx, RedisOptions options) {
        return open(vertx, options, LinkMetrics.NONE);
    }

    /** The same for a link whose answers and losses are counted. */
    public static Future<RedisLink> open(Vertx vertx, RedisOptions options, LinkMetrics metrics) {
        return open(vertx, options, false, metrics);
    }

    /**
     * The same for a link that keeps what it reads with {@linkplain Command#tracked tracked} commands, as long as it is
     * true: servers report changes (CLIENT TRACKING). One that refuses is read each time. Its connections speak RESP3,
     * where scores come in pairs with their members: see {@link Reply#flat}.
     */
    public static Future<RedisLink> openTracking(Vertx vertx, RedisOptions options) {
        return openTracking(vertx, options, LinkMetrics.NONE);
    }

    /** The same for a link whose answers and losses are counted. */
    public static Future<RedisLink> openTracking(Vertx vertx, RedisOptions options, LinkMetrics metrics) {
        return open(vertx, options, true, metrics);
    }

    private static Future<RedisLink> open(Vertx vertx, RedisOptions options, boolean tracking, LinkMetrics metrics) {
        NodeAddress address;
        try {
            address = NodeAddress.of(options);
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(e);
        }
        LoopContext context = LoopContext.current(vertx);
        Promise<RedisLink> opened = context.promise();
        context.runLater(() -> {
            Connector connector = new Connector(context, options, address, tracking, metrics);
            RedisLink link = new RedisLink(context, connector, options.mode());
            link.topology.start().map(link).onFailure(cause -> link.closeAll()).onComplete(opened);
        });
        return opened.future();
    }

    /**
     * Whether Redis has answered slowly, in more than 250 ms, within the last so many nanoseconds. Of many answers in a
     * row only some are timed. For the event loop of the link.
     */
    public boolean wasSlow(long withinNanos) {
        return connector.wasSlow(withinNanos);
    }

    /** Sends one command; the future fails with a {@link RedisError} on an error reply. */
    @Override
    public Future<Reply> send(Command command) {
        return sendTo(null, command, 0, false);
    }

    @Override
    public Future<Reply> sendSafely(Command command) {
        Future<Reply> sent = send(command);
        return connector.waitReplicas() == 0
                ? sent
                : sent.compose(reply -> awaitReplicas(command.key()).map(reply));
    }

    /**
     * Waits until the replicas of the master of a key have all that it has executed so far. On a connection that no
     * other command has to wait for.
     */
    private Future<Void> awaitReplicas(String key) {
        int wanted = connector.waitReplicas();
        long millis = connector.waitTimeoutMillis();
        return block(Command.routed("WAIT", key, wanted, millis), millis)
                .compose(
                        reached -> reached.asLong() >= wanted
                                ? Future.succeededFuture()
                                : unconfirmed("only " + reached.asLong() + " of " + wanted + " replicas have it"),
                        cause -> unconfirmed("whether replicas have it is not known: " + cause.getMessage()));
    }

    /** Fails because the confirmation is missing, for whatever reason; the write before it is done. */
    private static Future<Void> unconfirmed(String why) {
        return Future.failedFuture(new RedisError(Kind.LOST, why + " (redis.wait-replicas)"));
    }

    /**
     * Sends a blocking command (BLPOP ...) on a connection of its own, which stays for the next one;
     * {@code atMostMillis} is the command's own time-out.
     */
    public Future<Reply> block(Command command, long atMostMillis) {
        return sendTo(null, command, TimeUnit.MILLISECONDS.toNanos(atMostMillis), true);
    }

    /** Sends a command to one node of {@link #nodes()}. */
    public Future<Reply> sendTo(String node, Command command) {
        return sendTo(NodeAddress.Address.parse(node, connector.endpoint().address()), command, 0, false);
    }

    private Future<Reply> sendTo(NodeAddress.Address nodeOrNull, Command command, long blockNanos, boolean blocking) {
        Promise<Reply> promise = context.promise();
        PendingCommand.Waiter waiter = (index, reply) -> settle(promise, reply);
        onLoop(() -> {
            PendingCommand pending = new PendingCommand(
                    command, waiter, 0, connector.nanos(), connector.commandTimeoutNanos() + blockNanos, blocking);
            if (nodeOrNull == null || closed) {
                dispatch(pending);
            } else {
                dispatch(pending, topology.at(nodeOrNull));
            }
        });
        return promise.future();
    }

    /** Sends a command for the first time, where its key lies; not a write while a right is missing. */
    void dispatch(PendingCommand pending) {
        Optional<String> missing = connector.rights().missing();
        if (missing.isEmpty() || pending.command.reads()) {
            dispatch(pending, null);
        } else {
            pending.fail(Kind.RIGHTS, missing.get());
        }
    }

    private static void settle(Promise<Reply> promise, Reply reply) {
        if (reply instanceof Reply.Failure failure) {
            promise.fail(failure.error());
        } else {
            promise.complete(reply);
        }
    }

    /**
     * Sends many commands, each to its node, each node's share in few writes; one reply per command, in order, errors
     * as {@link Reply.Failure}. Never fails as a whole. Of long ones only so many are on the way
     * ({@link LongPipelines}).
     */
    @Override
    public Future<List<Reply>> pipeline(List<Command> commands) {
        return pipeline(commands, NOW);
    }

    @Override
    public Future<List<Reply>> pipeline(List<Command> commands, long since) {
        if (commands.isEmpty()) {
            return context.succeeded(List.of());
        }
        Promise<List<Reply>> promise = context.promise();
        onLoop(() -> {
            long from = since == NOW ? moment() : since;
            longPipelines.send(commands.size(), promise, () -> new Pipeline(this, promise, commands).send(from));
        });
        return promise.future();
    }

    @Override
    public long moment() {
        return connector.sent();
    }

    Node nodeOf(Command command) {
        return topology.nodeOf(command.key());
    }

    PendingCommand pending(Command command, PendingCommand.Waiter waiter, int index) {
        return new PendingCommand(command, waiter, index, connector.nanos(), connector.commandTimeoutNanos(), false);
    }

    @Override
    public void afterTurn(Runnable task) {
        if (!context.inThread()) {
            context.execute(() -> context.dispatch(task));
            return;
        }
        afterTurn.add(task);
        if (afterTurn.size() == 1) {
            context.execute(this::endTurn);
        }
    }

    /** Runs the tasks. Tasks added meanwhile run last, as any task of the loop would. */
    private void endTurn() {
        for (Runnable task = afterTurn.peek(); task != null; task = afterTurn.peek()) {
            context.dispatch(task); // Does not throw.
            afterTurn.remove();
        }
    }

    /** Receives the events of a {@link Subscription}, in order, on the link's event loop. */
    public interface Listener {
        /**
         * The server has confirmed the subscription (at first, and after each reconnect): what was published in between
         * is to be read elsewhere.
         */
        void subscribed();

        void message(String channel, String payload);

        /** The connection ended after {@link #subscribed}; a new one is on its way. */
        void lost();
    }

    /**
     * Subscribes to channels on the node that owns the slot of {@code routedBy}, for as long as neither it nor the link
     * is closed.
     */
    public Subscription subscribe(Channels channels, String routedBy, Listener listener) {
        ChannelSubscription subscription = new ChannelSubscription(
                connector, () -> topology.nodeOf(routedBy).address(), topology::refreshSoon, channels, listener);
        onLoop(() -> {
            if (!closed) {
                subscriptions.add(subscription);
                subscription.start();
            }
        });
        return new Subscription() {
            @Override
            public void renew(String cause) {
                onLoop(() -> subscription.renew(cause));
            }

            @Override
            public Future<Void> close() {
                Promise<Void> done = context.promise();
                onLoop(() -> {
                    subscriptions.remove(subscription);
                    subscription.close();
                    done.complete();
                });
                return done.future();
            }
        };
    }

    /**
     * The channels of a subscription.
     *
     * @param sharded those of SPUBLISH, all in the slot of {@code routedBy}; a cluster copies their messages within the
     *     shard only
     * @param copied those of PUBLISH, whose messages a cluster copies to every node
     */
    public record Channels(List<String> sharded, List<String> copied) {
        public Channels {
            sharded = List.copyOf(sharded);
            copied = List.copyOf(copied);
        }

        public static Channels sharded(String... channels) {
            return new Channels(List.of(channels), List.of());
        }

        public static Channels copied(String... channels) {
            return new Channels(List.of(), List.of(channels));
        }
    }

    /** A running subscription. */
    public interface Subscription {
        /** Gives up a connection that lives but brings no messages; the listener is notified as of any other loss. */
        void renew(String cause);

        /** The listener receives nothing after this is complete. */
        Future<Void> close();
    }

    /**
     * The addresses of the masters, for commands that concern every node (INFO, CONFIG). To be called on the link's
     * event loop.
     */
    public List<String> nodes() {
        return topology.addresses().stream().map(NodeAddress.Address::toString).toList();
    }

    /**
     * Asks one of {@link #nodes()} for a snapshot of all that it holds, on a connection of its own. To be called on the
     * link's event loop.
     *
     * @param to takes the bytes on the same event loop; is not ended
     */
    public ServerSnapshot snapshot(String node, WriteStream<Buffer> to) {
        return ServerSnapshot.start(
                connector, NodeAddress.Address.parse(node, connector.endpoint().address()), to);
    }

    /**
     * Has one of {@link #nodes()} report the keys of the namespace that change from now on, on a connection of its own.
     * To be called on the link's event loop, where both receivers run.
     *
     * @param changed receives each key, without the namespace; one key may come many times
     * @param lost receives why nothing is reported any more, once
     */
    public KeyChanges changes(String node, Consumer<String> changed, Consumer<String> lost) {
        return KeyChanges.start(
                connector, NodeAddress.Address.parse(node, connector.endpoint().address()), changed, lost);
    }

    /**
     * The nodes through which a cluster is found, as it is now, masters first, then their replicas, each as
     * {@code host:port}; without a cluster those of {@code redis.url}. At most {@link RedisOptions#NODES_MAX}. To be
     * called on the link's event loop.
     */
    public List<String> known() {
        return topology.known().stream()
                .map(address -> address.host().contains(":")
                        ? "[" + address.host() + "]:" + address.port()
                        : address.toString())
                .toList();
    }

    /** Some keys of one server, and where to go on. */
    public record Scan(String cursor, List<String> keys) {
        /** The cursor of a scan that begins. */
        public static final String BEGIN = "0";

        /** Whether these were the last ones. */
        public boolean isLast() {
            return cursor.equals(BEGIN);
        }
    }

    /**
     * Some keys of the namespace at one of {@link #nodes()}, perhaps none; some come more than once. Needs the right to
     * SCAN, which the service's user does not have.
     *
     * @param cursor where to go on
     * @param count how many keys of the server to look at, about
     */
    public Future<Scan> scan(String node, String cursor, int count) {
        Namespace namespace = connector.namespace();
        return sendTo(node, Command.routed("SCAN", null, cursor, "MATCH", namespace.pattern(), "COUNT", count))
                .map(reply -> new Scan(
                        reply.items().get(0).asString(),
                        reply.items().get(1).items().stream()
                                .map(Reply::asString)
                                .map(namespace::without)
                                .flatMap(Optional::stream)
                                .toList()));
    }

    /** The namespace of its keys and channels. */
    public Namespace namespace() {
        return connector.namespace();
    }

    /** The user that {@code redis.url} names. */
    public String user() {
        return connector.endpoint().user().isEmpty()
                ? "default"
                : connector.endpoint().user();
    }

    /** The number of the database that {@code redis.url} names. */
    public int database() {
        return connector.endpoint().db();
    }

    /**
     * The address of the master that a key belongs to, one of {@link #nodes()}; of any while its slot has none. To be
     * called on the link's event loop.
     */
    public String nodeOf(String key) {
        return topology.nodeOf(key).address().toString();
    }

    /**
     * The masters of the cluster, read again every few seconds and when a slot has moved, or the one master that
     * sentinels have named; null = this is a server that nothing replaces, or the master is away. To be called on the
     * link's event loop.
     */
    public ClusterMasters masters() {
        return topology.masters();
    }

    /** Whether all keys are on one server, so that a command other than a script may name keys of several slots. */
    public boolean isOneServer() {
        return !topology.isCluster();
    }

    /** Closes every connection; commands that wait fail as LOST, later ones as UNAVAILABLE. Never fails. */
    public Future<Void> close() {
        Promise<Void> done = context.promise();
        onLoop(() -> {
            closeAll();
            done.complete();
        });
        return done.future();
    }

    private void closeAll() {
        closed = true;
        longPipelines.close();
        subscriptions.forEach(ChannelSubscription::close);
        subscriptions.clear();
        topology.close();
        connector.close().onFailure(cause -> {});
    }

    private void onLoop(Runnable task) {
        if (context.inThread()) {
            task.run();
        } else {
            context.runLater(task);
        }
    }

    void dispatch(PendingCommand pending, Node nodeOrNull) {
        if (closed) {
            pending.fail(Kind.UNAVAILABLE, "the link to Redis is closed");
            return;
        }
        Node node = nodeOrNull == null ? topology.nodeOf(pending.command.key()) : nodeOrNull;
        node.send(pending);
    }

    /** Decides which answers go to the caller and which are for us. */
    private final class Answers implements Node.Owner {
        @Override
        public void answered(Node node, PendingCommand pending, Reply reply) {
            if (!(reply instanceof Reply.Failure failure)) {
                pending.answer(reply);
                return;
            }
            switch (failure.error().kind()) {
                case NOSCRIPT -> sendText(node, pending, failure);
                case MOVED, ASK -> follow(node, pending, failure);
                case TRYAGAIN -> awaitMove(pending, failure);
                case NOT_NOW -> waitOut(pending, failure);
                case RIGHTS -> refused(pending, failure);
                default -> pending.answer(reply);
            }
        }

        @Override
        public void away(Node node) {
            topology.refreshSoon();
        }

        /** The server forgets scripts when it restarts; with the text it runs and remembers it. */
        private void sendText(Node node, PendingCommand pending, Reply.Failure failure) {
            Command command = pending.command;
            if (command.script() == null || command.name().equals("EVAL")) {
                pending.answer(failure);
                return;
            }
            if (mayNotSendText) {
                awaitScript(pending, command.script());
                return;
            }
            pending.command = command.withScriptText();
            dispatch(pending, node);
        }

        /**
         * A user without EVAL runs the scripts that an administrator has loaded, and nothing else. After a restart of
         * the server they are loaded again in a moment.
         */
        private void refused(PendingCommand pending, Reply.Failure failure) {
            Command command = pending.command;
            String message = failure.error().getMessage();
            if (command.script() == null || !message.startsWith("NOPERM") || !message.contains("'eval'")) {
                if (command.key() != null && !OF_ADMINISTRATORS.contains(command.name())) {
                    connector.rights().refused(message);
                }
                pending.answer(failure);
                return;
            }
            mayNotSendText = true;
            pending.command = command.withScriptDigest();
            awaitScript(pending, command.script());
        }

        /** Loads the script. A failure is no error of the command: the caller may try again later. */
        private void awaitScript(PendingCommand pending, Script script) {
            sendLater(
                    pending,
                    new Reply.Failure(
                            new RedisError(
                                    Kind.NOT_NOW,
                                    "Redis does not know the script " + script.name()
                                            + " of this release, and its user may not load it: run the same release as the `fanfare up` that owns the server, or grant the user +eval")));
        }

        private void follow(Node node, PendingCommand pending, Reply.Failure failure) {
            String[] parts = failure.error().getMessage().split(" ", 3); // MOVED 3999 127.0.0.1:6381
            if (!topology.isCluster()) {
                pending.fail(Kind.COMMAND, PART_OF_A_CLUSTER + ": set redis.mode to cluster");
                return;
            }
            NodeAddress.Address target = NodeAddress.Address.parse(parts[2], node.address());
            boolean atOnce = !closed && pending.tries < FOLLOWS_MAX;
            if (failure.error().kind() == Kind.MOVED) {
                node.forget();
                Node moved = closed ? node : topology.moved(Integer.parseInt(parts[1]), target);
                if (atOnce) {
                    pending.tries++;
                    dispatch(pending, moved);
                } else {
                    sendLater(pending, failure);
                }
            } else if (atOnce) {
                pending.tries++;
                pending.asking = true;
                pending.keeps = false; // ASKING and CACHING end each other.
                dispatch(pending, topology.redirected(target));
            } else {
                awaitMove(pending, failure);
            }
        }

        private void awaitMove(PendingCommand pending, Reply.Failure failure) {
            if (pending.command.key() == null) {
                pending.answer(failure);
                return;
            }
            long until = movingSlots.seen(connector.namespace().slot(pending.command.key()), connector.nanos());
            sendLater(pending, failure, Math.min(until, pending.giveUpNanos));
        }

        private void waitOut(PendingCommand pending, Reply.Failure failure) {
            String message = failure.error().getMessage();
            if (message.startsWith("LOADING") || message.startsWith("CLUSTERDOWN") || message.startsWith("UNBLOCKED")) {
                topology.refreshSoon();
                sendLater(pending, failure);
            } else {
                pending.answer(failure);
            }
        }

        private void sendLater(PendingCommand pending, Reply.Failure failure) {
            sendLater(pending, failure, pending.giveUpNanos);
        }

        private void sendLater(PendingCommand pending, Reply.Failure failure, long untilNanos) {
            long pause = Math.min(PAUSE_MAX_NANOS, PAUSE_FIRST_NANOS << Math.min(pending.tries, 10));
            if (closed || connector.nanos() + pause > untilNanos) {
                pending.answer(failure);
                return;
            }
            pending.tries++;
            long unused = connector.after(pause, () -> dispatch(pending, null));
        }
    }
}
