package io.fanfare.core.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Steps;
import io.fanfare.core.account.Invitations.Invitation;
import io.fanfare.core.feed.Stores;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class InvitationsTest {
    private static final Duration NEVER = Duration.ZERO;
    private static final int STEPS_MAX = 60;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Invitations invitations;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        invitations = new Invitations(f.link, new SecureRandom(), 3, 5);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void anInvitationIsUsedAsOftenAsItHasUsesAndNotOnceMore() {
        Invitation made = make(7, NEVER, 2);
        assertThat(Invitations.isCode(made.code())).isTrue();
        assertThat(f.get(() -> invitations.look(made.code()))).contains(7L);
        assertThat(take(made)).contains(7L);
        assertThat(take(made)).contains(7L);
        assertThat(take(made)).isEmpty();
        assertThat(f.get(() -> invitations.look(made.code()))).isEmpty();
        f.get(() -> invitations.giveBack(made.code()));
        assertThat(take(made)).contains(7L);
        assertThat(take(made)).isEmpty();
    }

    @Test
    void ofManyAtOnceExactlyAsManySucceedAsThereAreUses() {
        Invitation made = make(7, NEVER, 10);
        List<Future<Optional<Long>>> takes = f.get(() -> {
            List<Future<Optional<Long>>> all = IntStream.range(0, 50)
                    .mapToObj(one -> invitations.take(made.code()))
                    .toList();
            return Future.join(all).map(all);
        });
        assertThat(takes).filteredOn(take -> take.result().isPresent()).hasSize(10);
        assertThat(f.get(() -> invitations.of(7)).get(0).uses()).isEqualTo(10);
    }

    /** A sign-up takes its use before it makes the account, as api/oauth/SignUps does. */
    @Test
    void whereverASignUpDiesThereAreNoMoreAccountsThanUses() {
        for (int steps = 0; steps < STEPS_MAX; steps++) {
            f.redis.flush();
            Invitation made = make(7, NEVER, 2);
            Steps dying = new Steps(f.link, (command, reply) -> {});
            Stores stores = Stores.on(dying, f.settings, 3);
            Invitations elsewhere = new Invitations(dying, new SecureRandom(), 3, 5);
            f.get(() -> {
                elsewhere
                        .take(made.code())
                        .compose(inviter -> stores.accounts().signUp("ann", "", "pw", inviter.orElseThrow(), null))
                        .onComplete(done -> {});
                return Future.succeededFuture();
            });
            for (int i = 0; i < steps && dying.canStep(); i++) {
                f.get(dying::step);
            }
            boolean died = dying.canStep();
            int accounts = 0;
            for (String name : List.of("bob", "cat", "dan")) {
                if (take(made).isPresent()) {
                    f.get(() -> f.stores.accounts().signUp(name, "", "pw", 7L, null));
                    accounts++;
                }
            }
            // Whatever the first one has left is finished by somebody who asks for its name.
            accounts += f.get(() -> f.stores.accounts().idByUsername("ann")).isPresent() ? 1 : 0;
            assertThat(accounts).as("after %d steps", steps).isBetween(1, 2);
            if (!died) {
                assertThat(accounts).isEqualTo(2);
                return;
            }
        }
        throw new AssertionError("more than " + STEPS_MAX + " steps");
    }

    @Test
    void oneThatHasEndedIsWorthNothing() {
        Invitation made = make(7, Duration.ofMillis(1), 0);
        TestRedis.awaitUntil(
                "it has ended", () -> f.get(() -> invitations.look(made.code())).isEmpty());
        assertThat(take(made)).isEmpty();
        assertThat(f.get(() -> invitations.of(7))).containsExactly(made);
    }

    @Test
    void oneWithoutABoundIsGoodForAsManyAsCome() {
        Invitation made = make(7, Duration.ofDays(1), 0);
        for (int i = 0; i < 20; i++) {
            assertThat(take(made)).contains(7L);
        }
    }

    @Test
    void everybodyRevokesTheirOwnAndAModeratorAny() {
        Invitation made = make(7, NEVER, 1);
        assertThat(f.get(() -> invitations.revoke(made.code(), 8))).isFalse();
        assertThat(f.get(() -> invitations.revoke(made.code(), 7))).isTrue();
        assertThat(take(made)).isEmpty();
        Invitation other = make(7, NEVER, 1);
        assertThat(f.get(() -> invitations.revoke(other.code()))).isTrue();
        assertThat(f.get(() -> invitations.revoke(other.code()))).isFalse();
        assertThat(f.redis.keys()).noneMatch(key -> key.startsWith("{invitations}"));
    }

    @Test
    void thereAreNoMoreThanMayBe() {
        for (int i = 0; i < 3; i++) {
            make(7, NEVER, 1);
        }
        assertThatThrownBy(() -> make(7, NEVER, 1)).isInstanceOf(Refusal.class).hasMessageContaining("3 invitations");
        make(8, NEVER, 1);
        make(9, NEVER, 1);
        assertThatThrownBy(() -> make(10, NEVER, 1)).isInstanceOf(Refusal.class).hasMessageContaining("5 invitations");
    }

    @Test
    void thoseThatEndedLongAgoMakeRoom() {
        Invitation old = make(7, Duration.ofMillis(1), 0);
        f.redis.askAt(Keys.INVITATION_ENDS, "ZADD", Keys.INVITATION_ENDS, "1", old.code());
        for (int i = 0; i < 3; i++) {
            make(7, NEVER, 1);
        }
        assertThat(f.get(() -> invitations.of(7))).hasSize(3).doesNotContain(old);
    }

    @Test
    void aDeletedAccountLeavesNone() {
        make(7, Duration.ofDays(1), 1);
        make(7, NEVER, 1);
        Invitation other = make(8, NEVER, 1);
        f.get(() -> f.link.send(Invitations.left(7)));
        assertThat(f.get(() -> invitations.all())).containsExactly(other);
    }

    @Test
    void codesAreDrawnAndOtherTextIsNotLookedUp() {
        Set<String> codes = new HashSet<>();
        for (int inviter = 1; inviter <= 5; inviter++) {
            codes.add(make(inviter, NEVER, 1).code());
        }
        assertThat(codes).hasSize(5);
        for (String text : List.of("", "x", "a".repeat(10_000), "{invitations}:ends", "aaaaaaaaaaaaaaa\n")) {
            assertThat(f.get(() -> invitations.look(text))).isEmpty();
        }
    }

    @CanIgnoreReturnValue
    private Invitation make(long inviter, Duration life, int uses) {
        return f.get(() -> invitations.make(inviter, life, uses, "for a friend"));
    }

    private Optional<Long> take(Invitation invitation) {
        return f.get(() -> invitations.take(invitation.code()));
    }
}
