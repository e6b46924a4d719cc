package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.redis.testing.TestRedis;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The posts of an account that has just signed up. */
class NewAccountLimitTest {
    private static final int MAX = 2;

    private final TestRedis redis = TestRedis.standalone();
    private ApiServer free;
    private ApiServer api;
    private User ann;
    private User bob;

    @BeforeEach
    void start() {
        redis.flush();
        free = new ApiServer(redis);
        api = limited(Clock.systemUTC());
        ann = free.signUp("ann");
        bob = free.signUp("bob");
    }

    private ApiServer limited(Clock clock) {
        return new ApiServer(
                redis,
                clock,
                "limits.enabled=true",
                "limits.rates.new-account-hours=24",
                "limits.rates.new-account-posts-per-hour=" + MAX);
    }

    @AfterEach
    void stop() {
        api.close();
        free.close();
    }

    private Response post(ApiServer at, String... form) {
        return at.post("/api/v1/statuses", ann.token(), form);
    }

    private static void assertRefused(Response answer, User author) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(429);
        String end = Instant.ofEpochMilli(Id.epochMillis(Id.parse(author.id())))
                .plus(Duration.ofHours(24))
                .toString();
        assertThat(answer.text("/error")).contains("at most " + MAX, "Your account is new", end.substring(0, 19));
        assertThat(answer.header("Retry-After")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"see https://example.org/", "@bob hello", "a @bob and https://example.org/ too"})
    void postsWithLinksOrToStrangersAreLimitedAndOthersAreNot(String text) {
        for (int i = 0; i < MAX; i++) {
            assertThat(post(api, "status", text + " " + i).status()).isEqualTo(200);
        }
        assertRefused(post(api, "status", text), ann);
        assertThat(post(api, "status", "words, and @nobody").status())
                .as("a name that nobody has counts too")
                .isEqualTo(429);
        assertThat(post(api, "status", "words alone").status()).isEqualTo(200);
        assertThat(api.post("/api/v1/statuses", bob.token(), "status", text).status())
                .as("each account for itself")
                .isEqualTo(200);
    }

    @Test
    void directMessagesEditsAndScheduledPostsCountAsWell() {
        String plain = post(api, "status", "words").text("/id");
        assertThat(post(api, "status", "@bob hello", "visibility", "direct").status())
                .isEqualTo(200);
        assertThat(post(api, "status", "https://example.org/", "scheduled_at", "2100-01-01")
                        .status())
                .isEqualTo(200);
        assertRefused(post(api, "status", "@bob again", "visibility", "direct"), ann);
        assertRefused(post(api, "status", "@bob later", "scheduled_at", "2100-01-01"), ann);
        Response edited = api.send(
                "PUT",
                "/api/v1/statuses/" + plain,
                ann.token(),
                "application/x-www-form-urlencoded",
                "status=https://example.org/");
        assertRefused(edited, ann);
    }

    @Test
    void mentionsOfFollowersDoNotCount() {
        free.follow(bob, ann);
        for (int i = 0; i < MAX + 2; i++) {
            assertThat(post(api, "status", "@bob hello " + i).status()).isEqualTo(200);
        }
    }

    @Test
    void anAccountThatIsNoLongerNewAndASiteWithoutTheLimitCountNothing() {
        for (int i = 0; i < MAX + 2; i++) {
            assertThat(post(free, "status", "https://example.org/" + i).status())
                    .isEqualTo(200);
        }
        try (ApiServer plain = new ApiServer(redis, "limits.enabled=true")) {
            for (int i = 0; i < MAX + 2; i++) {
                assertThat(post(plain, "status", "https://example.org/b" + i).status())
                        .isEqualTo(200);
            }
        }
        assertThat(redis.keys()).noneMatch(key -> key.contains("new-account-posts"));
    }
}
