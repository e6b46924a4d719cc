package io.fanfare.core.mail;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.auth.Device;
import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Accounts;
import io.fanfare.core.mail.SignInPlaces.Place;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;

/** The places of log-ins, and the mails about new ones. */
class SignInPlacesTest {
    private static final byte[] KEY = key(1);
    private static final byte[] NEXT_KEY = key(2);
    private static final Device HOME = new Device("Firefox", "Linux", "192.0.2.0/24");

    private StoreFixture fixture;
    private SignInPlaces places;
    private long ann;

    private static byte[] key(int of) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) of);
        return key;
    }

    private void on(TestRedis.Kind kind) {
        fixture = StoreFixture.on(kind.redis());
        places = places(SigningKeys.of(KEY));
        Accounts accounts = new Accounts(fixture.link, new Shards(16), new Random(1));
        ann = fixture.get(() -> accounts.signUp("ann", "ann@example.org", "hash"))
                .id();
    }

    private SignInPlaces places(SigningKeys keys) {
        return new SignInPlaces(fixture.link, keys, new SecureRandom());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @CanIgnoreReturnValue
    private boolean logIn(Device device) {
        return fixture.get(() -> places.noteBrowser(ann, device, ""));
    }

    private static Device at(int network) {
        return new Device("Firefox", "Linux", "10.0." + network + ".0/24");
    }

    private List<String> jobs() {
        String lane = Keys.lane(Id.shard(ann), "low");
        return fixture.redis.askAt(lane, "LRANGE", lane, "0", "-1").items().stream()
                .map(Reply::asString)
                .filter(line -> line.contains(" mail.1 " + ann + " sign_in "))
                .toList();
    }

    @ParameterizedTest
    @KindsOfRedis
    void aLogInFromANewNetworkOrBrowserOrAppIsMailedOnceAndFromAKnownPlaceNever(TestRedis.Kind kind) {
        on(kind);
        fixture.get(() -> places.noteSignUp(ann, HOME, ""));

        assertThat(logIn(HOME)).as("the place of the sign-up").isFalse();
        assertThat(logIn(at(1))).as("another network").isTrue();
        assertThat(logIn(new Device("Chrome", "Linux", HOME.network())))
                .as("another browser")
                .isTrue();
        assertThat(fixture.get(() -> places.noteApp(ann, HOME.network(), "client", "App")))
                .as("an app that takes the password")
                .isTrue();
        assertThat(logIn(at(1))).isFalse();
        assertThat(jobs()).hasSize(3);
        long life = fixture.redis
                .askAt(Keys.signIns(ann), "PTTL", Keys.signIns(ann))
                .asLong();
        assertThat(life).isBetween(1L, SignInPlaces.LIFE.toMillis());
    }

    @ParameterizedTest
    @KindsOfRedis
    void anAppThatTakesThePasswordIsAPlaceOfItsOwn(TestRedis.Kind kind) {
        on(kind);
        logIn(HOME);

        assertThat(fixture.get(() -> places.noteApp(ann, HOME.network(), "client", "App")))
                .isTrue();
        assertThat(fixture.get(() -> places.noteApp(ann, HOME.network(), "client", "App")))
                .isFalse();
        assertThat(fixture.get(() -> places.noteApp(ann, HOME.network(), "other", "App")))
                .isTrue();
    }

    @ParameterizedTest
    @KindsOfRedis
    void threeMailsADayAreSentAndTwentyPlacesAreKept(TestRedis.Kind kind) {
        on(kind);
        for (int i = 0; i < 30; i++) {
            assertThat(logIn(at(i))).isEqualTo(i < SignInPlaces.MAILS_MAX);
        }

        assertThat(fixture.redis
                        .askAt(Keys.signIns(ann), "HLEN", Keys.signIns(ann))
                        .asLong())
                .isEqualTo(SignInPlaces.MAX);
        assertThat(jobs()).hasSize(SignInPlaces.MAILS_MAX);
    }

    @ParameterizedTest
    @KindsOfRedis
    void anAccountWithoutAConfirmedAddressOrThatIsSuspendedGetsNone(TestRedis.Kind kind) {
        on(kind);
        String user = Keys.user(ann);
        fixture.redis.askAt(user, "HSET", user, "unconfirmed", "1");
        assertThat(logIn(at(1))).isFalse();
        fixture.redis.askAt(user, "HDEL", user, "unconfirmed");
        fixture.redis.askAt(user, "HSET", user, "state", "suspended");
        assertThat(logIn(at(2))).isFalse();

        fixture.redis.askAt(user, "HSET", user, "state", "active");

        assertThat(jobs()).isEmpty();
        assertThat(logIn(at(1))).as("noted all the same").isFalse();
        assertThat(logIn(at(3))).isTrue();
    }

    @ParameterizedTest
    @KindsOfRedis
    void aDescriptionIsSealedAndEndsWithADayAndRedisHasNoNetwork(TestRedis.Kind kind) {
        on(kind);
        logIn(HOME);
        String job = jobs().get(0);
        long at = Long.parseLong(job.substring(job.indexOf(" mail.1 ") + 1).split(" ", -1)[3]);
        SealedTexts sealed = new SealedTexts(SigningKeys.of(KEY), SignInPlaces.SEALED);
        assertThat(fixture.get(() -> SignInPlaces.find(fixture.link, sealed, ann, at)))
                .contains(new Place(HOME, ""));
        assertThat(fixture.get(() -> SignInPlaces.find(fixture.link, sealed, ann, at + 1)))
                .isEmpty();
        String key = Keys.signIns(ann);
        assertThat(fixture.redis.askAt(key, "HGETALL", key).items())
                .hasSize(2)
                .noneMatch(one ->
                        one.asString().contains("192.0.2") || one.asString().contains("Firefox"));

        String place = fixture.redis.askAt(key, "HKEYS", key).items().get(0).asString();
        long yesterday = at - MailKind.SIGN_IN.life().toMillis() - 1;
        fixture.redis.askAt(key, "HSET", key, place, yesterday + " " + yesterday + " sealed");
        logIn(at(1));

        assertThat(fixture.redis.askAt(key, "HGET", key, place).asString()).endsWith(" -");
    }

    @ParameterizedTest
    @KindsOfRedis
    void aPlaceStaysKnownAcrossAChangeOfTheSigningKey(TestRedis.Kind kind) {
        on(kind);
        assertThat(logIn(HOME)).isTrue();

        places = places(new SigningKeys(List.of(NEXT_KEY, KEY)));
        assertThat(logIn(HOME)).isFalse();
        places = places(SigningKeys.of(NEXT_KEY));

        assertThat(logIn(HOME)).isFalse();
    }
}
