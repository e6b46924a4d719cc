package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Role;
import io.fanfare.redis.testing.TestRedis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** Moderators act on posts and accounts, whose authors read a warning and appeal it once. */
class WarningRoutesTest extends OnEveryRedis {
    private static final String WARNINGS = "/api/v1/warnings";
    private static final String APPEALS = "/api/v1/admin/appeals";

    private static User moderator;

    @BeforeParameterizedClassInvocation
    static void hire(TestRedis.Kind kind) {
        moderator = Moderators.signUp(api, "mia");
        Moderators.promote(redis, moderator, Role.MODERATOR);
    }

    private static Response actOnPost(String post, String verb, String... form) {
        return api.post("/api/v1/admin/statuses/" + post + "/" + verb, moderator.token(), form);
    }

    private static void actOn(User target, String... form) {
        Response done = api.post("/api/v1/admin/accounts/" + target.id() + "/action", moderator.token(), form);
        assertThat(done.status()).as(done.body()).isEqualTo(200);
    }

    private static Response appeal(User by, String warning, String text) {
        return api.post(WARNINGS + "/" + warning + "/appeal", by.token(), "text", text);
    }

    private static Response decide(User account, String warning, String decision) {
        return decide(moderator, account, warning, decision);
    }

    private static Response decide(User by, User account, String warning, String decision) {
        String path = "/api/v1/admin/accounts/" + account.id() + "/appeals/" + warning + "/" + decision;
        return api.post(path, by.token(), "why", "looked at it");
    }

    private static List<String> warnings(User of) {
        return api.get(WARNINGS, of.token()).each("id");
    }

    private static boolean isSensitive(String post) {
        Response shown = api.get("/api/v1/statuses/" + post, moderator.token());
        assertThat(shown.status()).as(shown.body()).isEqualTo(200);
        return shown.json().at("/sensitive").asBoolean();
    }

    private static long logged(User about, String action) {
        return api
                .get("/api/v1/admin/audit_log?target_account_id=" + about.id(), moderator.token())
                .json()
                .at("/entries")
                .findValuesAsText("action")
                .stream()
                .filter(action::equals)
                .count();
    }

    @Test
    void aDeletedPostLeavesItsAuthorAWarningThatNamesNobodyElse() {
        User ann = api.signUp("ann");
        User bob = api.signUp("bob");
        String post = api.publish(ann, "rude words");
        String report = api.post("/api/v1/reports", bob.token(), "account_id", ann.id(), "status_ids[]", post)
                .text("/id");

        Response done = actOnPost(post, "delete", "text", "No insults here.", "why", "third time", "report_id", report);
        assertThat(done.status()).as(done.body()).isEqualTo(200);
        assertThat(done.text("/action")).isEqualTo("delete_statuses");
        assertThat(done.text("/target_account/id")).isEqualTo(ann.id());
        assertThat(api.get("/api/v1/statuses/" + post, ann.token()).status()).isEqualTo(404);
        assertThat(api.get("/api/v1/admin/reports/" + report, moderator.token())
                        .json()
                        .at("/action_taken")
                        .asBoolean())
                .isTrue();

        Response own = api.get(WARNINGS, ann.token());
        assertThat(own.each("id")).containsExactly(done.text("/id"));
        assertThat(own.text("/0/text")).isEqualTo("No insults here.");
        assertThat(own.text("/0/status_ids/0")).isEqualTo(post);
        assertThat(own.json().at("/0/appeal").isNull()).isTrue();
        Response notified = api.get("/api/v1/notifications?types[]=moderation_warning", ann.token());
        assertThat(notified.each("id")).containsExactly(done.text("/id"));
        assertThat(notified.text("/0/type")).isEqualTo("moderation_warning");
        assertThat(notified.text("/0/account/id")).isEqualTo(ann.id());
        assertThat(notified.text("/0/moderation_warning/text")).isEqualTo("No insults here.");
        assertThat(own.body() + notified.body())
                .doesNotContain(moderator.id())
                .doesNotContain("mia")
                .doesNotContain("third time");
        Response log = api.get("/api/v1/admin/audit_log?target_account_id=" + ann.id(), moderator.token());
        assertThat(log.text("/entries/0/action")).isEqualTo("post.delete");
        assertThat(log.text("/entries/0/why")).isEqualTo("third time");
        assertThat(log.text("/entries/0/status_id")).isEqualTo(post);

        Response again = actOnPost(post, "delete", "text", "Other words.");
        assertThat(again.status()).as(again.body()).isEqualTo(200);
        assertThat(again.text("/id")).isEqualTo(done.text("/id"));
        assertThat(again.text("/text")).isEqualTo("No insults here.");
        assertThat(warnings(ann)).hasSize(1);
    }

