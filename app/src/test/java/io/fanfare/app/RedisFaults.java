package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.Reply;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.ServerBinary;
import io.fanfare.redis.testing.Suspension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Faults of a Redis that syncs each write, and of the line that leads to it. Each method ends its fault before it
 * returns.
 */
final class RedisFaults implements AutoCloseable {
    /** The room on the disk when it begins to fill. */
    private static final int ROOM_BYTES = 16 << 10;

    private static final String AOF_STATUS = "aof_last_write_status:";

    private final Path dir;
    private final ServerBinary program;
    private final SlowLine line;
    private RedisProcess server;

    /** Starts it in a folder. */
    RedisFaults(Path dir) throws IOException {
        this.dir = dir;
        this.program = heedlessOfFileLimits(dir);
        this.server = RedisProcess.start(program, RedisProcess.Options.in(dir.resolve("redis")));
        this.line = new SlowLine(server.port());
    }

    /** A write beyond the limit fails then, as one to a full disk, and does not kill the server. */
    private static ServerBinary heedlessOfFileLimits(Path dir) throws IOException {
        // Not what the process calls itself: Debian's redis-server is a link to a program that looks at its name.
        Path command = ServerBinary.find().path();
        Path script = dir.resolve("redis.sh");
        Files.writeString(script, "#!/bin/sh\ntrap '' XFSZ\nexec '" + command + "' \"$@\"\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return ServerBinary.at(script);
    }

    /** Settings that lead there over the line. */
    Settings.Redis settings() {
        return SettingsLoader.defaultsWith("redis.url=redis://127.0.0.1:" + line.port())
                .redis();
    }

    /** {@code kill -9}, and a start. */
    void kill() {
        server.kill();
        start();
    }

    private void start() {
        server = RedisProcess.start(
                program, RedisProcess.Options.in(dir.resolve("redis")).port(server.port()));
    }

    /** SIGSTOP: it takes connections and commands, and answers none. */
    void stop(Duration duration) throws InterruptedException {
        Suspension.begin(server.handle());
        last(duration);
        Suspension.end(server.handle());
    }

    /** Each of its answers comes later. */
    void delay(Duration delay, Duration duration) throws InterruptedException {
        line.delay(delay);
        last(duration);
        line.delay(Duration.ZERO);
    }

    /** Neither end of the present connections hears of the other any more. */
    void halveConnections() {
        line.halve();
    }

    /** Redis holds as much as it may. */
    void fillMemory(Duration duration) throws InterruptedException {
        String used = info("memory", "used_memory:");
        ask(server, "CONFIG", "SET", "maxmemory", used);
        last(duration);
        ask(server, "CONFIG", "SET", "maxmemory", "0");
    }

    /**
     * The disk takes no more of the append-only file, as one that is full: a write is cut short. With
     * {@code appendfsync everysec} Redis goes on and refuses writes until there is room. Then the file is rewritten, as
     * docs/operate/disk.md asks for: it may have a hole.
     */
    void fillDisk(Duration duration) throws Exception {
        ask(server, "CONFIG", "SET", "appendfsync", "everysec");
        limitRoomUntil(
                "writes are refused", () -> info("persistence", AOF_STATUS).equals("err"));
        last(duration);
        limitFile("unlimited");
        awaitUntil("there is room", () -> info("persistence", AOF_STATUS).equals("ok"));
        rewriteFile();
        ask(server, "CONFIG", "SET", "appendfsync", "always");
    }

    private void rewriteFile() throws IOException {
        awaitUntil("no rewrite is under way", () -> info("persistence", "aof_rewrite_in_progress:")
                .equals("0"));
        Reply unused = server.ask("BGREWRITEAOF"); // Refused when Redis has just begun one by itself.
        awaitUntil("it is rewritten", () -> info("persistence", "aof_rewrite_in_progress:")
                .equals("0"));
        assertThat(info("persistence", "aof_last_bgrewrite_status:")).isEqualTo("ok");
    }

    /** The same with {@code appendfsync always}: Redis ends itself, and starts when there is room. */
    void fillDiskUntilItEnds(Duration duration) throws Exception {
        limitRoomUntil("it ends", () -> !server.isAlive());
        last(duration);
        start();
    }

    /** Redis may begin another file meanwhile, which would have more room. */
    private void limitRoomUntil(String what, BooleanSupplier condition) {
        AtomicReference<Path> limited = new AtomicReference<>();
        awaitUntil(what, () -> {
            Path file = appendOnlyFile();
            if (server.isAlive() && !file.equals(limited.getAndSet(file))) {
                limitFile(Long.toString(size(file) + ROOM_BYTES));
            }
            return condition.getAsBoolean();
        });
    }

    private static void last(Duration duration) throws InterruptedException {
        Thread.sleep(duration.toMillis()); // The length of the fault is the input, not a wait for something.
    }

    private String info(String section, String field) {
        return ask(server, "INFO", section)
                .asString()
                .lines()
                .filter(line -> line.startsWith(field))
                .map(line -> line.substring(field.length()))
                .findFirst()
                .orElseThrow();
    }

    /** The one that is written: the newest. */
    private Path appendOnlyFile() {
        try (Stream<Path> files = Files.list(server.dir().resolve("appendonlydir"))) {
            return files.filter(file -> file.toString().endsWith(".incr.aof"))
                    .max(Comparator.comparing(RedisFaults::number))
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As in {@code appendonly.aof.7.incr.aof}. */
    private static int number(Path file) {
        String[] words = file.getFileName().toString().split("\\.", -1);
        return Integer.parseInt(words[words.length - 3]);
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The command is of util-linux. */
    private void limitFile(String bytes) {
        try {
            Process limit = new ProcessBuilder(
                            "prlimit", "--pid", Long.toString(server.pid()), "--fsize=" + bytes + ":")
                    .inheritIO()
                    .start();
            int exit = limit.waitFor();
            assertThat(exit == 0 || !server.isAlive())
                    .as("prlimit answered %d", exit)
                    .isTrue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        line.close();
        server.kill();
    }
}
