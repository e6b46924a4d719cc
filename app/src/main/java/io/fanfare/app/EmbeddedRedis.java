package io.fanfare.app;

import com.sun.management.OperatingSystemMXBean;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.keyspace.ServiceUser;
import io.fanfare.common.store.DataFormat;
import io.fanfare.core.disk.DiskSpace;
import io.fanfare.failure.Reason;
import io.fanfare.redis.Namespace;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.ServerBinary;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The redis-server of {@code up}, in {@code DATA/redis}: on a Unix socket there, or on a port of the loopback address
 * where no socket can be made; every write synced, started again with the same data, address and password when it dies.
 * Its users are {@code default}, whose password is drawn at each start, stands in {@code redis.conf} only and is there
 * to look after the server, and {@link ServiceUser}, which the service uses and which has the least rights that it
 * works with: it runs the scripts that {@code default} loads, and no others. Address and password outlive a restart, so
 * that worker processes that have joined find it again. On a full disk it lives on and refuses writes: see
 * {@link FullDiskGate}.
 */
final class EmbeddedRedis implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EmbeddedRedis.class);

    /** The longest path that fits into a {@code sockaddr_un} on every platform, without its final zero byte. */
    private static final int SOCKET_PATH_BYTES_MAX = 103;

    /** The field of the meta key in which earlier releases stored the signing key. */
    private static final String KEY_FIELD = "signing-key";

    private static final int PASSWORD_BYTES = 32;

    /** A server that dies so often without having lived for {@link #STABLE} in between will not get better. */
    private static final int DEATHS_MAX = 8;

    private static final Duration STABLE = Duration.ofMinutes(1);

    /** When a rewrite that could not begin is tried again. */
    private static final Duration RETRY = Duration.ofMinutes(10);

    /** Enough to see whose keys there are. */
    private static final String SOME_KEYS = "1000";

    private static final long PAUSE_MIN_MILLIS = 100;

    /** Between starts of a server whose disk is full, which is never given up. */
    private static final long FULL_PAUSE_MILLIS = 2_000;

    /** How often the disk is looked at. */
    private static final Duration LOOK = Duration.ofMillis(500);

    /**
     * The share of this machine's (or container's) memory that Redis may use. Above it posts are refused, while reads
     * and the queue go on.
     */
    private static final int MEMORY_PERCENT = 50;

    private final ServerBinary program;
    private final RedisProcess.Options options;
    private final Namespace namespace;
    private final Secret password;
    private final Runnable givenUp;
    private final Thread watcher = new Thread(this::watch, "redis-watch");
    private final FullDiskGate gate;
    private final ScheduledExecutorService upkeep = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "redis-upkeep");
        thread.setDaemon(true);
        return thread;
    });
    // Written under the lock, by the thread that starts; read by the watcher, which is that thread from then on.
    private volatile RedisProcess process;
    private volatile boolean closing;

    private EmbeddedRedis(
            ServerBinary program,
            RedisProcess.Options options,
            Namespace namespace,
            Secret password,
            FullDiskGate gate,
            Runnable givenUp) {
        this.gate = gate;
        this.namespace = namespace;
        this.program = program;
        this.options = options;
        this.password = password;
        this.givenUp = givenUp;
        watcher.setDaemon(true);
    }

    /**
     * Starts it and waits until it answers; a server that an earlier, killed process left behind on the folder is
     * stopped first.
     *
     * @param namespace of the data that the service uses
     * @param rewriteEvery how often it rewrites its file, about
     * @param givenUp is told when the server keeps dying
     */
    static EmbeddedRedis start(Path data, Namespace namespace, Duration rewriteEvery, Runnable givenUp) {
        return start(data, namespace, DiskSpace.ofSystem(), rewriteEvery, givenUp);
    }

    static EmbeddedRedis start(
            Path data, Namespace namespace, DiskSpace space, Duration rewriteEvery, Runnable givenUp) {
        Path dir = data.resolve("redis");
        try {
            PrivateFiles.createDirectories(dir);
            RedisProcess.running(dir).ifPresent(EmbeddedRedis::stopLeftBehind);
            PrivateFiles.restrict(dir);
            Path real = dir.toRealPath();
            EmbeddedRedis redis = open(real, namespace, new FullDiskGate(real, space, System::nanoTime), givenUp);
            Runtime.getRuntime().addShutdownHook(new Thread(redis::close, "redis-stop"));
            redis.watcher.start();
            redis.watchDisk();
            redis.rewriteAfter(RewriteTimes.untilFirst(dir, rewriteEvery, Instant.now(), new Random()), rewriteEvery);
            return redis;
        } catch (IOException | IllegalStateException e) {
            throw new StartFailed("the redis-server in " + dir + " cannot be started: " + e.getMessage());
        }
    }

    private static EmbeddedRedis open(Path dir, Namespace namespace, FullDiskGate gate, Runnable givenUp)
            throws IOException {
        gate.makeRoom();
        Properties access = access(dir.resolve("access.properties"));
        ServerBinary program = ServerBinary.find();
        program.logVulnerabilities();
        Secret password = new Secret(access.getProperty("password"));
        RedisProcess.Options options = RedisProcess.Options.in(dir)
                .password(new Secret(randomPassword()))
                .maxMemoryBytes(memoryBytes() * MEMORY_PERCENT / 100)
                .extraLines(ServiceUser.conf(password.reveal(), namespace));
        Path socket = dir.resolve("redis.sock");
        if (socket.toString().getBytes(StandardCharsets.UTF_8).length <= SOCKET_PATH_BYTES_MAX) {
            try {
                return started(new EmbeddedRedis(program, options.socket(socket), namespace, password, gate, givenUp));
            } catch (IllegalStateException e) {
                if (!e.getMessage().contains("Unix socket")) {
                    throw e;
                }
                log.warn("no Unix socket can be made here, redis-server listens on a port cause={}", e.getMessage());
            }
        } else {
            log.warn(
                    "the path of the data folder is too long for a Unix socket, redis-server listens on a port: a path has at most {} bytes socket={}",
                    SOCKET_PATH_BYTES_MAX,
                    socket);
        }
        int port = Integer.parseInt(access.getProperty("port"));
        return started(new EmbeddedRedis(program, options.port(port), namespace, password, gate, givenUp));
    }

    private static EmbeddedRedis started(EmbeddedRedis redis) {
        redis.start();
        return redis;
    }

    /** The address at which the service reaches Redis. */
    Secret url() {
        return process.url(ServiceUser.NAME, password);
    }

    /**
     * Fails with {@link StartFailed} when the server has data, and none of it is in the namespace: an older release has
     * made it, or {@code redis.namespace} is another one than before.
     */
    void requireNamespace() {
        try {
            List<Reply> keys =
                    process.ask("SCAN", "0", "COUNT", SOME_KEYS).items().get(1).items();
            if (keys.stream().allMatch(key -> namespace.without(key.asString()).isPresent())
                    || process.ask("EXISTS", namespace.with(Keys.META)).asLong() == 1) {
                return;
            }
            List<Reply> former =
                    process.ask("HMGET", Keys.META, "format", "format-by").items();
            if (former.get(0).isNil()) {
                throw new StartFailed("the redis-server in " + options.dir() + " has data, but none in the namespace "
                        + namespace.name()
                        + ": set redis.namespace as it was before, or choose another folder with --data DIR");
            }
            String by = former.get(1).isNil() ? "" : former.get(1).asString();
            new DataFormat.Mark(former.get(0).asLong(), by)
                    .refusal("the data in " + options.dir())
                    .ifPresent(sentence -> {
                        throw new StartFailed(sentence);
                    });
        } catch (IOException | RedisError e) {
            throw new StartFailed("a request to the redis-server in " + options.dir() + " failed: " + e.getMessage());
        }
    }

    /** The number of shards of the data; empty for new data. */
    Optional<Integer> shards() throws IOException {
        return Optional.ofNullable(
                        process.ask("HGET", namespace.with(Keys.META), "shards").asString())
                .map(Integer::valueOf);
    }

    /** The signing key that releases before this one kept among the data, in hex; empty when there is none. */
    Optional<String> storedSigningKey() throws IOException {
        return Optional.ofNullable(
                process.ask("HGET", namespace.with(Keys.META), KEY_FIELD).asString());
    }

    /** Takes that key out of the data, and out of the file that they lie in. */
    void forgetSigningKey() throws IOException {
        long removed = process.ask("HDEL", namespace.with(Keys.META), KEY_FIELD).asLong();
        boolean rewriting = rewrite();
        log.info("the signing key is no longer kept in redis removed={} rewriting={}", removed, rewriting);
    }

    /** Which program runs, for people. */
    String program() {
        return program.toString();
    }

    /** Stops it, for good; what it holds is on disk. */
    @Override
    public void close() {
        closing = true;
        stop();
    }

    private synchronized void stop() {
        upkeep.shutdownNow();
        process.stop();
    }

    /** Not while it is being stopped: else a server would stay behind. */
    private synchronized void start() {
        if (!closing) {
            try {
                process = RedisProcess.start(program, gate.options(options));
            } catch (IOException e) {
                throw new IllegalStateException("its disk cannot be read: " + Reason.of(e), e);
            }
            loadScripts();
        }
    }

    /** The service's user may run scripts but not load any. */
    private void loadScripts() {
        try {
            List<List<String>> loads = Script.texts().stream()
                    .map(text -> List.of("SCRIPT", "LOAD", text))
                    .toList();
            for (Reply reply : process.askEach(loads)) {
                if (reply instanceof Reply.Failure failure) {
                    throw failure.error();
                }
            }
        } catch (IOException | RedisError e) {
            throw new IllegalStateException("redis-server does not take the scripts: " + e.getMessage(), e);
        }
    }

    private void watchDisk() {
        Future<?> unused =
                upkeep.scheduleWithFixedDelay(this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void look() {
        try {
            if (!closing && process.isAlive()) {
                gate.look(process);
            }
        } catch (IOException | RuntimeException e) {
            // A server that is ending, which the watcher starts again.
            log.debug("the disk of redis-server was not looked at cause={}", e.toString());
        }
    }

    /** Whether the disk has no room, so that writes are refused. For any thread. */
    boolean isFull() {
        return gate.isClosed();
    }

    private void rewriteAfter(Duration delay, Duration every) {
        Future<?> unused = upkeep.schedule(
                () -> {
                    boolean begun = rewrite();
                    rewriteAfter(begun ? RewriteTimes.untilNext(every, new Random()) : RETRY, every);
                },
                delay.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /**
     * Begins to write the file anew, without what was deleted or overwritten. Answers whether it has begun, or one was
     * under way already.
     */
    private boolean rewrite() {
        if (isFull()) {
            return false;
        }
        try {
            if (process.ask("BGREWRITEAOF") instanceof Reply.Failure failure
                    && !failure.error().getMessage().contains("already in progress")) {
                throw failure.error();
            }
            log.info("redis rewrites its file, without what was deleted");
            return true;
        } catch (IOException | RedisError e) {
            log.warn(
                    "redis cannot rewrite its file, trying again in {} min cause={}",
                    RETRY.toMinutes(),
                    e.getMessage());
            return false;
        }
    }

    /** Waits for the server's end and starts it again, until it is closed or keeps dying. */
    private void watch() {
        int deaths = 0;
        while (!closing && deaths < DEATHS_MAX) {
            long since = System.nanoTime();
            process.onExit().join();
            if (!closing) {
                boolean stable = System.nanoTime() - since > STABLE.toNanos();
                deaths = stable ? 1 : deaths + 1;
                log.error("redis-server ended, starting it again with the same data attempt={}", deaths);
                startAgain(PAUSE_MIN_MILLIS << (deaths - 1));
                // A server without room for its files is started until there is some.
                while (!closing && isFull() && !process.isAlive()) {
                    startAgain(FULL_PAUSE_MILLIS);
                }
                deaths = isFull() ? 0 : deaths;
            }
        }
        if (!closing) {
            log.error(
                    "redis-server keeps ending, giving up; see {}",
                    options.dir().resolve("redis.log"));
            givenUp.run();
        }
    }

    private void startAgain(long pauseMillis) {
        try {
            Thread.sleep(pauseMillis);
            start();
        } catch (IllegalStateException e) {
            log.error("redis-server cannot be started: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void stopLeftBehind(RedisProcess left) {
        log.warn("a redis-server is left from a service that was killed, stopping it pid={}", left.pid());
        left.stop();
    }

    /** Port and password: those of the last start, unless somebody else has taken the port meanwhile. */
    private static Properties access(Path file) throws IOException {
        Properties access = new Properties();
        if (Files.exists(file)) {
            try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                access.load(in);
            }
        }
        Properties stored = new Properties();
        stored.putAll(access);
        access.putIfAbsent("password", randomPassword());
        access.setProperty("port", Integer.toString(freePort(Integer.parseInt(access.getProperty("port", "0")))));
        if (access.equals(stored)) {
            // A full disk would take the words and keep none.
            return access;
        }
        Files.deleteIfExists(file);
        PrivateFiles.create(file);
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            access.store(out, "How the service reaches its redis-server; remove the file to get a new password.");
        }
        return access;
    }

    /** For a redis-server of our own. */
    static String randomPassword() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The wanted port if it is free, else any. */
    private static int freePort(int wanted) throws IOException {
        try (ServerSocket socket = new ServerSocket(wanted, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (BindException e) {
            return freePort(0);
        }
    }

    private static long memoryBytes() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    }
}
