package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fanfare.core.disk.DiskSpace;
import io.fanfare.core.disk.DiskSpace.Volume;
import io.fanfare.redis.Reply;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The redis-server of {@code up} on a disk that fills up. */
class FullDiskGateTest {
    private static final Volume ROOM = new Volume(50L << 30, 100L << 30);
    private static final Volume FULL = new Volume(1L << 20, 100L << 30);
    private static final Duration NEVER = Duration.ofDays(1);

    /** A value that fills a volume of some megabytes soon. */
    private static final String LONG_VALUE = "v".repeat(100_000);

    @TempDir
    Path dir;

    private final AtomicReference<Volume> volume = new AtomicReference<>(ROOM);
    private final AtomicBoolean givenUp = new AtomicBoolean();
    private EmbeddedRedis redis;
    private Path folder;
    private Path mounted;

    @AfterEach
    void stop() throws Exception {
        if (redis != null) {
            redis.close();
        }
        if (mounted != null) {
            assertThat(run("umount", "-l", mounted.toString())).isZero();
        }
    }

    @Test
    void aServerRefusesWritesAndServesReadsWhileTheDiskIsFullAndSyncsAlwaysBeforeItWritesAgain() throws Exception {
        start(dir, path -> volume.get());
        assertThat(set("before")).isEqualTo("OK");
        long pid = server().pid();

        volume.set(FULL);
        awaitUntil("writes are refused", () -> set("while").startsWith("NOREPLICAS"));

        assertThat(get("before")).isEqualTo("before");
        assertThat(set("late")).startsWith("NOREPLICAS");
        assertThat(get("late")).isNull();
        assertThat(setting("appendfsync"))
                .as("nothing makes a hole in its file")
                .isEqualTo("always");

        volume.set(ROOM);
        awaitUntil("writes are taken", () -> set("after").equals("OK"));

        assertThat(setting("appendfsync")).isEqualTo("always");
        assertThat(server().pid()).as("nothing was started again").isEqualTo(pid);
    }

    @Test
    void aServerThatIsStartedOnAFullDiskServesReadsAndRefusesWrites() throws Exception {
        start(dir, path -> volume.get());
        assertThat(set("before")).isEqualTo("OK");
        assertThat(dir.resolve("redis/ballast")).satisfies(file -> awaitUntil("ballast", () -> Files.exists(file)));
        redis.close();

        volume.set(FULL);
        start(dir, path -> volume.get());

        assertThat(get("before")).isEqualTo("before");
        assertThat(set("while")).startsWith("NOREPLICAS");
        assertThat(dir.resolve("redis/ballast")).doesNotExist();

        server().kill();
        awaitUntil("it is started again", () -> isUp() && "before".equals(get("before")));
        assertThat(set("while")).startsWith("NOREPLICAS");

        volume.set(ROOM);
        awaitUntil("writes are taken", () -> set("after").equals("OK"));
        assertThat(setting("appendfsync")).isEqualTo("always");
    }

    @Test
    void aServerOnARealDiskThatFillsUpLosesNothingThatItAcknowledged() throws Exception {
        mount("32m");
        start(mounted, DiskSpace.ofSystem());
        int acknowledged = 0;
        while (set("k" + acknowledged, LONG_VALUE).equals("OK")) {
            acknowledged++;
        }

        awaitUntil("reads are served", () -> isUp() && LONG_VALUE.equals(get("k0")));
        assertThat(acknowledged).isPositive();
        awaitUntil("writes are refused", () -> set("while").startsWith("NOREPLICAS"));
        assertThat(get("k" + (acknowledged - 1))).isEqualTo(LONG_VALUE);
        assertThat(givenUp).isFalse();
    }

    @Test
    void aServerThatItsDiskHasEndedComesBackAndServesReadsAndRecoversByItselfWhenThereIsRoom() throws Exception {
        mount("32m");
        // Nobody sees the disk fill up before the first server ends at a write that fails.
        AtomicReference<ProcessHandle> first = new AtomicReference<>(ProcessHandle.current());
        start(
                mounted,
                path -> first.get().isAlive() ? ROOM : DiskSpace.ofSystem().of(path));
        first.set(server().handle());
        for (int i = 0; i < 100; i++) {
            assertThat(set("k" + i)).isEqualTo("OK");
        }
        long pid = server().pid();
        Path filler = mounted.resolve("filler");
        fill(filler);
        awaitUntil(
                "the server has ended by its disk", () -> !set("x", LONG_VALUE).equals("OK"));

        awaitUntil("reads are served", () -> isAnother(pid) && "k99".equals(get("k99")));
        for (int i = 0; i < 100; i++) {
            assertThat(get("k" + i)).isEqualTo("k" + i);
        }
        assertThat(set("while")).startsWith("NOREPLICAS");

        Files.delete(filler);
        awaitUntil("writes are taken", () -> set("after").equals("OK"));
        assertThat(setting("appendfsync")).isEqualTo("always");
        assertThat(givenUp).isFalse();
    }

