package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator's console in a browser; what is tried is in {@code console.mjs}. Needs what {@link ClientsTest} needs.
 */
@Tag("clients")
class ConsoleInChromiumTest {
    private static final String OPERATOR = "an-operator-of-this-test";
    private static final String VIEWER = "a-viewer-of-this-test";

    @TempDir
    static Path dir;

    @Test
    void operatorsLookAndActAndEveryPageHoldsTheGuidelines() throws Exception {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (FanfareProcess up = FanfareProcess.up(
                dir.resolve("data"),
                "--set",
                "redis.url=" + redis.server().url().reveal(),
                "--set",
                "limits.enabled=false",
                "--set",
                "signals.links=hold",
                "--set",
                "console.operator-token=" + OPERATOR,
                "--set",
                "console.viewer-token=" + VIEWER)) {
            letter(redis, 1, "timed out\t0 11 1795251980000 mute.1 8200 12 0");
            letter(redis, 2, "timed out\t0 11 1795251980000 mute.1 8200 13 0");
            letter(redis, 3, "hostile <img src=x onerror=alert(1)>\t0 11 1795251980000 mute.1 8200 14 0");
            letter(redis, 4, "malformed\trubbish");
            Client ann = Client.signUp(up.runtime().httpUrl(), "ann_console");
            Client bob = Client.signUp(up.runtime().httpUrl(), "bob_console");
            String job = "0 1 1795251980000 retract.1 " + ann.id() + " 777 0";
            String delayed = Keys.delayed(2);
            redis.askAt(delayed, "ZADD", delayed, "4000000000000", job);
            String stats = Keys.queueStats(2);
            redis.askAt(stats, "HSET", stats, "failed:retract", "1795251980000\thostile <b>failure</b>\t" + job);
            String printed = ClientScripts.run(
                    dir,
                    "console",
                    ClientScripts.node(dir),
                    "node",
                    "console.mjs",
                    URI.create(up.runtime().managementUrl()).getAuthority(),
                    OPERATOR,
                    VIEWER,
                    URI.create(up.runtime().httpUrl()).getAuthority(),
                    ann.token(),
                    bob.id(),
                    bob.token());
            assertThat(ClientScripts.checks("console", printed)).isGreaterThanOrEqualTo(130);
        }
    }

    private static void letter(TestRedis redis, int time, String letter) {
        String key = Keys.dead(2);
        // Recent, since letters are dropped by their age.
        long died = Instant.now().minusSeconds(600).toEpochMilli() + time;
        redis.askAt(key, "ZADD", key, Long.toString(died), letter);
    }
}
