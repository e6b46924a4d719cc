package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.Suspension;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Redis away, hanging or full: 503 within five seconds, and well again by itself. */
class OutageTest {
    private static final String JSON = "application/json";
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String SIGN_UP = "username=eve&email=eve@example.org&password=a+good+long+one&agreement=true";

    private TestRedis redis;
    private ApiServer api;
    private User ann;
    private String status;

    @BeforeEach
    void start() {
        // The machine goes on when the process is killed. A disk that takes two seconds would be a Redis that hangs.
        redis = TestRedis.freshStandalone(AppendSync.NO);
        // As the defaults have it; other tests wait longer.
        api = new ApiServer(redis.options(Duration.ofSeconds(2), 20_000), "http.request-timeout=5s");
        ann = api.signUp("ann");
        status = api.publish(ann, "before");
    }

    @AfterEach
    void stop() {
        api.close();
        redis.close();
    }

    @Test
    void everythingThatNeedsRedisIsRefusedWhileItHangsAndWorksAfterwards() {
        Suspension.begin(redis.server().handle());
        everything().forEach(OutageTest::assertUnavailable);
        assertThat(api.get("/health", null).status()).isEqualTo(200);
        assertThat(api.get("/api/v2/instance", null).status()).isEqualTo(200);
        Suspension.end(redis.server().handle());

        awaitHealth();
    }

    @Test
    void anUnansweredRequestReportsTheEffectOfARetry() {
        User bob = api.signUp("bob");
        // Whom to pull is known then, and the reading that gets no answer is the first that asks.
        assertThat(api.get("/api/v1/timelines/home", ann.token()).status()).isEqualTo(200);
        Suspension.begin(redis.server().handle());
        // All at once, however few processors there are: after the first that gets no answer Redis counts as away.
        CompletableFuture<Response> posted = CompletableFuture.supplyAsync(this::post, OutageTest::inThread);
        CompletableFuture<Response> read = CompletableFuture.supplyAsync(
                () -> api.get("/api/v1/timelines/home", ann.token()), OutageTest::inThread);
        CompletableFuture<Response> followed = CompletableFuture.supplyAsync(
                () -> api.post("/api/v1/accounts/" + bob.id() + "/follow", ann.token()), OutageTest::inThread);

        assertThat(posted.join().text("/error"))
                .contains("may have been done or not")
                .contains("same Idempotency-Key");
        assertThat(read.join().text("/error"))
                .contains("did not answer in time: try again")
                .doesNotContain("Idempotency-Key");
        assertThat(followed.join().text("/error"))
                .endsWith("asking again is safe.")
                .doesNotContain("Idempotency-Key");
        Suspension.end(redis.server().handle());
    }

    private static void inThread(Runnable task) {
        new Thread(task).start();
    }

    @Test
    void nothingAcknowledgedIsLostWhenRedisIsKilledAndComesBack() {
        RedisProcess server = redis.server();
        server.kill();
        everything().forEach(OutageTest::assertUnavailable);
        Response signUp = api.askToSignUp("eve");
        assertThat(signUp.status()).isEqualTo(503);
        assertThat(signUp.text("/error")).contains("the account may have been made or not");

        RedisProcess.Options again = RedisProcess.Options.in(server.dir())
                .port(server.port())
                .password(new Secret(
                        URI.create(server.url().reveal()).getUserInfo().substring(1)));
        try (RedisProcess restarted = RedisProcess.start(again)) {
            assertThat(restarted.isAlive()).isTrue();
            awaitHealth();
            assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id"))
                    .contains(status);
        }
    }

