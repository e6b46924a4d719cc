package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.redis.testing.TestRedis;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A log-in hashes the password once whether or not the account exists. Argon2 fills its memory each time, so the bytes
 * that the hashing thread allocates show its work.
 */
class LoginWorkTest {
    private static final int ARGON_KIB = 4096;
    private static final String WRONG = "not the password";
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void anUnknownNameCostsTheSameHashAsAWrongPassword() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        Set<Long> others = hashing();
        try (ApiServer api = new ApiServer(
                redis, "auth.hashes-at-once=1", "auth.argon-memory-kib=" + ARGON_KIB, "auth.argon-passes=1")) {
            api.signUp("ann");
            Response app =
                    api.post("/api/v1/apps", null, "client_name", "x", "redirect_uris", "urn:ietf:wg:oauth:2.0:oob");
            Set<Long> own = new TreeSet<>(hashing());
            own.removeAll(others);
            long thread = own.iterator().next();
            long warm = work(api, app, thread, "ann");
            long wrong = work(api, app, thread, "ann");

            assertThat(warm).as("the hash is what is counted").isGreaterThan(ARGON_KIB * 1024L);
            for (String name : new String[] {"nobody", "nobody@example.org", "{}@{}", "", "a name with spaces"}) {
                assertThat((double) work(api, app, thread, name) / wrong)
                        .as("work for '%s' in work for a wrong password", name)
                        .isBetween(0.9, 1.1);
            }
        }
    }

    /** Bytes that one failed log-in makes the hashing thread allocate. */
    private static long work(ApiServer api, Response app, long thread, String name) {
        long before = THREADS.getThreadAllocatedBytes(thread);
        assertThat(api.logIn(app, name, WRONG).status()).isEqualTo(400);
        return THREADS.getThreadAllocatedBytes(thread) - before;
    }

    private static Set<Long> hashing() {
        return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(Objects::nonNull)
                .filter(thread -> thread.getThreadName().equals("fanfare-passwords"))
                .map(thread -> thread.getThreadId())
                .collect(Collectors.toSet());
    }
}
