package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.redis.testing.TestRedis;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** The errors for clients while the clocks of the process and of Redis differ. */
class ClocksTest {
    private volatile Duration ahead = Duration.ZERO;

    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Clock.systemUTC().instant().plus(ahead);
        }
    };

    @Test
    void nothingIsPublishedWhileTheClocksDifferAndReadingGoesOn() {
        TestRedis.standalone().flush();
        try (ApiServer api = new ApiServer(TestRedis.standalone(), clock)) {
            User ann = api.signUp("ann");
            User bob = api.signUp("bob");
            String status = api.publish(ann, "before");
            ahead = Duration.ofDays(1);

            Response refused = api.post("/api/v1/statuses", ann.token(), "status", "never");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isPresent();
            assertThat(refused.text("/error"))
                    .matches(
                            "Nothing new can be stored, because the clock of Redis says 20[0-9TZ:.-]+,"
                                    + " that of this process 20[0-9TZ:.-]+: try again when the operator of this server has set them\\.");
            assertThat(api.post("/api/v1/accounts/" + bob.id() + "/follow", ann.token())
                            .status())
                    .isEqualTo(503);
            assertThat(api.askToSignUp("carl").status()).isEqualTo(503);
            assertThat(api.metrics.counter("fanfare.clock.refusals").count()).isEqualTo(3);

            assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id"))
                    .containsExactly(status);
            assertThat(api.delete("/api/v1/statuses/" + status, ann.token()).status())
                    .isEqualTo(200);

            ahead = Duration.ofSeconds(20);
            assertThat(api.publish(ann, "after")).isNotEmpty();
        }
    }
}
