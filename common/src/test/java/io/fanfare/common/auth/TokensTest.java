package io.fanfare.common.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Script;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class TokensTest {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NEXT_KEY = "a key that is taken up later on.".getBytes(StandardCharsets.US_ASCII);
    private static final long USER = 281_474_976_710_656L;

    private static Vertx vertx;
    private static TestRedis redis;
    private static RedisLink link;

    @Parameter
    TestRedis.Kind kind;

    private final Hand clock = new Hand();
    private volatile long nanos;
    private Duration elapsed = Duration.ZERO;

    /** A clock that is moved by hand. */
    private static final class Hand extends Clock {
        private Instant now = Instant.parse("2026-03-01T12:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        void advance(Duration time) {
            now = now.plus(time);
        }
    }

    @BeforeParameterizedClassInvocation
    static void start(TestRedis.Kind kind) {
        vertx = Vertx.vertx();
        redis = kind.redis();
        redis.flush();
        link = redis.link(vertx);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        TestRedis.await(vertx.close());
    }

    @Test
    void aTokenSaysWhoItIs() {
        Tokens tokens = tokens();
        Tokens.Issued issued =
                TestRedis.await(tokens.issue(USER, "client", "Tester 2", Set.of("read", "write:statuses")));
        Principal principal = TestRedis.await(tokens.verify(issued.token()));

        assertThat(principal.userId()).isEqualTo(USER);
        assertThat(principal.clientId()).isEqualTo("client");
        assertThat(principal.application().name()).isEqualTo("Tester 2");
        assertThat(principal.scopes()).containsExactlyInAnyOrder("read", "write:statuses");
        assertThat(issued.at()).isEqualTo(clock.instant());
    }

    @Test
    void aTokenIsListedWithItsDeviceAndTheHourOfItsLastUse() {
        Login login = new Login(USER + 31, 0);
        Device device = new Device("Firefox", "Android", "192.0.2.0/24");
        Tokens tokens = tokens();
        Instant issued = clock.instant();
        Tokens.Issued mine =
                TestRedis.await(tokens.issue(login, device, Set.of("read"))).orElseThrow();
        Principal me = TestRedis.await(tokens.verify(mine.token()));
        assertThat(listed(tokens, me).device()).isEqualTo(device);
        assertThat(listed(tokens, me).usedAt()).isEqualTo(issued);
        assertThat(listed(tokens, me).scopes()).containsExactly("read");

        useAfter(Duration.ofMinutes(59), tokens, mine);
        assertThat(listed(tokens, me).usedAt()).isEqualTo(issued);
        useAfter(Duration.ofMinutes(10), tokens, mine);
        assertThat(listed(tokens, me).usedAt()).isEqualTo(clock.instant());
        assertThat(listed(tokens, me).device()).isEqualTo(device);
        assertThat(listed(tokens, me).issuedAt()).isEqualTo(issued);

        TestRedis.await(tokens.revoke(me));
        Command late = Script.load("note_token_use")
                .call(List.of(Tokens.listOf(me)), me.tokenId(), clock.instant().getEpochSecond() + 7200, 3600);
        assertThat(TestRedis.await(link.send(late)).asLong()).isZero();
        assertThat(TestRedis.await(tokens.list(me))).isEmpty();
    }

    @Test
    void theNetworkOfASessionIsSealedAndForItsUserAlone() {
        long user = USER + 33;
        Device device = new Device("Firefox", "Android", "192.0.2.0/24");
        Tokens tokens = tokens();
        Tokens.Issued mine = TestRedis.await(tokens.issue(new Login(user, 0), device, Set.of("read")))
                .orElseThrow();
        Principal me = TestRedis.await(tokens.verify(mine.token()));

        assertThat(TestRedis.await(link.send(Command.of("HGET", Keys.tokens(user), me.tokenId())))
                        .asString())
                .contains("Firefox")
                .doesNotContain("192.0.2");
        assertThat(listed(tokens, me).device().network()).isEqualTo("192.0.2.0/24");
        assertThat(TestRedis.await(new AccountAccess(link).list(user)))
                .singleElement()
                .extracting(listed -> listed.device().network())
                .isEqualTo("");
    }

    private static Tokens.Listed listed(Tokens tokens, Principal principal) {
        List<Tokens.Listed> listed = TestRedis.await(tokens.list(principal));
        assertThat(listed).hasSize(1);
        return listed.get(0);
    }

    /** Commands of one link are done in their order: the list that is read afterwards has the use. */
    private void useAfter(Duration time, Tokens tokens, Tokens.Issued token) {
        clock.advance(time);
        elapsed = elapsed.plus(time);
        nanos = elapsed.toNanos();
        TestRedis.await(tokens.verify(token.token()).otherwiseEmpty());
    }

    @Test
    void aTokenOfAnOlderVersionIsListedAndItsUseIsNoted() {
        Login login = new Login(USER + 32, 0);
        Tokens tokens = tokens();
        Tokens.Issued mine = TestRedis.await(tokens.issue(login, Device.UNKNOWN, Set.of("read")))
                .orElseThrow();
        Principal me = TestRedis.await(tokens.verify(mine.token()));
        String key = Tokens.listOf(me);
        String value = clock.instant().getEpochSecond() + " client read write";
        TestRedis.await(link.send(Command.of("HSET", key, me.tokenId(), value)));
        assertThat(listed(tokens, me).device()).isEqualTo(Device.UNKNOWN);
        assertThat(listed(tokens, me).usedAt()).isNull();

        useAfter(Duration.ofHours(2), tokens, mine);
        assertThat(listed(tokens, me).usedAt()).isEqualTo(clock.instant());
        assertThat(listed(tokens, me).clientId()).isEqualTo("client");
        assertThat(listed(tokens, me).scopes()).containsExactlyInAnyOrder("read", "write");
    }

    @Test
    void aRevokedTokenIsRefusedHereAtOnceAndElsewhereWithinASecond() {
        Tokens here = tokens();
        Tokens elsewhere = tokens();
        String token = TestRedis.await(here.issue(USER, "", "", Set.of("read"))).token();
        Principal principal = TestRedis.await(here.verify(token));
        assertThat(TestRedis.await(elsewhere.verify(token))).isEqualTo(principal);
        TestRedis.await(here.revoke(principal));
        TestRedis.await(here.revoke(principal));

        assertRefused(here.verify(token));
        nanos = Duration.ofSeconds(1).toNanos();
        assertRefused(elsewhere.verify(token));
    }

    /** Its signature was found good, and that is remembered; whether it is listed is asked all the same. */
    @Test
    void aRevokedTokenIsRefusedWithinASecondHoweverLongItWasInUse() {
        Tokens here = tokens();
        Tokens elsewhere = tokens();
        String token = TestRedis.await(here.issue(USER, "", "", Set.of("read"))).token();
        Principal principal = TestRedis.await(here.verify(token));
        for (int second = 0; second < 5; second++) {
            nanos = Duration.ofSeconds(second).toNanos();
            assertThat(TestRedis.await(elsewhere.verify(token))).isEqualTo(principal);
        }
        TestRedis.await(here.revoke(principal));

        nanos = Duration.ofSeconds(5).toNanos();
        assertRefused(elsewhere.verify(token));
        nanos = Duration.ofSeconds(10).toNanos();
        assertRefused(elsewhere.verify(token));
    }

    @Test
    void aNewPasswordEndsTokensElsewhereWithinASecondHoweverLongTheyWereInUse() {
        long user = USER + 12;
        Login login = new Login(user, 0);
        Tokens here = tokens();
        Tokens elsewhere = tokens();
        String mine = TestRedis.await(here.issue(login, "", "", Set.of("read")))
                .orElseThrow()
                .token();
        String thief = TestRedis.await(here.issue(login, "", "", Set.of("read")))
                .orElseThrow()
                .token();
        Principal me = TestRedis.await(here.verify(mine));
        for (int second = 0; second < 3; second++) {
            nanos = Duration.ofSeconds(second).toNanos();
            assertThat(TestRedis.await(elsewhere.verify(thief)).userId()).isEqualTo(user);
        }
        TestRedis.await(here.changePassword(me, "$new$"));

        nanos = Duration.ofSeconds(3).toNanos();
        assertRefused(elsewhere.verify(thief));
        assertThat(TestRedis.await(elsewhere.verify(mine))).isEqualTo(me);
    }

    @Test
    void aNewPasswordEndsOtherTokensAndWhatWasProvenWithTheOldOneIsWorthNone() {
        long user = USER + 8;
        Login old = new Login(user, 0);
        Tokens tokens = tokens();
        String mine = TestRedis.await(tokens.issue(old, "", "", Set.of("read")))
                .orElseThrow()
                .token();
        String thief = TestRedis.await(tokens.issue(old, "", "", Set.of("read")))
                .orElseThrow()
                .token();
        Principal me = TestRedis.await(tokens.verify(mine));
        Principal other = TestRedis.await(tokens.verify(thief));

        TestRedis.await(tokens.changePassword(me, "$new$"));

        assertThat(redis.askAt(Keys.user(user), "HGET", Keys.user(user), "pw").asString())
                .isEqualTo("$new$");
        assertRefused(tokens.verify(thief));
        assertThat(TestRedis.await(tokens.verify(mine))).isEqualTo(me);
        assertThat(TestRedis.await(tokens.issue(old, "", "", Set.of("read")))).isEmpty();
        assertThat(TestRedis.await(tokens.issue(new Login(user, 1), "", "", Set.of("read"))))
                .isPresent();
        assertRefused(tokens.changePassword(other, "$thief$").map(other));
        assertThat(redis.askAt(Keys.user(user), "HGET", Keys.user(user), "pw").asString())
                .isEqualTo("$new$");
    }

    @Test
    void aClockThatIsSetBackDoesNotKeepARevokedTokenAlive() {
        Tokens here = tokens();
        Tokens elsewhere = tokens();
        String token = TestRedis.await(here.issue(USER, "", "", Set.of("read"))).token();
        Principal principal = TestRedis.await(elsewhere.verify(token));
        TestRedis.await(here.revoke(principal));
        clock.advance(Duration.ofHours(-1));
        nanos = Duration.ofSeconds(1).toNanos();

        assertRefused(elsewhere.verify(token));
    }

    @Test
    void aTokenIsRefusedFromTheInstantOfItsExpiry() {
        Jwt jwt = new Jwt(SigningKeys.of(KEY));
        Tokens tokens = tokens();
        Tokens.Issued issued = TestRedis.await(tokens.issue(USER, "", "", Set.of("read")));
        String expiring = jwt.sign(new JWTClaimsSet.Builder(jwt.verify(issued.token()))
                .expirationTime(Date.from(clock.instant().plusSeconds(10)))
                .build());

        assertThat(TestRedis.await(tokens.verify(expiring)).userId()).isEqualTo(USER);
        clock.advance(Duration.ofSeconds(10));
        nanos = Duration.ofSeconds(10).toNanos();
        assertRefused(tokens.verify(expiring));
    }

    @Test
    void aTokenIsGoodWhileItsKeyIsListed() {
        String before =
                TestRedis.await(tokens().issue(USER, "", "", Set.of("read"))).token();
        Tokens changed = tokens(new SigningKeys(List.of(NEXT_KEY, KEY)));
        String after =
                TestRedis.await(changed.issue(USER, "", "", Set.of("read"))).token();

        assertThat(TestRedis.await(changed.verify(before)).userId()).isEqualTo(USER);
        assertThat(TestRedis.await(changed.verify(after)).userId()).isEqualTo(USER);
        assertRefused(tokens(SigningKeys.of(NEXT_KEY)).verify(before));
        assertRefused(tokens().verify(after));
        // So a process that does not sign with the new key yet can be told of it.
        assertThat(TestRedis.await(
                                tokens(new SigningKeys(List.of(KEY, NEXT_KEY))).verify(after))
                        .userId())
                .isEqualTo(USER);
    }

    @Test
    void theHeaderOfATokenNamesItsKey() throws ParseException {
        String before =
                TestRedis.await(tokens().issue(USER, "", "", Set.of("read"))).token();
        String again =
                TestRedis.await(tokens().issue(USER, "", "", Set.of("read"))).token();
        Tokens changed = tokens(new SigningKeys(List.of(NEXT_KEY, KEY)));
        String after =
                TestRedis.await(changed.issue(USER, "", "", Set.of("read"))).token();

        assertThat(keyId(before)).isNotEmpty().isEqualTo(keyId(again)).isNotEqualTo(keyId(after));
        assertThat(keyId(after)).isNotEmpty();
    }

    /** So all were before keys had names. */
    @Test
    void aTokenThatNamesNoKeyIsGoodByWhicheverIsListed() throws Exception {
        Tokens.Issued issued = TestRedis.await(tokens().issue(USER, "", "", Set.of("read")));
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256)
                .type(new JOSEObjectType("at+jwt"))
                .build();
        SignedJWT old = new SignedJWT(header, SignedJWT.parse(issued.token()).getJWTClaimsSet());
        old.sign(new MACSigner(KEY));

        assertThat(TestRedis.await(tokens().verify(old.serialize())).userId()).isEqualTo(USER);
        Tokens changed = tokens(new SigningKeys(List.of(NEXT_KEY, KEY)));
        assertThat(TestRedis.await(changed.verify(old.serialize())).userId()).isEqualTo(USER);
        assertRefused(tokens(SigningKeys.of(NEXT_KEY)).verify(old.serialize()));
    }

    private static String keyId(String token) throws ParseException {
        return SignedJWT.parse(token).getHeader().getKeyID();
    }

    @Test
    void aTokenOfAClockThatIsAheadIsGood() {
        clock.advance(Duration.ofMinutes(5));
        String token =
                TestRedis.await(tokens().issue(USER, "", "", Set.of("read"))).token();
        clock.advance(Duration.ofMinutes(-5));

        assertThat(TestRedis.await(tokens().verify(token)).userId()).isEqualTo(USER);
    }

    @Test
    void aFullListLosesItsOldestToken() {
        long user = USER + 4;
        Tokens tokens = tokens();
        String oldest =
                TestRedis.await(tokens.issue(user, "", "", Set.of("read"))).token();
        clock.advance(Duration.ofSeconds(1));
        String second =
                TestRedis.await(tokens.issue(user, "", "", Set.of("read"))).token();
        for (int i = 2; i < 201; i++) {
            clock.advance(Duration.ofSeconds(1));
            assertThat(TestRedis.await(tokens.issue(user, "", "", Set.of("read")))
                            .token())
                    .isNotEmpty();
        }

        assertThat(redis.askAt(Keys.tokens(user), "HLEN", Keys.tokens(user)).asLong())
                .isEqualTo(200);
        assertRefused(tokens.verify(oldest));
        assertThat(TestRedis.await(tokens.verify(second)).userId()).isEqualTo(user);
    }

    @Test
    void anAppsOwnTokensAreListedWithTheApp() {
        Tokens tokens = tokens();
        String token = TestRedis.await(tokens.issue(0, "client", "Tester", Set.of("read")))
                .token();
        Principal principal = TestRedis.await(tokens.verify(token));

        assertThat(principal.userId()).isZero();
        assertThat(redis.askAt(Keys.appTokens("client"), "HEXISTS", Keys.appTokens("client"), principal.tokenId())
                        .asLong())
                .isEqualTo(1);
    }

    @Test
    void aPrincipalMayDoWhatItsScopesCover() {
        Principal reader = new Principal(1, "t", "", "", Set.of("read", "write:statuses", "follow"));

        assertThat(reader.allows("read")).isTrue();
        assertThat(reader.allows("read:accounts")).isTrue();
        assertThat(reader.allows("write:statuses")).isTrue();
        assertThat(reader.allows("write:follows")).isTrue();
        assertThat(reader.allows("write")).isFalse();
        assertThat(reader.allows("write:accounts")).isFalse();
        assertThat(reader.allows("readx:accounts")).isFalse();
    }

    private Tokens tokens() {
        return tokens(SigningKeys.of(KEY));
    }

    private Tokens tokens(SigningKeys keys) {
        return new Tokens(link, keys, clock, () -> nanos, new SecureRandom());
    }

    private static void assertRefused(Future<Principal> verdict) {
        TestRedis.awaitUntil("there is a verdict", verdict::isComplete);
        assertThat(verdict.cause()).isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.reason())
                .isEqualTo(Refusal.Reason.UNAUTHENTICATED));
    }
}
