package io.fanfare.redis.embedded;

import io.fanfare.failure.Reason;
import io.fanfare.redis.Reply;
import io.fanfare.secret.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A redis-server process of our own, on the loopback address or a Unix socket, with its files in one directory:
 * {@code redis.conf} (holds the password), {@code redis.log}, {@code redis.pid} (written by the server itself, removed
 * by it on a clean end) and the data. The files are readable for their owner only. All methods block: not for an event
 * loop. For one thread at a time.
 *
 * <p>The server ends with this process, after a {@code kill -9} too ({@link ParentWatch}), and its data is safe either
 * way. The next start on the same directory stops it first ({@link #start}), or goes on with it ({@link #running}).
 */
public final class RedisProcess implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RedisProcess.class);

    /** A server that starts and says nothing for so long is given up. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

    private static final long LOG_LOADING_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Duration STOP_MAX = Duration.ofSeconds(20);

    /** When the append-only file is synced; {@code OFF} = none is kept. */
    public enum AppendSync {
        ALWAYS,
        EVERYSEC,
        NO,
        OFF;

        /** As in redis.conf, and on command lines. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How to run it.
     *
     * @param dir where its files are; made when missing
     * @param port 0 = any free one
     * @param socket absolute path of a Unix socket to listen on in place of a port; null = none. Its folder says who
     *     may connect
     * @param password empty = none. It never appears in an argument list
     * @param cluster whether it is a node of a cluster, not yet joined to others
     * @param busPort where the others of its cluster reach it; 0 = any free one
     * @param maxMemoryBytes 0 = unlimited; beyond it writes are refused
     * @param extraLines further lines of redis.conf
     */
    public record Options(
            Path dir,
            int port,
            Path socket,
            Secret password,
            AppendSync appendSync,
            boolean cluster,
            int busPort,
            long maxMemoryBytes,
            List<String> extraLines) {
        public Options {
            extraLines = List.copyOf(extraLines);
        }

        /** Any free port, no password, every write synced. */
        public static Options in(Path dir) {
            return new Options(dir, 0, null, new Secret(""), AppendSync.ALWAYS, false, 0, 0, List.of());
        }

        public Options port(int newPort) {
            return new Options(
                    dir, newPort, socket, password, appendSync, cluster, busPort, maxMemoryBytes, extraLines);
        }

        public Options socket(Path newSocket) {
            return new Options(dir, 0, newSocket, password, appendSync, cluster, busPort, maxMemoryBytes, extraLines);
        }

        public Options password(Secret newPassword) {
            return new Options(
                    dir, port, socket, newPassword, appendSync, cluster, busPort, maxMemoryBytes, extraLines);
        }

        public Options appendSync(AppendSync newSync) {
            return new Options(dir, port, socket, password, newSync, cluster, busPort, maxMemoryBytes, extraLines);
        }

        public Options inCluster() {
            return inCluster(0);
        }

        public Options inCluster(int newBusPort) {
            return new Options(dir, port, socket, password, appendSync, true, newBusPort, maxMemoryBytes, extraLines);
        }

        public Options maxMemoryBytes(long bytes) {
            return new Options(dir, port, socket, password, appendSync, cluster, busPort, bytes, extraLines);
        }

        public Options extraLines(String... lines) {
            return new Options(
                    dir, port, socket, password, appendSync, cluster, busPort, maxMemoryBytes, List.of(lines));
        }
    }

    private final Path dir;
    private final int port;
    private final Path socket;
    private final Secret password;
    private final ProcessHandle process;

    private RedisProcess(Path dir, int port, Path socket, Secret password, ProcessHandle process) {
        this.dir = dir;
        this.port = port;
        this.socket = socket;
        this.password = password;
        this.process = process;
    }

    /** Starts the best program of this machine; see {@link #start(ServerBinary, Options)}. */
    public static RedisProcess start(Options options) {
        return start(ServerBinary.find(), options);
    }

    /**
     * Starts a server and waits until it has loaded its data and answers; loading may take as long as it takes, silence
     * may not. A server that still runs on the directory is stopped first. Fails with an {@link IllegalStateException}
     * whose message is the reason and the end of the server's log.
     */
    public static RedisProcess start(ServerBinary program, Options options) {
        return start(program, options, SILENCE_MAX);
    }

    static RedisProcess start(ServerBinary program, Options options, Duration silenceMax) {
        try {
            PrivateFiles.createDirectories(options.dir());
            Path dir = options.dir().toRealPath();
            running(dir).ifPresent(RedisProcess::stop);
            for (int attempt = 1; ; attempt++) {
                try {
                    return startOnce(program, options, dir, silenceMax);
                } catch (PortTaken e) {
                    // Between finding a free port and the server's bind somebody else may have taken it.
                    if (options.port() != 0 || attempt == 5) {
                        throw new IllegalStateException(e.getMessage());
                    }
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot start redis-server in " + options.dir() + ": " + Reason.of(e), e);
        }
    }

    /**
     * The server that runs on a directory of this user, started by whichever process; empty when there is none. It may
     * still be loading, or be too busy to answer: it holds the port and the files all the same.
     */
    public static Optional<RedisProcess> running(Path dir) {
        try {
            Path real = dir.toRealPath();
            long pid =
                    Long.parseLong(Files.readString(real.resolve("redis.pid")).strip());
            RedisConf conf = RedisConf.read(real.resolve("redis.conf"));
            RedisProcess found = new RedisProcess(
                    real,
                    conf.port(),
                    conf.socket(),
                    conf.password(),
                    ProcessHandle.of(pid).orElseThrow());
            return found.isOurs() ? Optional.of(found) : Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether the process is a server on our directory, and not another one that was given its number since. That it
     * does not answer proves nothing.
     */
    private boolean isOurs() {
        String conf = dir.resolve("redis.conf").toString();
        boolean named = process.info()
                .arguments()
                .map(arguments -> Arrays.asList(arguments).contains(conf))
                .orElse(false);
        return process.isAlive() && (named || state() != State.SILENT);
    }

    /** Nothing of an earlier server may still run here: its conf and pid file, by which it is found, are replaced. */
    private static RedisProcess startOnce(ServerBinary program, Options options, Path dir, Duration silenceMax)
            throws IOException, PortTaken {
        int port = options.socket() != null ? 0 : options.port() == 0 ? freePort() : options.port();
        Path conf = dir.resolve("redis.conf");
        Path logFile = dir.resolve("redis.log");
        int busPort = !options.cluster() ? 0 : options.busPort() == 0 ? freePort() : options.busPort();
        RedisConf.write(conf, dir, port, busPort, options);
        Files.deleteIfExists(dir.resolve("redis.pid"));
        Files.deleteIfExists(logFile);
        PrivateFiles.create(logFile);
        List<String> line = new ArrayList<>(PrivateFiles.UMASK);
        line.addAll(ownSession());
        line.add(program.path().toString());
        line.add(conf.toString());
        ProcessBuilder builder =
                new ProcessBuilder(line).directory(dir.toFile()).redirectErrorStream(true);
        Process child = builder.redirectOutput(logFile.toFile()).start();
        RedisProcess server = new RedisProcess(dir, port, options.socket(), options.password(), child.toHandle());
        ParentWatch.over(child.toHandle(), ownSession());
        server.awaitReady(logFile, silenceMax);
        log.info("redis started program={} port={} pid={} dir={}", program, port, server.pid(), dir);
        return server;
    }

    /**
     * A session of its own keeps Ctrl-C, which goes to the whole foreground group, from ending the server before its
     * clients have drained.
     */
    private static List<String> ownSession() {
        return Files.isExecutable(Path.of("/usr/bin/setsid")) ? List.of("/usr/bin/setsid") : List.of();
    }

    private void awaitReady(Path logFile, Duration silenceMax) throws IOException, PortTaken {
        long loggedNanos = System.nanoTime();
        StartupWatchdog watchdog = new StartupWatchdog(silenceMax, AdminConnection.ANSWER_MAX, loggedNanos);
        for (State state = state(); state != State.READY; state = state()) {
            long now = System.nanoTime();
            if (state == State.LOADING) {
                watchdog.ended(now);
                if (now - loggedNanos > LOG_LOADING_NANOS) {
                    loggedNanos = now;
                    log.info("redis is loading its data port={} pid={}", port, pid());
                }
            }
            boolean silent = watchdog.isTooLong(now);
            if (!process.isAlive() || silent) {
                kill();
                String tail = tail(logFile);
                if (tail.contains("bind: Address")) { // "... already in use" or, of another libc, "... in use".
                    throw new PortTaken("port " + port + " is taken: choose another one");
                }
                throw new IllegalStateException("redis-server "
                        + (silent ? "did not answer for " + silenceMax.toSeconds() + " s" : "ended at once")
                        + ", its log ends:\n" + tail);
            }
            pause(10);
        }
    }

    private enum State {
        /** No answer, or not from our process: another one may have taken the port. */
        SILENT,
        LOADING,
        READY
    }

    private State state() {
        try {
            String info = ask("INFO").asString();
            if (info == null || !info.contains("process_id:" + pid() + "\r\n")) {
                return State.SILENT;
            }
            boolean loaded = info.contains("\nloading:0\r\n") && info.contains("\nasync_loading:0\r\n");
            return loaded ? State.READY : State.LOADING;
        } catch (IOException | RuntimeException e) {
            return State.SILENT;
        }
    }

    /** One command on a connection of its own. An error reply is a {@link Reply.Failure}. */
    public Reply ask(String... command) throws IOException {
        return ask(AdminConnection.ANSWER_MAX, command);
    }

    /** The same for a command that may take so long. */
    public Reply ask(Duration atMost, String... command) throws IOException {
        try (AdminConnection connection = new AdminConnection(address(), password, atMost)) {
            return connection.ask(command);
        }
    }

    /** Sends the commands one after another on one connection. An error reply is a {@link Reply.Failure}. */
    public List<Reply> askEach(List<List<String>> commands) throws IOException {
        List<Reply> replies = new ArrayList<>();
        try (AdminConnection connection = new AdminConnection(address(), password, AdminConnection.ANSWER_MAX)) {
            for (List<String> command : commands) {
                replies.add(connection.ask(command.toArray(String[]::new)));
            }
        }
        return replies;
    }

    private SocketAddress address() {
        return socket == null
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                : UnixDomainSocketAddress.of(socket);
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    public ProcessHandle handle() {
        return process;
    }

    public Path dir() {
        return dir;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Complete when the process has ended, for whatever reason. */
    public CompletableFuture<ProcessHandle> onExit() {
        return process.onExit();
    }

    /** {@code redis://:password@127.0.0.1:port} or {@code unix://:password@/path}, percent-encoded. */
    public Secret url() {
        return url("", password);
    }

    /** The same for another user of the server. */
    public Secret url(String user, Secret userPassword) {
        String login = userPassword.isSet() ? encoded(user) + ":" + encoded(userPassword.reveal()) + "@" : "";
        return new Secret(
                socket == null
                        ? "redis://" + login + "127.0.0.1:" + port
                        : "unix://" + login + encoded(socket.toString()).replace("%2F", "/"));
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Ends it cleanly, what it holds is synced first; after 20 s by force. Returns when it is gone. */
    public void stop() {
        process.destroy();
        if (!ended(STOP_MAX)) {
            log.warn("redis did not end in time, killed pid={}", pid());
            kill();
        }
    }

    /** {@code kill -9}: what was not synced is lost. Returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        if (!ended(STOP_MAX)) {
            throw new IllegalStateException("redis-server cannot be killed, pid " + pid());
        }
    }

    @Override
    public void close() {
        stop();
    }

    private boolean ended(Duration atMost) {
        try {
            process.onExit().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String tail(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
    }

    private static final class PortTaken extends Exception {
        private static final long serialVersionUID = 1L;

        PortTaken(String message) {
            super(message);
        }
    }
}
