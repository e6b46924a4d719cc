package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.api.report.Reports;
import org.junit.jupiter.api.Test;

class ReportRoutesTest extends OnEveryRedis {
    private static Response report(User by, String... form) {
        return api.post("/api/v1/reports", by.token(), form);
    }

    @Test
    void aReportIsKeptWithItsStatuses() {
        User ann = api.signUp("ann");
        User bob = api.signUp("bob");
        String post = api.publish(bob, "words");
        Response kept = report(
                ann,
                "account_id",
                bob.id(),
                "status_ids[]",
                post,
                "comment",
                "bad",
                "category",
                "spam",
                "forward",
                "true");
        assertThat(kept.status()).isEqualTo(200);
        assertThat(kept.text("/category")).isEqualTo("spam");
        assertThat(kept.text("/comment")).isEqualTo("bad");
        assertThat(kept.text("/status_ids/0")).isEqualTo(post);
        assertThat(kept.text("/target_account/id")).isEqualTo(bob.id());
        assertThat(kept.json().at("/forwarded").asBoolean()).isFalse();
        assertThat(report(ann, "account_id", bob.id()).text("/category")).isEqualTo("other");
    }

    @Test
    void anInvalidReportIsRefused() {
        User cat = api.signUp("cat");
        User dan = api.signUp("dan");
        String own = api.publish(cat, "own");
        String secret = api.post("/api/v1/statuses", dan.token(), "status", "words", "visibility", "private")
                .text("/id");
        assertThat(report(cat, "account_id", "1").status()).isEqualTo(404);
        assertThat(report(cat, "comment", "of nobody").status()).isEqualTo(404);
        assertThat(report(cat, "account_id", dan.id(), "status_ids[]", own).status())
                .as("a status of somebody else")
                .isEqualTo(404);
        assertThat(report(cat, "account_id", dan.id(), "status_ids[]", secret).status())
                .as("a status that the reporter may not see")
                .isEqualTo(404);
        assertThat(report(cat, "account_id", dan.id(), "comment", "x".repeat(1001))
                        .status())
                .isEqualTo(422);
        Response rules = report(cat, "account_id", dan.id(), "category", "violation", "rule_ids[]", "1");
        assertThat(rules.status()).isEqualTo(422);
        assertThat(rules.text("/error")).isEqualTo("Validation failed: Rule ids does not reference valid rules");
    }

    @Test
    void nobodyKeepsTheOperatorBusyAlone() {
        User eve = api.signUp("eve");
        User fay = api.signUp("fay");
        for (int i = 0; i < Reports.EACH_MAX; i++) {
            assertThat(report(eve, "account_id", fay.id(), "comment", "" + i).status())
                    .isEqualTo(200);
        }
        assertThat(report(eve, "account_id", fay.id()).status()).isEqualTo(422);
        assertThat(report(fay, "account_id", eve.id()).status()).isEqualTo(200);
    }
}
