package io.fanfare.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.Suspension;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.vertx.VertxInternals;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ServiceTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final long WAIT_SECONDS = 60;
    private static final String BLOCKED_THREADS = "io.vertx.core.impl.BlockedThreadChecker";
    private static final String UNHANDLED = "io.vertx.core.impl.ContextImpl";

    private final TestRedis redis = TestRedis.standalone();
    private final Settings settings = SettingsLoader.defaultsWith(
                    "auth.signing-key=stored", "worker.drain-timeout=200ms", "stream.drain-timeout=200ms")
            .with(TestSettings.redis(redis.options()));
    private final AtomicInteger watchdogs = new AtomicInteger();
    private Duration closingMax = Duration.ofSeconds(5);
    private Service service;
    private final CompletableFuture<String> ready = new CompletableFuture<>();
    private final Promise<Void> stopped = Promise.promise();

    private synchronized Service service() {
        if (service == null) {
            service = new Service(
                    1,
                    (vertx, max) -> {
                        watchdogs.incrementAndGet();
                        return LoopWatchdog.start(vertx, max);
                    },
                    closingMax);
        }
        return service;
    }

    @BeforeEach
    void emptyRedis() {
        redis.flush();
    }

    @AfterEach
    void end() {
        service().end(0);
    }

    @Test
    void aServiceIsReadyOnceItsPartsWorkAndDrainsThemAtTheEnd() throws Exception {
        Promise<Void> started = Promise.promise();
        Settings patient =
                SettingsLoader.defaultsWith("auth.signing-key=stored").with(TestSettings.redis(redis.options()));
        CompletableFuture<Integer> status = run(patient, part(started.future(), stopped.future()));

        started.complete();
        String management = ready.get(WAIT_SECONDS, TimeUnit.SECONDS);
        assertThat(get(management + "/livez").statusCode()).isEqualTo(200);
        assertThat(get(management + "/readyz").body()).isEqualTo("{\"status\":\"ready\",\"redis\":\"up\"}");
        Awaitility.await().atMost(WAIT_SECONDS, TimeUnit.SECONDS).untilAsserted(() -> assertThat(
                        get(management + "/metrics").body())
                .contains("jvm_memory_used_bytes"));
        assertThat(get(management + "/other").statusCode()).isEqualTo(404);

        service().end(0);
        Awaitility.await().atMost(WAIT_SECONDS, TimeUnit.SECONDS).untilAsserted(() -> {
            assertThat(get(management + "/readyz").statusCode()).isEqualTo(503);
            assertThat(get(management + "/readyz").body()).contains("\"status\":\"draining\"");
        });
        assertThat(status).isNotDone();

        stopped.complete();
        assertThat(status.get(WAIT_SECONDS, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void aPartThatDoesNotStopDelaysTheEndOnlyUntilTheDeadline() throws Exception {
        closingMax = Duration.ofMillis(200); // Its part does not end.
        CompletableFuture<Integer> status = run(settings, part(Future.succeededFuture(), stopped.future()));
        ready.get(WAIT_SECONDS, TimeUnit.SECONDS);

        service().end(3);

        assertThat(status.get(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(3);
    }

    @Test
    void aShutdownNowNotifiesThePartsAndCutsOffThoseThatDoNotStop() throws Exception {
        closingMax = Duration.ofMillis(200); // Its part does not end.
        Settings patient = SettingsLoader.defaultsWith("auth.signing-key=stored", "worker.drain-timeout=10m")
                .with(TestSettings.redis(redis.options()));
        CompletableFuture<Future<Void>> shutdownNow = new CompletableFuture<>();
        CompletableFuture<Integer> status = CompletableFuture.supplyAsync(() -> service()
                .run(
                        patient,
                        shared -> {
                            shutdownNow.complete(shared.shutdownNow());
                            return List.of(part(Future.succeededFuture(), stopped.future()));
                        },
                        ready::complete));
        ready.get(WAIT_SECONDS, TimeUnit.SECONDS);
        service().end(0);
        assertThat(shutdownNow.get(WAIT_SECONDS, TimeUnit.SECONDS).isComplete()).isFalse();

        assertThat(service().shutdownNow()).isTrue();

        assertThat(shutdownNow.get(WAIT_SECONDS, TimeUnit.SECONDS).succeeded()).isTrue();
        assertThat(status.get(WAIT_SECONDS, TimeUnit.SECONDS)).isZero();
        assertThat(service().shutdownNow()).as("the next one ends the process").isFalse();
    }

    @Test
    void aServiceIsNotReadyWhileRedisIsAway() throws Exception {
        try (TestRedis own = TestRedis.freshStandalone(RedisProcess.AppendSync.OFF)) {
            CompletableFuture<Integer> status = run(
                    settings.with(TestSettings.redis(own.options())),
                    part(Future.succeededFuture(), Future.succeededFuture()));
            String management = ready.get(WAIT_SECONDS, TimeUnit.SECONDS);

            own.server().kill();

            HttpResponse<String> answer = get(management + "/readyz");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("\"status\":\"redis is away\"");
            assertThat(get(management + "/livez").statusCode()).isEqualTo(200);
            service().end(0);
            assertThat(status.get(WAIT_SECONDS, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void aServiceThatStartsWhileRedisIsAwayOrSilentWaitsForIt() throws Exception {
        try (TestRedis own = TestRedis.freshStandalone(RedisProcess.AppendSync.OFF)) {
            RedisProcess server = own.server();
            int management = FreePort.find();
            Settings away = SettingsLoader.defaultsWith(
                            "auth.signing-key=stored",
                            "worker.drain-timeout=200ms",
                            "stream.drain-timeout=200ms",
                            "management.port=" + management)
                    .with(TestSettings.redis(own.options(Duration.ofMillis(300), 1000)));
            server.kill();

            CompletableFuture<Integer> status = run(away, part(Future.succeededFuture(), Future.succeededFuture()));
            Awaitility.await()
                    .atMost(WAIT_SECONDS, TimeUnit.SECONDS)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(get("http://127.0.0.1:" + management + "/readyz")
                                    .body())
                            .contains("\"status\":\"starting\""));
            assertThat(status).isNotDone();
            own.restart(server);
            Suspension.begin(own.server().handle());
            Suspension.end(own.server().handle());

            String url = ready.get(WAIT_SECONDS, TimeUnit.SECONDS);
            Awaitility.await().atMost(WAIT_SECONDS, TimeUnit.SECONDS).untilAsserted(() -> assertThat(
                            get(url + "/readyz").statusCode())
                    .isEqualTo(200));
            service().end(0);
            assertThat(status.get(WAIT_SECONDS, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void aServiceThatStartsWhileRedisTakesNoWritesWaitsUntilItDoes() throws Exception {
        try (TestRedis own = TestRedis.freshStandalone(RedisProcess.AppendSync.OFF)) {
            own.askAt("a", "CONFIG", "SET", "min-replicas-to-write", "1");
            CompletableFuture<Integer> status = run(
                    settings.with(TestSettings.redis(own.options())),
                    part(Future.succeededFuture(), Future.succeededFuture()));
            TestRedis.awaitUntil("it has tried twice", () -> refusedWrites(own) >= 2);
            assertThat(status).isNotDone();
            assertThat(ready).isNotDone();

            own.askAt("a", "CONFIG", "SET", "min-replicas-to-write", "0");

            assertThat(ready.get(WAIT_SECONDS, TimeUnit.SECONDS)).startsWith("http://");
            service().end(0);
            assertThat(status.get(WAIT_SECONDS, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void aBlockedLoopIsNeitherHungNorLoggedBeforeTheServiceIsReadyAndIsLoggedAfterwards() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger vertxLog = (Logger) LoggerFactory.getLogger(BLOCKED_THREADS);
        vertxLog.addAppender(lines);
        // Its loop is blocked later, and looked at as often: when that is seen twice, the service's has been seen.
        Vertx other = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        CountDownLatch seen = new CountDownLatch(2);
        VertxInternals.whenThreadIsBlocked(other, seen::countDown);
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch working = new CountDownLatch(1);
        CompletableFuture<Context> loop = new CompletableFuture<>();
        try {
            CompletableFuture<Integer> status = run(settings, blockedPart(loop, starting));
            Context blocked = loop.get(WAIT_SECONDS, TimeUnit.SECONDS);
            other.runOnContext(turn -> await(seen));
            await(seen);

            assertThat(lines.list).isEmpty();
            assertThat(watchdogs).hasValue(0);
            assertThat(ready).isNotDone();

            starting.countDown();
            ready.get(WAIT_SECONDS, TimeUnit.SECONDS);
            Awaitility.await().atMost(WAIT_SECONDS, TimeUnit.SECONDS).until(() -> watchdogs.get() == 1);
            blocked.runOnContext(turn -> await(working));
            Awaitility.await().atMost(WAIT_SECONDS, TimeUnit.SECONDS).untilAsserted(() -> assertThat(
                            List.copyOf(lines.list))
                    .anySatisfy(line -> assertThat(line.getFormattedMessage()).contains("has been blocked for")));
            working.countDown();
            service().end(0);
            assertThat(status.get(WAIT_SECONDS, TimeUnit.SECONDS)).isZero();
        } finally {
            starting.countDown();
            working.countDown();
            vertxLog.detachAppender(lines);
            TestRedis.await(other.close());
        }
    }

    @Test
    void aProcessThatStillStartsIsLiveThoughItsLoopsAreBusy() throws Exception {
        int management = FreePort.find();
        Settings known = SettingsLoader.defaultsWith(
                        "auth.signing-key=stored",
                        "worker.drain-timeout=200ms",
                        "stream.drain-timeout=200ms",
                        "management.port=" + management)
                .with(TestSettings.redis(redis.options()));
        CountDownLatch starting = new CountDownLatch(1);
        CompletableFuture<Context> loop = new CompletableFuture<>();
        CompletableFuture<Integer> status = run(known, blockedPart(loop, starting));
        try {
            loop.get(WAIT_SECONDS, TimeUnit.SECONDS);

            HttpResponse<String> answer = get("http://127.0.0.1:" + management + "/livez");

            assertThat(answer.body()).isEqualTo("{\"status\":\"starting\"}");
            assertThat(answer.statusCode()).isEqualTo(200);
        } finally {
            starting.countDown();
        }
        ready.get(WAIT_SECONDS, TimeUnit.SECONDS);
        service().end(0);
        assertThat(status.get(WAIT_SECONDS, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void aStartThatDoesNotEndIsInTheStageThatItIsIn() throws Exception {
        closingMax = Duration.ofMillis(200); // Its part does not end.
        List<String> late = new CopyOnWriteArrayList<>();
        List<Runnable> looks = new CopyOnWriteArrayList<>();
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1) {
            @Override
            public ScheduledFuture<?> scheduleWithFixedDelay(Runnable look, long first, long delay, TimeUnit unit) {
                looks.add(look);
                return schedule(() -> {}, 1, TimeUnit.DAYS);
            }
        };
        StartDeadline start = StartDeadline.begin(StartDeadline.PERIOD, thread, late::add);
        Promise<Void> never = Promise.promise();
        CompletableFuture<Void> composing = new CompletableFuture<>();
        CountDownLatch compose = new CountDownLatch(1);
        CompletableFuture<Integer> status = CompletableFuture.supplyAsync(() -> service()
                .run(
                        start,
                        settings,
                        shared -> {
                            composing.complete(null);
                            await(compose);
                            return List.of(part(never.future(), Future.succeededFuture()));
                        },
                        Optional.empty(),
                        ready::complete));

        composing.get(WAIT_SECONDS, TimeUnit.SECONDS);
        looks.get(0).run();
        assertThat(late).singleElement().asString().endsWith("the start was still composing its parts");
        compose.countDown();
        Awaitility.await().atMost(WAIT_SECONDS, TimeUnit.SECONDS).untilAsserted(() -> {
            looks.get(0).run();
            assertThat(late).last().asString().endsWith("the start was still starting test");
        });

        service().end(0);
        assertThat(status.get(WAIT_SECONDS, TimeUnit.SECONDS)).isZero();
        assertThat(thread.isShutdown()).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Holds up its event loop while it starts. */
    private static Component blockedPart(CompletableFuture<Context> loop, CountDownLatch starting) {
        return new Component(
                "test",
                () -> new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        loop.complete(context);
                        ServiceTest.await(starting);
                        return Future.succeededFuture();
                    }
                },
                1);
    }

    private static long refusedWrites(TestRedis redis) {
        return redis.askAt("a", "INFO", "errorstats")
                .asString()
                .lines()
                .filter(line -> line.startsWith("errorstat_NOREPLICAS:count="))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1)))
                .sum();
    }

    @Test
    void aServiceIsNotReadyWhileAPartIsInTrouble() throws Exception {
        HealthProbe inTrouble = new HealthProbe() {
            @Override
            public Optional<String> trouble() {
                return Optional.of("Nothing is heard.");
            }
        };
        Component component = part(Future.succeededFuture(), Future.succeededFuture());
        CompletableFuture<Integer> status =
                run(settings, new Component(component.name(), component.verticle(), component.instances(), inTrouble));
        String management = ready.get(WAIT_SECONDS, TimeUnit.SECONDS);

        HttpResponse<String> answer = get(management + "/readyz");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .isEqualTo("{\"status\":\"in trouble\",\"redis\":\"up\",\"reason\":\"Nothing is heard.\"}");
        service().end(0);
        assertThat(status.get(WAIT_SECONDS, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void aPartThatCannotStartEndsTheServiceWithItsSentence() {
        Component broken = part(Future.failedFuture(new StartFailed("no room")), Future.succeededFuture());

        assertThatThrownBy(() -> service().run(settings, shared -> List.of(broken), ready::complete))
                .isInstanceOf(StartFailed.class)
                .hasMessage("no room");
        assertThat(ready).isNotDone();
    }

    @Test
    void aPartThatStillStartsWhenAnotherFailsIsStoppedAfterItsStart() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger vertxLog = (Logger) LoggerFactory.getLogger(UNHANDLED);
        vertxLog.addAppender(lines);
        Promise<Void> slow = Promise.promise();
        CompletableFuture<Void> stops = new CompletableFuture<>();
        Component broken = part(Future.failedFuture(new StartFailed("no room")), Future.succeededFuture());
        Component starting = new Component(
                "slow",
                () -> new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        return slow.future();
                    }

                    @Override
                    public Future<?> stop() {
                        stops.complete(null);
                        return Future.succeededFuture();
                    }
                },
                1);
        try {
            int management = FreePort.find();
            Settings known = SettingsLoader.defaultsWith(
                            "auth.signing-key=stored",
                            "worker.drain-timeout=200ms",
                            "stream.drain-timeout=200ms",
                            "management.port=" + management)
                    .with(TestSettings.redis(redis.options()));
            CompletableFuture<Integer> status = CompletableFuture.supplyAsync(
                    () -> service().run(known, shared -> List.of(broken, starting), ready::complete));
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(10))
                    .atMost(WAIT_SECONDS, TimeUnit.SECONDS)
                    .ignoreExceptions()
                    .until(() -> get("http://127.0.0.1:" + management + "/readyz")
                            .body()
                            .contains("draining"));
            assertThat(stops).isNotDone();

            slow.complete();

            stops.get(WAIT_SECONDS, TimeUnit.SECONDS);
            assertThatThrownBy(() -> status.get(WAIT_SECONDS, TimeUnit.SECONDS)).hasRootCauseMessage("no room");
            assertThat(List.copyOf(lines.list)).isEmpty();
        } finally {
            vertxLog.detachAppender(lines);
        }
    }

    @Test
    void aShutdownMayBeRequestedBeforeTheStartIsDone() throws Exception {
        Promise<Void> never = Promise.promise();
        CompletableFuture<Integer> status = run(settings, part(never.future(), Future.succeededFuture()));

        service().end(0);

        assertThat(status.get(WAIT_SECONDS, TimeUnit.SECONDS)).isZero();
        assertThat(ready).isNotDone();
    }

    @Test
    void anotherShardCountThanThatOfTheDataIsLogged() throws Exception {
        CompletableFuture<Integer> status = run(settings, part(Future.succeededFuture(), Future.succeededFuture()));
        ready.get(WAIT_SECONDS, TimeUnit.SECONDS);
        service().end(0);
        assertThat(status.get(WAIT_SECONDS, TimeUnit.SECONDS)).isZero();
        Settings.Redis of16 = TestSettings.redis(redis.options());
        Settings.Redis of32 = new Settings.Redis(
                of16.url(),
                of16.mode(),
                of16.namespace(),
                of16.sentinels(),
                of16.sentinelPassword(),
                32,
                of16.connectTimeout(),
                of16.commandTimeout(),
                of16.inFlightMax(),
                of16.rewriteEvery(),
                of16.waitReplicas(),
                of16.waitTimeout());

        assertThatThrownBy(() -> new Service(1).run(settings.with(of32), shared -> List.of(), ready::complete))
                .isInstanceOf(StartFailed.class)
                .hasMessageContaining("16")
                .hasMessageContaining("32");
    }

    private CompletableFuture<Integer> run(Settings with, Component component) {
        return CompletableFuture.supplyAsync(() -> service().run(with, shared -> List.of(component), ready::complete));
    }

    private static Component part(Future<Void> started, Future<Void> stopped) {
        return new Component(
                "test",
                () -> new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        return started;
                    }

                    @Override
                    public Future<?> stop() {
                        return stopped;
                    }
                },
                1);
    }

    private static HttpResponse<String> get(String url) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(Duration.ofSeconds(60))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
