package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Role;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sign-ups with the code of an invitation, and the invitations of accounts. */
class InvitationTest {
    private static final String INVITATIONS = "/api/v1/invitations";

    private final TestRedis redis = TestRedis.standalone();
    private ApiServer api;
    private User moderator;

    @BeforeEach
    void start() {
        redis.flush();
        api = new ApiServer(redis);
        moderator = Moderators.signUp(api, "mia");
        Moderators.promote(redis, moderator, Role.MODERATOR);
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private void mode(String mode) {
        redis.askAt("{meta}", "HSET", "{meta}", "sign-ups", mode + " 1700000000000");
        TestRedis.awaitUntil("the mode is known", () -> mode.equals(known()));
    }

    private String known() {
        Response shown = api.get("/api/v2/instance", null);
        boolean approval = shown.json().at("/registrations/approval_required").asBoolean();
        boolean enabled = shown.json().at("/registrations/enabled").asBoolean();
        boolean closed = shown.text("/registrations/message").startsWith("Registrations are closed");
        return enabled ? approval ? "approval" : "open" : closed ? "closed" : "invitation";
    }

    @Test
    void withoutAnInvitationNobodySignsUpWhereOneIsNeeded() {
        mode("invitation");
        assertThat(api.get("/api/v1/instance", null).json().at("/registrations").asBoolean())
                .isFalse();
        Response without = signUp("ann", "");
        assertThat(without.status()).isEqualTo(422);
        assertThat(without.text("/details/invite_code/0/error")).isEqualTo("ERR_BLANK");
        Response wrong = signUp("ann", "aaaaaaaaaaaaaaaa");
        assertThat(wrong.text("/details/invite_code/0/error")).isEqualTo("ERR_INVALID");
        String code = invite(moderator, "max_uses", "1");
        assertThat(signUp("ann", code).status()).isEqualTo(200);
        assertThat(signUp("bob", code).text("/details/invite_code/0/error")).isEqualTo("ERR_INVALID");

        Response invited = api.get("/api/v2/admin/accounts?invited_by=" + moderator.id(), moderator.token());
        assertThat(invited.each("username")).containsExactly("ann");
        assertThat(invited.text("/0/invited_by_account_id")).isEqualTo(moderator.id());
        Response own = api.get(INVITATIONS, moderator.token());
        assertThat(own.json().at("/0/uses").asInt()).isEqualTo(1);
        assertThat(own.json().at("/0/valid").asBoolean()).isFalse();
    }

    @Test
    void ofFiftySignUpsAtOnceAsManySucceedAsTheCodeHasUses() throws Exception {
        mode("invitation");
        String code = invite(moderator, "max_uses", "5");
        ExecutorService threads = Executors.newFixedThreadPool(50);
        try {
            List<Callable<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String name = "guest" + i;
                calls.add(() -> signUp(name, code).status());
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> call : threads.invokeAll(calls)) {
                statuses.add(call.get());
            }
            assertThat(statuses).filteredOn(status -> status == 200).hasSize(5);
        } finally {
            threads.shutdownNow();
        }
        assertThat(redis.keys())
                .filteredOn(key -> key.startsWith("login:guest"))
                .hasSize(5);
    }

    @Test
    void aRefusedSignUpGivesItsUseBack() {
        mode("invitation");
        String code = invite(moderator, "max_uses", "1");
        assertThat(signUp("mia", code).text("/details/username/0/error")).isEqualTo("ERR_TAKEN");
        assertThat(signUp("ann", code).status()).isEqualTo(200);
    }

    @Test
    void somebodyWithAnInvitationNeedsNoApproval() {
        mode("approval");
        String token = signUp("ann", invite(moderator)).text("/access_token");
        assertThat(api.get("/api/v1/accounts/verify_credentials", token).status())
                .isEqualTo(200);
        Response without = signUp("bob", "aaaaaaaaaaaaaaaa");
        assertThat(without.text("/details/reason/0/error"))
                .as("a code that is not good counts as none")
                .isEqualTo("ERR_BLANK");
    }

    @Test
    void anInvitationIsWorthNothingWhereSignUpsAreClosedOrItsInviterIsSuspended() {
        String code = invite(moderator);
        mode("closed");
        assertThat(signUp("ann", code).status()).isEqualTo(403);
        mode("invitation");
        redis.askAt(
                Keys.user(Long.parseLong(moderator.id())),
                "HSET",
                Keys.user(Long.parseLong(moderator.id())),
                "state",
                "suspended");
        assertThat(signUp("ann", code).status()).isEqualTo(422);
    }

    @Test
    void aRepeatedSignUpIsAnsweredThoughItsInvitationIsUsedUp() {
        mode("invitation");
        String code = invite(moderator, "max_uses", "1");
        String form = "username=ann&email=ann%40example.org&password=correct+horse+battery&agreement=true&invite_code="
                + code;
        for (int i = 0; i < 2; i++) {
            Response answer = api.send(
                    "POST",
                    "/api/v1/accounts",
                    null,
                    "application/x-www-form-urlencoded",
                    form,
                    "Idempotency-Key",
                    "a-key-of-this-test");
            assertThat(answer.status()).isEqualTo(200);
        }
        assertThat(api.get(INVITATIONS, moderator.token()).json().at("/0/uses").asInt())
                .isEqualTo(1);
    }

    @Test
    void ordinaryAccountsInviteOnlyWhereTheSettingSaysSo() {
        User ann = api.signUp("ann");
        assertThat(api.post(INVITATIONS, ann.token()).status()).isEqualTo(403);
        assertThat(api.get(INVITATIONS, ann.token()).status()).isEqualTo(403);
        try (ApiServer other = new ApiServer(redis, "auth.user-invitations=true")) {
            Response made = other.post(INVITATIONS, ann.token(), "comment", "for bob");
            assertThat(made.status()).isEqualTo(200);
            assertThat(made.text("/url")).endsWith("/invite/" + made.text("/code"));
            assertThat(other.get(INVITATIONS + "?all=true", ann.token()).status())
                    .isEqualTo(403);
            assertThat(other.get("/api/v1/instance", null)
                            .json()
                            .at("/invites_enabled")
                            .asBoolean())
                    .isTrue();
            assertThat(other.get(INVITATIONS + "?all=true", moderator.token()).each("comment"))
                    .contains("for bob");
            String path = INVITATIONS + "/" + made.text("/code");
            assertThat(other.send("DELETE", path, api.signUp("bob").token(), null, null)
                            .status())
                    .isEqualTo(404);
            assertThat(other.send("DELETE", path, moderator.token(), null, null).status())
                    .isEqualTo(200);
            assertThat(other.send("DELETE", path, ann.token(), null, null).status())
                    .isEqualTo(404);
        }
    }

    @Test
    void unacceptableFieldsAreNamed() {
        for (String[] wrong : List.of(
                new String[] {"max_uses", "0"},
                new String[] {"max_uses", "10001"},
                new String[] {"expires_in", "-1"},
                new String[] {"expires_in", "99999999999999"},
                new String[] {"comment", "x".repeat(421)})) {
            Response refused = api.post(INVITATIONS, moderator.token(), wrong);
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.json().at("/details/" + wrong[0] + "/0/error").asText())
                    .startsWith("ERR_");
        }
    }

    private String invite(User by, String... form) {
        return api.post(INVITATIONS, by.token(), form).text("/code");
    }

    private Response signUp(String name, String code) {
        return api.post(
                "/api/v1/accounts",
                null,
                "username",
                name,
                "email",
                name + "@example.org",
                "password",
                "correct horse battery",
                "agreement",
                "true",
                "invite_code",
                code);
    }
}
