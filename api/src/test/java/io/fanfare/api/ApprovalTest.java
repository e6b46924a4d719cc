package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.model.Role;
import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Contract.Operation;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sign-ups that a moderator decides about, as Mastodon's apps see them. */
class ApprovalTest {
    private static final String ACCOUNTS = "/api/v1/admin/accounts";
    private static final String PENDING = "Your login is currently pending approval";
    private static final String PASSWORD = "correct horse battery";
    private static final String FORM = "application/x-www-form-urlencoded";

    private final TestRedis redis = TestRedis.standalone();
    private ApiServer api;
    private User moderator;

    @BeforeEach
    void start() {
        redis.flush();
        api = new ApiServer(redis, "auth.sign-up-pending-max=3");
        moderator = Moderators.signUp(api, "mia");
        Moderators.promote(redis, moderator, Role.MODERATOR);
        redis.askAt("{meta}", "HSET", "{meta}", "sign-ups", "approval 1700000000000");
        TestRedis.awaitUntil("the mode is known", () -> api.get("/api/v1/instance", null)
                .json()
                .at("/approval_required")
                .asBoolean());
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void theDocumentsSayThatSignUpsNeedApproval() {
        Response v1 = api.get("/api/v1/instance", null);
        assertThat(v1.json().at("/registrations").asBoolean()).isTrue();
        Response v2 = api.get("/api/v2/instance", null);
        assertThat(v2.json().at("/registrations/enabled").asBoolean()).isTrue();
        assertThat(v2.json().at("/registrations/approval_required").asBoolean()).isTrue();
        assertThat(v2.json().at("/registrations/reason_required").asBoolean()).isTrue();
        assertThat(api.get("/nodeinfo/2.0", null)
                        .json()
                        .at("/openRegistrations")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aReasonIsRequiredAndBounded() {
        for (String blank : List.of("", "  ")) {
            Response refused = apply("ann", blank);
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.text("/details/reason/0/error")).isEqualTo("ERR_BLANK");
        }
        assertThat(apply("ann", "x".repeat(421)).text("/details/reason/0/error"))
                .isEqualTo("ERR_TOO_LONG");
        assertThat(apply("ann", "x".repeat(420)).status()).isEqualTo(200);
    }

    @Test
    void thePendingTokenIsRefusedByEveryRouteAndIsGoodAfterApproval() {
        Response applied = apply("ann", "I like birds");
        assertThat(applied.status()).isEqualTo(200);
        String token = applied.text("/access_token");
        for (String path : List.of(
                "/api/v1/accounts/verify_credentials",
                "/api/v1/timelines/home",
                "/api/v1/notifications",
                "/api/v1/tokens",
                "/api/v1/exports/archive.zip",
                "/api/v1/timelines/public")) {
            Response refused = api.get(path, token);
            assertThat(refused.status()).as(path).isEqualTo(403);
            assertThat(refused.text("/error")).as(path).startsWith(PENDING);
        }
        assertThat(api.post("/api/v1/statuses", token, "status", "words").status())
                .isEqualTo(403);

        String id = api.get(ACCOUNTS + "?pending=true", moderator.token()).text("/0/id");
        assertThat(api.get("/api/v1/accounts/" + id, moderator.token()).status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/accounts/lookup?acct=ann", null).status()).isEqualTo(404);
        assertThat(api.get("/@ann", null).status()).isEqualTo(404);
        assertThat(api.get("/api/v1/directory?local=true", null).each("username"))
                .doesNotContain("ann");
        assertThat(api.get("/api/v2/search?q=ann&type=accounts", moderator.token())
                        .json()
                        .at("/accounts")
                        .size())
                .isZero();
        assertThat(api.post("/api/v1/accounts/" + id + "/follow", moderator.token())
                        .status())
                .isEqualTo(404);

        Response approved = api.post(ACCOUNTS + "/" + id + "/approve", moderator.token());
        assertThat(approved.json().at("/approved").asBoolean()).isTrue();
        assertThat(approved.json().at("/invite_request").isNull()).isTrue();
        TestRedis.awaitUntil(
                "the token is good",
                () -> api.get("/api/v1/accounts/verify_credentials", token).status() == 200);
        assertThat(api.get("/api/v1/accounts/lookup?acct=ann", null).text("/id"))
                .isEqualTo(id);
        assertThat(api.get("/api/v1/directory?local=true&order=new", null).each("username"))
                .contains("ann");
    }

    /** Every operation of the contract that needs a user; those of streams verify tokens with the same class. */
    @Test
    void noOperationOfAUserTakesAPendingToken() {
        String token = apply("ann", "I like birds").text("/access_token");
        List<String> wrong = new ArrayList<>();
        int tried = 0;
        for (Operation operation : Contract.instance().operations()) {
            if (!needsUser(operation) || isStream(operation)) {
                continue;
            }
            tried++;
            String path = operation.path().replaceAll("\\{[^}]+}", moderator.id());
            String method = operation.method().toUpperCase(Locale.ROOT);
            Response answer = api.send(method, path, token, FORM, method.equals("GET") ? "" : "a=b");
            if (answer.status() != 403 || !answer.body().contains(PENDING)) {
                wrong.add(operation + " " + answer.status() + " " + answer.body());
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(tried).isGreaterThan(150);
    }

    /** Another module serves streams. */
    private static boolean isStream(Operation operation) {
        return operation.path().startsWith("/1.1/") || operation.path().contains("stream");
    }

    private static boolean needsUser(Operation operation) {
        JsonNode security = operation.node().path("security");
        boolean open = security.isEmpty();
        for (JsonNode one : security) {
            open |= one.isEmpty() || !one.has("user");
        }
        return !open;
    }

    @Test
    void moderatorsListPendingAccountsAndDecideOnce() {
        apply("ann", "I like birds");
        apply("bob", "I sell pills");
        Response listed = api.get(ACCOUNTS + "?pending=true", moderator.token());
        assertThat(listed.each("username")).containsExactly("bob", "ann");
        assertThat(listed.text("/1/invite_request")).isEqualTo("I like birds");
        assertThat(listed.json().at("/1/approved").asBoolean()).isFalse();
        assertThat(listed.text("/1/email")).isEqualTo("ann@example.org");
        assertThat(api.get("/api/v2/admin/accounts?status=pending", moderator.token())
                        .each("username"))
                .containsExactly("bob", "ann");
        assertThat(api.get(ACCOUNTS + "?pending=true&username=an", moderator.token())
                        .each("username"))
                .containsExactly("ann");
        assertThat(api.get(ACCOUNTS + "?active=true", moderator.token()).each("username"))
                .containsExactly("mia");
        String bob = listed.text("/0/id");
        String ann = listed.text("/1/id");

        for (String verb : List.of("approve", "reject")) {
            assertThat(api.post(ACCOUNTS + "/" + moderator.id() + "/" + verb, moderator.token())
                            .status())
                    .isEqualTo(403);
        }
        for (String type : List.of("none", "sensitive", "silence", "suspend")) {
            Response refused =
                    api.post(ACCOUNTS + "/" + ann + "/action", moderator.token(), "type", type, "text", "words");
            assertThat(refused.status()).as(type).isEqualTo(403);
        }
        Response rejected = api.post(ACCOUNTS + "/" + bob + "/reject", moderator.token());
        assertThat(rejected.text("/username")).isEqualTo("bob");
        assertThat(api.post(ACCOUNTS + "/" + bob + "/reject", moderator.token()).status())
                .isEqualTo(404);
        assertThat(api.post(ACCOUNTS + "/" + ann + "/approve", moderator.token())
                        .status())
                .isEqualTo(200);
        assertThat(api.post(ACCOUNTS + "/" + ann + "/approve", moderator.token())
                        .status())
                .isEqualTo(403);
        assertThat(api.get("/api/v1/admin/audit_log", moderator.token())
                        .json()
                        .at("/entries")
                        .findValuesAsText("action"))
                .contains("accounts.approve", "accounts.reject");
        assertThat(apply("bob", "another bob").status()).as("the name is free").isEqualTo(200);
        assertThat(redis.keys()).noneMatch(key -> key.endsWith(":" + bob));
    }

    @Test
    void aLogInWaitsForApprovalAndOnlyTheRightPasswordLearnsIt() {
        apply("ann", "I like birds");
        for (String name : List.of("ann", "ann@example.org")) {
            Response right = session("/api/v1/session", "username=" + name + "&password=correct+horse+battery");
            assertThat(right.status()).isEqualTo(403);
            assertThat(right.text("/error")).startsWith(PENDING);
            assertThat(session("/api/v1/session", "username=" + name + "&password=wrong+horse+battery")
                            .status())
                    .isEqualTo(401);
        }
    }

    @Test
    void theWebClientLearnsThatTheAccountWaitsAndGetsNoSession() {
        Response applied = session(
                "/api/v1/session/sign_up",
                "username=ann&email=ann%40example.org&password=correct+horse+battery&agreement=true&reason=birds");
        assertThat(applied.status()).isEqualTo(200);
        assertThat(applied.json().at("/account").isNull()).isTrue();
        assertThat(applied.json().at("/pending").asBoolean()).isTrue();
        assertThat(applied.header("Set-Cookie")).isEmpty();
        assertThat(redis.keys()).noneMatch(key -> key.startsWith("tokens:") && !key.endsWith(":" + moderator.id()));
    }

    @Test
    void aRepeatedApplicationIsAnsweredWithAnotherTokenOfTheSameAccount() {
        String form = "username=ann&email=ann%40example.org&password=correct+horse+battery&agreement=true&reason=birds";
        Set<String> tokens = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            Response answer =
                    api.send("POST", "/api/v1/accounts", null, FORM, form, "Idempotency-Key", "a-key-of-this-test");
            assertThat(answer.status()).isEqualTo(200);
            tokens.add(answer.text("/access_token"));
        }
        assertThat(tokens).hasSize(2);
        Response listed = api.get(ACCOUNTS + "?pending=true", moderator.token());
        assertThat(listed.each("username")).containsExactly("ann");
        assertThat(api.post(ACCOUNTS + "/" + listed.text("/0/id") + "/approve", moderator.token())
                        .status())
                .isEqualTo(200);
        for (String token : tokens) {
            TestRedis.awaitUntil(
                    "the token is good",
                    () -> api.get("/api/v1/accounts/verify_credentials", token).status() == 200);
        }
    }

    @Test
    void noMoreApplyThanMayWait() {
        for (String name : List.of("ann", "bob", "cat")) {
            assertThat(apply(name, "birds").status()).isEqualTo(200);
        }
        Response refused = apply("dan", "birds");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.text("/error")).contains("waiting for approval");
    }

    @CanIgnoreReturnValue
    private Response apply(String name, String reason) {
        return api.post(
                "/api/v1/accounts",
                null,
                "username",
                name,
                "email",
                name + "@example.org",
                "password",
                PASSWORD,
                "agreement",
                "true",
                "reason",
                reason);
    }

    private Response session(String path, String form) {
        return api.send("POST", path, null, FORM, form, "X-Fanfare-Page", "1");
    }
}
