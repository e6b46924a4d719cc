package io.fanfare.common.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class PasswordsTest {
    private static final Vertx VERTX = Vertx.vertx();

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
    void anUnknownUserCostsTheSameWork() {
        // Interleaved, medians: real parameters, so that the hash is what is measured.
        try (Passwords passwords = passwords()) {
            String phc = TestRedis.await(passwords.hash("right"));
            List<Long> known = new ArrayList<>();
            List<Long> unknown = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                known.add(nanos(passwords, phc));
                unknown.add(nanos(passwords, null));
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

    @Test
    void whatWaitsWhenThePoolIsClosedFails() {
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

    private static long nanos(Passwords passwords, String phc) {
        long start = System.nanoTime();
        assertThat(TestRedis.await(passwords.verify("wrong", phc))).isFalse();
        return System.nanoTime() - start;
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    /** No hash is begun before it may go on: there is none without a salt. */
    private static final class HeldUp extends SecureRandom {
        private static final long serialVersionUID = 1;

        final transient CountDownLatch goOn = new CountDownLatch(1);

        @Override
        public void nextBytes(byte[] bytes) {
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
