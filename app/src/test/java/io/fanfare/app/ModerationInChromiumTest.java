package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moderators use the web client; the steps are in {@code moderation.mjs}. Needs what {@link ClientsTest} needs. */
@Tag("clients")
class ModerationInChromiumTest {
    @TempDir
    static Path dir;

    @Test
    void aModeratorReadsReportsAndActsWithTheWebClientAlone() throws Exception {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (FanfareProcess up = FanfareProcess.up(
                dir.resolve("data"),
                "--set",
                "redis.url=" + redis.server().url().reveal(),
                "--set",
                "limits.enabled=false",
                "--set",
                "signals.mentions=hold",
                "--set",
                "signals.mentions-max=1")) {
            String url = up.runtime().httpUrl();
            Client moderator = Client.signUp(url, "moderator_m");
            Client spammer = Client.signUp(url, "spammer_m");
            Client reporter = Client.signUp(url, "reporter_m");
            CommandRun.admin(redis, "role", "set", moderator.id(), "moderator", "--why", "night shift");
            String printed = ClientScripts.run(
                    dir,
                    "moderation",
                    ClientScripts.node(dir),
                    "node",
                    "moderation.mjs",
                    URI.create(url).getAuthority(),
                    Client.PASSWORD,
                    spammer.token(),
                    reporter.token());
            assertThat(ClientScripts.checks("moderation", printed)).isGreaterThanOrEqualTo(22);
        }
    }
}
