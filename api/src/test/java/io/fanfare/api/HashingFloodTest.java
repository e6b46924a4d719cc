package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.redis.testing.TestRedis;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Hashing passwords is slow on purpose: many who log in or sign up at once wait for each other, or are sent away, and
 * nobody else waits for them.
 */
class HashingFloodTest {
    private static final int FLOOD = 200;
    private static final int AT_ONCE = 1;
    private static final int WAITING = 2;

    @Test
    void readsAreAnsweredWhileHashingIsSaturated() {
        TestRedis.standalone().flush();
        Salts salts = new Salts();
        ExecutorService crowd = Executors.newFixedThreadPool(FLOOD);
        try (ApiServer api = new ApiServer(
                TestRedis.standalone().options(),
                salts,
                "auth.hashes-at-once=" + AT_ONCE,
                "auth.hashes-waiting=" + WAITING)) {
            User ann = api.signUp("ann");
            Response app =
                    api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", "urn:ietf:wg:oauth:2.0:oob");
            List<CompletableFuture<Response>> flood = flood(api, salts, crowd);
            TestRedis.awaitUntil(
                    "all but those who are hashed or wait are sent away",
                    () -> flood.stream().filter(CompletableFuture::isDone).count() == FLOOD - AT_ONCE - WAITING);

            assertThat(flood).filteredOn(CompletableFuture::isDone).allSatisfy(sent -> {
                assertThat(sent.join().status()).isEqualTo(503);
                assertThat(sent.join().header("Retry-After")).isPresent();
            });
            Response login = api.logIn(app, "ann", ApiServer.PASSWORD);
            assertThat(login.status()).isEqualTo(503);
            for (String path : List.of("/api/v1/timelines/home", "/api/v1/accounts/" + ann.id(), "/health")) {
                assertThat(api.get(path, ann.token()).status()).as(path).isEqualTo(200);
            }
            assertThat(api.post("/api/v1/statuses", ann.token(), "status", "in the flood")
                            .status())
                    .isEqualTo(200);
            assertThat(flood).filteredOn(CompletableFuture::isDone).hasSize(FLOOD - AT_ONCE - WAITING);

            salts.held.countDown();
            assertThat(flood).filteredOn(one -> one.join().status() == 200).hasSize(AT_ONCE + WAITING);
        } finally {
            salts.held.countDown();
            crowd.shutdownNow();
        }
    }

    @Test
    void aUserOnAKnownAddressLogsInDuringAFloodOfStrangers() {
        TestRedis.standalone().flush();
        Salts salts = new Salts();
        ExecutorService crowd = Executors.newFixedThreadPool(FLOOD);
        try (ApiServer api = new ApiServer(
                TestRedis.standalone().options(),
                salts,
                "limits.enabled=true",
                "limits.rates.requests=10000",
                "limits.rates.sign-ups=10000",
                "auth.hashes-at-once=" + AT_ONCE,
                "auth.hashes-waiting=4")) {
            api.signUp("ann");
            api.signUp("bob");
            Response app =
                    api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", "urn:ietf:wg:oauth:2.0:oob");
            assertThat(api.logIn(app, "ann", ApiServer.PASSWORD).status()).isEqualTo(200);
            List<CompletableFuture<Response>> flood = flood(api, salts, crowd);
            TestRedis.awaitUntil(
                    "strangers have three of the four places",
                    () -> flood.stream().filter(CompletableFuture::isDone).count() == FLOOD - AT_ONCE - 3);

            CompletableFuture<Response> ann =
                    CompletableFuture.supplyAsync(() -> api.logIn(app, "ann", ApiServer.PASSWORD), crowd);
            assertThat(api.logIn(app, "bob", ApiServer.PASSWORD).status()).isEqualTo(503);
            salts.held.countDown();
            assertThat(ann.join().status()).isEqualTo(200);
        } finally {
            salts.held.countDown();
            crowd.shutdownNow();
        }
    }

    @Test
    void aRequestThatTimesOutInTheQueueIsNotHashed() {
        TestRedis.standalone().flush();
        Salts salts = new Salts();
        ExecutorService crowd = Executors.newFixedThreadPool(FLOOD);
        try (ApiServer api = new ApiServer(
                TestRedis.standalone().options(),
                salts,
                "http.request-timeout=1s",
                "auth.hash-timeout=100ms",
                "auth.hashes-at-once=" + AT_ONCE,
                "auth.hashes-waiting=" + FLOOD)) {
            List<CompletableFuture<Response>> flood = flood(api, salts, crowd);
            assertThat(flood)
                    .allSatisfy(sent -> assertThat(sent.join().status()).isEqualTo(503));
            salts.held.countDown();
            TestRedis.awaitUntil(
                    "a sign-up behind them", () -> api.askToSignUp("ann").status() == 200);

            assertThat(salts.drawn.get()).isLessThan(FLOOD / 4);
        } finally {
            salts.held.countDown();
            crowd.shutdownNow();
        }
    }

    /** Sign-ups of many at once, whose hashes are held up. */
    private static List<CompletableFuture<Response>> flood(ApiServer api, Salts salts, ExecutorService crowd) {
        salts.held = new CountDownLatch(1);
        return IntStream.range(0, FLOOD)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> api.askToSignUp("flood" + i), crowd))
                .toList();
    }

    /** Can be held up, and every hash with it. */
    private static final class Salts extends SecureRandom {
        private static final long serialVersionUID = 1;

        private transient volatile CountDownLatch held = new CountDownLatch(0);
        private final transient AtomicInteger drawn = new AtomicInteger();

        @Override
        public void nextBytes(byte[] bytes) {
            drawn.incrementAndGet();
            try {
                held.await();
            } catch (InterruptedException closed) {
                throw new IllegalStateException(closed);
            }
            super.nextBytes(bytes);
        }
    }
}
