package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.api.report.Reports;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Role;
import io.fanfare.redis.testing.TestRedis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** Moderators read and resolve reports, through Mastodon's admin/reports. */
class AdminReportRoutesTest extends OnEveryRedis {
    private static final String REPORTS = "/api/v1/admin/reports";

    private static User moderator;

    @BeforeParameterizedClassInvocation
    static void hire(TestRedis.Kind kind) {
        moderator = Moderators.signUp(api, "mia");
        Moderators.promote(redis, moderator, Role.MODERATOR);
    }

    private static String report(User by, User about, String... more) {
        String[] form = new String[more.length + 2];
        form[0] = "account_id";
        form[1] = about.id();
        System.arraycopy(more, 0, form, 2, more.length);
        Response answer = api.post("/api/v1/reports", by.token(), form);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.text("/id");
    }

    private static Response change(String id, String verb) {
        return api.post(REPORTS + "/" + id + "/" + verb, moderator.token());
    }

    private static List<String> list(String query) {
        return api.get(REPORTS + query, moderator.token()).each("id");
    }

    @Test
    void aReportIsShownWithItsAccountsAndThePostsConcerned() {
        User ann = api.signUp("ann");
        User bob = api.signUp("bob");
        String post = api.publish(bob, "rude words");
        String id = report(ann, bob, "status_ids[]", post, "comment", "bad", "category", "spam");
        Response shown = api.get(REPORTS + "/" + id, moderator.token());
        assertThat(shown.text("/comment")).isEqualTo("bad");
        assertThat(shown.text("/category")).isEqualTo("spam");
        assertThat(shown.text("/account/username")).isEqualTo("ann");
        assertThat(shown.text("/target_account/username")).isEqualTo("bob");
        assertThat(shown.text("/statuses/0/content")).contains("rude words");
        assertThat(shown.json().at("/assigned_account").isNull()).isTrue();

        Response acted = api.post(
                "/api/v1/admin/accounts/" + bob.id() + "/action",
                moderator.token(),
                "type",
                "suspend",
                "report_id",
                id);
        assertThat(acted.status()).isEqualTo(200);
        Response resolved = api.get(REPORTS + "/" + id, moderator.token());
        assertThat(resolved.json().at("/action_taken").asBoolean()).isTrue();
        assertThat(resolved.text("/action_taken_by_account/username")).isEqualTo("mia");
        assertThat(resolved.text("/statuses/0/content"))
                .as("a post of the suspended account")
                .contains("rude words");
        assertThat(api.delete("/api/v1/statuses/" + post, bob.token()).status()).isNotEqualTo(200);
    }

    @Test
    void aReportIsTakenClassifiedResolvedAndReopened() {
        User cat = api.signUp("cat");
        User dan = api.signUp("dan");
        String id = report(cat, dan);
        assertThat(change(id, "assign_to_self").text("/assigned_account/username"))
                .isEqualTo("mia");
        Response classified = api.send(
                "PUT", REPORTS + "/" + id, moderator.token(), "application/x-www-form-urlencoded", "category=legal");
        assertThat(classified.text("/category")).isEqualTo("legal");
        assertThat(classified.text("/assigned_account/username")).isEqualTo("mia");
        assertThat(api.send(
                                "PUT",
                                REPORTS + "/" + id,
                                moderator.token(),
                                "application/x-www-form-urlencoded",
                                "category=violation")
                        .status())
                .isEqualTo(422);
        assertThat(change(id, "unassign").json().at("/assigned_account").isNull())
                .isTrue();
        assertThat(list("?target_account_id=" + dan.id())).containsExactly(id);

        assertThat(change(id, "resolve").json().at("/action_taken").asBoolean()).isTrue();
        assertThat(change(id, "resolve").json().at("/action_taken").asBoolean())
                .as("again")
                .isTrue();
        assertThat(list("?target_account_id=" + dan.id())).isEmpty();
        assertThat(list("?resolved=true&target_account_id=" + dan.id())).containsExactly(id);
        assertThat(redis.askAt(Keys.REPORTERS, "HEXISTS", Keys.REPORTERS, cat.id())
                        .asLong())
                .isZero();

        Response open = change(id, "reopen");
        assertThat(open.json().at("/action_taken").asBoolean()).isFalse();
        assertThat(open.json().at("/action_taken_at").isNull()).isTrue();
        assertThat(open.text("/category")).isEqualTo("legal");
        assertThat(list("?account_id=" + cat.id())).containsExactly(id);
        assertThat(redis.askAt(Keys.REPORTERS, "HGET", Keys.REPORTERS, cat.id()).asLong())
                .isEqualTo(1);
        Response log = api.get("/api/v1/admin/audit_log?target_account_id=" + dan.id(), moderator.token());
        assertThat(log.text("/entries/0/action")).isEqualTo("reports.reopen");
        assertThat(log.text("/entries/0/report_id")).isEqualTo(id);
    }

    @Test
    void aReportOfAnotherAccountIsNotResolvedByAnAct() {
        User eve = api.signUp("eve");
        User fay = api.signUp("fay");
        String id = report(eve, fay);
        assertThat(api.post(
                                "/api/v1/admin/accounts/" + eve.id() + "/action",
                                moderator.token(),
                                "type",
                                "silence",
                                "report_id",
                                id)
                        .status())
                .isEqualTo(404);
        assertThat(list("?target_account_id=" + fay.id())).containsExactly(id);
        assertThat(change("424242", "resolve").status()).isEqualTo(404);
    }

    @Test
    void onlyTheNewestResolvedReportsAreKeptWithTheirStates() {
        User gil = api.signUp("gil");
        User hal = api.signUp("hal");
        String first = report(gil, hal);
        assertThat(change(first, "resolve").status()).isEqualTo(200);
        // Resolved ones of later ids, as many as are kept.
        String line = "{\"at\":1,\"by\":5,\"account\":7,\"category\":\"spam\",\"comment\":\"%d\",\"statuses\":[]}";
        for (int i = 1; i <= Reports.RESOLVED_MAX; i++) {
            redis.askAt(
                    Keys.RESOLVED_REPORTS,
                    "ZADD",
                    Keys.RESOLVED_REPORTS,
                    Integer.toString(1_000_000 + i),
                    line.formatted(i));
        }
        String second = report(gil, hal);
        assertThat(change(second, "resolve").status()).isIn(200, 404);
        assertThat(redis.askAt(Keys.RESOLVED_REPORTS, "ZCARD", Keys.RESOLVED_REPORTS)
                        .asLong())
                .isEqualTo(Reports.RESOLVED_MAX);
        assertThat(redis.askAt(Keys.REPORT_STATES, "HMGET", Keys.REPORT_STATES, first, second)
                        .items())
                .allMatch(state -> state.isNil());
        redis.askAt(Keys.RESOLVED_REPORTS, "DEL", Keys.RESOLVED_REPORTS);
    }
}
