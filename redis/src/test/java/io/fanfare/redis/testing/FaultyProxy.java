package io.fanfare.redis.testing;

import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.Reply;
import io.fanfare.redis.RespDecoder;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.secret.Secret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A TCP proxy in front of a standalone server, or of each master of a cluster, that understands RESP and breaks things
 * on purpose: between any two commands, before or after the server has executed one. In a cluster, tables and
 * redirections for clients name it as well.
 *
 * <p>Commands are counted from 1 over all connections, in the order in which they come, since the last {@link #count}
 * or {@code cut...} call; greetings, PING, INFO and the like are not. So a test runs an action once to learn how many
 * commands it takes, and then once per command and fault.
 */
public final class FaultyProxy implements AutoCloseable {
    private static final Set<String> NOT_COUNTED = Set.of(
            "AUTH",
            "HELLO",
            "SELECT",
            "CLIENT",
            "CLUSTER",
            "ASKING",
            "PING",
            "INFO",
            "CONFIG",
            "SUBSCRIBE",
            "SSUBSCRIBE");

    private static final Set<RedisError.Kind> REDIRECTIONS = Set.of(RedisError.Kind.MOVED, RedisError.Kind.ASK);

    /** The fault injected at the chosen command. */
    private enum Fault {
        NONE,
        CUT_BEFORE,
        CUT_AFTER,
        SWALLOW_REPLY
    }

    private final RedisOptions behind;
    private final List<Door> doors = new ArrayList<>();
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    // Guarded by this, as everything below.
    private Predicate<List<Reply>> counted = FaultyProxy::isOrdinary;
    private Fault fault = Fault.NONE;
    private int faultAt;
    private int seen;
    private boolean struck;
    private boolean stalled;
    private boolean refusing;
    private Duration delay = Duration.ZERO;

    /** The local port in front of one server. */
    private static final class Door {
        final ServerSocket socket;
        volatile URI target;

        Door(URI target) throws IOException {
            this.target = target;
            this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        }
    }

    /** A proxy before the servers of {@code redis}, letting everything pass. */
    public FaultyProxy(TestRedis redis) {
        behind = redis.options();
        try {
            for (RedisProcess server : redis.servers()) {
                doors.add(new Door(URI.create(server.url().reveal())));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        doors.forEach(door -> daemon("accept", () -> accept(door)));
    }

    /** Options of a link that lead through the proxy. */
    public RedisOptions options() {
        return options(behind.commandTimeout());
    }

    /** The same with another command time-out. */
    public RedisOptions options(Duration commandTimeout) {
        int port = URI.create(behind.url().reveal()).getPort();
        String url = behind.url().reveal().replace(":" + port, ":" + proxied(port));
        return new RedisOptions(
                new Secret(url),
                behind.mode(),
                behind.namespace(),
                behind.sentinels(),
                behind.sentinelPassword(),
                behind.connectTimeout(),
                commandTimeout,
                behind.inFlightMax(),
                behind.waitReplicas(),
                behind.waitTimeout());
    }

    /** Leads connections from now on to another server, as a name does after a failover. */
    public void leadTo(TestRedis redis) {
        doors.get(0).target = URI.create(redis.options().url().reveal());
    }

    /**
     * Counts only commands that hold; their parts are {@link Reply.Bulk}s. For actions beside which other traffic runs.
     */
    public synchronized void counting(Predicate<List<Reply>> which) {
        counted = command -> isOrdinary(command) && which.test(command);
    }

    /** Restarts the count, without a fault. */
    public void count() {
        strikeAt(Fault.NONE, 0);
    }

    /** Commands since {@link #count}. */
    public synchronized int counted() {
        return seen;
    }

    /** Closes the connection instead of passing on command n and later ones; earlier ones are answered. */
    public void cutBefore(int n) {
        strikeAt(Fault.CUT_BEFORE, n);
    }

    /** Lets the server execute command n, then closes the connection in place of the reply. */
    public void cutAfter(int n) {
        strikeAt(Fault.CUT_AFTER, n);
    }

    /** Lets the server execute command n, but its reply and all later ones of the connection never arrive. */
    public void swallowReply(int n) {
        strikeAt(Fault.SWALLOW_REPLY, n);
    }

    private synchronized void strikeAt(Fault newFault, int n) {
        fault = newFault;
        faultAt = n;
        seen = 0;
        struck = false;
    }

    /** Whether the fault has happened; it happens once. */
    public synchronized boolean hasStruck() {
        return struck;
    }

    /** Nothing passes in either direction, connections stay, until {@link #heal}. */
    public synchronized void stall() {
        stalled = true;
    }

    /**
     * Connections that are subscribed now receive no message any more, though their PINGs are answered; new ones do.
     */
    public void muffle() {
        connections.forEach(Connection::muffle);
    }

    /** Every reply comes this much later. */
    public synchronized void delay(Duration newDelay) {
        delay = newDelay;
    }

    /** New connections are closed at once, until {@link #heal}. */
    public synchronized void refuse() {
        refusing = true;
    }

    /** Resets all connections that there are. */
    public void reset() {
        connections.forEach(Connection::reset);
    }

    /** Ends every fault. */
    public synchronized void heal() {
        fault = Fault.NONE;
        stalled = false;
        refusing = false;
        delay = Duration.ZERO;
        notifyAll();
    }

    @Override
    public void close() {
        heal();
        doors.forEach(door -> closeQuietly(door.socket));
        reset();
    }

    private static boolean isOrdinary(List<Reply> command) {
        return !NOT_COUNTED.contains(command.get(0).asString().toUpperCase(Locale.ROOT));
    }

    private synchronized Fault next(List<Reply> command) {
        if (!counted.test(command)) {
            return Fault.NONE;
        }
        seen++;
        if (struck || fault == Fault.NONE || seen != faultAt) {
            return Fault.NONE;
        }
        struck = true;
        return fault;
    }

    private synchronized void passGate() throws InterruptedException {
        while (stalled) {
            wait();
        }
    }

    private synchronized Duration currentDelay() {
        return delay;
    }

    private synchronized boolean isRefusing() {
        return refusing;
    }

    /** The port at which a server is reached; its own port when it has no proxy. */
    private int proxied(int port) {
        return doors.stream()
                .filter(door -> door.target.getPort() == port)
                .map(door -> door.socket.getLocalPort())
                .findFirst()
                .orElse(port);
    }

    private void accept(Door door) {
        while (!door.socket.isClosed()) {
            try {
                Socket client = door.socket.accept();
                if (isRefusing()) {
                    client.close();
                } else {
                    Connection connection = new Connection(client, door.target);
                    connections.add(connection);
                    daemon("to-server", connection::toServer);
                    daemon("to-client", connection::toClient);
                }
            } catch (IOException e) {
                // The server is down or the proxy is closing: the client sees a refused connection.
            }
        }
    }

    private final class Connection {
        private final Socket client;
        private final Socket upstream = new Socket();
        private final Deque<Sent> unanswered = new ArrayDeque<>();
        private boolean cutWhenAnswered;
        private boolean swallowing;
        private boolean subscribed;
        private boolean muffled;

        /** @param table whether its answer names servers of the cluster by their ports */
        private record Sent(Fault fate, boolean table) {}

        Connection(Socket client, URI target) throws IOException {
            this.client = client;
            try {
                // Else the second of two small answers waits for the other side to acknowledge the first, up to 40 ms.
                client.setTcpNoDelay(true);
                upstream.setTcpNoDelay(true);
                upstream.connect(new InetSocketAddress(target.getHost(), target.getPort()), 2_000);
            } catch (IOException e) {
                closeQuietly(client);
                throw e;
            }
        }

        void toServer() {
            RespDecoder commands = new RespDecoder(command -> passOn(command));
            pump(client, commands);
        }

        void toClient() {
            RespDecoder replies = new RespDecoder(reply -> passBack(reply), push -> passBackPush(push));
            pump(upstream, replies);
        }

        private void pump(Socket from, RespDecoder decoder) {
            byte[] chunk = new byte[16 << 10];
            try {
                InputStream in = from.getInputStream();
                for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                    passGate();
                    decoder.feed(chunk, 0, read);
                }
            } catch (IOException | UncheckedIOException e) {
                // One side is gone; so will the other be.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                closeQuietly(client);
                closeQuietly(upstream);
                connections.remove(this);
            }
        }

        private void passOn(Reply command) {
            synchronized (this) {
                if (cutWhenAnswered) {
                    return;
                }
                Fault fate = next(command.items());
                if (fate == Fault.CUT_BEFORE) {
                    cutWhenAnswered = true;
                    if (unanswered.isEmpty()) {
                        cut();
                    }
                    return;
                }
                String name = command.items().get(0).asString();
                subscribed |= name.toUpperCase(Locale.ROOT).endsWith("SUBSCRIBE");
                unanswered.add(new Sent(fate, name.equalsIgnoreCase("CLUSTER")));
                cutWhenAnswered = fate == Fault.CUT_AFTER;
            }
            send(upstream, command);
        }

        synchronized void muffle() {
            muffled = subscribed;
        }

        private void passBack(Reply reply) {
            sleep(currentDelay());
            synchronized (this) {
                if (muffled && isMessage(reply)) {
                    return;
                }
                // What a subscriber is sent answers no command.
                Sent sent = subscribed || unanswered.isEmpty() ? new Sent(Fault.NONE, false) : unanswered.remove();
                Fault fate = sent.fate();
                swallowing |= fate == Fault.SWALLOW_REPLY;
                if (fate == Fault.CUT_AFTER) {
                    cut();
                    return;
                }
                if (swallowing) {
                    return;
                }
                send(client, sent.table() ? table(reply) : redirection(reply));
                if (cutWhenAnswered && unanswered.isEmpty()) {
                    cut();
                }
            }
        }

        /**
         * Passes a push message of the server on: in RESP3 a server sends them by itself, and they answer no command.
         */
        private synchronized void passBackPush(Reply push) {
            if (!swallowing) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                out.writeBytes(ascii(">" + push.items().size() + "\r\n"));
                push.items().forEach(item -> encode(item, out::writeBytes));
                send(client, out.toByteArray());
            }
        }

        /** Closes both sides; bytes sent before still arrive. */
        private void cut() {
            closeQuietly(client);
            closeQuietly(upstream);
        }

        /** With a linger time of zero, closing sends RST. */
        void reset() {
            try {
                client.setSoLinger(true, 0);
            } catch (IOException e) {
                // Closed already.
            }
            cut();
        }
    }

    private Reply table(Reply reply) {
        if (reply instanceof Reply.Items items) {
            return new Reply.Items(items.list().stream().map(this::table).toList());
        }
        return reply instanceof Reply.Int number ? new Reply.Int(proxied((int) number.value())) : reply;
    }

    /** {@code MOVED 3999 127.0.0.1:6381}, and ASK alike. */
    private Reply redirection(Reply reply) {
        if (reply instanceof Reply.Failure failure
                && REDIRECTIONS.contains(failure.error().kind())) {
            String line = failure.error().getMessage();
            int colon = line.lastIndexOf(':');
            int port = proxied(Integer.parseInt(line.substring(colon + 1)));
            return new Reply.Failure(new RedisError(failure.error().kind(), line.substring(0, colon + 1) + port));
        }
        return reply;
    }

    private static boolean isMessage(Reply reply) {
        return reply instanceof Reply.Items items
                && items.list().get(0).asString().endsWith("message");
    }

    private static void send(Socket to, Reply value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        encode(value, out::writeBytes);
        send(to, out.toByteArray());
    }

    private static void send(Socket to, byte[] bytes) {
        try {
            to.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void encode(Reply value, Consumer<byte[]> out) {
        if (value instanceof Reply.Int number) {
            out.accept(ascii(":" + number.value() + "\r\n"));
        } else if (value instanceof Reply.Text text) {
            out.accept(ascii("+" + text.value() + "\r\n"));
        } else if (value instanceof Reply.Failure failure) {
            out.accept(ascii("-" + failure.error().getMessage() + "\r\n"));
        } else if (value instanceof Reply.Bulk bulk) {
            out.accept(ascii("$" + bulk.bytes().length + "\r\n"));
            out.accept(bulk.bytes());
            out.accept(ascii("\r\n"));
        } else if (value instanceof Reply.Items items) {
            out.accept(ascii("*" + items.list().size() + "\r\n"));
            items.list().forEach(item -> encode(item, out));
        } else {
            out.accept(ascii("$-1\r\n"));
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            // Closed already.
        }
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, "faulty-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }
}
