package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.redis.testing.TestRedis;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody whose answer to a sign-up is lost, or comes too late, and who asks again. */
class SignUpAgainTest {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final int AT_ONCE = 20;

    private final Salts salts = new Salts();
    private ApiServer api;

    @BeforeEach
    void open() {
        TestRedis.standalone().flush();
        start("auth.hashes-at-once=1");
    }

    private void start(String... settings) {
        api = new ApiServer(TestRedis.standalone().options(), salts, settings);
    }

    @AfterEach
    void stop() {
        salts.held.countDown();
        api.close();
    }

    @Test
    void aSignUpWhoseHashComesTooLateMakesNoAccountAndSaysWhatIsKnown() {
        api.close();
        start("http.request-timeout=2s", "auth.hash-timeout=2s", "auth.hashes-at-once=1");
        salts.held = new CountDownLatch(1);
        CompletableFuture<Response> late =
                CompletableFuture.supplyAsync(() -> api.askToSignUp("ann"), task -> new Thread(task).start());
        assertThat(late.join().status()).isEqualTo(503);
        assertThat(late.join().text("/error"))
                .contains("may have been made or not", "Idempotency-Key", "log in")
                .doesNotContain("is safe");

        salts.held.countDown();
        // Hashed after it, on the same thread.
        TestRedis.awaitUntil("a sign-up behind it", () -> api.askToSignUp("bob").status() == 200);
        assertThat(isFree("ann")).isTrue();
        TestRedis.awaitUntil("the same again", () -> api.askToSignUp("ann").status() == 200);
    }

    @Test
    void theSameRequestWithTheSameKeyGivesTheSameAccountAndATokenThatWorks() {
        Response first = signUp("key", "ann", "ann@example.org", ApiServer.PASSWORD);
        Response again = signUp("key", "Ann", "ANN@example.org", ApiServer.PASSWORD);

        assertThat(first.status()).isEqualTo(200);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text("/access_token")).isNotEqualTo(first.text("/access_token"));
        assertThat(who(again)).isEqualTo(who(first));
        assertThat(api.post("/api/v1/statuses", again.text("/access_token"), "status", "here")
                        .status())
                .isEqualTo(200);
        assertThat(api.send(
                                "POST",
                                "/api/v1/statuses",
                                again.text("/access_token"),
                                FORM,
                                "status=hello",
                                "Idempotency-Key",
                                "key")
                        .status())
                .as("the same key for a status")
                .isEqualTo(200);
    }

    @Test
    void onOurOwnPagesTheSameRequestGivesASessionOfTheSameAccount() {
        String body = "username=ann&email=ann@example.org&password=a+good+long+one&agreement=true";
        String[] headers = {"X-Fanfare-Page", "1", "Idempotency-Key", "key"};
        Response first = api.send("POST", "/api/v1/session/sign_up", null, FORM, body, headers);
        Response again = api.send("POST", "/api/v1/session/sign_up", null, FORM, body, headers);

        assertThat(first.status()).isEqualTo(200);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text("/account/id")).isEqualTo(first.text("/account/id"));
        assertThat(again.header("Set-Cookie").orElseThrow())
                .isNotEqualTo(first.header("Set-Cookie").orElseThrow());
    }

    @Test
    void aDifferentRequestUnderTheSameKeyGetsNoToken() {
        Response first = signUp("key", "ann", "ann@example.org", ApiServer.PASSWORD);
        assertThat(first.status()).isEqualTo(200);

        Response password = signUp("key", "ann", "ann@example.org", "another good password");
        Response address = signUp("key", "ann", "other@example.org", ApiServer.PASSWORD);
        assertThat(List.of(password, address)).allSatisfy(other -> {
            assertThat(other.status()).isEqualTo(422);
            assertThat(other.text("/error")).contains("This Idempotency-Key was used for");
        });
        for (Response taken :
                List.of(signUp("other", "ann", "ann@example.org", ApiServer.PASSWORD), api.askToSignUp("ann"))) {
            assertThat(taken.status()).isEqualTo(422);
            assertThat(taken.text("/details/username/0/error")).isEqualTo("ERR_TAKEN");
        }
        assertThat(api.post(
                                "/api/v1/accounts/password",
                                first.text("/access_token"),
                                "current_password",
                                ApiServer.PASSWORD,
                                "password",
                                "another good password")
                        .status())
                .isEqualTo(200);
        assertThat(signUp("key", "ann", "ann@example.org", ApiServer.PASSWORD).status())
                .as("with the password of before")
                .isEqualTo(422);
    }

    @Test
    void ofManyOfTheSameRequestAtOnceAllGetTheSameAccount() {
        ExecutorService crowd = Executors.newFixedThreadPool(AT_ONCE);
        try (ApiServer patient = new ApiServer(TestRedis.standalone())) {
            List<Response> answers = IntStream.range(0, AT_ONCE)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> signUp(patient, "key", "ann", "ann@example.org", ApiServer.PASSWORD), crowd))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
            Response last = signUp(patient, "key", "ann", "ann@example.org", ApiServer.PASSWORD);

            assertThat(last.status()).isEqualTo(200);
            assertThat(answers).anyMatch(answer -> answer.status() == 200).allSatisfy(answer -> {
                if (answer.status() == 200) {
                    assertThat(who(answer)).isEqualTo(who(last));
                } else {
                    assertThat(answer.status()).as(answer.body()).isEqualTo(503);
                    assertThat(answer.text("/error")).contains("same Idempotency-Key");
                    assertThat(answer.header("Retry-After")).contains("1");
                }
            });
            assertThat(TestRedis.standalone().keys())
                    .filteredOn(key -> key.startsWith("user:"))
                    .hasSize(1);
        } finally {
            crowd.shutdownNow();
        }
    }

    @Test
    void neitherThePasswordNorATokenIsStoredForARepetition() {
        Response first = signUp("key", "ann", "ann@example.org", ApiServer.PASSWORD);
        for (String key : TestRedis.standalone().keys()) {
            String type = TestRedis.standalone().askAt(key, "TYPE", key).asString();
            if (type.equals("string")) {
                assertThat(TestRedis.standalone().askAt(key, "GET", key).asString())
                        .as(key)
                        .doesNotContain(ApiServer.PASSWORD)
                        .doesNotContain(first.text("/access_token"))
                        .doesNotContain("ann@example.org");
            }
        }
    }

    private boolean isFree(String name) {
        return api.get("/api/v1/accounts/available?username=" + name, null)
                .json()
                .path("available")
                .asBoolean();
    }

    private String who(Response token) {
        return api.get("/api/v1/accounts/verify_credentials", token.text("/access_token"))
                .text("/id");
    }

    private Response signUp(String key, String name, String email, String password) {
        return signUp(api, key, name, email, password);
    }

    private static Response signUp(ApiServer server, String key, String name, String email, String password) {
        return server.send(
                "POST",
                "/api/v1/accounts",
                null,
                FORM,
                "username=" + name + "&email=" + email + "&password=" + password.replace(' ', '+') + "&agreement=true",
                "Idempotency-Key",
                key);
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