    /** Keys that expire are still written, into a file that was begun while the server ran. */
    @Test
    @Tag("programs")
    void aServerThatIsKilledBehindTheClosedGateHasLostNothingAndStartsAgain() throws Exception {
        mount("32m");
        start(mounted, DiskSpace.ofSystem());
        assertThat(ask("BGREWRITEAOF")).startsWith("Background");
        awaitUntil("the file is new", () -> info().contains("aof_rewrite_in_progress:0"));
        for (int i = 0; i < 100; i++) {
            assertThat(set("k" + i)).isEqualTo("OK");
        }
        assertThat(ask(
                        "EVAL",
                        "for i = 1, 2000 do redis.call('SET', 'short-lived' .. i, 'v', 'PX', 8000) end return 'OK'",
                        "0"))
                .isEqualTo("OK");
        Path filler = mounted.resolve("filler");
        fill(filler);
        awaitUntil("writes are refused", () -> set("while").startsWith("NOREPLICAS"));
        long pid = server().pid();
        Path rest = mounted.resolve("rest");
        fill(rest);
        awaitUntil(
                "what expires could not be written, which ends a server that syncs always",
                () -> isAnother(pid) || info().contains("aof_last_write_status:err"));
        awaitUntil("reads are served", () -> "k99".equals(get("k99")));

        // Not enough to take writes, but for what has expired.
        shorten(filler, 1 << 20);
        awaitUntil("what has expired is written", () -> isUp() && info().contains("aof_last_write_status:ok"));
        awaitUntil("writes are refused", () -> set("late").startsWith("NOREPLICAS"));
        killed();
        assertAcknowledged();
        assertThat(setting("auto-aof-rewrite-percentage")).isEqualTo("0");
        awaitUntil("writes are refused", () -> set("late").startsWith("NOREPLICAS"));

        Files.delete(filler);
        Files.delete(rest);
        awaitUntil("writes are taken", () -> set("after").equals("OK"));
        assertThat(setting("appendfsync")).isEqualTo("always");
        assertThat(setting("auto-aof-rewrite-percentage")).isEqualTo("100");
        killed();
        assertAcknowledged();
        assertThat(get("after")).isEqualTo("after");
        assertThat(givenUp).isFalse();
    }

    /** Kill -9, and the next server. */
    private void killed() {
        long pid = server().pid();
        server().kill();
        awaitUntil("it is started again", () -> isAnother(pid) && "k0".equals(get("k0")));
    }

    private void assertAcknowledged() {
        for (int i = 0; i < 100; i++) {
            assertThat(get("k" + i)).isEqualTo("k" + i);
        }
    }

    private static void shorten(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            assertThat(channel.truncate(channel.size() - bytes).size()).isPositive();
        }
    }

    private String info() {
        return ask("INFO", "persistence");
    }

    private void start(Path data, DiskSpace space) {
        folder = data.resolve("redis");
        redis = EmbeddedRedis.start(data, TestRedis.NAMESPACE, space, NEVER, () -> givenUp.set(true));
    }

    private RedisProcess server() {
        return RedisProcess.running(folder).orElseThrow();
    }

    private boolean isAnother(long pid) {
        return RedisProcess.running(folder).filter(one -> one.pid() != pid).isPresent();
    }

    private boolean isUp() {
        return RedisProcess.running(folder).isPresent();
    }

    private String set(String key) {
        return set(key, key);
    }

    /** The answer; "LOST" for none. */
    private String set(String key, String value) {
        return ask("SET", key, value);
    }

    private String get(String key) {
        return ask("GET", key);
    }

    private String setting(String name) {
        try {
            return server().ask("CONFIG", "GET", name).items().get(1).asString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String ask(String... command) {
        if (!isUp()) {
            return "LOST";
        }
        try {
            Reply reply = server().ask(command);
            return reply instanceof Reply.Failure failure ? failure.error().getMessage() : reply.asString();
        } catch (IOException | RuntimeException e) {
            return "LOST";
        }
    }

    /** A small volume in memory; the test is skipped where none can be mounted. */
    private void mount(String size) throws Exception {
        Path folderOfVolume = Files.createDirectory(dir.resolve("volume"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folderOfVolume.toString()) == 0,
                "nothing can be mounted here");
        mounted = folderOfVolume;
    }

    private static int run(String... line) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } catch (IOException noSuchProgram) {
            return 1;
        }
    }

    private static void fill(Path file) throws IOException {
        byte[] piece = new byte[64 << 10];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int i = 0; i < 100_000; i++) {
                out.write(piece);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space");
        }
    }
}
