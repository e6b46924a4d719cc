package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rules, texts and announcements in a browser; the steps are in {@code site.mjs}. Needs what {@link ClientsTest} needs.
 */
@Tag("clients")
class SiteInChromiumTest {
    private static final String OPERATOR = "an-operator-of-this-test";

    @TempDir
    static Path dir;

    @Test
    void anOperatorWritesRulesInTheConsoleAndPeopleReadAndAcceptThem() throws Exception {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (FanfareProcess up = FanfareProcess.up(
                dir.resolve("data"),
                "--set",
                "redis.url=" + redis.server().url().reveal(),
                "--set",
                "limits.enabled=false",
                "--set",
                "console.operator-token=" + OPERATOR)) {
            String url = up.runtime().httpUrl();
            Client ada = Client.signUp(url, "ada_s");
            assertThat(ada.id()).isNotEmpty();
            String printed = ClientScripts.run(
                    dir,
                    "site",
                    ClientScripts.node(dir),
                    "node",
                    "site.mjs",
                    URI.create(url).getAuthority(),
                    up.runtime().managementUrl() + "/console",
                    OPERATOR,
                    Client.PASSWORD);
            assertThat(ClientScripts.checks("site", printed)).isGreaterThanOrEqualTo(11);
        }
    }
}
