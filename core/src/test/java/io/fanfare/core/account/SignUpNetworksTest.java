package io.fanfare.core.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.account.SignUpNetworks.Network;
import io.fanfare.core.account.SignUpNetworks.SignedUp;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Accounts are found by the network that they have signed up from, as long as that is kept and by nobody else. */
@ParameterizedClass
@KindsOfRedis
class SignUpNetworksTest {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NEW_KEY = "fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.US_ASCII);
    private static final Duration LIFE = Duration.ofDays(30);

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
    void thoseOfANetworkAreFoundWhateverItsLengthIs() {
        SignUpNetworks networks = networks(SigningKeys.of(KEY), 100);
        note(networks, 1, "c0000201"); // 192.0.2.1
        note(networks, 2, "c0000281"); // 192.0.2.129
        note(networks, 3, "c0000301"); // 192.0.3.1
        note(networks, 4, "c0010001"); // 192.1.0.1
        note(networks, 5, "20010db800010203"); // 2001:db8:1:203::/64
        note(networks, 6, "20010db8000102ff");
        note(networks, 7, "20010db800020203");
        note(networks, 8, "unknown");

        assertThat(found(networks, "c0000201", 32)).containsExactly(1L);
        assertThat(found(networks, "c0000202", 32)).isEmpty();
        assertThat(found(networks, "c0000200", 25)).containsExactly(1L);
        assertThat(found(networks, "c00002ff", 25)).containsExactly(2L);
        assertThat(found(networks, "c0000200", 24)).containsExactly(1L, 2L);
        assertThat(found(networks, "c0000200", 23)).containsExactly(1L, 2L, 3L);
        assertThat(found(networks, "c000ffff", 16)).containsExactly(1L, 2L, 3L);
        assertThat(found(networks, "20010db800010203", 64)).containsExactly(5L);
        assertThat(found(networks, "20010db800010200", 56)).containsExactly(5L, 6L);
        assertThat(found(networks, "20010db800010000", 48)).containsExactly(5L, 6L);
        assertThat(found(networks, "20010db800000000", 40)).containsExactly(5L, 6L, 7L);
        for (Network wide : List.of(new Network("c0000000", 15), new Network("20010db800000000", 39))) {
            assertThatThrownBy(() -> wide.parts()).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void nobodyReadsAnAddressWithoutTheKeyAndFormerKeysFindWhatTheyHaveNoted() {
        note(networks(SigningKeys.of(KEY), 100), 1, "c0000201");
        assertThat(f.hash(Keys.SIGN_UP_NETWORKS).get("1")).matches("[\\w-]{11} [\\w-]{11}");
        assertThat(found(networks(SigningKeys.of(NEW_KEY), 100), "c0000201", 32))
                .isEmpty();
        assertThat(found(networks(new SigningKeys(List.of(NEW_KEY, KEY)), 100), "c0000201", 32))
                .containsExactly(1L);
    }

    @Test
    void theNewestAreKeptForAsLongAsTheSettingSays() {
        SignUpNetworks networks = networks(SigningKeys.of(KEY), 3);
        for (int account = 1; account <= 5; account++) {
            note(networks, account, "c0000201");
            String time = Integer.toString(account);
            f.redis.askAt(Keys.SIGN_UP_TIMES, "ZADD", Keys.SIGN_UP_TIMES, "XX", "GT", time, Integer.toString(account));
        }
        assertThat(found(networks, "c0000201", 32)).hasSize(3).contains(5L);
        assertThat(f.hash(Keys.SIGN_UP_NETWORKS)).hasSize(3);
        assertThat(f.number(Keys.SIGN_UP_TIMES, "PTTL", Keys.SIGN_UP_TIMES))
                .isBetween(LIFE.toMillis() - 60_000, LIFE.toMillis());
        assertThat(f.number(Keys.SIGN_UP_NETWORKS, "PTTL", Keys.SIGN_UP_NETWORKS))
                .isBetween(LIFE.toMillis() - 60_000, LIFE.toMillis());

        // As old as their life, but for one.
        for (String account : f.hash(Keys.SIGN_UP_NETWORKS).keySet()) {
            f.redis.askAt(Keys.SIGN_UP_TIMES, "ZADD", Keys.SIGN_UP_TIMES, "1000", account);
        }
        note(networks, 9, "c0000201");
        assertThat(found(networks, "c0000201", 32)).containsExactly(9L);
        assertThat(f.hash(Keys.SIGN_UP_NETWORKS)).containsOnlyKeys("9");
        for (Command left : SignUpNetworks.left(9)) {
            f.get(() -> f.link.send(left));
        }
        assertThat(f.redis.keys()).noneMatch(key -> key.startsWith("{sign-ups}"));
    }

    @Test
    void withoutDaysNothingIsNoted() {
        note(new SignUpNetworks(f.link, SigningKeys.of(KEY), 0), 1, "c0000201");
        assertThat(f.redis.keys()).noneMatch(key -> key.startsWith("{sign-ups}"));
    }

    @Test
    void moreThanAPageIsLookedThroughAndTheEarlierAreLeftOut() {
        SignUpNetworks networks = networks(SigningKeys.of(KEY), 10_000);
        note(networks, 1, "c0000201");
        String digests = f.hash(Keys.SIGN_UP_NETWORKS).get("1");
        int all = 2 * SignUpNetworks.PAGE + 7;
        for (int i = 1; i <= all; i++) {
            String account = Integer.toString(i);
            f.redis.askAt(Keys.SIGN_UP_TIMES, "ZADD", Keys.SIGN_UP_TIMES, Integer.toString(1000 + i / 2), account);
            f.redis.askAt(Keys.SIGN_UP_NETWORKS, "HSET", Keys.SIGN_UP_NETWORKS, account, digests);
        }
        assertThat(found(networks, "c0000200", 24)).hasSize(all);
        Set<Long> late = new TreeSet<>();
        for (SignedUp one : f.get(() -> networks.find(new Network("c0000200", 24), 1000 + all / 2))
                .matching()) {
            late.add(one.account());
        }
        assertThat(late).containsExactly((long) all - 1, (long) all);
    }

    private SignUpNetworks networks(SigningKeys keys, int max) {
        return new SignUpNetworks(f.link, keys, LIFE, max);
    }

    private void note(SignUpNetworks networks, long account, String address) {
        f.get(() -> networks.note(account, address));
    }

    private Set<Long> found(SignUpNetworks networks, String digits, int bits) {
        Set<Long> found = new TreeSet<>();
        long next = 0;
        do {
            long from = next;
            SignUpNetworks.Page page = f.get(() -> networks.find(new Network(digits, bits), from));
            page.matching().forEach(one -> found.add(one.account()));
            next = page.next();
        } while (next > 0);
        return found;
    }
}
