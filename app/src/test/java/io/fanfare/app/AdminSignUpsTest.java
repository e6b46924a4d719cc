package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sign-ups are closed and opened while two processes serve the API. */
@Timeout(240)
class AdminSignUpsTest {
    private static final String OPERATOR = "an-operator-of-this-test";
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    @TempDir
    Path dir;

    private final HttpClient http = HttpClient.newHttpClient();
    private final TestRedis redis = TestRedis.standalone();
    private int names;

    @Test
    void sinceAnOperatorHasClosedThemNobodySignsUpAtAnyProcessAlsoAfterARestart() throws Exception {
        redis.flush();
        try (FanfareProcess up = FanfareProcess.up(
                dir.resolve("data"),
                "--set",
                "redis.url=" + redis.server().url().reveal(),
                "--set",
                "limits.enabled=false",
                "--set",
                "console.operator-token=" + OPERATOR)) {
            String one = up.runtime().httpUrl();
            try (InProcessServer other = new InProcessServer(redis, "limits.enabled=false")) {
                String two = "http://127.0.0.1:" + other.port();
                assertThat(signUp(one)).isEqualTo(200);
                assertThat(CommandRun.admin(redis, "sign-ups", "status"))
                        .contains("sign-ups are open, as auth.registrations says");

                assertThat(CommandRun.admin(redis, "sign-ups", "close"))
                        .contains("sign-ups are closed, as an operator has chosen at 2");
                awaitOpen(false, one, two);
                HttpResponse<String> refused = send(one);
                assertThat(refused.statusCode()).isEqualTo(403);
                assertThat(refused.body()).contains("Registrations are closed on this server.");
                assertThat(signUp(two)).isEqualTo(403);
                assertThat(new JsonObject(CommandRun.admin(redis, "sign-ups", "close", "--json")).getBoolean("changed"))
                        .isFalse();
            }
            try (InProcessServer restarted = new InProcessServer(redis, "limits.enabled=false")) {
                String three = "http://127.0.0.1:" + restarted.port();
                assertThat(isOpen(three)).isFalse();
                assertThat(signUp(three)).isEqualTo(403);

                ConsoleBrowser console = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), OPERATOR);
                assertThat(console.look("sign-ups").getBoolean("open")).isFalse();
                assertThat(console.act("sign-ups/open", new JsonObject()).getBoolean("open"))
                        .isTrue();
                awaitOpen(true, one, three);
                assertThat(List.of(signUp(one), signUp(three))).containsOnly(200);
                assertThat(up.output()).containsPattern("action=sign-ups/open role=operator .* outcome=done");
            }
            try (InProcessServer closedBySetting =
                    new InProcessServer(redis, "limits.enabled=false", "auth.registrations=false")) {
                String four = "http://127.0.0.1:" + closedBySetting.port();
                assertThat(isOpen(four)).as("an operator is stronger").isTrue();
                assertThat(CommandRun.admin(redis, "sign-ups", "default")).contains("as auth.registrations says");
                awaitOpen(false, four);
                assertThat(signUp(four)).isEqualTo(403);
                awaitOpen(true, one);
                assertThat(signUp(one)).isEqualTo(200);
            }
            applicantsAreApprovedAndRejectedByCommandAndConsole(up, one);
        }
    }

    private void applicantsAreApprovedAndRejectedByCommandAndConsole(FanfareProcess up, String url) throws Exception {
        assertThat(CommandRun.admin(redis, "sign-ups", "approval"))
                .contains("sign-ups need approval, as an operator has chosen at 2");
        Awaitility.await().atMost(WAIT_MAX).until(() -> get(url + "/api/v1/instance")
                .getBoolean("approval_required"));
        assertThat(signUp(url)).as("without a reason").isEqualTo(422);
        List<String> applied = List.of(apply(url), apply(url), apply(url));
        assertThat(CommandRun.admin(redis, "accounts", "pending"))
                .contains(applied)
                .contains("I like birds");
        assertThat(CommandRun.admin(redis, "accounts", "approve", applied.get(0), "--why", "a friend"))
                .contains(applied.get(0) + " is approved");
        assertThat(CommandRun.admin(redis, "accounts", "reject", applied.get(1)))
                .contains(applied.get(1) + " is rejected");
        ConsoleBrowser console = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), OPERATOR);
        JsonObject last =
                console.look("accounts/pending").getJsonArray("accounts").getJsonObject(0);
        assertThat(last.getString("username")).isEqualTo(applied.get(2));
        console.act("accounts/approve", new JsonObject().put("account", last.getString("id")));
        assertThat(CommandRun.admin(redis, "accounts", "pending")).contains("no account waits for approval");
        assertThat(CommandRun.admin(redis, "accounts", "find", "somebody"))
                .contains(applied.get(0), applied.get(2))
                .doesNotContain(applied.get(1));
        assertThat(CommandRun.admin(redis, "audit"))
                .contains("accounts.approve", "accounts.reject", "sign-ups.approval", "a friend");
        invitationsAreMadeAndRevokedByCommand(url);
    }

    private void invitationsAreMadeAndRevokedByCommand(String url) throws Exception {
        assertThat(CommandRun.admin(redis, "sign-ups", "invitation"))
                .contains("sign-ups need an invitation, as an operator has chosen at 2");
        Awaitility.await().atMost(WAIT_MAX).until(() -> !isOpen(url));
        assertThat(signUp(url)).as("without an invitation").isEqualTo(422);
        JsonObject made = new JsonObject(CommandRun.admin(
                redis, "invitations", "create", "--uses", "2", "--days", "7", "--comment", "the chess club", "--json"));
        String code = made.getString("code");
        assertThat(made.getString("url")).endsWith("/invite/" + code);
        assertThat(send(url, null, code).statusCode()).isEqualTo(200);
        assertThat(CommandRun.admin(redis, "invitations", "list"))
                .contains(code, "used 1 of 2", "the chess club", "by an operator");
        assertThat(CommandRun.admin(redis, "invitations", "revoke", code)).contains("the invitation is revoked");
        assertThat(send(url, null, code).statusCode()).isEqualTo(422);
        assertThat(CommandRun.admin(redis, "invitations", "list")).contains("no invitations");
        assertThat(CommandRun.admin(redis, "audit")).contains("invitations.create", "invitations.revoke");
    }

    /** The name of the new applicant. */
    private String apply(String url) throws Exception {
        String name = "somebody" + names;
        assertThat(send(url, "I like birds").body()).contains("\"pending\":true");
        return name;
    }

    private void awaitOpen(boolean open, String... urls) {
        for (String url : urls) {
            Awaitility.await().atMost(WAIT_MAX).until(() -> isOpen(url) == open);
        }
    }

    /** As all documents say. */
    private boolean isOpen(String url) throws Exception {
        JsonObject registrations = get(url + "/api/v2/instance").getJsonObject("registrations");
        boolean open = registrations.getBoolean("enabled");
        if (get(url + "/api/v1/instance").getBoolean("registrations") != open
                || get(url + "/nodeinfo/2.0").getBoolean("openRegistrations") != open) {
            return !open; // Between two looks.
        }
        assertThat(registrations.getString("message") == null).isEqualTo(open);
        return open;
    }

    private JsonObject get(String url) throws Exception {
        return new JsonObject(
                http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                        .body());
    }

    private int signUp(String url) throws Exception {
        return send(url).statusCode();
    }

    private HttpResponse<String> send(String url) throws Exception {
        return send(url, null, null);
    }

    private HttpResponse<String> send(String url, String reason) throws Exception {
        return send(url, reason, null);
    }

    /** As the web client does. */
    private HttpResponse<String> send(String url, String reason, String code) throws Exception {
        String name = "somebody" + names++;
        JsonObject body = new JsonObject()
                .put("username", name)
                .put("email", name + "@example.org")
                .put("password", Client.PASSWORD)
                .put("agreement", true)
                .put("reason", reason)
                .put("invite_code", code);
        return http.send(
                HttpRequest.newBuilder(URI.create(url + "/api/v1/session/sign_up"))
                        .timeout(WAIT_MAX)
                        .header("Content-Type", "application/json")
                        .header("X-Fanfare-Page", "1")
                        .POST(HttpRequest.BodyPublishers.ofString(body.encode()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
