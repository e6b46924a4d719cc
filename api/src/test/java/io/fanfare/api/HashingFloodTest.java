package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.testing.TestRedis;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Hashing passwords is slow on purpose: many who log in or sign up at once wait for each other, or are sent away, and nobody else waits for them. */
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
                TestRedis.standalone().settings(),
                salts,
                "auth.hashes-at-once=" + AT_ONCE,
                "auth.hashes-waiting=" + WAITING)) {
            User ann = api.signUp("ann");
            Response app =
                    api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", "urn:ietf:wg:oauth:2.0:oob");
            salts.held = new CountDownLatch(1);
            List<CompletableFuture<Response>> flood = IntStream.range(0, FLOOD)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> api.askToSignUp("flood" + i), crowd))
                    .toList();
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

    /** Can be held up, and every hash with it. */
    private static final class Salts extends SecureRandom {
        private static final long serialVersionUID = 1;

        private transient volatile CountDownLatch held = new CountDownLatch(0);

        @Override
        public void nextBytes(byte[] bytes) {
            try {
                held.await();
            } catch (InterruptedException closed) {
                throw new IllegalStateException(closed);
            }
            super.nextBytes(bytes);
        }
    }
}
