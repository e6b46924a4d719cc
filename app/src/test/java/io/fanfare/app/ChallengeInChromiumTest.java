package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A browser brings the proof of work of a sign-up; the steps are in {@code challenge.mjs}. Needs what
 * {@link ClientsTest} needs.
 */
@Tag("clients")
class ChallengeInChromiumTest {
    @TempDir
    static Path dir;

    @Test
    void aBrowserComputesTheProofThatAnAppLacks() throws Exception {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (InProcessServer server = new InProcessServer(redis, "limits.enabled=false", "auth.sign-up-challenge=18")) {
            String printed = ClientScripts.run(
                    dir,
                    "challenge",
                    ClientScripts.node(dir),
                    "node",
                    "challenge.mjs",
                    "127.0.0.1:" + server.port(),
                    Client.PASSWORD,
                    "18");
            assertThat(ClientScripts.checks("challenge", printed)).isEqualTo(3);
        }
    }
}
