package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The operator's view of reports: each command to its end. */
@Timeout(120)
class AdminReportsTest {
    private final TestRedis redis = TestRedis.standalone();

    @BeforeEach
    void report() {
        redis.flush();
        report(1, "old\u001bwords");
        report(2, "x".repeat(100));
    }

    private void report(long id, String comment) {
        String line =
                "{\"at\":1795251986123,\"by\":" + (id + 10) + ",\"account\":7,\"category\":\"spam\",\"comment\":\""
                        + comment.replace("\u001b", "\\u001b") + "\",\"statuses\":[5,6]}";
        redis.askAt(Keys.REPORTS, "ZADD", Keys.REPORTS, Long.toString(id), line);
        redis.askAt(Keys.REPORTERS, "HSET", Keys.REPORTERS, Long.toString(id + 10), "1");
    }

    @Test
    void theListShowsTheOldestFirstAndShowTheWholeComment() {
        assertThat(run("list").lines())
                .first()
                .isEqualTo("1  2026-11-21T09:06:26Z  spam  account 11 reports 7  statuses 5,6  old?words");
        assertThat(run("list")).contains("...").doesNotContain("x".repeat(100));
        assertThat(run("show", "2")).contains("x".repeat(100));
        assertThat(new JsonArray(run("list", "--max", "1", "--json"))
                        .getJsonObject(0)
                        .getString("comment"))
                .isEqualTo("old\u001bwords");
    }

    @Test
    void aClosedReportIsForgottenAndItsReporterMayReportAgain() {
        assertThat(run("close", "1")).contains("closed report 1");
        assertThat(run("list")).doesNotContain("account 11");
        assertThat(redis.askAt(Keys.REPORTERS, "HEXISTS", Keys.REPORTERS, "11").asLong())
                .isZero();
        assertThat(run("close", "2", "--json")).contains("{\"closed\":2}");
        assertThat(run("list")).contains("no open reports");
    }

    private String run(String... command) {
        return CommandRun.admin(redis, "reports", command);
    }
}
