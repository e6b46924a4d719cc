package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts.Confirmation;
import io.fanfare.common.view.RenderCache;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;

/** An address that nobody has confirmed within a day goes to the next account. */
class AddressReleaseTest {
    private static final String ADDRESS = "ann@example.org";
    private static final long DAY = Duration.ofDays(1).toMillis();

    private StoreFixture fixture;
    private Accounts accounts;

    private void on(TestRedis redis, Confirmation confirmation) {
        fixture = StoreFixture.on(redis);
        accounts = new Accounts(fixture.link, new Shards(16), new Random(1), RenderCache.none(), confirmation);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private long signUp(String name) {
        return fixture.get(() -> accounts.signUp(name, ADDRESS, "hash")).id();
    }

    private void assertRefused(String name) {
        assertThatThrownBy(() -> signUp(name)).isInstanceOf(Refusal.class).hasMessageContaining("already been taken");
    }

    private void age(long account, long millis) {
        String user = Keys.user(account);
        fixture.redis.askAt(user, "HSET", user, "unconfirmed", Long.toString(System.currentTimeMillis() - millis));
    }

    private String owner() {
        return fixture.redis
                .askAt(Keys.email(ADDRESS), "GET", Keys.email(ADDRESS))
                .asString();
    }

    private boolean hasAddress(long account) {
        return fixture.redis
                        .askAt(Keys.user(account), "HEXISTS", Keys.user(account), "email")
                        .asLong()
                == 1;
    }

    @ParameterizedTest
    @KindsOfRedis
    void anAddressThatWaitsForADayGoesToTheNextAccountAndTheFormerOneStays(TestRedis.Kind kind) {
        on(kind.redis(), Confirmation.REQUESTED);
        long squatter = signUp("squatter");
        age(squatter, DAY - 60_000);
        assertRefused("owner");
        age(squatter, DAY + 1);

        long owner = signUp("owner");

        assertThat(owner()).isEqualTo(Long.toString(owner));
        assertThat(hasAddress(squatter)).isFalse();
        assertThat(fixture.get(() -> accounts.signedUpByEmail(ADDRESS))).contains(owner);
        assertThat(fixture.get(() -> accounts.find(squatter))).isPresent();
    }

    @ParameterizedTest
    @KindsOfRedis
    void aConfirmedAddressAndOneThatNeedsNoConfirmationStay(TestRedis.Kind kind) {
        on(kind.redis(), Confirmation.REQUESTED);
        long ann = signUp("ann");
        fixture.redis.askAt(Keys.user(ann), "HDEL", Keys.user(ann), "unconfirmed");

        assertRefused("other");

        assertThat(owner()).isEqualTo(Long.toString(ann));
        assertThat(hasAddress(ann)).isTrue();
    }

    @ParameterizedTest
    @KindsOfRedis
    void aReleaseThatDiedIsFinishedByTheNextSignUp(TestRedis.Kind kind) {
        on(kind.redis(), Confirmation.REQUESTED);
        long squatter = signUp("squatter");
        fixture.redis.askAt(Keys.user(squatter), "HDEL", Keys.user(squatter), "email", "unconfirmed");

        assertThat(owner()).isEqualTo(Long.toString(squatter));
        assertThat(signUp("owner")).isNotEqualTo(squatter);
        assertThat(owner()).isNotEqualTo(Long.toString(squatter));
    }

    @ParameterizedTest
    @KindsOfRedis
    void whereNoMailsAreSentNothingIsReleased(TestRedis.Kind kind) {
        on(kind.redis(), Confirmation.NONE);
        long ann = signUp("ann");
        age(ann, 2 * DAY);

        assertRefused("other");

        assertThat(hasAddress(ann)).isTrue();
    }
}
