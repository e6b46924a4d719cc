package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ActivityRoutesTest {
    private static ApiServer api;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        api = new ApiServer(TestRedis.standalone());
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @Test
    void twelveWeeksFromMondayOnSayWhatWasWrittenAndWhoCame() {
        ApiServer.User ann = api.signUp("ann");
        ApiServer.User bob = api.signUp("bob");
        String first = api.publish(ann, "one");
        assertThat(api.publish(bob, "two")).isNotEmpty();
        assertThat(api.post("/api/v1/statuses/" + first + "/reblog", bob.token())
                        .status())
                .isEqualTo(200);
        String gone = api.publish(ann, "three");
        assertThat(api.delete("/api/v1/statuses/" + gone, ann.token()).status()).isEqualTo(200);
        logInTwiceAndFailOnce();

        TestRedis.awaitUntil("the posts are counted", () -> counted() == 3);
        JsonNode weeks = api.get("/api/v1/instance/activity", null).json();

        assertThat(weeks.size()).isEqualTo(12);
        assertThat(sum(weeks, "statuses"))
                .as("a deleted one was written too, a repost was not")
                .isEqualTo(3);
        assertThat(sum(weeks, "logins")).as("two sign-ups, two log-ins").isEqualTo(4);
        assertThat(sum(weeks, "registrations")).isEqualTo(2);
        assertMondays(weeks);
    }

    private static void logInTwiceAndFailOnce() {
        ApiServer.Response app = api.post(
                "/api/v1/apps",
                null,
                "client_name",
                "app",
                "redirect_uris",
                "urn:ietf:wg:oauth:2.0:oob",
                "scopes",
                "read");
        for (String password : List.of(ApiServer.PASSWORD, "wrong", ApiServer.PASSWORD)) {
            assertThat(api.token(
                                    app,
                                    "grant_type",
                                    "password",
                                    "username",
                                    "ann",
                                    "password",
                                    password,
                                    "scope",
                                    "read")
                            .status())
                    .isEqualTo(password.equals("wrong") ? 400 : 200);
        }
        assertThat(api.token(app, "grant_type", "client_credentials", "scope", "read")
                        .status())
                .isEqualTo(200);
    }

    private static long sum(JsonNode weeks, String field) {
        long sum = 0;
        for (JsonNode week : weeks) {
            assertThat(week.path(field).isTextual()).as(field).isTrue();
            sum += week.path(field).asLong();
        }
        return sum;
    }

    /** Each week begins on a Monday at midnight, a week after the one before it. */
    private static void assertMondays(JsonNode weeks) {
        List<Instant> begins = new ArrayList<>();
        for (JsonNode week : weeks) {
            assertThat(week.path("week").isTextual()).isTrue();
            begins.add(Instant.ofEpochSecond(week.path("week").asLong()));
        }
        assertThat(begins.get(0)).isBefore(Instant.now());
        assertThat(begins).allSatisfy(begin -> {
            assertThat(begin.atOffset(ZoneOffset.UTC).getDayOfWeek()).isEqualTo(DayOfWeek.MONDAY);
            assertThat(begin.atOffset(ZoneOffset.UTC).toLocalTime()).isEqualTo(LocalTime.MIDNIGHT);
        });
        for (int i = 1; i < begins.size(); i++) {
            assertThat(begins.get(i)).isEqualTo(begins.get(i - 1).minusSeconds(7 * 24 * 3600));
        }
    }

    /** The first answer is good for a minute, and posts are counted a moment after their answer. */
    private static long counted() {
        TestRedis redis = TestRedis.standalone();
        long posts = 0;
        for (String key : redis.keys()) {
            if (key.startsWith("counts:")) {
                List<Reply> fields = redis.askAt(key, "HGETALL", key).flat();
                for (int i = 0; i < fields.size(); i += 2) {
                    posts += fields.get(i).asString().startsWith("posts:")
                            ? fields.get(i + 1).asLong()
                            : 0;
                }
            }
        }
        return posts;
    }
}
