package io.fanfare.core.factor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Login.Factor;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.core.factor.Factors.Act;
import io.fanfare.core.testing.Authenticator;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Codes are accepted once, wrong ones are bounded, whatever arrives together. */
@ParameterizedClass
@KindsOfRedis
class FactorsTest {
    private static final SigningKeys KEYS = SigningKeys.of(new byte[32]);

    @Parameter
    TestRedis.Kind kind;

    private final SecureRandom random = new SecureRandom();
    private Instant now = Instant.ofEpochSecond(1_800_000_000);
    private StoreFixture f;
    private Factors factors;
    private long ann;
    private Principal session;
    private String secret;
    private List<String> recoveryCodes;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        factors = factors(KEYS);
        ann = signUp("ann");
        session = session();
        secret = f.get(() -> factors.begin(ann));
        recoveryCodes = f.get(() -> factors.enable(session, code(0)));
        later(Duration.ofMinutes(2));
    }

    @AfterEach
    void close() {
        f.close();
    }

    private Factors factors(SigningKeys keys) {
        return new Factors(f.link, new SealedTexts(keys, Factors.SEALED), () -> now, random);
    }

    private Tokens tokens() {
        return new Tokens(f.link, KEYS, Clock.fixed(now, ZoneOffset.UTC), System::nanoTime, random);
    }

    private long signUp(String name) {
        return f.get(() -> f.stores.accounts().signUp(name, name + "@x.org", "$old$"))
                .id();
    }

    private Principal session() {
        return f.get(
                () -> tokens().issue(ann, "", "", Set.of("write")).compose(issued -> tokens().verify(issued.token())));
    }

    private void later(Duration time) {
        now = now.plus(time);
    }

    /** The code that an app shows so many steps later. */
    private String code(int steps) {
        return Authenticator.code(secret, now.plusSeconds(30L * steps));
    }

    private String wrongCode() {
        List<String> right = IntStream.rangeClosed(-1, 1).mapToObj(this::code).toList();
        return Stream.of("000000", "111111", "222222", "333333")
                .filter(one -> !right.contains(one))
                .findFirst()
                .orElseThrow();
    }

    private Login login(long rev) {
        return new Login(ann, rev, Factor.NEEDED);
    }

    private String logIn(String code) {
        return outcome(factors, login(1), code);
    }

    private String outcome(Factors by, Login login, String code) {
        return f.get(() -> by.logIn(login, code)
                .map(used -> "good")
                .recover(cause ->
                        Future.succeededFuture(((Refusal) cause).reason().name().toLowerCase(Locale.ROOT))));
    }

    @Test
    void aSecretHas160BitsAndEachAccountHasItsOwn() {
        assertThat(Authenticator.bytes(secret)).hasSize(20);
        long bob = signUp("bob");
        assertThat(f.get(() -> factors.begin(bob))).isNotEqualTo(secret);
    }

    @Test
    void aTimeStepIsAcceptedOnceAndNoEarlierOneAfterIt() {
        assertThat(logIn(code(0))).isEqualTo("good");
        assertThat(logIn(code(0))).as("a replay").isEqualTo("invalid");
        assertThat(logIn(code(-1))).as("an earlier one").isEqualTo("invalid");
        assertThat(logIn(code(1))).as("of a clock that is ahead").isEqualTo("good");
    }

    @Test
    void theCodeThatEnabledTheFactorLogsNobodyIn() {
        later(Duration.ofMinutes(-2));

        assertThat(logIn(code(0))).isEqualTo("invalid");
    }

    @Test
    void ofManyRequestsWithTheSameCodeAtOnceOneIsGood() {
        String code = code(0);
        List<Boolean> good = atOnce(20, () -> factors.logIn(login(1), code));

        assertThat(good).containsOnlyOnce(true);
    }

    @Test
    void ofManyRequestsWithTheSameRecoveryCodeAtOnceOneIsGood() {
        List<Boolean> good = atOnce(20, () -> factors.logIn(login(1), recoveryCodes.get(3)));

        assertThat(good).containsOnlyOnce(true);
        assertThat(f.get(() -> factors.state(ann)).recoveryCodes()).isEqualTo(9);
    }

    private List<Boolean> atOnce(int requests, Supplier<Future<?>> request) {
        return f.get(() -> {
            List<Future<Boolean>> all = Stream.generate(
                            () -> request.get().map(true).otherwise(false))
                    .limit(requests)
                    .toList();
            return Future.all(all).map(done -> all.stream().map(Future::result).toList());
        });
    }

    @Test
    void ofAThousandGuessesFiveAreLookedAt() {
        String right = code(0);
        List<Boolean> wrong = atOnce(1000, () -> factors.logIn(login(1), wrongCode()));

        assertThat(wrong).doesNotContain(true);
        assertThat(f.hash(Keys.factor(ann))).containsEntry("wrong", "5");
        assertThat(logIn(right)).as("a right code must wait too").isEqualTo("too_many");
        later(Duration.ofMinutes(14));
        assertThat(logIn(code(0))).isEqualTo("too_many");
        later(Duration.ofMinutes(2));
        assertThat(logIn(wrongCode())).as("one more try").isEqualTo("invalid");
        later(Duration.ofMinutes(29));
        assertThat(logIn(code(0))).as("the wait doubles").isEqualTo("too_many");
        later(Duration.ofMinutes(2));
        assertThat(logIn(code(0))).isEqualTo("good");
        assertThat(f.hash(Keys.factor(ann))).doesNotContainKeys("wrong", "wait");
    }

    /** An app has a token, and need not know the password. */
    @Test
    void wrongCodesThatComeWithATokenMakeNoLogInWait() {
        List<Boolean> wrong = atOnce(50, () -> factors.use(session, wrongCode(), Act.CONFIRM));
        assertThat(wrong).doesNotContain(true);
        assertThat(f.hash(Keys.factor(ann))).containsEntry("token-wrong", "5").doesNotContainKey("wrong");
        String right = code(0);
        assertThat(atOnce(1, () -> factors.use(session, right, Act.CONFIRM))).containsExactly(false);

        assertThat(logIn(right)).isEqualTo("good");
    }

    @Test
    void theLongestWaitIsADay() {
        for (int i = 0; i < 40; i++) {
            assertThat(logIn(wrongCode())).isEqualTo("invalid");
            later(Duration.ofDays(1).plusSeconds(1));
        }
        assertThat(logIn(code(0))).isEqualTo("good");
    }

    @Test
    void aRecoveryCodeIsGoodOnceHoweverItIsTypedAlsoDuringAWait() {
        IntStream.range(0, 5).forEach(i -> assertThat(logIn(wrongCode())).isEqualTo("invalid"));
        assertThat(logIn(code(0))).isEqualTo("too_many");

        String typed = recoveryCodes.get(0).toUpperCase(Locale.ROOT).replace("-", " ");
        assertThat(logIn(typed)).isEqualTo("good");
        assertThat(logIn(recoveryCodes.get(0))).isEqualTo("invalid");
        assertThat(logIn(code(0))).as("a right one ends the wait").isEqualTo("good");
    }

    @Test
    void aLogInThatBeganBeforeTheFactorOrWithAnotherPasswordIsWorthNothing() {
        assertThat(outcome(factors, login(0), code(0))).isEqualTo("unauthenticated");
        assertThat(f.get(() -> tokens().issue(new Login(ann, 0), "", "", Set.of("read"))))
                .as("the password alone, checked before the factor was enabled")
                .isEmpty();
        f.get(() -> tokens().changePassword(session, "$new$"));
        assertThat(outcome(factors, login(1), code(0))).isEqualTo("unauthenticated");
        assertThat(outcome(factors, login(2), code(0))).isEqualTo("good");
    }

    @Test
    void aCodeConfirmsOneSessionForAWhile() {
        Principal other = session();
        later(Duration.ofMinutes(20));
        assertThat(isConfirmed(session))
                .as("long after it has enabled the factor")
                .isFalse();

        f.get(() -> factors.use(session, code(0), Act.CONFIRM));

        assertThat(isConfirmed(session)).isTrue();
        assertThat(isConfirmed(other)).isFalse();
        later(Duration.ofMinutes(9));
        assertThat(isConfirmed(session)).isTrue();
        later(Duration.ofMinutes(2));
        assertThat(isConfirmed(session)).isFalse();
    }

    /** The use of a token is noted in the same line. */
    @Test
    void aSessionStaysConfirmedWhenItIsUsed() {
        f.get(() -> factors.use(session, code(0), Act.CONFIRM));
        later(Duration.ofHours(2));
        Tokens used = tokens();
        String token = f.get(() -> used.issue(ann, "", "", Set.of("read"))).token();
        f.get(() -> used.verify(token));
        f.get(() -> f.link.send(Command.of("HGET", Keys.tokens(ann), session.tokenId())));

        assertThat(f.get(() -> tokens().isConfirmed(session, Duration.ofHours(3))))
                .isTrue();
        assertThat(f.get(() -> used.list(session)))
                .allSatisfy(listed -> assertThat(listed.usedAt()).isNotNull());
    }

    private boolean isConfirmed(Principal who) {
        return f.get(() -> tokens().isConfirmed(who, Duration.ofMinutes(10)));
    }

    @Test
    void newRecoveryCodesTakeThePlaceOfTheOld() {
        List<String> renewed =
                f.get(() -> factors.use(session, code(0), Act.RENEW)).renewed();

        assertThat(renewed)
                .hasSize(10)
                .doesNotContainAnyElementsOf(recoveryCodes)
                .doesNotHaveDuplicates();
        assertThat(f.get(() -> factors.state(ann)).recoveryCodes()).isEqualTo(10);
        assertThat(logIn(recoveryCodes.get(0))).isEqualTo("invalid");
        assertThat(logIn(renewed.get(0))).isEqualTo("good");
    }

    @Test
    void aFactorThatIsRemovedLeavesNothing() {
        f.get(() -> factors.use(session, code(0), Act.REMOVE));

        assertThat(f.hash(Keys.factor(ann))).isEmpty();
        assertThat(f.hash(Keys.user(ann))).doesNotContainKey("factor").containsEntry("pwrev", "2");
        assertThat(f.get(() -> factors.isEnabled(ann))).isFalse();
        assertThat(outcome(factors, login(2), code(0))).isEqualTo("unauthenticated");
        assertThat(f.get(() -> Factors.remove(f.link, ann))).isFalse();
    }

    @Test
    void anOperatorRemovesAFactorWithoutAKeyAndTheAccountSeesWhen() {
        assertThat(f.get(() -> Factors.remove(f.link, ann))).isTrue();
        assertThat(f.get(() -> Factors.remove(f.link, ann))).isFalse();

        Factors.State state = f.get(() -> factors.state(ann));
        assertThat(state.isEnabled()).isFalse();
        assertThat(state.recoveryCodes()).isZero();
        assertThat(state.removedAt()).isNotNull();
        assertThat(f.hash(Keys.factor(ann))).containsOnlyKeys("removed");
        secret = f.get(() -> factors.begin(ann));
        f.get(() -> factors.enable(session, code(0)));
        assertThat(f.get(() -> factors.state(ann)).removedAt()).isNull();
    }

    @Test
    void aSecretThatIsNotEnabledEndsByItselfAndNeedsARightCode() {
        long bob = signUp("bob");
        Principal his = f.get(
                () -> tokens().issue(bob, "", "", Set.of("write")).compose(issued -> tokens().verify(issued.token())));
        f.get(() -> factors.begin(bob));
        secret = f.get(() -> factors.begin(bob));

        assertThat(f.get(() -> f.link.send(Command.of("TTL", Keys.factor(bob)))).asLong())
                .isBetween(1L, 600L);
        assertInvalid(() -> factors.enable(his, wrongCode()));
        assertThat(f.get(() -> factors.isEnabled(bob))).isFalse();
        f.get(() -> factors.enable(his, code(0)));
        assertThat(f.get(() -> f.link.send(Command.of("TTL", Keys.factor(bob)))).asLong())
                .as("it does not end any more")
                .isEqualTo(-1);
        assertInvalid(() -> factors.begin(bob));
        assertInvalid(() -> factors.enable(his, code(0)));
    }

    @Test
    void longTextsAreNoCode() {
        assertThat(logIn("1".repeat(65))).isEqualTo("invalid");
        assertThat(logIn("1".repeat(1_000_000))).isEqualTo("invalid");
        assertThat(f.hash(Keys.factor(ann))).doesNotContainKey("wrong");
    }

    @Test
    void theSecretIsSealedForItsAccountAndTheKeyAndFollowsAChangeOfTheKey() {
        SigningKeys later = new SigningKeys(
                List.of("another key of thirty-two bytes.".getBytes(StandardCharsets.US_ASCII), new byte[32]));
        SigningKeys alone = SigningKeys.of("another key of thirty-two bytes.".getBytes(StandardCharsets.US_ASCII));
        assertThat(f.hash(Keys.factor(ann)).values()).noneMatch(value -> value.contains(secret));

        assertThat(outcome(factors(alone), login(1), code(0)))
                .as("without the former key")
                .isEqualTo("invalid");
        assertThat(outcome(factors(later), login(1), code(0))).isEqualTo("good");
        assertThat(outcome(factors(alone), login(1), code(1)))
                .as("sealed again by its use")
                .isEqualTo("good");
        assertThat(outcome(factors(SigningKeys.of(new byte[33])), login(1), recoveryCodes.get(0)))
                .as("a recovery code needs no key")
                .isEqualTo("good");
    }

    private void assertInvalid(Supplier<Future<?>> call) {
        assertThatThrownBy(() -> f.get(() -> call.get()))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .extracting(Refusal::reason)
                .isEqualTo(Reason.INVALID);
    }
}
