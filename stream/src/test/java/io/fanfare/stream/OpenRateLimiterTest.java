package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.access.OpenRateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often a user and an address may open streams. */
class OpenRateLimiterTest {
    private static final String FIREHOSE = "/api/v1/streaming/firehose";
    private static final String SOCKET = "/api/v1/streaming";
    private static final String FROM = "X-Forwarded-For: 203.0.113.7";
    private static final String ELSEWHERE = "X-Forwarded-For: 203.0.113.8";
    private static final String[] UPGRADE = {
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    };

    private final TestRedis redis = TestRedis.standalone();
    private StreamServer server;

    @BeforeEach
    void start() {
        redis.flush();
        server = StreamServer.start(
                redis, "stream.per-user-rate=4", "stream.per-address-rate=3", "http.trusted-proxies=127.0.0.1");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "/api/v1/streaming/firehose,Accept: application/json,429",
        "/1.1/statuses/firehose.json,Accept: */*,420",
        "/1.1/statuses/filter.json?track=a,Accept: */*,420",
        "/api/v1/streaming/public,Accept: text/event-stream,429"
    })
    void clientsOfLinesOrMastodonsStreamsAreRefusedWithATime(String path, String accept, int status) {
        for (int i = 0; i < 3; i++) {
            assertThat(server.get(0, path, FROM, accept).status()).isEqualTo(200);
        }
        SseClient refused = server.get(0, path, FROM, accept);
        awaitUntil("answered", refused::ended);
        assertThat(refused.status()).isEqualTo(status);
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 21);
        assertThat(refused.raw()).startsWith("{\"error\":\"Streams are opened or changed too often from your address");
        assertThat(server.get(0, path, ELSEWHERE, accept).status()).isEqualTo(200);
    }

    @Test
    void anEventSourceGetsItsReconnectTimeInBandAndMayComeThen() {
        for (int i = 0; i < 3; i++) {
            server.listening(FROM).close();
        }
        SseClient refused = server.firehose(FROM);
        awaitUntil("ended", refused::ended);
        assertThat(refused.status()).isEqualTo(200);
        assertThat(refused.raw())
                .matches("(?s)retry: 2\\d{4}\nevent: disconnect\ndata: .*|(?s)retry: 3\\d{4}\nevent: .*");
        assertThat(refused.messages("disconnect").get(0).data())
                .contains("\"code\":12")
                .contains("Too many streams are open, or are being opened");

        server.skip(Duration.ofSeconds(21));
        assertThat(server.listening(FROM).ended()).isFalse();
        SseClient again = server.firehose(FROM);
        awaitUntil("ended", again::ended);
        assertThat(again.messages("hello")).isEmpty();
    }

    /** Else somebody without a token could ask Redis about tokens all day. */
    @Test
    void anyRefusedRequestCountsForTheAddress() {
        for (int i = 0; i < 3; i++) {
            assertThat(server.get(0, FIREHOSE, FROM, "Authorization: Bearer forged")
                            .status())
                    .isEqualTo(401);
        }
        SseClient refused = server.firehose(FROM);
        awaitUntil("ended", refused::ended);
        assertThat(refused.messages("disconnect")).hasSize(1);
    }

    @Test
    void aUserIsCountedWhateverTokenAndAddress() {
        long user = server.newUser();
        for (int i = 0; i < 4; i++) {
            String token = "Authorization: Bearer " + server.token(user, "read");
            server.listening(token, "X-Forwarded-For: 203.0.113." + i);
        }
        String token = "Authorization: Bearer " + server.token(user, "read");
        SseClient refused = server.get(0, "/1.1/statuses/sample.json", token, "X-Forwarded-For: 203.0.113.9");
        awaitUntil("answered", refused::ended);
        assertThat(refused.status()).isEqualTo(420);
        assertThat(refused.raw()).startsWith("{\"error\":\"Streams are opened or changed too often by this user");
        String others = "Authorization: Bearer " + server.token(server.newUser(), "read");
        assertThat(server.listening(others, "X-Forwarded-For: 203.0.113.9").ended())
                .isFalse();
    }

    @Test
    void aSocketCountsTwiceWithItsSubscriptionAndTheNextIsRefused() {
        String token = "access_token=" + server.token(server.newUser(), "read");
        for (int i = 1; i <= 2; i++) {
            int sockets = i;
            SseClient socket = server.get(0, SOCKET + "?stream=user&" + token, UPGRADE);
            assertThat(socket.status()).isEqualTo(101);
            awaitUntil("socket " + i + " is subscribed", () -> server.connections(0) == sockets);
        }
        SseClient refused = server.get(0, SOCKET + "?stream=user&" + token, UPGRADE);
        awaitUntil("answered", refused::ended);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"POST,tickets", "PUT,connections/0123456789abcdef/filter?track=a"})
    void requestsThatGoWithStreamsCountAsOpenings(String method, String path) {
        String url = SOCKET + "/" + path;
        String token = "Authorization: Bearer " + server.token(server.newUser(), "read");
        for (int i = 0; i < 4; i++) {
            String from = "X-Forwarded-For: 203.0.113." + i;
            assertThat(server.send(0, method, url, token, from, "Content-Length: 0")
                            .status())
                    .isNotEqualTo(429);
        }
        assertRefused(server.send(0, method, url, token, FROM, "Content-Length: 0"), "by this user");

        for (int i = 0; i < 2; i++) {
            assertThat(server.send(0, method, url, FROM, "Content-Length: 0").status())
                    .as("nobody")
                    .isEqualTo(401);
        }
        String others = "Authorization: Bearer " + server.token(server.newUser(), "read");
        assertRefused(server.send(0, method, url, others, FROM, "Content-Length: 0"), "from your address");
        SseClient stream = server.firehose(FROM, others);
        awaitUntil("ended", stream::ended);
        assertThat(stream.messages("hello")).isEmpty();
    }

    private static void assertRefused(SseClient answer, String whose) {
        awaitUntil("answered", answer::ended);
        assertThat(answer.status()).isEqualTo(429);
        assertThat(Integer.parseInt(answer.header("Retry-After"))).isBetween(1, 21);
        assertThat(answer.raw()).startsWith("{\"error\":\"Streams are opened or changed too often " + whose);
    }

    /** Limits do not apply where they are off, which load tests need, or for the machine itself. */
    @Test
    void nothingIsCountedWhereLimitsAreOffOrForTheMachineItself() {
        for (int i = 0; i < 6; i++) {
            assertThat(server.listening().ended()).isFalse();
        }
        try (StreamServer free = StreamServer.start(
                redis, "stream.per-address-rate=1", "http.trusted-proxies=127.0.0.1", "limits.enabled=false")) {
            for (int i = 0; i < 3; i++) {
                assertThat(free.listening(FROM).ended()).isFalse();
            }
        }
    }

    @Test
    void aPaceLetsAWindowfulThroughAndThenAsManyAsTimeAllows() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int perMinute = 1 + random.nextInt(50);
        OpenRateLimiter.Pace<Integer> pace = new OpenRateLimiter.Pace<>(perMinute);
        Map<Integer, List<Long>> passed = new HashMap<>();
        long now = random.nextLong(); // As System.nanoTime() may be anything.
        long minute = Duration.ofMinutes(1).toNanos();
        long step = minute / perMinute;
        for (int i = 0; i < 20_000; i++) {
            now += random.nextInt(20) == 0 ? random.nextLong(minute) : random.nextLong(step);
            int who = random.nextInt(3);
            List<Long> times = passed.computeIfAbsent(who, none -> new ArrayList<>());
            long wait = pace.pass(who, now);
            if (wait == 0) {
                times.add(now);
                long at = now;
                long within = times.stream().filter(time -> at - time < minute).count();
                assertThat(within).as("seed %d", seed).isLessThanOrEqualTo(2L * perMinute);
            } else {
                assertThat(wait).as("seed %d", seed).isBetween(1L, step);
                long last = times.get(times.size() - 1);
                assertThat(now - last)
                        .as("seed %d: who stays away is served", seed)
                        .isLessThan(minute);
                assertThat(times.size()).as("seed %d", seed).isGreaterThanOrEqualTo(perMinute);
                if (random.nextBoolean()) {
                    now += wait;
                    assertThat(pace.pass(who, now))
                            .as("seed %d: served when told", seed)
                            .isZero();
                    times.add(now);
                }
            }
        }
    }

    @Test
    void severalThreadsTogetherPassNoMoreThanOneMay() throws Exception {
        OpenRateLimiter.Pace<Integer> pace = new OpenRateLimiter.Pace<>(100);
        long now = System.nanoTime();
        AtomicInteger passed = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            // Each reads its clock a little before or after the others.
            long at = now - i;
            threads.add(new Thread(() -> {
                for (int n = 0; n < 10_000; n++) {
                    passed.addAndGet(pace.pass(7, at) == 0 ? 1 : 0);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(60_000);
        }
        assertThat(passed.get()).isEqualTo(100);
    }

    @Test
    void anAddressThatHasNotComeForAMinuteIsForgotten() {
        OpenRateLimiter.Pace<Integer> pace = new OpenRateLimiter.Pace<>(10);
        for (int i = 0; i < 1000; i++) {
            assertThat(pace.pass(i, i)).isZero();
        }
        assertThat(pace.known()).isEqualTo(1000);
        assertThat(pace.pass(-1, Duration.ofMinutes(1).toNanos())).isZero();
        assertThat(pace.known()).isEqualTo(1);
        for (int i = 0; i < 200_000; i++) {
            assertThat(pace.pass(i, Duration.ofMinutes(2).toNanos())).isZero();
        }
        assertThat(pace.known()).isLessThan(100_002);
    }
}
