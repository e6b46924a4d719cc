package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.operate.VerifyRun;
import io.fanfare.bench.replay.ReplayCommand;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Meta;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.Component;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.RuntimeFile;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.server.runtime.ServiceContext;
import io.fanfare.verify.Report;
import io.fanfare.verify.Verifier.Scope;
import io.fanfare.verify.Verifier.Watcher;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The whole road in one process: every role, a real Redis, a small graph. A replay must be content with it, and must
 * notice when something is taken away behind its back.
 */
class ReplayCommandTest {
    @TempDir
    private Path dir;

    private final TestRedis redis = TestRedis.standalone();
    private final Vertx vertx = Vertx.vertx();
    private RedisLink link;
    private String url;

    @BeforeEach
    void startEverything() throws IOException {
        redis.flush();
        link = redis.link(vertx);
        Settings defaults = SettingsLoader.defaultsWith(
                "http.port=0",
                "limits.enabled=false",
                "auth.signing-key=stored",
                "auth.argon-memory-kib=64",
                "auth.argon-passes=1");
        Settings settings = PublicAddress.concrete(defaults.with(TestSettings.redis(redis.options())), new Random());
        Meta meta = new Meta(link, new SecureRandom());
        Shards shards = TestRedis.await(meta.join(settings.redis().shards()));
        SigningKeys keys = TestRedis.await(meta.signingKeys(settings.auth()));
        ServiceContext services = new ServiceContext(
                vertx,
                settings,
                new SimpleMeterRegistry(),
                shards,
                keys,
                /* vapid= */ null,
                Promise.<Void>promise().future());
        for (Component component : Composition.everything(services, ServerTls.NONE)) {
            TestRedis.await(vertx.deployVerticle(
                    component.verticle(), new DeploymentOptions().setInstances(component.instances())));
        }
        url = settings.http().publicUrl();
        Map<String, String> joining = Map.of(
                "auth.signing-key", "stored",
                "redis.url", settings.redis().url().reveal(),
                "redis.shards", Integer.toString(settings.redis().shards()));
        new RuntimeFile(ProcessHandle.current().pid(), url, "", new Secret(""), joining).write(dir);

        List<String> edges = new ArrayList<>(List.of("# u follows v"));
        for (int user = 1; user <= 10; user++) {
            edges.add(user + " " + (user % 10 + 1));
            edges.add(user + " 1");
        }
        Files.write(dir.resolve("graph.edges"), edges);
        Files.writeString(dir.resolve("texts.csv"), "id,text\n1,\"first\nof two lines\"\n2,喇叭 📣\n3,\n");
    }

    @AfterEach
    void stopEverything() {
        TestRedis.await(vertx.close());
    }

    @Test
    void findsNoDifferenceThroughTheStores() {
        Run run = replay("--data", dir.toString(), "--posts", "80");
        assertThat(run.output())
                .contains(
                        "10 users, 18 follow edges",
                        "1 repeated edges skipped",
                        "1 self-loops skipped (line 3)",
                        "1 blank texts skipped",
                        "80 of 80 acknowledged",
                        "raw, through the store",
                        "rebuilt during the run: 0",
                        "80 of 80 statuses came; 0 reconnects, 0 gaps",
                        "verified   10 accounts, 18 edges, 80 statuses, ",
                        "0 differences, 0 in flux",
                        "differences 0");
        assertThat(run.exit()).isZero();
    }

    @Test
    void findsNoDifferenceOverHttpAlone() {
        Run run = replay("--url", url, "--users", "5", "--posts", "20", "--rate", "100");
        assertThat(run.output()).contains("5 users", "open loop at 100/s", "over HTTP", "differences 0");
        assertThat(run.exit()).isZero();
    }

    /** {@code admin verify} again and again while accounts, follows, posts and jobs come and go. */
    @Test
    @Tag("programs")
    void aVerificationBesideABusyServiceFindsNothingThatIsNotThere() throws Exception {
        ExecutorService replays = Executors.newSingleThreadExecutor();
        try {
            java.util.concurrent.Future<Run> busy =
                    replays.submit(() -> replay("--data", dir.toString(), "--posts", "3000"));
            int runs = 0;
            while (!busy.isDone()) {
                assertThat(verified().left()).as("while the service is busy").isEmpty();
                runs++;
            }
            assertThat(busy.get().exit()).as(busy.get().output()).isZero();
            assertThat(runs).isPositive();
            assertThat(verified().isClean()).isTrue();
        } finally {
            replays.shutdown();
        }
    }

    private Report verified() {
        Settings settings = SettingsLoader.defaultsWith().with(TestSettings.redis(redis.options()));
        try (EventLoop loop = new EventLoop()) {
            VerifyRun run = new VerifyRun(loop.vertx(), settings, Optional.empty());
            return loop.await(() -> run.run(Scope.ALL, false, Watcher.SILENT));
        }
    }

