package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The proof of work that a server demands of each sign-up. */
@ParameterizedClass
@KindsOfRedis
class SignUpChallengeTest {
    private static final String PATH = "/api/v1/accounts/challenge";
    private static final int BITS = 10;
    private static final String DEMANDED = "auth.sign-up-challenge=" + BITS;

    @Parameter
    TestRedis.Kind kind;

    private final SetClock clock = new SetClock();
    private TestRedis redis;
    private ApiServer api;
    private int names;

    /** A clock that the test sets. */
    private static final class SetClock extends Clock {
        private volatile Duration ahead = Duration.ZERO;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(ahead);
        }
    }

    @BeforeEach
    void start() {
        redis = kind.redis();
        redis.flush();
        api = new ApiServer(redis, clock, DEMANDED);
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private Response signUp(ApiServer at, String challenge, String nonce) {
        String name = "person" + names++;
        return at.post(
                "/api/v1/accounts",
                null,
                "username",
                name,
                "email",
                name + "@example.org",
                "password",
                ApiServer.PASSWORD,
                "agreement",
                "true",
                "challenge",
                challenge,
                "nonce",
                nonce);
    }

    private String challenge() {
        return api.get(PATH, null).text("/challenge");
    }

    /** The definition, computed by other code than the server's. */
    private static boolean isSolution(String challenge, int nonce, int bits) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((challenge + "." + nonce).getBytes(StandardCharsets.US_ASCII));
            return new java.math.BigInteger(1, digest).bitLength() <= 256 - bits;
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static String solve(String challenge) {
        return solve(challenge, true);
    }

    private static String solve(String challenge, boolean solved) {
        return Integer.toString(IntStream.iterate(0, nonce -> nonce + 1)
                .filter(nonce -> isSolution(challenge, nonce, BITS) == solved)
                .findFirst()
                .orElseThrow());
    }

    private static void assertRefused(Response answer, String sentence) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(422);
        assertThat(answer.text("/details/challenge/0/description")).contains(sentence);
    }

    @Test
    void aSolvedChallengeIsWorthOneSignUp() {
        Response issued = api.get(PATH, null);
        assertThat(issued.json().path("bits").asInt()).isEqualTo(BITS);
        assertThat(issued.text("/challenge").length()).isLessThan(45);
        assertThat(issued.header("Cache-Control")).contains("no-store");
        String challenge = issued.text("/challenge");
        String nonce = solve(challenge);
        assertThat(signUp(api, challenge, nonce).status()).isEqualTo(200);
        assertRefused(signUp(api, challenge, nonce), "has been used");
        try (ApiServer other = new ApiServer(redis, clock, DEMANDED)) {
            assertRefused(signUp(other, challenge, nonce), "has been used");
            String next = challenge();
            assertThat(signUp(other, next, solve(next)).status())
                    .as("a process that did not issue it")
                    .isEqualTo(200);
        }
    }

    @Test
    void ofManySignUpsAtOnceWithOneChallengeOneIsMade() {
        String challenge = challenge();
        String nonce = solve(challenge);
        List<CompletableFuture<Response>> tries = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> signUp(api, challenge, nonce), task -> new Thread(task).start()))
                .toList();
        assertThat(tries.stream().filter(one -> one.join().status() == 200)).hasSize(1);
    }

    @Test
    void anAppWithoutAProofLearnsWhereItsUserSignsUp() {
        assertRefused(api.askToSignUp("ann"), "/signup and log in to the app then");
        assertThat(api.askToSignUp("ann").text("/error")).contains("GET " + PATH);
    }

    @Test
    void aChallengeThatIsNotSolvedOrNotOfThisServerIsRefused() {
        String challenge = challenge();
        assertRefused(signUp(api, challenge, solve(challenge, false)), "not solved");
        assertRefused(signUp(api, challenge, ""), "not solved");
        assertRefused(signUp(api, challenge, "x".repeat(33)), "not solved");
        String later = Long.parseLong(challenge.substring(0, challenge.indexOf('.')))
                + 60
                + challenge.substring(challenge.indexOf('.'));
        assertRefused(signUp(api, later, solve(later)), "not one of this server");
        String easier = challenge.replace("." + BITS + ".", ".0.");
        assertRefused(signUp(api, easier, "0"), "not one of this server");
        String forged = challenge.substring(0, challenge.length() - 16) + "A".repeat(16);
        assertRefused(signUp(api, forged, solve(forged)), "not one of this server");
        assertRefused(signUp(api, "x", "0"), "not one of this server");
        assertRefused(signUp(api, "9".repeat(400), "0"), "not one of this server");
        assertThat(redis.askAt(Keys.CHALLENGES, "EXISTS", Keys.CHALLENGES).asLong())
                .as("nothing is kept of these")
                .isZero();
        assertThat(signUp(api, challenge, solve(challenge)).status()).isEqualTo(200);
    }

    @Test
    void aChallengeOfAnotherDifficultyIsRefused() {
        try (ApiServer easier = new ApiServer(redis, clock, "auth.sign-up-challenge=1")) {
            String challenge = easier.get(PATH, null).text("/challenge");
            assertRefused(signUp(api, challenge, solve(challenge)), "not one of this server");
        }
    }

    @Test
    void aChallengeEndsAfterTenMinutesAndNoStepOfTheClockMakesAUsedOneGoodAgain() {
        String used = challenge();
        String nonce = solve(used);
        assertThat(signUp(api, used, nonce).status()).isEqualTo(200);
        String unused = challenge();

        clock.ahead = Duration.ofMinutes(11);
        assertRefused(signUp(api, unused, solve(unused)), "has ended");
        String next = challenge();
        // While its clock differs from that of Redis, the server gives out no ids.
        assertThat(signUp(api, next, solve(next)).status()).as("passed").isEqualTo(503);

        clock.ahead = Duration.ZERO;
        assertRefused(signUp(api, used, nonce), "has been used");
        assertThat(signUp(api, unused, solve(unused)).status()).isEqualTo(200);
        clock.ahead = Duration.ofMinutes(-90);
        assertRefused(signUp(api, next, solve(next)), "has ended");
    }

    @Test
    void usedChallengesLeaveAfterTheirEnd() {
        String first = challenge();
        assertThat(signUp(api, first, solve(first)).status()).isEqualTo(200);
        assertThat(redis.askAt(Keys.CHALLENGES, "PTTL", Keys.CHALLENGES).asLong())
                .isBetween(1L, Duration.ofHours(3).toMillis());
        clock.ahead = Duration.ofMinutes(80);
        String second = challenge();
        assertThat(signUp(api, second, solve(second)).status()).as("passed").isEqualTo(503);
        assertThat(redis.askAt(Keys.CHALLENGES, "ZCARD", Keys.CHALLENGES).asLong())
                .isEqualTo(1);
    }

    @Test
    void aServerThatDemandsNoneIssuesNoneAndTakesSignUpsWithout() {
        try (ApiServer plain = new ApiServer(redis, clock)) {
            assertThat(plain.get(PATH, null).json().path("challenge").isNull()).isTrue();
            assertThat(plain.askToSignUp("bob").status()).isEqualTo(200);
        }
    }
}
