package io.fanfare.api.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.oauth.Apps.Unclaimed;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class AppsTest {
    private static final long NEVER = -1;
    private static final long DAY = Duration.ofDays(1).toSeconds();

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Apps apps;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        apps = new Apps(f.link, 3);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void anAppThatNobodyUsesGoesAfterADay() {
        add("one");

        assertThat(life("one")).isBetween(DAY - 60, DAY);
        assertThat(unclaimed()).containsExactly("one");
    }

    @Test
    void anAppThatAUserLogsInWithStays() {
        add("one");
        giveToken("one");
        f.get(() -> apps.keep("one").map(true));

        assertThat(life("one")).isEqualTo(NEVER);
        assertThat(ttl(Keys.appTokens("one"))).isEqualTo(NEVER);
        assertThat(unclaimed()).isEmpty();
        giveToken("one");
        assertThat(life("one")).as("a token of its own changes nothing").isEqualTo(NEVER);
        assertThat(unclaimed()).isEmpty();
    }

    @Test
    void anAppWithATokenOfItsOwnStaysForNinetyDaysMore() {
        add("one");
        giveToken("one");

        assertThat(life("one")).isBetween(90 * DAY - 60, 90 * DAY);
        assertThat(ttl(Keys.appTokens("one"))).isBetween(90 * DAY - 60, 90 * DAY);
        assertThat(unclaimed()).containsExactly("one");
    }

    @Test
    void ofTooManyThoseGoThatDidNothingForTheLongestTime() {
        // Of the same millisecond, those come first whose ids do.
        add("b1");
        add("x2");
        add("a3");
        giveToken("b1");
        f.get(() -> apps.keep("x2").map(true));
        add("c4");
        add("d5");

        assertThat(unclaimed()).containsExactly("b1", "c4", "d5");
        assertThat(f.get(() -> apps.find("a3"))).isEmpty();
        assertThat(f.get(() -> apps.find("x2"))).isPresent();
    }

    @Test
    void aPurgeForgetsWhatNobodyHasLoggedInWithAndNothingElse() {
        add("one");
        giveToken("one");
        add("two");
        add("kept");
        f.get(() -> apps.keep("kept").map(true));
        // As when a log-in came between its two steps.
        assertThat(f.number(Keys.UNCLAIMED_APPS, "ZADD", Keys.UNCLAIMED_APPS, "3", "kept"))
                .isEqualTo(1);

        assertThat(f.get(() -> apps.purge(2))).as("of those from before, none").isZero();
        assertThat(f.get(() -> apps.purge(Long.MAX_VALUE / 2))).isEqualTo(2);
        assertThat(f.get(() -> apps.find("one"))).isEmpty();
        assertThat(ttl(Keys.appTokens("one"))).as("there is none").isEqualTo(-2);
        assertThat(f.get(() -> apps.find("kept"))).isPresent();
        assertThat(unclaimed()).isEmpty();
    }

    private void add(String clientId) {
        App app = new App(clientId, "digest", "name of " + clientId, null, List.of("app://x"), Set.of("read"), 0);
        f.get(() -> apps.add(app).map(true));
    }

    /** As {@code Tokens} lists it. */
    private void giveToken(String clientId) {
        String list = Keys.appTokens(clientId);
        assertThat(f.number(list, "HSET", list, "id" + f.number(list, "HLEN", list), "1 x read"))
                .isEqualTo(1);
        f.get(() -> apps.extend(clientId).map(true));
    }

    private long life(String clientId) {
        return ttl(Keys.app(clientId));
    }

    private long ttl(String key) {
        return f.number(key, "TTL", key);
    }

    private List<String> unclaimed() {
        return f.get(() -> apps.unclaimed(10)).stream().map(Unclaimed::clientId).toList();
    }
}
