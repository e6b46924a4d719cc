package io.fanfare.app;

import com.sun.management.OperatingSystemMXBean;
import io.fanfare.common.embedded.RedisProcess;
import io.fanfare.common.embedded.ServerBinary;
import io.fanfare.common.runtime.StartFailed;
import io.fanfare.common.settings.Secret;
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
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The redis-server of {@code up}, in {@code DATA/redis}: loopback only, every write synced, started again with the same data, port and password when it dies. Its users are
 * {@code default}, whose password only this process knows and which is there to look after the server, and {@code fanfare}, which may not run dangerous commands and which
 * the service uses. Port and password outlive a restart, so that worker processes that have joined find it again.
 */
final class EmbeddedRedis implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EmbeddedRedis.class);
    private static final String USER = "fanfare";

    /** All but the dangerous ones (FLUSHALL, KEYS, CONFIG, SHUTDOWN, DEBUG ...); reading the server's state is not dangerous to it. */
    private static final String RIGHTS = "~* &* +@all -@admin -@dangerous +info +config|get +role";

    private static final int PASSWORD_BYTES = 32;

    /** A server that dies so often without having lived for {@link #STABLE} in between will not get better. */
    private static final int DEATHS_MAX = 8;

    private static final Duration STABLE = Duration.ofMinutes(1);
    private static final long PAUSE_MIN_MILLIS = 100;

    /** Of this machine's (or container's) memory; beyond it posts are refused while reads and the queue go on. */
    private static final int MEMORY_PERCENT = 50;

    private final ServerBinary program;
    private final RedisProcess.Options options;
    private final Secret url;
    private final Runnable givenUp;
    private final Thread watcher = new Thread(this::watch, "redis-watch");
    // Written under the lock, by the thread that starts; read by the watcher, which is that thread from then on.
    private volatile RedisProcess process;
    private volatile boolean closing;

    private EmbeddedRedis(ServerBinary program, RedisProcess.Options options, Secret url, Runnable givenUp) {
        this.program = program;
        this.options = options;
        this.url = url;
        this.givenUp = givenUp;
        watcher.setDaemon(true);
    }

    /**
     * Starts it and waits until it answers; a server that an earlier, killed process left behind on the folder is stopped first.
     *
     * @param givenUp is told when the server keeps dying
     */
    static EmbeddedRedis start(Path data, Runnable givenUp) {
        Path dir = data.resolve("redis");
        try {
            Files.createDirectories(
                    dir, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            RedisProcess.running(dir).ifPresent(EmbeddedRedis::stopLeftBehind);
            Properties access = access(dir.resolve("access.properties"));
            String password = access.getProperty("password");
            int port = Integer.parseInt(access.getProperty("port"));
            RedisProcess.Options options = RedisProcess.Options.in(dir)
                    .port(port)
                    .password(new Secret(randomPassword()))
                    .maxMemoryBytes(memoryBytes() * MEMORY_PERCENT / 100)
                    .extraLines("user " + USER + " on >" + password + " " + RIGHTS);
            EmbeddedRedis redis = new EmbeddedRedis(
                    ServerBinary.find(),
                    options,
                    new Secret("redis://" + USER + ":" + password + "@127.0.0.1:" + port),
                    givenUp);
            redis.start();
            Runtime.getRuntime().addShutdownHook(new Thread(redis::close, "redis-stop"));
            redis.watcher.start();
            return redis;
        } catch (IOException | IllegalStateException e) {
            throw new StartFailed("the redis-server in " + dir + " cannot be started: " + e.getMessage());
        }
    }

    /** Where the service reaches it. */
    Secret url() {
        return url;
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
        process.stop();
    }

    /** Not while it is being stopped: else a server would stay behind. */
    private synchronized void start() {
        if (!closing) {
            process = RedisProcess.start(program, options);
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
        access.putIfAbsent("password", randomPassword());
        access.setProperty("port", Integer.toString(freePort(Integer.parseInt(access.getProperty("port", "0")))));
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            access.store(out, "How the service reaches its redis-server; remove the file to get a new password.");
        }
        return access;
    }

    private static String randomPassword() {
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
