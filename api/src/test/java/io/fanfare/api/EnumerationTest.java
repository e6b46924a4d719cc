package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.redis.testing.TestRedis;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whether the time of an answer tells who exists; with passwords that cost what they cost in production. */
@Tag("faults")
class EnumerationTest {
    private static final int SAMPLES = 200;

    @Test
    void anUnknownNameTakesAsLongAsAWrongPassword() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (ApiServer api = new ApiServer(redis, "auth.argon-memory-kib=19456", "auth.argon-passes=2")) {
            User ann = api.signUp("ann");
            Response app = api.post(
                    "/api/v1/apps", null, "client_name", "Tester", "redirect_uris", "urn:ietf:wg:oauth:2.0:oob");
            long[] wrong = new long[SAMPLES];
            long[] unknown = new long[SAMPLES];
            for (int i = 0; i < SAMPLES; i++) {
                wrong[i] = logIn(api, app, ann.name());
                unknown[i] = logIn(api, app, "nob");
            }

            assertThat((double) median(unknown) / median(wrong)).isBetween(0.85, 1.15);
        }
    }

    private static long logIn(ApiServer api, Response app, String name) {
        long begin = System.nanoTime();
        assertThat(api.logIn(app, name, "not the password").status()).isEqualTo(400);
        return System.nanoTime() - begin;
    }

    private static long median(long[] nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2];
    }
}
