package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Role;
import io.fanfare.redis.testing.TestRedis;
import org.junit.jupiter.api.Test;

/** The decision about an appeal is mailed. */
class ModerationMailTest {
    private final TestRedis redis = TestRedis.standalone();

    private long mails(User of, String kind) {
        String lane = Keys.lane(Id.shard(Long.parseLong(of.id())), "low");
        return redis.askAt(lane, "LRANGE", lane, "0", "-1").items().stream()
                .filter(line -> line.asString().contains(" mail.1 " + of.id() + " " + kind + " "))
                .count();
    }

    @Test
    void theDecisionAboutAnAppealIsMailedOnceAlsoWhenItIsSentAgain() {
        redis.flush();
        try (ApiServer api = new ApiServer(
                redis,
                "mail.host=127.0.0.1",
                "mail.from=fanfare@example.org",
                "http.public-url=https://social.example")) {
            User mod = Moderators.signUp(api, "mia");
            Moderators.promote(redis, mod, Role.MODERATOR);
            User ann = api.signUp("ann");
            assertThat(api.post("/api/v1/admin/accounts/" + ann.id() + "/action", mod.token(), "type", "silence")
                            .status())
                    .isEqualTo(200);
            assertThat(mails(ann, "warning")).isEqualTo(1);
            String warning = api.get("/api/v1/warnings", ann.token()).each("id").get(0);
            assertThat(api.post("/api/v1/warnings/" + warning + "/appeal", ann.token(), "text", "no")
                            .status())
                    .isEqualTo(200);
            assertThat(mails(ann, "appeal")).isZero();

            for (int i = 0; i < 2; i++) {
                Response decided = api.post(
                        "/api/v1/admin/accounts/" + ann.id() + "/appeals/" + warning + "/approve", mod.token());
                assertThat(decided.status()).as(decided.body()).isEqualTo(200);
            }

            assertThat(mails(ann, "appeal")).isEqualTo(1);
        }
    }
}
