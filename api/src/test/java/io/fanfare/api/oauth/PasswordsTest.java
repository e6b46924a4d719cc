package io.fanfare.api.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.api.oauth.Passwords.Caller;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PasswordsTest {
    private static final Vertx VERTX = Vertx.vertx();
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @AfterAll
    static void stop() {
        TestRedis.await(VERTX.close());
    }

    @Test
    void aPasswordFitsItsHashAndNoOther() {
        try (Passwords passwords = passwords("auth.argon-memory-kib=64")) {
            String phc = TestRedis.await(passwords.hash("correct horse"));

            assertThat(TestRedis.await(passwords.verify("correct horse", phc))).isTrue();
            assertThat(TestRedis.await(passwords.verify("correct horsf", phc))).isFalse();
            assertThat(TestRedis.await(passwords.hash("correct horse"))).isNotEqualTo(phc);
        }
    }

    @Test
    void theHashSaysHowItWasMade() {
        try (Passwords passwords = passwords("auth.argon-memory-kib=64", "auth.argon-passes=3")) {
            assertThat(TestRedis.await(passwords.hash("x")))
                    .matches("\\$argon2id\\$v=19\\$m=64,t=3,p=1\\$[A-Za-z0-9+/]{22}\\$[A-Za-z0-9+/]{43}");
        }
    }

    @Test
    void theDefaultsAreThoseOfTheDesign() {
        try (Passwords passwords = passwords()) {
            assertThat(TestRedis.await(passwords.hash("x"))).startsWith("$argon2id$v=19$m=19456,t=2,p=1$");
        }
    }

    @Test
    void aHashOfTheReferenceImplementationIsUnderstood() {
        // Test vector of the reference implementation: argon2id, t = 2, m = 2^8, p = 1, "password", "somesalt".
        String phc = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
        try (Passwords passwords = passwords()) {
            assertThat(TestRedis.await(passwords.verify("password", phc))).isTrue();
            assertThat(passwords.outdated(phc)).isTrue();
        }
    }

    @Test
    void lettersTypedInTwoWaysAreTheSamePassword() {
        try (Passwords passwords = passwords("auth.argon-memory-kib=64")) {
            String phc = TestRedis.await(passwords.hash("cafe\u0301 au lait"));

            assertThat(TestRedis.await(passwords.verify("caf\u00e9 au lait", phc)))
                    .isTrue();
        }
    }

    @Test
    void onlyHashesOfOtherParametersAreOutdated() {
        try (Passwords then = passwords("auth.argon-memory-kib=64");
                Passwords now = passwords("auth.argon-memory-kib=128")) {
            String phc = TestRedis.await(then.hash("x"));

            assertThat(then.outdated(phc)).isFalse();
            assertThat(now.outdated(phc)).isTrue();
            assertThat(TestRedis.await(now.verify("x", phc))).isTrue();
        }
    }

    @Test
    void nobodysPasswordNeverFits() {
        try (Passwords passwords = passwords("auth.argon-memory-kib=64")) {
            assertThat(TestRedis.await(passwords.verify("x", null))).isFalse();
            assertThat(TestRedis.await(passwords.verify("x", ""))).isFalse();
        }
    }

    @Test
    void aTextLongerThanAnyPasswordNeverFitsAndIsNotNormalised() {
        String marks = "\u0301\u0323".repeat(1 << 20); // Minutes of work.
        try (Passwords passwords = passwords("auth.argon-memory-kib=64")) {
            String phc = TestRedis.await(passwords.hash(""));

            assertThat(TestRedis.await(passwords.verify(marks, phc))).isFalse();
            assertThat(Passwords.isTooLong(marks)).isTrue();
        }
        assertThat(Passwords.isTooLong("\u03b1\u0313\u0300\u0345".repeat(Passwords.CHARS_MAX)))
                .isFalse();
        assertThat(Passwords.isTooLong("x".repeat(Passwords.CHARS_MAX + 1))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "47104, 1, false",
        "47103, 1, true",
        "19456, 2, false",
        "19455, 2, true",
        "12288, 3, false",
        "9216, 4, false",
        "7168, 5, false",
        "7168, 50, false",
        "7167, 5, true",
        "7167, 50, true",
        "8, 1, true"
    })
    void aHashBelowTheMinimumOfOwaspIsWeak(int memoryKib, int passes, boolean weak) {
        assertThat(Passwords.isWeak(memoryKib, passes)).isEqualTo(weak);
    }

    @Tag("slow")
    @Test
    void anUnknownUserCostsTheSameWork() {
        // Interleaved, medians: real parameters, so that the hash is what is measured; of the processor's time, since
        // others on the machine take theirs at any moment.
        Set<Long> others = hashing();
        try (Passwords passwords = passwords("auth.hashes-at-once=1")) {
            String phc = TestRedis.await(passwords.hash("right"));
            Set<Long> own = new TreeSet<>(hashing());
            own.removeAll(others);
            long thread = own.iterator().next();
            List<Long> known = new ArrayList<>();
            List<Long> unknown = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                known.add(nanos(passwords, thread, phc));
                unknown.add(nanos(passwords, thread, null));
            }
            double ratio = (double) median(known) / median(unknown);
            // 15 % is the goal on a quiet machine; what must not happen is a shortcut, which would be 1000-fold.
            assertThat(ratio).isBetween(0.5, 2.0);
        }
    }

    @Test
    void moreThanTheQueueHoldsAreRefused() {
        HeldUp held = new HeldUp();
        try (Passwords passwords = passwords(held, "auth.hashes-at-once=1", "auth.hashes-waiting=2")) {
            Future<?>[] all = new Future<?>[4];
            Arrays.setAll(all, i -> passwords.hash("x"));

            assertThat(all[3].cause()).isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.reason())
                    .isEqualTo(Refusal.Reason.OVERLOADED));
            held.goOn.countDown();
            assertThat(TestRedis.await(Future.join(all[0], all[1], all[2]).map(true)))
                    .isTrue();
        }
    }

    @Tag("slow")
    @Test
    void aQuarterOfThePlacesIsKeptForThoseWhoAreKnown() {
        HeldUp held = new HeldUp();
        Caller known = new Caller(true, () -> false);
        try (Passwords passwords = passwords(held, "auth.hashes-at-once=1", "auth.hashes-waiting=8")) {
            Future<?>[] strangers = new Future<?>[8];
            Arrays.setAll(strangers, i -> passwords.hash("x"));
            Future<?>[] regulars = new Future<?>[3];
            Arrays.setAll(regulars, i -> passwords.hash("x", known));

            assertThat(strangers).filteredOn(Future::failed).hasSize(1);
            assertThat(regulars).filteredOn(Future::failed).hasSize(1);
            held.goOn.countDown();
            assertThat(TestRedis.await(
                            Future.join(List.of(strangers[6], regulars[1])).map(true)))
                    .isTrue();
            assertThat(TestRedis.await(passwords.hash("x")))
                    .as("their places are free again")
                    .isNotEmpty();
        }
    }

    @Test
    void aCancelledHashIsSkippedAndFreesItsPlaceInTheQueue() {
        HeldUp held = new HeldUp();
        AtomicBoolean gone = new AtomicBoolean();
        try (Passwords passwords = passwords(held, "auth.hashes-at-once=1", "auth.hashes-waiting=2")) {
            Future<?> running = passwords.hash("x");
            Future<?>[] waiting = new Future<?>[2];
            Arrays.setAll(waiting, i -> passwords.hash("x", new Caller(false, gone::get)));
            assertThat(passwords.hash("x").failed()).as("the queue is full").isTrue();

            gone.set(true);
            Future<String> next = passwords.hash("x");
            assertThat(next.failed()).as("of those who are gone").isFalse();
            held.goOn.countDown();
            assertThat(TestRedis.await(next)).isNotEmpty();
            assertThat(TestRedis.await(running.map(true))).isTrue();
            assertThat(waiting).allMatch(Future::failed);
        }
        assertThat(held.begun.get()).isEqualTo(2);
    }

    @Test
    void waitingHashesFailWhenThePoolIsClosed() {
        Future<?>[] all = new Future<?>[9];
        HeldUp held = new HeldUp();
        try (Passwords passwords = passwords(held, "auth.hashes-at-once=1", "auth.hashes-waiting=8")) {
            Arrays.setAll(all, i -> passwords.hash("x"));
        }
        for (Future<?> one : all) {
            TestRedis.awaitUntil("it is done or refused", one::isComplete);
        }
        assertThat(all[8].cause()).isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.reason())
                .isEqualTo(Refusal.Reason.OVERLOADED));
    }

    @Test
    void corruptDataIsLoudRatherThanAWrongPassword() {
        try (Passwords passwords = passwords()) {
            assertThatThrownBy(() -> assertThat(TestRedis.await(passwords.verify("x", "plain")))
                            .isFalse())
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    /** The time of the hashing thread for one verification. */
    private static long nanos(Passwords passwords, long thread, String phc) {
        long before = THREADS.getThreadCpuTime(thread);
        assertThat(TestRedis.await(passwords.verify("wrong", phc))).isFalse();
        return THREADS.getThreadCpuTime(thread) - before;
    }

    private static Set<Long> hashing() {
        return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(Objects::nonNull)
                .filter(thread -> thread.getThreadName().equals("fanfare-passwords"))
                .map(thread -> thread.getThreadId())
                .collect(Collectors.toSet());
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    /** No hash is begun before it may go on: there is none without a salt. */
    private static final class HeldUp extends SecureRandom {
        private static final long serialVersionUID = 1;

        final transient CountDownLatch goOn = new CountDownLatch(1);
        final transient AtomicInteger begun = new AtomicInteger();

        @Override
        public void nextBytes(byte[] bytes) {
            begun.incrementAndGet();
            try {
                goOn.await();
            } catch (InterruptedException closed) {
                throw new IllegalStateException(closed);
            }
            super.nextBytes(bytes);
        }
    }

    private static Passwords passwords(String... assignments) {
        return passwords(new SecureRandom(), assignments);
    }

    private static Passwords passwords(SecureRandom random, String... assignments) {
        Settings.Auth auth = SettingsLoader.defaultsWith(assignments).auth();
        return new Passwords(VERTX, random, auth);
    }
}
