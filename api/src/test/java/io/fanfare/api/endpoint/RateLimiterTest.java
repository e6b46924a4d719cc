package io.fanfare.api.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.endpoint.RateLimiter.Taken;
import io.fanfare.api.endpoint.RateLimiter.Window;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Script;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class RateLimiterTest {
    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
    private static final long HOUR = 3_600_000;
    private static final long MINUTE = 60_000;
    private static final int TRIES = 25;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private RateLimiter rateLimiter;
    private long now = 1_800_000_000_000L;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        rateLimiter = new RateLimiter(f.link);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void ofManyAtOnceExactlyAsManyPassAsTheWindowAllows() {
        List<Future<Taken>> all = new ArrayList<>();
        f.get(() -> {
            for (int i = 0; i < 100; i++) {
                all.add(rateLimiter.take("a_7f0000", List.of(new Window("requests", "7f000001", 30, FIVE_MINUTES, 1))));
            }
            return Future.all(all).map(true);
        });

        assertThat(all).filteredOn(taken -> taken.result().granted()).hasSize(30);
        assertThat(all).extracting(taken -> taken.result().left()).contains(29L, 15L, 0L);
    }

    @Test
    void oneLimitTakesNothingFromAnotherNorOneCallerFromAnother() {
        assertThat(take("requests", "t.1", 1)).isTrue();
        assertThat(take("requests", "t.1", 1)).isFalse();
        assertThat(take("requests", "t.2", 1)).isTrue();
        assertThat(take("deletes", "t.1", 1)).isTrue();
    }

    @Test
    void severalAreTakenAllOrNone() {
        assertThat(take("follows", "u_1", 60)).isTrue();
        assertThat(take("follows", "u_1", 41))
                .as("more than the 40 that are left")
                .isFalse();
        assertThat(take("follows", "u_1", 40)).isTrue();
        assertThat(take("follows", "u_1", 1)).isFalse();
    }

    @Test
    void ofSeveralWindowsAllAreTakenOrNone() {
        List<Window> both = List.of(window("token", 3, 1), window("account", 10, 4));

        assertThat(takeAll(both)).extracting(Taken::granted, Taken::left).containsExactly(true, 2L);
        Taken second = takeAll(both);
        assertThat(second.granted()).isTrue();
        assertThat(second.window().name()).as("the one with the fewest left").isEqualTo("token");
        Taken third = takeAll(both);
        assertThat(third.granted()).isFalse();
        assertThat(third.window().name()).isEqualTo("account");
        assertThat(third.left()).isEqualTo(2);
        assertThat(takeAll(List.of(window("token", 3, 1))).granted())
                .as("a refusal has taken nothing of the other")
                .isTrue();
        assertThat(takeAll(List.of(window("token", 3, 1))).granted()).isFalse();
    }

    private static Window window(String name, int max, int count) {
        return new Window(name, "1", max, FIVE_MINUTES, count);
    }

    private Taken takeAll(List<Window> windows) {
        return f.get(() -> rateLimiter.take("u_1", windows));
    }

    @Test
    void anAddressIsKnownOnceALogInHasSucceededFromThere() {
        assertThat(isKnown("home")).isFalse();
        f.get(() -> rateLimiter.loginSucceeded("ann", "home").map(true));
        assertThat(isKnown("home")).isTrue();
        assertThat(isKnown("elsewhere")).isFalse();
    }

    private boolean isKnown(String address) {
        return f.get(() -> rateLimiter.tryLogin("ann", address, TRIES, Long.toString(now)))
                .known();
    }

    @Test
    void aWindowEndsAndItsKeyWithIt() {
        assertThat(takeAt(now)).isEqualTo(List.of(1L, 1L, 1L, 1000L));
        assertThat(takeAt(now + 400)).isEqualTo(List.of(1L, 1L, 0L, 600L));
        assertThat(takeAt(now + 999)).isEqualTo(List.of(0L, 1L, 0L, 1L));
        assertThat(takeAt(now + 1000)).isEqualTo(List.of(1L, 1L, 1L, 1000L));
        assertThat(takeAt(now - 5000)).as("a clock that was set back").isEqualTo(List.of(1L, 1L, 1L, 1000L));
        assertThat(f.number(Keys.limit("u_1", "x", "1"), "PTTL", Keys.limit("u_1", "x", "1")))
                .isBetween(1L, 1000L);
    }

    @Test
    void aStrangerWhoTriesWheneverItIsPossibleHasTheTriesOfAnHourAndWaitsLongerEachTime() {
        long end = now + HOUR;
        int tries = 0;
        List<Long> waits = new ArrayList<>();
        while (now < end) {
            long wait = tryLogin("stranger");
            if (wait == 0) {
                tries++;
            } else {
                waits.add(wait);
                now += wait;
            }
        }
        assertThat(tries).isEqualTo(TRIES);
        // The last one waits for the end of the hour rather than for its own time.
        assertThat(waits.subList(0, waits.size() - 1)).isSorted();
        assertThat(waits).first().isEqualTo(2182L);
        assertThat(waits).allMatch(wait -> wait <= HOUR / 6);
    }

    @Test
    void inNoHourMoreTriesPassThanTheFirstOneAllows() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<Long> passed = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            if (tryLogin("stranger") == 0) {
                passed.add(now);
            }
            now += random.nextInt(20_000);
        }
        for (int i = TRIES; i < passed.size(); i++) {
            assertThat(passed.get(i) - passed.get(i - TRIES))
                    .as("seed %d, try %d", seed, i)
                    .isGreaterThanOrEqualTo(HOUR);
        }
    }

    @Test
    void aUserOnAKnownAddressIsNotKeptOutByStrangers() {
        assertThat(tryLogin("home")).isZero();
        f.get(() -> rateLimiter.loginSucceeded("ann", "home").map(true));
        for (int i = 0; i < 100; i++) {
            now += tryLogin("stranger" + i);
        }
        assertThat(tryLogin("another stranger")).isPositive();

        assertThat(tryLogin("home")).isZero();
    }

    @Test
    void aNewAddressHasOneTryWithinAMinuteWhateverAStrangerHasDone() {
        while (tries() < TRIES) {
            now += tryLogin("stranger");
        }
        assertThat(tryLogin("stranger")).isGreaterThan(5 * MINUTE);
        assertThat(tryLogin("owner, travelling")).isEqualTo(MINUTE);

        now += MINUTE;
        assertThat(tryLogin("stranger")).isGreaterThan(5 * MINUTE);
        assertThat(tryLogin("owner, travelling")).isZero();
        assertThat(tryLogin("owner, travelling")).as("the second one").isGreaterThan(5 * MINUTE);
        assertThat(tryLogin("somebody else"))
                .as("spare tries are a minute apart")
                .isEqualTo(MINUTE);
        f.get(() -> rateLimiter.loginSucceeded("ann", "owner, travelling").map(true));

        assertThat(tryLogin("owner, travelling")).as("known now").isZero();
        assertThat(tries()).as("those of strangers are not forgotten").isEqualTo(TRIES);
        assertThat(tryLogin("stranger")).isGreaterThan(5 * MINUTE);
    }

    @Test
    void manyAddressesHaveOneSpareTryAMinuteTogether() {
        int passed = 0;
        for (int i = 0; i < 600; i++) {
            if (tryLogin("stranger" + i) == 0) {
                passed++;
            }
            now += MINUTE / 10;
        }
        assertThat(passed).isBetween(50, TRIES + 60);
    }

    private long tries() {
        return Long.parseLong(f.hash(Keys.logins("ann")).getOrDefault("tries", "0"));
    }

    @Test
    void aStrangersAttackNeverMakesAnybodyWaitForLong() {
        long end = now + 24 * HOUR;
        while (now < end) {
            long wait = tryLogin("stranger");
            assertThat(wait).isLessThanOrEqualTo(HOUR / 6);
            now += wait;
        }
    }

    @Test
    void aSuccessTakesBackItsOwnTryAndNotThoseOfStrangers() {
        for (int i = 0; i < 6; i++) {
            now += tryLogin("stranger") + tryLogin("stranger");
        }
        String tries = f.hash(Keys.logins("ann")).get("tries");
        now += HOUR / 10;
        assertThat(tryLogin("new")).isZero();
        f.get(() -> rateLimiter.loginSucceeded("ann", "new").map(true));

        assertThat(f.hash(Keys.logins("ann"))).containsEntry("tries", tries);
        assertThat(f.number(Keys.loginsFrom("ann", "new"), "PTTL", Keys.loginsFrom("ann", "new")))
                .isBetween(29 * 24 * HOUR, 30 * 24 * HOUR);
    }

    @Test
    void repeatedLogInsWithTheRightPasswordNeverWait() {
        for (int i = 0; i < 100; i++) {
            assertThat(tryLogin("home")).isZero();
            f.get(() -> rateLimiter.loginSucceeded("ann", "home").map(true));
        }
    }

    @Test
    void anHourOfPeaceForgetsTheTries() {
        for (int i = 0; i < 20; i++) {
            now += tryLogin("stranger");
        }
        now += HOUR;
        for (int i = 0; i < 4; i++) {
            assertThat(tryLogin("stranger")).isZero();
        }
    }

    private boolean take(String limit, String who, int count) {
        return f.get(() -> rateLimiter.take(
                        "u_1", List.of(new Window(limit, who, limit.equals("follows") ? 100 : 1, FIVE_MINUTES, count))))
                .granted();
    }

    /** Two a second. */
    private List<Long> takeAt(long millis) {
        Script take = Script.load("take");
        return f
                .get(() ->
                        f.link.send(take.call(List.of(Keys.limit("u_1", "x", "1")), Long.toString(millis), 2, 1000, 1)))
                .items()
                .stream()
                .map(reply -> reply.asLong())
                .toList();
    }

    private long tryLogin(String address) {
        return f.get(() -> rateLimiter.tryLogin("ann", address, TRIES, Long.toString(now)))
                .waitMillis();
    }
}