    @Test
    void postsStopBeforeTheMemoryIsFullAndReadsAndDeletesGoOn() {
        User bob = api.signUp("bob");
        User carl = api.signUp("carl");
        assertThat(api.post("/api/v1/accounts/" + carl.id() + "/follow", ann.token())
                        .status())
                .isEqualTo(200);
        // Beside it buffers that come and go are little.
        TestRedis.ask(redis.server(), "SETRANGE", "ballast", "32000000", "x");
        long used = Long.parseLong(TestRedis.ask(redis.server(), "INFO", "memory")
                .asString()
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .findFirst()
                .orElseThrow()
                .substring("used_memory:".length()));
        setMaxMemory(used * 10 / 9);
        TestRedis.awaitUntil("posts are refused", () -> post().status() == 503);

        Response refused = post();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isPresent();
        assertThat(refused.text("/error")).contains("memory");
        for (Response adds : List.of(
                api.post("/api/v1/statuses/" + status + "/favourite", ann.token()),
                api.post("/api/v1/statuses/" + status + "/bookmark", ann.token()),
                api.post("/api/v1/statuses/" + status + "/comments", ann.token(), "status", "text"),
                api.send("PUT", "/api/v1/statuses/" + status, ann.token(), JSON, "{\"status\":\"changed\"}"),
                api.post("/api/v1/accounts/" + bob.id() + "/follow", ann.token()),
                api.post("/api/v1/accounts/follow", ann.token(), "id[]", bob.id()),
                api.askToSignUp("eve"),
                api.send("POST", "/api/v1/session/sign_up", null, FORM, SIGN_UP, "X-Fanfare-Page", "1"))) {
            assertThat(adds.status()).as(adds.raw().uri() + " " + adds.body()).isEqualTo(503);
            assertThat(adds.header("Retry-After"))
                    .as(adds.raw().uri().toString())
                    .isPresent();
        }
        for (String ends : List.of(
                "statuses/" + status + "/unfavourite",
                "statuses/" + status + "/unbookmark",
                "accounts/" + carl.id() + "/unfollow",
                "accounts/" + bob.id() + "/block",
                "accounts/" + bob.id() + "/mute",
                "accounts/" + bob.id() + "/unblock")) {
            assertThat(api.post("/api/v1/" + ends, ann.token()).status())
                    .as(ends)
                    .isEqualTo(200);
        }
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id")).isNotEmpty();
        assertThat(api.delete("/api/v1/statuses/" + status, ann.token()).status())
                .isEqualTo(200);

        setMaxMemory(0);
        TestRedis.ask(redis.server(), "DEL", "ballast");
        TestRedis.awaitUntil("posts are taken again", () -> post().status() == 200);
    }

    @Test
    void aFullRedisRefusesWritesAndStillReads() {
        User bob = api.signUp("bob");
        setMaxMemory(1);
        Response refused = api.post("/api/v1/accounts/" + bob.id() + "/follow", ann.token());

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.text("/error")).contains("memory is full");
        assertThat(api.get("/api/v1/timelines/home", ann.token()).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/statuses/" + status, null).status()).isEqualTo(200);
        assertThat(api.delete("/api/v1/statuses/" + status, ann.token()).status())
                .isEqualTo(200);
        setMaxMemory(0);
    }

    private List<Supplier<Response>> everything() {
        return List.of(
                this::post,
                () -> api.get("/api/v1/timelines/home", ann.token()),
                () -> api.get("/api/v1/statuses/" + status, null),
                () -> api.delete("/api/v1/statuses/" + status, "x" + ann.token()),
                () -> api.get("/api/v1/accounts/" + ann.id() + "/followers", null),
                () -> api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", "https://x.example"));
    }

    private Response post() {
        return api.post("/api/v1/statuses", ann.token(), "status", "during");
    }

    private static void assertUnavailable(Supplier<Response> request) {
        Stopwatch stopwatch = Stopwatch.start();
        Response answer = request.get();

        assertThat(stopwatch.elapsed()).isLessThan(Duration.ofSeconds(5));
        assertThat(answer.text("/error")).isNotEmpty();
        assertThat(answer.body()).doesNotContain("Exception").doesNotContain("127.0.0.1");
        // A token that is no token needs no Redis to be refused.
        assertThat(answer.status()).isIn(503, 401);
        if (answer.status() == 503) {
            assertThat(answer.header("Retry-After")).isPresent();
        }
    }

    private void awaitHealth() {
        TestRedis.awaitUntil(
                "homes are read again",
                () -> api.get("/api/v1/timelines/home", ann.token()).status() == 200);
        assertThat(post().status()).isEqualTo(200);
    }

    private void setMaxMemory(long bytes) {
        assertThat(TestRedis.ask(redis.server(), "CONFIG", "SET", "maxmemory", Long.toString(bytes))
                        .asString())
                .isEqualTo("OK");
    }
}
