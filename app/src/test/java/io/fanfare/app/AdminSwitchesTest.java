package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.Registrations;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The switches of the site are turned on and off by command while a process serves the API. */
@Timeout(180)
class AdminSwitchesTest {
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private final HttpClient http = HttpClient.newHttpClient();
    private final TestRedis redis = TestRedis.standalone();

    @Test
    void aSwitchIsFollowedWithoutARestartOutlivesOneAndIsInTheLogOfActs() throws Exception {
        redis.flush();
        try (InProcessServer server = new InProcessServer(redis, "limits.enabled=false")) {
            assertThat(statusOfPublic(server)).isEqualTo(200);
            assertThat(CommandRun.admin(redis, "site", "status"))
                    .contains("read-only is off", "members-only is off", "no-uploads is off");
            assertThat(CommandRun.admin(redis, "site", "on", "members-only", "--why", "an attack"))
                    .contains("members-only is on since 2");
            Awaitility.await().atMost(WAIT_MAX).until(() -> statusOfPublic(server) == 401);
            assertThat(new JsonObject(CommandRun.admin(redis, "site", "on", "members-only", "--json"))
                            .getBoolean("changed"))
                    .isFalse();
        }
        try (InProcessServer restarted = new InProcessServer(redis, "limits.enabled=false")) {
            assertThat(statusOfPublic(restarted)).isEqualTo(401);
            assertThat(CommandRun.admin(redis, "site", "off", "members-only")).contains("members-only is off");
            Awaitility.await().atMost(WAIT_MAX).until(() -> statusOfPublic(restarted) == 200);
        }
        assertThat(CommandRun.admin(redis, "audit")).contains("site.on", "site.off", "members-only", "an attack");
    }

    @Test
    void theDoctorShowsTheSwitchesThatAreOnAndTheModeOfSignUps() {
        List<String> none = ServiceExam.site(Map.of(), Registrations.APPROVAL).stream()
                .map(Finding::line)
                .toList();
        assertThat(none).singleElement().asString().contains("no switch is on", "approval");
        List<Finding> on = ServiceExam.site(Map.of(Switch.READ_ONLY, 1_700_000_000_000L), Registrations.OPEN);
        assertThat(on.get(0).line()).contains("read-only is on since 2023-11-14", "fanfare admin site off read-only");
        assertThat(Finding.worst(on).status()).isEqualTo(1);
        assertThat(Finding.worst(ServiceExam.site(Map.of(Switch.MEMBERS_ONLY, 1L), Registrations.OPEN))
                        .status())
                .isZero();
    }

    private int statusOfPublic(InProcessServer server) throws Exception {
        URI timeline = URI.create("http://127.0.0.1:" + server.port() + "/api/v1/timelines/public");
        return http.send(HttpRequest.newBuilder(timeline).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
