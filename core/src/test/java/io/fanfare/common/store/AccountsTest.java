package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Detail;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.core.feed.Stores;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class AccountsTest {
    private static final List<Detail> TAKEN = List.of(new Detail("ERR_TAKEN", "has already been taken"));

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void aNewAccountIsFoundByIdNameAndAddress() {
        Account ann = signUp("ann", "ann@x.org");
        assertThat(ann).isEqualTo(new Account(ann.id(), "ann", "", "", 0, 0, 0, 0));
        assertThat(f.get(() -> f.stores.accounts().find(ann.id()))).contains(ann);
        assertThat(f.get(() -> f.stores.accounts().idByUsername("ann"))).contains(ann.id());
        assertThat(f.get(() -> f.stores.accounts().signedUpByEmail("ann@x.org")))
                .contains(ann.id());
        assertThat(f.get(() -> f.stores.accounts().password(ann.id())))
                .contains(new Accounts.Password("$argon2id$", 0, false, false, false, false));
        assertThat(f.hash(Keys.user(ann.id())))
                .isEqualTo(Map.of("state", "active", "name", "ann", "email", "ann@x.org", "pw", "$argon2id$"));
        assertThat(f.number(Keys.login("ann"), "TTL", Keys.login("ann")))
                .as("for ever")
                .isEqualTo(-1);
        assertThat(f.number(Keys.email("ann@x.org"), "TTL", Keys.email("ann@x.org")))
                .isEqualTo(-1);
    }

    @Test
    void namesAndAddressesBelongToOneAccount() {
        signUp("ann", "ann@x.org");
        assertTaken("ann", "other@x.org", "username");
        assertTaken("bob", "ann@x.org", "email");
        assertTaken("ann", "ann@x.org", "username", "email");
        assertThat(f.get(() -> f.stores.accounts().idByUsername("bob"))).isEmpty();
        assertThat(signUp("bob", "other@x.org").username())
                .as("what was refused has left no claim")
                .isEqualTo("bob");
    }

    private void assertTaken(String username, String email, String... fields) {
        assertThatThrownBy(() -> signUp(username, email))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .satisfies(refusal -> {
                    assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
                    assertThat(refusal.details())
                            .containsOnlyKeys(fields)
                            .values()
                            .containsOnly(TAKEN);
                });
    }

    @Test
    void ofManySignUpsWithOneNameAndAddressAtOnceExactlyOneSucceeds() {
        int made = f.get(() -> {
            List<Future<Account>> attempts = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                attempts.add(f.stores.accounts().signUp("ann", i % 2 == 0 ? "ann@x.org" : "", "pw"));
            }
            return Future.join(attempts).otherwiseEmpty().map(done ->
                    (int) attempts.stream().filter(Future::succeeded).count());
        });
        assertThat(made).isEqualTo(1);
        assertThat(f.redis.keys()).filteredOn(key -> key.startsWith("user:")).hasSize(1);
        assertThat(f.redis.keys()).filteredOn(key -> key.startsWith("login:")).hasSize(1);
        long id = f.get(() -> f.stores.accounts().idByUsername("ann")).orElseThrow();
        assertThat(f.get(() -> f.stores.accounts().signedUpByEmail("ann@x.org")))
                .isIn(java.util.Optional.of(id), java.util.Optional.empty());
    }

    @Test
    void newAccountsGoWhereTheFewestPostsAre() {
        Shards all = new Shards(f.settings.redis().shards());
        for (int shard = 0; shard < all.count(); shard += 2) {
            f.redis.askAt(Keys.counts(shard), "HSET", Keys.counts(shard), "statuses", "1000");
        }
        int accounts = 48;
        Set<Integer> emptyOnes = new HashSet<>();
        int full = 0;
        for (int i = 0; i < accounts; i++) {
            int shard = Id.shard(signUp("ann" + i, "").id());
            if (shard % 2 == 0) {
                full++;
            } else {
                emptyOnes.add(shard);
            }
        }
        // All four draws are full ones for 3 of 48 accounts on average; without a look it would be 24.
        assertThat(full).isLessThan(accounts / 4);
        assertThat(emptyOnes).as("spread over the others").hasSizeGreaterThan(all.count() / 4);
    }

    @Test
    void aSignUpThatDiesAnywhereKeepsNothingFromTheNextOne() {
        int own = commandsBefore("claim_keep") + 1;
        int all = commandsBefore("the end");
        for (int steps = 0; steps <= all; steps++) {
            f.redis.flush();
            Steps dying = new Steps(f.link, (command, reply) -> {});
            Stores stores = Stores.on(dying, f.settings, 3);
            f.get(() -> {
                stores.accounts().signUp("ann", "ann@x.org", "pw").onComplete(done -> {});
                return Future.succeededFuture();
            });
            for (int i = 0; i < steps && dying.canStep(); i++) {
                f.get(dying::step);
            }
            assertThat(f.get(() -> f.stores.accounts().idByUsername("ann")).isPresent())
                    .as("visible after %d steps, of which number %d makes the name its own", steps, own)
                    .isEqualTo(steps >= own);
            expireClaims();
            boolean complete =
                    f.get(() -> f.stores.accounts().idByUsername("ann")).isPresent();
            assertThat(f.get(() -> f.stores.accounts().isUsernameFree("ann")))
                    .as("a minute after %d steps", steps)
                    .isNotEqualTo(complete);
            assertThat(f.get(() -> f.stores.accounts().signedUpByEmail("ann@x.org"))
                            .isPresent())
                    .isEqualTo(complete);
            assertThat(f.get(() -> f.stores.accounts().isEmailFree("ann@x.org")))
                    .isNotEqualTo(complete);
            try {
                signUp("ann", "ann@x.org");
            } catch (Refusal refusal) {
                assertThat(refusal.details()).containsOnlyKeys("username", "email");
            }
            long ann = f.get(() -> f.stores.accounts().idByUsername("ann")).orElseThrow();
            assertThat(f.get(() -> f.stores.accounts().signedUpByEmail("ann@x.org")))
                    .as("after %d steps", steps)
                    .contains(ann);
            assertThat(life("login:ann")).isEqualTo(-1);
            assertThat(life(Keys.email("ann@x.org"))).isEqualTo(-1);
        }
    }

    /** The commands of a whole sign-up before the first one of this name; all of them when none has it. */
    private int commandsBefore(String name) {
        f.redis.flush();
        Steps whole = new Steps(f.link, (command, reply) -> {});
        Stores stores = Stores.on(whole, f.settings, 3);
        f.get(() -> {
            stores.accounts().signUp("ann", "ann@x.org", "pw").onComplete(done -> {});
            return Future.succeededFuture();
        });
        int commands = 0;
        for (; whole.canStep() && !whole.next().startsWith(name); commands++) {
            f.get(whole::step);
        }
        return commands;
    }

    /** As a minute would. */
    private void expireClaims() {
        for (String key : f.redis.keys()) {
            if (key.matches("(login|email):.*") && life(key) >= 0) {
                f.redis.askAt(key, "DEL", key);
            }
        }
    }

    private long life(String key) {
        return f.number(key, "TTL", key);
    }

    @Test
    void aClaimThatHasRunOutIsNotTakenBackFromTheNextAccount() {
        Steps slow = new Steps(f.link, (command, reply) -> {});
        Stores stores = Stores.on(slow, f.settings, 3);
        List<Throwable> failures = new ArrayList<>();
        f.get(() -> {
            stores.accounts().signUp("ann", "ann@x.org", "pw").onFailure(failures::add);
            return Future.succeededFuture();
        });
        while (!slow.next().startsWith("claim_keep")) {
            f.get(slow::step);
        }
        f.redis.askAt("login:ann", "DEL", "login:ann");
        long second = signUp("ann", "second@x.org").id();
        while (slow.canStep()) {
            f.get(slow::step);
        }
        assertThat(failures).singleElement().isInstanceOf(Refusal.class);
        assertThat(f.get(() -> f.stores.accounts().idByUsername("ann"))).contains(second);
        assertThat(f.get(() -> f.stores.accounts().signedUpByEmail("ann@x.org")))
                .isEmpty();
        assertThat(f.redis.keys()).filteredOn(key -> key.startsWith("user:")).containsExactly(Keys.user(second));
    }

    @Test
    void aSignUpThatDiesWhileItGivesUpKeepsNothingFromTheNextOne() {
        for (int steps = 0; steps < 7; steps++) {
            f.redis.flush();
            Steps dying = new Steps(f.link, (command, reply) -> {});
            Stores stores = Stores.on(dying, f.settings, 3);
            f.get(() -> {
                stores.accounts().signUp("ann", "ann@x.org", "pw").onComplete(done -> {});
                return Future.succeededFuture();
            });
            while (!dying.next().startsWith("claim_keep")) {
                f.get(dying::step);
            }
            f.redis.askAt("login:ann", "DEL", "login:ann");
            for (int i = 0; i < steps && dying.canStep(); i++) {
                f.get(dying::step);
            }
            expireClaims();
            long ann = signUp("ann", "ann@x.org").id();
            assertThat(f.get(() -> f.stores.accounts().signedUpByEmail("ann@x.org")))
                    .as("after %d steps", steps)
                    .contains(ann);
        }
    }

    @Test
    void aRequestThatComesAgainFindsTheAccountThatItHasMade() {
        IdempotentRequest once = IdempotentRequest.of("key", "ann", "ann@x.org");
        assertThat(signedUp("ann", once)).isEmpty();
        long ann = f.get(() -> f.stores.accounts().signUp("ann", "ann@x.org", "pw", once))
                .id();

        assertThat(signedUp("ann", once)).contains(ann);
        assertThat(signedUp("bob", once)).as("another name").isEmpty();
        assertThat(signedUp("ann", IdempotentRequest.of("other", "ann", "ann@x.org")))
                .as("another key")
                .isEmpty();
        assertThatThrownBy(() -> signedUp("ann", IdempotentRequest.of("key", "ann", "other@x.org")))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("Idempotency-Key");
        String record = f.redis.keys().stream()
                .filter(key -> key.startsWith("idem:"))
                .findFirst()
                .orElseThrow();
        assertThat(life(record)).isBetween(3000L, 3600L);
        f.redis.askAt(record, "DEL", record);
        assertThat(signedUp("ann", once)).as("an hour later").isEmpty();
    }

    private Optional<Long> signedUp(String username, IdempotentRequest once) {
        return f.get(() -> f.stores.accounts().signedUp(username, once));
    }

    @Test
    void anAccountWhoseSignUpDiesGoesByItselfAndOneThatIsFinishedStays() {
        int all = commandsBefore("the end");
        for (int steps = commandsBefore("claim_keep"); steps <= all; steps++) {
            f.redis.flush();
            Steps dying = new Steps(f.link, (command, reply) -> {});
            Stores stores = Stores.on(dying, f.settings, 3);
            f.get(() -> {
                stores.accounts().signUp("ann", "ann@x.org", "pw").onComplete(done -> {});
                return Future.succeededFuture();
            });
            for (int i = 0; i < steps && dying.canStep(); i++) {
                f.get(dying::step);
            }
            String user = f.redis.keys().stream()
                    .filter(key -> key.startsWith("user:"))
                    .findFirst()
                    .orElseThrow();
            if (dying.canStep()) {
                assertThat(life(user)).as("after %d steps", steps).isBetween(80_000L, 86_400L);
            }
            f.get(() -> f.stores.accounts().isUsernameFree("ann"));
            if (f.get(() -> f.stores.accounts().idByUsername("ann")).isPresent()) {
                assertThat(life(user)).as("after %d steps and a look", steps).isEqualTo(-1);
            }
        }
    }

    @Test
    void aRepeatedSignUpGetsItsAccountAtOnceWhereverTheFirstAttemptEnded() {
        IdempotentRequest once = IdempotentRequest.of("key", "ann", "ann@x.org", "", "read");
        for (int steps = 0; steps < 16; steps++) {
            f.redis.flush();
            Steps dying = new Steps(f.link, (command, reply) -> {});
            Stores stores = Stores.on(dying, f.settings, 3);
            f.get(() -> {
                stores.accounts().signUp("ann", "ann@x.org", "pw", once).onComplete(done -> {});
                return Future.succeededFuture();
            });
            for (int i = 0; i < steps && dying.canStep(); i++) {
                f.get(dying::step);
            }

            long id = signedUp("ann", once)
                    .or(() -> Optional.of(f.get(() -> f.stores.accounts().signUp("ann", "ann@x.org", "pw", once))
                            .id()))
                    .orElseThrow();

            assertThat(f.get(() -> f.stores.accounts().idByUsername("ann")))
                    .as("after %d steps", steps)
                    .contains(id);
            assertThat(signedUp("ann", once)).contains(id);
            assertThat(f.redis.keys())
                    .filteredOn(key -> key.startsWith("user:"))
                    .as("after %d steps", steps)
                    .hasSize(1);
        }
    }

    @Test
    void ofTwoAttemptsOfOneSignUpOneWritesTheAccountAndThePassword() {
        IdempotentRequest once = IdempotentRequest.of("key", "ann", "", "", "read");
        Random random = new Random(11);
        for (int round = 0; round < 60; round++) {
            f.redis.flush();
            List<Steps> attempts = new ArrayList<>();
            List<Future<Account>> made = new ArrayList<>();
            for (String password : List.of("first", "second")) {
                Steps steps = new Steps(f.link, (command, reply) -> {});
                Stores stores = Stores.on(steps, f.settings, 3 + attempts.size());
                attempts.add(steps);
                f.get(() -> {
                    made.add(stores.accounts().signUp("ann", "", password, once));
                    return Future.succeededFuture();
                });
            }
            while (attempts.stream().anyMatch(Steps::canStep)) {
                Steps next = attempts.get(random.nextInt(2));
                if (next.canStep()) {
                    f.get(next::step);
                }
            }

            List<Integer> successes = IntStream.range(0, 2)
                    .filter(i -> made.get(i).succeeded())
                    .boxed()
                    .toList();
            assertThat(successes).as("round %d", round).hasSize(1);
            Account account = made.get(successes.get(0)).result();
            assertThat(f.get(() -> f.stores.accounts().password(account.id()))
                            .orElseThrow()
                            .phc())
                    .as("round %d", round)
                    .isEqualTo(List.of("first", "second").get(successes.get(0)));
            assertThat(f.redis.keys())
                    .filteredOn(key -> key.startsWith("user:"))
                    .hasSize(1);
        }
    }

    @Test
    void aClaimWhoseAccountWasNeverFinishedIsGivenBack() {
        for (String looks : List.of("name", "address", "sign-up")) {
            f.redis.flush();
            Steps dying = new Steps(f.link, (command, reply) -> {});
            Stores stores = Stores.on(dying, f.settings, 3);
            f.get(() -> {
                stores.accounts().signUp("ann", "ann@x.org", "pw").onComplete(done -> {});
                return Future.succeededFuture();
            });
            while (!dying.next().startsWith("claim_keep")) {
                f.get(dying::step);
            }
            f.get(dying::step);
            f.get(dying::step);
            assertThat(life("login:ann")).isEqualTo(-1);
            // A day later.
            f.redis.keys().stream()
                    .filter(key -> key.startsWith("user:"))
                    .forEach(key -> f.redis.askAt(key, "DEL", key));

            switch (looks) {
                case "name" ->
                    assertThat(f.get(() -> f.stores.accounts().isUsernameFree("ann")))
                            .isTrue();
                case "address" ->
                    assertThat(f.get(() -> f.stores.accounts().isEmailFree("ann@x.org")))
                            .isTrue();
                default ->
                    assertThat(signUp("ann", "ann@x.org").id())
                            .isEqualTo(f.get(() -> f.stores.accounts().idByUsername("ann"))
                                    .orElseThrow());
            }
        }
    }

    @Test
    void aPendingAccountIsInvisible() {
        long id = signUp("ann", "ann@x.org").id();
        f.redis.askAt(Keys.user(id), "HSET", Keys.user(id), "state", "pending");
        for (String claim : List.of(Keys.login("ann"), Keys.email("ann@x.org"))) {
            f.redis.askAt(claim, "EXPIRE", claim, "60");
        }
        assertThat(f.get(() -> f.stores.accounts().find(id))).isEmpty();
        assertThat(f.get(() -> f.stores.accounts().load(List.of(id)))).isEmpty();
        assertThat(f.get(() -> f.stores.accounts().idByUsername("ann"))).isEmpty();
        assertThat(f.get(() -> f.stores.accounts().signedUpByEmail("ann@x.org")))
                .isEmpty();
        assertThat(f.get(() -> f.stores.accounts().password(id))).isEmpty();
    }

    @Test
    void anIdThatIsAnAccountsIsLookedUpOnceAndAnyOtherAgain() {
        long ann = signUp("ann", "ann@x.org").id();
        long bob = signUp("bob", "bob@x.org").id();
        for (String state : List.of("suspended", "deleted")) {
            f.redis.askAt(Keys.user(bob), "HSET", Keys.user(bob), "state", state);
            Accounts fresh = new Accounts(f.link, new Shards(16), new Random(1));
            assertThat(f.get(() -> fresh.heldAmong(List.of(bob)))).as(state).containsExactly(bob);
        }

        f.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "state", "pending");
        assertThat(f.get(() -> f.stores.accounts().heldAmong(List.of(ann, bob, 1L))))
                .containsExactly(bob);
        f.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "state", "active");
        assertThat(f.get(() -> f.stores.accounts().heldAmong(List.of(ann, bob))))
                .containsExactlyInAnyOrder(ann, bob);
        f.redis.flush();
        assertThat(f.get(() -> f.stores.accounts().heldAmong(List.of(ann, bob, 1L))))
                .containsExactlyInAnyOrder(ann, bob);
    }

    @Test
    void manySignUpsAtOnceAnswerInOrderAndKnowWhoWasThere() {
        long ann = signUp("ann", "").id();
        List<Long> ids = f.get(() -> f.stores.accounts().signUpAll(List.of("bob", "ann", "cleo", "bob")));
        assertThat(ids).hasSize(4);
        assertThat(ids.get(1)).isEqualTo(ann);
        assertThat(ids.get(3)).isEqualTo(ids.get(0));
        assertThat(f.get(() -> f.stores.accounts().load(ids)).values())
                .extracting(Account::username)
                .containsExactlyInAnyOrder("ann", "bob", "cleo");
        assertThat(f.number(Keys.login("bob"), "TTL", Keys.login("bob"))).isEqualTo(-1);
        assertThat(new HashSet<>(f.get(() -> f.stores.accounts().signUpAll(List.of("bob", "cleo")))))
                .isEqualTo(new HashSet<>(List.of(ids.get(0), ids.get(2))));
    }

    @Test
    void aHashIsRenewedUnlessThePasswordWasChangedMeanwhile() {
        long id = signUp("ann", "").id();
        Accounts.Password first = f.get(() -> f.stores.accounts().password(id)).orElseThrow();

        f.get(() -> f.stores.accounts().renewPassword(id, first, "$new$"));
        assertThat(f.get(() -> f.stores.accounts().password(id)))
                .contains(new Accounts.Password("$new$", 0, false, false, false, false));
        f.get(() -> f.stores.accounts().renewPassword(id, first, "$late$"));
        assertThat(f.get(() -> f.stores.accounts().password(id)))
                .contains(new Accounts.Password("$new$", 0, false, false, false, false));
        assertThat(f.get(() -> f.stores.accounts().password(4711))).isEmpty();
    }

    @CanIgnoreReturnValue
    private Account signUp(String username, String email) {
        return f.get(() -> f.stores.accounts().signUp(username, email, "$argon2id$"));
    }
}
