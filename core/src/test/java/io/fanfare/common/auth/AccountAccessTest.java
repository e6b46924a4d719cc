package io.fanfare.common.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Steps;
import io.fanfare.core.feed.Stores;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** An operator's changes of an account, which the user and other event loops notice a moment later. */
@ParameterizedClass
@KindsOfRedis
class AccountAccessTest {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private AccountAccess access;
    private Tokens tokens;
    private Tokens elsewhere;
    private long ann;
    private long nanos;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        access = new AccountAccess(f.link);
        tokens = tokens();
        elsewhere = tokens();
        ann = f.get(() -> f.stores.accounts().signUp("ann", "ann@x.org", "$old$"))
                .id();
    }

    @AfterEach
    void close() {
        f.close();
    }

    private Tokens tokens() {
        return new Tokens(f.link, SigningKeys.of(KEY), Clock.systemUTC(), () -> nanos, new SecureRandom());
    }

    @Test
    void aSuspendedAccountIsShownToNobodyAndIsAsItWasWhenItIsLetBack() {
        Tokens.Issued issued = issue();
        Account before = f.account(ann);
        Map<String, String> stored = f.hash(Keys.user(ann));
        Principal me = f.get(() -> elsewhere.verify(issued.token()));

        assertThat(f.get(() -> access.suspend(ann))).isTrue();
        assertThat(f.get(() -> access.suspend(ann))).isFalse();
        aSecondLater();

        assertThat(f.get(() -> f.stores.accounts().find(ann))).isEmpty();
        assertThat(f.get(() -> f.stores.accounts().load(List.of(ann)))).isEmpty();
        assertThat(f.get(() -> f.stores.accounts().idByUsername("ann"))).isEmpty();
        assertThat(f.get(() -> f.stores.accounts().isUsernameFree("ann"))).isFalse();
        assertThat(f.get(() -> f.stores.accounts().isEmailFree("ann@x.org"))).isFalse();
        assertThat(f.get(() -> f.stores.accounts().holderByUsername("ann"))).contains(ann);
        assertThat(f.get(() -> f.stores.accounts().signedUpByEmail("ann@x.org")))
                .contains(ann);
        assertThat(f.get(() -> f.stores.accounts().inspect(List.of(ann)))
                        .get(ann)
                        .suspendedAt())
                .isPositive();
        assertThat(f.get(() -> f.stores.accounts().password(ann)))
                .contains(new Accounts.Password(
                        "$old$",
                        0,
                        /* suspended= */ true,
                        /* deleted= */ false,
                        /* applied= */ false,
                        /* hasFactor= */ false));
        assertDisabled(() -> elsewhere.verify(issued.token()));
        assertThat(f.get(() -> tokens.stands(me))).isFalse();
        assertThat(f.get(() -> access.list(ann)))
                .extracting(Tokens.Listed::tokenId)
                .containsExactly(me.tokenId());
        assertThatThrownBy(() -> f.get(() -> f.stores.statuses().post(Post.of(ann, "hello"), null)))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .extracting(Refusal::reason)
                .isEqualTo(Reason.FORBIDDEN);

        assertThat(f.get(() -> access.unsuspend(ann))).isTrue();
        assertThat(f.get(() -> access.unsuspend(ann))).isFalse();
        aSecondLater();
        assertThat(f.account(ann)).isEqualTo(before);
        assertThat(f.hash(Keys.user(ann))).isEqualTo(stored);
        assertThat(f.get(() -> elsewhere.verify(issued.token()))).isEqualTo(me);
    }

    @Test
    void aDeletedAccountIsShownToNobodyLetsNobodyInAndKeepsItsName() {
        Tokens.Issued issued = issue();
        f.get(() -> elsewhere.verify(issued.token()));

        assertThat(f.get(() -> access.delete(ann))).isTrue();
        assertThat(f.get(() -> access.delete(ann))).isFalse();
        aSecondLater();

        assertThat(f.get(() -> f.stores.accounts().find(ann))).isEmpty();
        assertThat(f.get(() -> f.stores.accounts().load(List.of(ann)))).isEmpty();
        assertThat(f.get(() -> f.stores.accounts().idByUsername("ann"))).isEmpty();
        assertThat(f.get(() -> f.stores.accounts().isUsernameFree("ann"))).isFalse();
        assertThat(f.get(() -> f.stores.accounts().inspect(List.of(ann)))
                        .get(ann)
                        .deletedAt())
                .isPositive();
        assertThat(f.get(() -> f.stores.accounts().password(ann)))
                .contains(new Accounts.Password(
                        "",
                        1,
                        /* suspended= */ false,
                        /* deleted= */ true,
                        /* applied= */ false,
                        /* hasFactor= */ false));
        assertThat(f.get(() -> access.list(ann))).isEmpty();
        assertThatThrownBy(() -> f.get(() -> elsewhere.verify(issued.token())))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .extracting(Refusal::reason)
                .isEqualTo(Reason.UNAUTHENTICATED);
        for (long rev : List.of(0L, 1L)) {
            assertThat(f.get(() -> tokens.issue(new Login(ann, rev), "", "", Set.of("read"))))
                    .as("a token for what was proven before")
                    .isEmpty();
        }
    }

    @Test
    void aTokenThatIsRevokedMeanwhileCannotDeleteTheAccount() {
        String first = issue().token();
        Principal revoked = f.get(() -> tokens.verify(first));
        f.get(() -> access.revokeAll(ann));
        assertThatThrownBy(() -> f.get(() -> access.delete(revoked)))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .extracting(Refusal::reason)
                .isEqualTo(Reason.UNAUTHENTICATED);
        String second = issue().token();
        Principal suspended = f.get(() -> tokens.verify(second));
        f.get(() -> access.suspend(ann));
        assertThatThrownBy(() -> f.get(() -> access.delete(suspended))).isInstanceOf(Refusal.class);
        f.get(() -> access.unsuspend(ann));
        assertThat(f.get(() -> f.stores.accounts().find(ann))).isPresent();

        assertThat(f.get(() -> access.delete(suspended)))
                .as("its token is good again")
                .isTrue();
    }

    @Test
    void nothingBringsADeletedAccountBack() {
        f.get(() -> access.suspend(ann));
        assertThat(f.get(() -> access.delete(ann))).isTrue();
        Map<String, String> stored = f.hash(Keys.user(ann));
        for (Future<?> answer : List.of(
                f.get(() -> Future.succeededFuture(access.suspend(ann))),
                f.get(() -> Future.succeededFuture(access.unsuspend(ann))),
                f.get(() -> Future.succeededFuture(access.resetPassword(ann, "$new$"))))) {
            TestRedis.awaitUntil("there is an answer", answer::isComplete);
            assertThat(answer.cause()).isInstanceOf(Refusal.class);
        }
        assertThat(f.hash(Keys.user(ann))).isEqualTo(stored).containsEntry("state", "deleted");
        assertThatThrownBy(() -> f.get(() -> f.stores.accounts().signUp("ann", "", "pw")))
                .isInstanceOf(Refusal.class);
    }

    @Test
    void aDeletionThatIsKilledAnywhereIsDoneCompletelyOrNotAtAll() {
        String token = issue().token();
        for (int steps = 0; steps <= 2; steps++) {
            Steps dying = new Steps(f.link, (command, reply) -> {});
            f.get(() -> {
                new AccountAccess(dying).delete(ann).onComplete(done -> {});
                return Future.succeededFuture();
            });
            for (int i = 0; i < steps && dying.canStep(); i++) {
                f.get(dying::step);
            }
            dying.kill();
            aSecondLater();
            boolean deleted = f.get(() -> f.stores.accounts().find(ann)).isEmpty();
            assertThat(deleted).as("after %d steps", steps).isEqualTo(steps > 0);
            boolean good =
                    f.get(() -> elsewhere.verify(token).transform(done -> Future.succeededFuture(done.succeeded())));
            assertThat(good).isEqualTo(steps == 0);
            assertThat(f.jobs(Id.shard(ann), "normal").toString().contains("delete_account.1 " + ann))
                    .isEqualTo(deleted);
        }
    }

    @Test
    void aSuspensionThatIsKilledAnywhereIsDoneCompletelyOrNotAtAll() {
        String token = issue().token();
        for (int steps = 0; steps <= 2; steps++) {
            for (boolean suspend : List.of(true, false)) {
                Steps dying = new Steps(f.link, (command, reply) -> {});
                f.get(() -> {
                    AccountAccess other = new AccountAccess(dying);
                    (suspend ? other.suspend(ann) : other.unsuspend(ann)).onComplete(done -> {});
                    return Future.succeededFuture();
                });
                for (int i = 0; i < steps && dying.canStep(); i++) {
                    f.get(dying::step);
                }
                dying.kill();
                aSecondLater();
                boolean suspended = f.get(() -> f.stores.accounts().find(ann)).isEmpty();
                assertThat(suspended).as("after %d steps", steps).isEqualTo(suspend && steps > 0);
                if (suspended) {
                    assertDisabled(() -> elsewhere.verify(token));
                } else {
                    assertThat(f.get(() -> elsewhere.verify(token)).userId()).isEqualTo(ann);
                }
            }
        }
    }

    @Test
    void aSuspendedAccountGetsNoTokenForWhatWasProvenBefore() {
        f.get(() -> access.suspend(ann));
        assertThat(f.get(() -> tokens.issue(new Login(ann, 0), "", "", Set.of("read"))))
                .isEmpty();
        f.get(() -> access.unsuspend(ann));
        assertThat(f.get(() -> tokens.issue(new Login(ann, 0), "", "", Set.of("read"))))
                .isPresent();
    }

    @Test
    void aTokenThatIsRevokedRightAfterASuspensionDoesNotComeBackWithTheAccount() {
        String one = issue().token();
        String other = issue().token();
        Principal me = f.get(() -> tokens.verify(one));
        Principal there = f.get(() -> tokens.verify(other));
        f.get(() -> access.suspend(ann));
        f.get(() -> tokens.revoke(me));
        f.get(() -> tokens.revoke(ann, there.tokenId()));
        f.get(() -> access.unsuspend(ann));
        aSecondLater();
        for (String token : List.of(one, other)) {
            assertThatThrownBy(() -> f.get(() -> elsewhere.verify(token)))
                    .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                    .extracting(Refusal::reason)
                    .isEqualTo(Reason.UNAUTHENTICATED);
        }
    }

    /** It may be finished by whoever meets its name, at any time. */
    @Test
    void aSignUpThatIsFinishedLateLiftsNoSuspension() {
        Steps late = new Steps(f.link, (command, reply) -> {});
        f.get(() -> {
            Stores.on(late, f.settings, 3).accounts().signUp("bob", "", "pw").onComplete(done -> {});
            return Future.succeededFuture();
        });
        while (!late.next().startsWith("activate")) {
            f.get(late::step);
        }
        // This finishes it.
        long bob = f.get(() -> f.stores.accounts().holderByUsername("bob")).orElseThrow();
        f.get(() -> access.suspend(bob));
        f.get(late::step);
        assertThat(f.hash(Keys.user(bob))).containsEntry("state", "suspended");
    }

    @Test
    void anotherPasswordEndsAllSessionsAndWhatWasProvenWithTheOneBefore() {
        String token = issue().token();
        String other = issue().token();
        f.get(() -> elsewhere.verify(token));

        assertThat(f.get(() -> access.resetPassword(ann, "$new$"))).isEqualTo(2);
        aSecondLater();

        for (String gone : List.of(token, other)) {
            assertThatThrownBy(() -> f.get(() -> elsewhere.verify(gone))).isInstanceOf(Refusal.class);
        }
        assertThat(f.get(() -> f.stores.accounts().password(ann)))
                .contains(new Accounts.Password("$new$", 1, false, false, false, false));
        assertThat(f.get(() -> tokens.issue(new Login(ann, 0), "", "", Set.of("read"))))
                .isEmpty();
        assertThat(f.get(() -> tokens.issue(new Login(ann, 1), "", "", Set.of("read"))))
                .isPresent();
    }

    @Test
    void anotherPasswordLetsNobodyInWhoIsSuspended() {
        String token = issue().token();
        f.get(() -> access.suspend(ann));
        assertThat(f.get(() -> access.resetPassword(ann, "$new$"))).isEqualTo(1);
        assertThat(f.get(() -> f.stores.accounts().password(ann)))
                .contains(new Accounts.Password("$new$", 1, true, false, false, false));
        f.get(() -> access.unsuspend(ann));
        aSecondLater();
        assertThatThrownBy(() -> f.get(() -> elsewhere.verify(token))).isInstanceOf(Refusal.class);
    }

    @Test
    void anAccountThatIsNotThereIsNotChanged() {
        long nobody = ann + 4096;
        for (Future<?> answer : List.of(
                f.get(() -> Future.succeededFuture(access.suspend(nobody))),
                f.get(() -> Future.succeededFuture(access.unsuspend(nobody))),
                f.get(() -> Future.succeededFuture(access.delete(nobody))),
                f.get(() -> Future.succeededFuture(access.resetPassword(nobody, "$new$"))))) {
            TestRedis.awaitUntil("there is an answer", answer::isComplete);
            assertThat(answer.cause()).isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.reason())
                    .isEqualTo(Reason.NOT_FOUND));
        }
        assertThat(f.hash(Keys.user(nobody))).isEmpty();
    }

    private Tokens.Issued issue() {
        return f.get(() -> tokens.issue(new Login(ann, 0), "", "", Set.of("read")))
                .orElseThrow();
    }

    /** No event loop trusts longer what it was told of a token. */
    private void aSecondLater() {
        nanos += Duration.ofSeconds(1).toNanos();
    }

    private void assertDisabled(Supplier<Future<Principal>> verdict) {
        assertThatThrownBy(() -> f.get(verdict))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .satisfies(refusal -> {
                    assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN);
                    assertThat(refusal).hasMessageStartingWith("Your login is currently disabled");
                });
    }
}
