package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.store.Applicants.AdmissionRequest;
import io.fanfare.core.feed.Stores;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Redis;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class ApplicantsTest {
    private static final Duration WAIT = Duration.ofDays(14);
    private static final AdmissionRequest REQUEST = new AdmissionRequest("I like birds", WAIT, 3);
    private static final int STEPS_MAX = 60;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Applicants applicants;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        applicants = new Applicants(f.link);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void anApplicantIsFoundByNobodyAndHasOnlyKeysThatEnd() {
        long ann = apply("ann").id();
        assertThat(f.get(() -> f.stores.accounts().find(ann))).isEmpty();
        assertThat(f.get(() -> f.stores.accounts().idByUsername("ann"))).isEmpty();
        assertThat(f.get(() -> f.stores.accounts().inspect(List.of(ann)))).isEmpty();
        assertThat(f.get(() -> f.stores.accounts().isUsernameFree("ann"))).isFalse();
        assertThat(f.get(() -> f.stores.accounts().isEmailFree("ann@x.org"))).isFalse();
        assertThat(f.redis.keys()).doesNotContain(Keys.NAMES, Keys.NEW_ACCOUNTS);
        assertThat(life(Keys.user(ann))).isBetween(WAIT.toSeconds() - 60, WAIT.toSeconds());
        for (String claim : List.of(Keys.login("ann"), Keys.email("ann@x.org"))) {
            assertThat(life(claim)).as(claim).isGreaterThan(life(Keys.user(ann)));
        }
        assertThat(f.get(() -> f.stores.accounts().inspectWithApplicants(List.of(ann)))
                        .get(ann)
                        .reason())
                .isEqualTo("I like birds");
        assertThat(f.get(() -> applicants.earliest(10))).containsExactly(ann);
    }

    @Test
    void anApprovedAccountIsLikeOneThatNeededNoApproval() {
        long ann = apply("ann").id();
        long bob = f.get(() -> f.stores.accounts().signUp("bob", "bob@x.org", "$argon2id$"))
                .id();
        f.get(() -> applicants.approve(ann));
        assertThat(f.hash(Keys.user(ann)).keySet())
                .isEqualTo(f.hash(Keys.user(bob)).keySet());
        assertThat(f.get(() -> f.stores.accounts().idByUsername("ann"))).contains(ann);
        assertThat(f.members(Keys.NAMES)).contains("ann " + ann);
        for (String key : List.of(Keys.user(ann), Keys.login("ann"), Keys.email("ann@x.org"))) {
            assertThat(life(key)).as(key).isEqualTo(-1);
        }
        assertThat(f.get(() -> applicants.earliest(10))).isEmpty();
        assertRefused(Reason.FORBIDDEN, () -> f.get(() -> applicants.approve(ann)));
        assertRefused(Reason.FORBIDDEN, () -> f.get(() -> applicants.reject(ann)));
    }

    @Test
    void aRejectedAccountLeavesNothingAndItsNameIsFree() {
        long ann = apply("ann").id();
        f.get(() -> applicants.reject(ann));
        assertThat(f.redis.keys())
                .noneMatch(key -> key.startsWith("user:")
                        || key.startsWith("login:")
                        || key.startsWith("email:")
                        || key.equals(Keys.APPLICANTS));
        assertRefused(Reason.NOT_FOUND, () -> f.get(() -> applicants.reject(ann)));
        assertRefused(Reason.NOT_FOUND, () -> f.get(() -> applicants.approve(ann)));
        assertThat(apply("ann").id()).isNotEqualTo(ann);
    }

    /** The process that approved it died before the account was one. */
    @Test
    void theNameOfWhoIsRejectedAfterACutApprovalIsInNoList() {
        long ann = apply("ann").id();
        f.get(() -> SignUps.enter(f.link, "ann", ann));
        f.get(() -> applicants.reject(ann));
        assertThat(f.redis.keys()).noneMatch(key -> key.equals(Keys.NAMES) || key.startsWith("{directory}"));
    }

    @Test
    void neverMoreWaitThanMayAndWhoIsRefusedKeepsNothing() {
        apply("ann");
        apply("bob");
        apply("cat");
        assertRefused(Reason.OVERLOADED, () -> apply("dan"));
        assertThat(f.redis.keys()).doesNotContain(Keys.login("dan"), Keys.email("dan@x.org"));
        long first = f.get(() -> applicants.earliest(1)).get(0);
        f.get(() -> applicants.reject(first));
        assertThat(apply("dan").username()).isEqualTo("dan");
    }

    @Test
    void aNameThatIsTakenIsNotListed() {
        apply("ann");
        assertRefused(Reason.INVALID, () -> apply("ann"));
        assertThat(f.get(() -> applicants.earliest(10))).hasSize(1);
    }

    /** At every step: what is left is finished by the next one at the name, or goes. */
    @Test
    void anApplicationThatDiesAfterAnyStepIsFinishedAsAnApplication() {
        for (int steps = 0; steps < STEPS_MAX; steps++) {
            f.redis.flush();
            if (!dies(steps, redis -> Stores.on(redis, f.settings, 3)
                    .accounts()
                    .apply("ann", "ann@x.org", "pw", REQUEST, null))) {
                return;
            }
            f.redis.keys().stream()
                    .filter(key -> key.startsWith("login:") || key.startsWith("email:"))
                    .filter(key -> life(key) <= Claims.SECONDS)
                    .forEach(key -> f.redis.askAt(key, "DEL", key));
            try {
                f.get(() -> f.stores.accounts().signUp("ann", "other@x.org", "pw"));
            } catch (RuntimeException taken) {
                assertThat(f.get(() -> applicants.earliest(10)))
                        .as("after %d steps", steps)
                        .hasSize(1);
                long ann = f.get(() -> applicants.earliest(10)).get(0);
                assertThat(f.hash(Keys.user(ann))).containsEntry("state", "applied");
            }
        }
        throw new AssertionError("more than " + STEPS_MAX + " steps");
    }

    @Test
    void anApprovalThatDiesAfterAnyStepCanBeRepeated() {
        for (int steps = 0; steps < STEPS_MAX; steps++) {
            f.redis.flush();
            long ann = apply("ann").id();
            boolean dead = dies(steps, redis -> new Applicants(redis).approve(ann));
            if (f.hash(Keys.user(ann)).get("state").equals("applied")) {
                f.get(() -> applicants.approve(ann));
            }
            assertThat(f.get(() -> f.stores.accounts().idByUsername("ann")))
                    .as("after %d steps", steps)
                    .contains(ann);
            assertThat(f.members(Keys.NAMES)).contains("ann " + ann);
            assertThat(life(Keys.email("ann@x.org"))).isEqualTo(-1);
            if (!dead) {
                return;
            }
        }
        throw new AssertionError("more than " + STEPS_MAX + " steps");
    }

    /** Whether the process has died: false when it had ended within so many steps. */
    private boolean dies(int steps, Function<Redis, Future<?>> work) {
        Steps dying = new Steps(f.link, (command, reply) -> {});
        f.get(() -> {
            work.apply(dying).onComplete(done -> {});
            return Future.succeededFuture();
        });
        for (int i = 0; i < steps && dying.canStep(); i++) {
            f.get(dying::step);
        }
        return dying.canStep();
    }

    @CanIgnoreReturnValue
    private Account apply(String name) {
        return f.get(() -> f.stores.accounts().apply(name, name + "@x.org", "$argon2id$", REQUEST, null));
    }

    private long life(String key) {
        return f.number(key, "TTL", key);
    }

    private static void assertRefused(Reason reason, ThrowingCallable call) {
        assertThatThrownBy(call)
                .matches(cause -> Refusal.isFor(reason, cause) || Refusal.isFor(reason, cause.getCause()));
    }
}