    @Test
    void aWarningIsShownInEveryListOfNotificationsAndNoPolicySetsItAside() {
        User cat = api.signUp("cat");
        Response policy = api.send(
                "PATCH",
                "/api/v2/notifications/policy",
                cat.token(),
                "application/x-www-form-urlencoded",
                "for_not_following=drop&for_not_followers=drop&for_new_accounts=drop&for_limited_accounts=drop");
        assertThat(policy.status()).as(policy.body()).isEqualTo(200);
        actOn(cat, "type", "silence", "text", "Too much of it.");
        Response grouped = api.get("/api/v2/notifications", cat.token());
        assertThat(grouped.text("/notification_groups/0/type")).isEqualTo("moderation_warning");
        assertThat(grouped.text("/notification_groups/0/moderation_warning/action"))
                .isEqualTo("silence");
        assertThat(grouped.text("/notification_groups/0/sample_account_ids/0")).isEqualTo(cat.id());
        String id = warnings(cat).get(0);
        assertThat(api.get("/api/v1/notifications/" + id, cat.token()).text("/moderation_warning/id"))
                .isEqualTo(id);
        assertThat(api.get("/api/v2/notifications/ungrouped-" + id, cat.token())
                        .text("/notification_groups/0/moderation_warning/id"))
                .isEqualTo(id);
        assertThat(api.get("/api/v1/notifications?exclude_types[]=moderation_warning", cat.token())
                        .each("id"))
                .isEmpty();
        assertThat(api.post("/api/v1/notifications/" + id + "/dismiss", cat.token())
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/notifications", cat.token()).each("id")).isEmpty();
        assertThat(warnings(cat)).as("a dismissed one").containsExactly(id);
    }

    @Test
    void aPostThatAModeratorMarksStaysSensitiveWhateverItsAuthorChooses() {
        User dan = api.signUp("dan");
        String post = api.publish(dan, "words");
        assertThat(isSensitive(post)).isFalse();
        Response marked = actOnPost(post, "sensitive", "text", "This may shock.");
        assertThat(marked.text("/action")).as(marked.body()).isEqualTo("mark_statuses_as_sensitive");
        assertThat(isSensitive(post)).isTrue();
        Response edited = api.send(
                "PUT",
                "/api/v1/statuses/" + post,
                dan.token(),
                "application/x-www-form-urlencoded",
                "status=words&sensitive=false");
        assertThat(edited.status()).as(edited.body()).isEqualTo(200);
        assertThat(isSensitive(post)).isTrue();
        assertThat(actOnPost(post, "sensitive").text("/id")).isEqualTo(marked.text("/id"));

        assertThat(appeal(dan, marked.text("/id"), "It does not.").text("/appeal/state"))
                .isEqualTo("pending");
        assertThat(decide(dan, marked.text("/id"), "approve").text("/appeal/state"))
                .isEqualTo("approved");
        assertThat(isSensitive(post)).isFalse();
        Response second = actOnPost(post, "sensitive");
        assertThat(second.text("/id")).as("after the first was overturned").isNotEqualTo(marked.text("/id"));
        assertThat(isSensitive(post)).isTrue();
    }

    @Test
    void anAppealIsMadeOnceAndDecidedOnce() {
        User eve = api.signUp("eve");
        actOn(eve, "type", "silence", "text", "Too loud.");
        String id = warnings(eve).get(0);
        assertThat(api.post(WARNINGS + "/" + id + "/appeal", eve.token()).status())
                .isEqualTo(422);
        assertThat(appeal(eve, id, "x".repeat(2001)).status()).isEqualTo(422);
        assertThat(appeal(eve, id, "a" + "\u0301".repeat(31)).status())
                .as("more marks than a screen shows")
                .isEqualTo(422);
        assertThat(appeal(api.signUp("fay"), id, "mine?").status()).isEqualTo(404);
        assertThat(decide(eve, id, "approve").status()).as("no appeal yet").isEqualTo(404);

        String text = "Two\nlines, & \"signs\" \\ in it.";
        Response made = appeal(eve, id, text);
        assertThat(made.status()).as(made.body()).isEqualTo(200);
        assertThat(made.text("/appeal/text")).isEqualTo(text);
        assertThat(appeal(eve, id, text).status()).as("again").isEqualTo(200);
        assertThat(appeal(eve, id, "other words").status()).isEqualTo(422);
        assertThat(api.get(APPEALS, moderator.token()).each("id")).containsOnlyOnce(id);
        assertThat(api.get(APPEALS, eve.token()).status()).isEqualTo(403);
        assertThat(decide(eve, eve, id, "approve").status()).isEqualTo(403);

        assertThat(decide(eve, id, "reject").text("/appeal/state")).isEqualTo("rejected");
        assertThat(decide(eve, id, "reject").status()).as("again").isEqualTo(200);
        assertThat(decide(eve, id, "approve").status()).as("otherwise").isEqualTo(422);
        assertThat(api.get(APPEALS, moderator.token()).each("id")).doesNotContain(id);
        assertThat(appeal(eve, id, text).text("/appeal/state")).isEqualTo("rejected");
        assertThat(api.get(APPEALS, moderator.token()).each("id")).doesNotContain(id);
        assertThat(logged(eve, "appeals.reject")).isEqualTo(2);
        assertThat(api.get("/api/v1/admin/accounts/" + eve.id(), moderator.token())
                        .json()
                        .at("/silenced")
                        .asBoolean())
                .isTrue();
    }

    /** The process dies behind the decision: the list still has the appeal. */
    @Test
    void anApprovalThatWasCutOffIsCompletedByARepetitionAndByNoLaterOne() {
        User gil = api.signUp("gil");
        actOn(gil, "type", "silence");
        String id = warnings(gil).get(0);
        assertThat(appeal(gil, id, "please").status()).isEqualTo(200);
        String key = Keys.warnings(Id.parse(gil.id()));
        String made = redis.askAt(key, "HGET", key, id + ".appeal").asString();
        redis.askAt(key, "HSET", key, id + ".appeal", made.replace("pending", "approved"));
        assertThat(api.get(APPEALS, moderator.token()).each("id")).contains(id);

        assertThat(decide(gil, id, "approve").status()).isEqualTo(200);
        assertThat(silenced(gil)).isFalse();
        assertThat(api.get(APPEALS, moderator.token()).each("id")).doesNotContain(id);
        actOn(gil, "type", "silence", "text", "Once more.");
        assertThat(decide(gil, id, "approve").status()).isEqualTo(200);
        assertThat(silenced(gil)).as("by another warning").isTrue();
    }

    private static boolean silenced(User user) {
        return api.get("/api/v1/admin/accounts/" + user.id(), moderator.token())
                .json()
                .at("/silenced")
                .asBoolean();
    }

    /** The process dies behind the warning: the post still lives. */
    @Test
    void anActThatWasCutOffIsCompletedByARepetition() {
        User hal = api.signUp("hal");
        String post = api.publish(hal, "words");
        String kept = api.publish(hal, "other words");
        Response first = actOnPost(kept, "sensitive", "text", "Careful.");
        // As if the act on the first post had ended behind its warning.
        String key = Keys.warnings(Id.parse(hal.id()));
        String warning = redis.askAt(key, "HGET", key, first.text("/id")).asString();
        redis.askAt(key, "HSET", key, first.text("/id"), warning.replace(kept, post));
        redis.askAt(key, "HSET", key, "=mark_statuses_as_sensitive " + post, first.text("/id"));
        assertThat(isSensitive(post)).isFalse();
        assertThat(actOnPost(post, "sensitive", "text", "Careful.").text("/id")).isEqualTo(first.text("/id"));
        assertThat(isSensitive(post)).isTrue();
        assertThat(warnings(hal)).hasSize(1);
    }

    @Test
    void aPostThatItsAuthorHasDeletedAndOneOfAnotherRankAreRefused() {
        User ida = api.signUp("ida");
        String post = api.publish(ida, "words");
        assertThat(api.delete("/api/v1/statuses/" + post, ida.token()).status()).isEqualTo(200);
        assertThat(actOnPost(post, "delete").status()).isEqualTo(404);
        assertThat(actOnPost("424242", "delete").status()).isEqualTo(404);
        User owner = Moderators.signUp(api, "olga");
        Moderators.promote(redis, owner, Role.OWNER);
        assertThat(actOnPost(api.publish(owner, "words"), "delete").status()).isEqualTo(403);
        assertThat(actOnPost(api.publish(moderator, "own"), "sensitive").status())
                .isEqualTo(403);
        String living = api.publish(ida, "more words");
        assertThat(api.post("/api/v1/admin/statuses/" + living + "/delete", ida.token())
                        .status())
                .isEqualTo(403);
        User pat = Moderators.signUp(api, "pat");
        for (String any : List.of(living, "424242")) {
            assertThat(api.post("/api/v1/admin/statuses/" + any + "/delete", pat.token())
                            .status())
                    .as("without a role nobody learns whether a post exists")
                    .isEqualTo(403);
        }
        assertThat(actOnPost(living, "delete", "text", "x".repeat(501)).status())
                .isEqualTo(422);
        assertThat(actOnPost(living, "delete", "report_id", "77").status()).isEqualTo(404);
        assertThat(warnings(ida)).isEmpty();
        String repost = api.post(
                        "/api/v1/statuses/" + living + "/reblog",
                        api.signUp("jon").token())
                .text("/id");
        assertThat(actOnPost(repost, "sensitive").status()).isEqualTo(422);
    }

    @Test
    void theSameActOnAnAccountWarnsOnceInAnHour() {
        User kim = api.signUp("kim");
        actOn(kim, "type", "none", "text", "Be kind.");
        actOn(kim, "type", "none", "text", "Be kind.");
        assertThat(warnings(kim)).hasSize(1);
        actOn(kim, "type", "none", "text", "Be kinder.");
        actOn(kim, "type", "sensitive", "text", "Be kind.");
        assertThat(warnings(kim)).hasSize(3);
        assertThat(api.get(WARNINGS + "?limit=2", kim.token()).each("id"))
                .isEqualTo(warnings(kim).subList(0, 2));
        assertThat(api.get(WARNINGS + "?max_id=" + warnings(kim).get(1), kim.token())
                        .each("id"))
                .isEqualTo(warnings(kim).subList(2, 3));
    }
}