    @Test
    @Tag("programs")
    void noticesAnEntryThatIsTakenOutOfAHome() {
        long thief = vertx.setPeriodic(5, timer -> takeTheNewestEntry().onFailure(cause -> vertx.cancelTimer(timer)));
        try {
            Run run = replay("--data", dir.toString(), "--posts", "80", "--settle", "10");
            assertThat(run.output())
                    .containsPattern(
                            "home of r\\w+ \\(\\d+\\) lacks \\d+ of \\d+, the newest being \\d+ \\(post \\d+ by r");
            assertThat(run.exit()).isEqualTo(1);
        } finally {
            assertThat(vertx.cancelTimer(thief)).isTrue();
        }
    }

    @Test
    @Tag("programs")
    void noticesAHomeThatIsRebuilt() {
        long eraser = vertx.setPeriodic(5, timer -> eraseAFullHome().onFailure(cause -> vertx.cancelTimer(timer)));
        try {
            Run run = replay("--data", dir.toString(), "--posts", "80", "--settle", "10");
            assertThat(run.output()).containsPattern("differences [1-9]");
            assertThat(run.exit()).isEqualTo(1);
        } finally {
            assertThat(vertx.cancelTimer(eraser)).isTrue();
        }
    }

    @Test
    void comparesVotesWithCountsAndRankings() throws IOException {
        Run run = replayVotes();
        assertThat(run.output())
                .contains("votes.txt: 400 votes on 7 articles", "1 lines without an article skipped")
                .contains("12 of 12 acknowledged", "400 cast on 7 articles", "12 of 12 statuses came", "differences 0");
        assertThat(run.exit()).isZero();
    }

    @Test
    void noticesAVoteThatIsNotCounted() throws IOException {
        String script = "local votes = redis.call('ZRANGE', KEYS[1], 0, 0, 'REV', 'WITHSCORES');"
                + " if votes[1] and redis.call('SCARD', '"
                + TestRedis.NAMESPACE.with("{articles}:voters:") + "' .. votes[1]) > 4 then"
                + " return redis.call('ZINCRBY', KEYS[1], -432, votes[1]) end";
        long thief = vertx.setPeriodic(5, timer -> link.send(Command.routed(
                        "EVAL", Keys.ARTICLES_BY_SCORE, script, 1, new Command.Named(Keys.ARTICLES_BY_SCORE)))
                .onSuccess(stolen -> {
                    if (!stolen.isNil()) {
                        vertx.cancelTimer(timer);
                    }
                })
                .onFailure(cause -> vertx.cancelTimer(timer)));
        try {
            Run run = replayVotes();
            assertThat(run.output()).containsPattern("article \\d+ has \\d+ votes and the score \\d+, not \\d+ and");
            assertThat(run.exit()).isEqualTo(1);
        } finally {
            vertx.cancelTimer(thief);
        }
    }

    private Run replayVotes() throws IOException {
        Path votes = dir.resolve("votes.txt");
        Files.write(votes, votes(400));
        return replay("--data", dir.toString(), "--posts", "5", "--votes", votes.toString());
    }

    /** Posts of the ten users and of others, many of them more than once. */
    private static List<String> votes(int count) {
        List<String> votes = new ArrayList<>(List.of("# voter article time", "alone"));
        for (int i = 0; i < count; i++) {
            votes.add((i % 3 == 0 ? "stranger" + i : "" + (1 + i % 10)) + " article" + i % 7 + " " + (1000 - i));
        }
        return votes;
    }

    @Test
    void saysWhatIsWrongWithTheInput() throws IOException {
        Files.writeString(dir.resolve("graph.edges"), "nothing here\n");
        assertThat(replay("--data", dir.toString()).exit()).isEqualTo(2);
        assertThat(replay("--data", dir.resolve("nowhere").toString()).exit()).isEqualTo(2);
    }

    private Future<?> takeTheNewestEntry() {
        return homes().compose(homes -> homes.isEmpty() ? Future.succeededFuture() : pop(homes.get(0)));
    }

    /**
     * Leaves the head, without which there would be no home; at one go, since on a busy machine several of these are
     * under way.
     */
    private Future<Reply> pop(String home) {
        String script = "return redis.call('LLEN', KEYS[1]) > 1 and redis.call('RPOP', KEYS[1])";
        return link.send(Command.routed("EVAL", home, script, 1, new Command.Named(home)));
    }

    private Future<?> eraseAFullHome() {
        return homes().compose(homes -> homes.isEmpty()
                ? Future.succeededFuture()
                : link.send(Command.of("LLEN", homes.get(0)))
                        .compose(length -> length.asLong() < 3
                                ? Future.succeededFuture(length)
                                : link.send(Command.of("DEL", homes.get(0)))));
    }

    private Future<List<String>> homes() {
        return link.send(Command.routed("KEYS", null, TestRedis.NAMESPACE.with("home:*")))
                .map(keys -> keys.items().stream()
                        .map(key -> TestRedis.NAMESPACE.without(key.asString()).orElseThrow())
                        .sorted()
                        .toList());
    }

    private record Run(int exit, String output) {}

    private Run replay(String... options) {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("--graph", dir.resolve("graph.edges").toString()));
        arguments.addAll(List.of("--messages", dir.resolve("texts.csv").toString()));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int exit = new CommandLine(new ReplayCommand(new PrintStream(bytes, true, StandardCharsets.UTF_8)))
                .execute(arguments.toArray(String[]::new));
        return new Run(exit, bytes.toString(StandardCharsets.UTF_8));
    }
}
