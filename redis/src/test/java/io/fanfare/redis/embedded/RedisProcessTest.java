package io.fanfare.redis.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.redis.Reply;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.embedded.RedisProcess.Options;
import io.fanfare.redis.testing.Suspension;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisProcessTest {
    @TempDir
    Path temp;

    @Test
    void anAcknowledgedWriteSurvivesKillMinusNine() throws IOException {
        Options options = Options.in(temp).appendSync(AppendSync.ALWAYS);
        RedisProcess first = RedisProcess.start(options);
        assertThat(first.ask("SET", "a", "kept").asString()).isEqualTo("OK");
        first.kill();
        assertThat(first.isAlive()).isFalse();
        try (RedisProcess second = RedisProcess.start(options)) {
            assertThat(second.ask("GET", "a").asString()).isEqualTo("kept");
        }
    }

    @Test
    void commandsOnOneConnectionAreAnsweredInTheirOrderAndAnErrorEndsNothing() throws IOException {
        try (RedisProcess server = RedisProcess.start(Options.in(temp))) {
            List<Reply> replies = server.askEach(List.of(
                    List.of("CLIENT", "SETNAME", "one"),
                    List.of("NONE"),
                    List.of("CLIENT", "GETNAME"),
                    List.of("INCR", "a")));

            assertThat(replies.get(0).asString()).isEqualTo("OK");
            assertThat(replies.get(1)).isInstanceOf(Reply.Failure.class);
            assertThat(replies.get(2).asString()).as("the same connection").isEqualTo("one");
            assertThat(replies.get(3).asLong()).isOne();
        }
    }

    @Test
    void aLargeKeyThatExpiresIsFreedInTheBackground() throws IOException {
        try (RedisProcess server = RedisProcess.start(Options.in(temp))) {
            List<String> hash = new ArrayList<>(List.of("HSET", "{bus}:told:1"));
            IntStream.range(0, 1000).forEach(i -> hash.addAll(List.of("field" + i, "1")));
            assertThat(server.ask(hash.toArray(String[]::new)).asLong()).isEqualTo(1000);
            assertThat(server.ask("PEXPIRE", "{bus}:told:1", "1").asLong()).isOne();

            TestRedis.awaitUntil("freed by the other thread", () -> hasFreedOneInTheBackground(server));
        }
        assertThat(Files.readString(Path.of("../config/redis.conf"))).contains("\nlazyfree-lazy-expire yes\n");
    }

    @Test
    void aStatusWithALongTextIsOneAllocation() throws Exception {
        try (RedisProcess server = RedisProcess.start(Options.in(temp))) {
            List<String> hash = new ArrayList<>(List.of("HSET", "status:{1}:1", "text", "x".repeat(1500)));
            IntStream.range(0, 20).forEach(i -> hash.addAll(List.of("field" + i, "1")));
            assertThat(server.ask(hash.toArray(String[]::new)).asLong()).isEqualTo(21);

            assertThat(server.ask("OBJECT", "ENCODING", "status:{1}:1").asString())
                    .isEqualTo("listpack");
        }
        assertThat(Files.readString(Path.of("../config/redis.conf"))).contains("\nhash-max-listpack-value 2048\n");
    }

    private static boolean hasFreedOneInTheBackground(RedisProcess server) {
        return TestRedis.ask(server, "EXISTS", "{bus}:told:1").asLong() == 0
                && TestRedis.ask(server, "INFO", "memory").asString().contains("lazyfreed_objects:1");
    }

    @Test
    void aServerThatStillRunsOnTheDirectoryIsFoundAndStopped() throws IOException {
        assertThat(RedisProcess.running(temp)).isEmpty();
        Options options = Options.in(temp).password(new Secret("p\"a\\s s"));
        RedisProcess first = RedisProcess.start(options);
        RedisProcess found = RedisProcess.running(temp).orElseThrow();
        assertThat(found.pid()).isEqualTo(first.pid());
        assertThat(found.url()).isEqualTo(first.url());
        assertThat(found.ask("SET", "a", "kept").asString()).isEqualTo("OK");
        RedisProcess second = RedisProcess.start(options);
        assertThat(first.isAlive()).isFalse();
        assertThat(second.ask("GET", "a").asString()).isEqualTo("kept");
        second.stop();
        assertThat(RedisProcess.running(temp)).isEmpty();
    }

    @Test
    void aServerThatDoesNotAnswerIsFoundAndReplaced() throws IOException {
        Options options = Options.in(temp).password(new Secret("first"));
        RedisProcess first = RedisProcess.start(options);
        Suspension.begin(first.handle());
        RedisProcess found = RedisProcess.running(temp).orElseThrow();
        Suspension.end(first.handle());
        assertThat(found.pid()).isEqualTo(first.pid());
        try (RedisProcess second = RedisProcess.start(options.port(first.port()).password(new Secret("second")))) {
            assertThat(first.isAlive()).isFalse();
            assertThat(second.ask("PING").asString()).isEqualTo("PONG");
        }
    }

    @Test
    void anotherProcessThatWasGivenTheNumberIsNotTakenForTheServer() throws IOException {
        RedisProcess server = RedisProcess.start(Options.in(temp));
        server.kill();
        Files.writeString(temp.resolve("redis.pid"), ProcessHandle.current().pid() + "\n");
        assertThat(RedisProcess.running(temp)).isEmpty();
    }

    @Test
    void aStandstillOfTheMachineIsNoSilenceOfTheServer() {
        long second = Duration.ofSeconds(1).toNanos();
        StartupWatchdog watchdog = new StartupWatchdog(Duration.ofSeconds(4), Duration.ofSeconds(2), 0);

        assertThat(watchdog.isTooLong(60 * second)).isFalse();
        assertThat(watchdog.isTooLong(62 * second)).isFalse();
        assertThat(watchdog.isTooLong(62 * second + 1)).isTrue();
        watchdog.ended(63 * second);
        assertThat(watchdog.isTooLong(66 * second)).isFalse();
    }

    @Test
    void aServerMayLoadForLongerThanItMayBeSilent() throws IOException {
        // Answers come after each 1024 commands loaded: about every 0.6 s.
        int keys = 10_000;
        Duration silenceMax = Duration.ofSeconds(4);
        Options options = Options.in(temp).appendSync(AppendSync.NO);
        try (RedisProcess first = RedisProcess.start(options)) {
            String fill = "for i = 1, " + keys + " do redis.call('set', 'key:' .. i, i) end return 1";
            assertThat(first.ask("EVAL", fill, "0").asLong()).isEqualTo(1);
        }
        Options slow = options.extraLines("key-load-delay 500");
        CompletableFuture<RedisProcess> starting =
                CompletableFuture.supplyAsync(() -> RedisProcess.start(ServerBinary.find(), slow, silenceMax));
        TestRedis.awaitUntil(
                "a loading server is found", () -> RedisProcess.running(temp).isPresent() || starting.isDone());
        assertThat(starting).isNotDone();
        try (RedisProcess second = starting.join()) {
            assertThat(second.ask("DBSIZE").asLong()).isEqualTo(keys);
            assertThat(Files.readString(temp.resolve("redis.log"))).contains("DB loaded");
        }
    }

    @Test
    void thePasswordIsInAFileOfItsOwnerOnly() throws IOException {
        Secret password = new Secret("only-in-the-file");
        try (RedisProcess server = RedisProcess.start(Options.in(temp).password(password))) {
            Path conf = temp.resolve("redis.conf");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(conf)))
                    .isEqualTo("rw-------");
            assertThat(Files.readString(conf)).contains(password.reveal());
            assertThat(Files.readString(temp.resolve("redis.log"))).doesNotContain(password.reveal());
            String commandLine = ProcessHandle.of(server.pid())
                    .flatMap(handle -> handle.info().commandLine())
                    .orElse("");
            assertThat(commandLine).doesNotContain(password.reveal());
        }
    }

    @Test
    void aStartThatFailsShowsTheOutputOfTheServer() throws IOException {
        assertThatThrownBy(() -> RedisProcess.start(Options.in(temp).extraLines("nonsense 3")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nonsense 3");
        try (RedisProcess server = RedisProcess.start(Options.in(temp.resolve("a")))) {
            assertThatThrownBy(() ->
                            RedisProcess.start(Options.in(temp.resolve("b")).port(server.port())))
                    .hasMessage("port " + server.port() + " is taken: choose another one");
        }
    }

    @Test
    void saysWhichProgramItRuns() {
        ServerBinary bundled = ServerBinary.bundledOne();
        assertThat(bundled.version()).isEqualTo("7.0.15");
        assertThat(bundled.allocator()).isEqualTo("libc");
        assertThat(List.of("Redis", "Valkey")).contains(ServerBinary.find().product());
    }
}
