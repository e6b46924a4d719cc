package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Role;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** Moderators select many accounts. Their jobs run in {@code SpamWaveTest}. */
class SelectionRoutesTest extends OnEveryRedis {
    private static final String SELECTIONS = "/api/v1/admin/selections";
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private static User moderator;

    @BeforeParameterizedClassInvocation
    static void hire(TestRedis.Kind kind) {
        moderator = Moderators.signUp(api, "mia");
        Moderators.promote(redis, moderator, Role.MODERATOR);
    }

    private static Response select(String... form) {
        return api.post(SELECTIONS, moderator.token(), form);
    }

    private static List<String> selected(String... form) {
        Response answer = select(form);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return names(answer);
    }

    private static List<String> names(Response selection) {
        return selection.json().at("/accounts").findValuesAsText("username").stream()
                .distinct()
                .toList();
    }

    @Test
    void accountsAreSelectedByATextOfTheirPostsOfToday() {
        User spammer = api.signUp("spammer1");
        User other = api.signUp("spammer2");
        User hidden = api.signUp("spammer3");
        User quiet = api.signUp("quiet");
        String first = api.publish(spammer, "Win  a FREE\nphone (a+)+$ now");
        String second = api.publish(quiet, "free phones are no win");
        for (String[] one : new String[][] {{other.token(), "unlisted"}, {hidden.token(), "private"}}) {
            Response posted = api.post("/api/v1/statuses", one[0], "status", "win a free phone", "visibility", one[1]);
            assertThat(posted.status()).as(posted.body()).isEqualTo(200);
        }
        assertThat(first).isNotEqualTo(second);
        String edited = api.publish(quiet, "words");
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(selected("text", "win A free Phone"))
                .containsExactly("spammer1", "spammer2"));
        assertThat(selected("text", "(a+)+$")).as("no pattern").containsExactly("spammer1");
        assertThat(selected("text", ".*phone")).isEmpty();
        assertThat(select("text", "win a free").text("/posts_since")).startsWith("20");
        Response edit = api.send(
                "PUT",
                "/api/v1/statuses/" + edited,
                quiet.token(),
                "application/x-www-form-urlencoded",
                "status=win+a+free+phone");
        assertThat(edit.status()).as(edit.body()).isEqualTo(200);
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(selected("text", "win a free phone"))
                .contains("quiet"));
        assertThat(selected("text", "win a free phone", "usernames[]", "@Spammer2", "usernames[]", "mia"))
                .as("in both sets")
                .containsExactly("spammer2");
    }

    @Test
    void accountsAreSelectedByTheNetworkAndTheTimeOfTheirSignUp() {
        User near = api.signUp("near");
        User like = api.signUp("like");
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
            String since =
                    Instant.ofEpochMilli(Id.epochMillis(Id.parse(near.id()))).toString();
            assertThat(selected("signed_up_from", "127.0.0.0/24", "signed_up_since", since))
                    .contains("near", "like");
            assertThat(selected("signed_up_like", like.id(), "wide", "true", "signed_up_since", since))
                    .contains("near", "like");
            assertThat(selected("signed_up_like", like.id(), "signed_up_until", since))
                    .contains("near")
                    .doesNotContain("like");
        });
        assertThat(selected("signed_up_from", "192.0.2.0/24")).isEmpty();
        assertThat(selected("signed_up_since", "2100-01-01T00:00:00Z")).isEmpty();
        assertThat(selected("signed_up_since", "2020-01-01T00:00:00+02:00")).contains("near", "mia");
        assertThat(select("signed_up_from", "127.0.0.1").text("/criteria"))
                .as("no address is kept")
                .isEqualTo("signed up from an address of 127.0.0.0/24");
    }

    @Test
    void requestsThatSelectNothingOrTooMuchAreRefusedWithASentence() {
        assertThat(select().status()).isEqualTo(422);
        assertThat(select("wide", "true").status()).isEqualTo(422);
        assertThat(select("text", "ab").text("/error")).contains("too short");
        assertThat(select("text", "\u200b a\u200bb").text("/error")).contains("too short");
        assertThat(select("text", "x".repeat(201)).text("/error")).contains("too long");
        assertThat(select("signed_up_from", "10.0.0.0/8").text("/error")).contains("IPv4 from /16");
        assertThat(select("signed_up_from", "nowhere").status()).isEqualTo(422);
        assertThat(select("signed_up_since", "yesterday").text("/error")).contains("date and time");
        assertThat(select("signed_up_like", "x").status()).isEqualTo(422);
        assertThat(select("usernames[]", "nobody_here").text("/error")).contains("nobody_here");
        String[] many = new String[2 * 501];
        for (int i = 0; i < many.length; i += 2) {
            many[i] = "usernames[]";
            many[i + 1] = "a" + i;
        }
        assertThat(select(many).text("/error")).contains("too many");
        String id = select("usernames[]", "mia").text("/id");
        String act = SELECTIONS + "/" + id + "/act";
        assertThat(api.post(act, moderator.token(), "type", "delete").status()).isEqualTo(422);
        assertThat(api.post(act, moderator.token(), "type", "suspend", "why", "x".repeat(501))
                        .status())
                .isEqualTo(422);
        assertThat(api.post(SELECTIONS + "/" + id + "/undo", moderator.token()).status())
                .isEqualTo(422);
        assertThat(api.get(SELECTIONS + "/4711", moderator.token()).status()).isEqualTo(404);
    }

    @Test
    void aSelectionIsShownWithItsActAndItsJobWaits() {
        User zoe = api.signUp("zoe");
        Response made = select("usernames[]", "zoe");
        assertThat(made.json().at("/act").isNull()).isTrue();
        assertThat(made.json().at("/count").asInt()).isEqualTo(1);
        String id = made.text("/id");
        Response begun = api.post(
                SELECTIONS + "/" + id + "/act", moderator.token(), "type", "silence", "text", "spam", "why", "a wave");
        assertThat(begun.text("/act/state")).as(begun.body()).isEqualTo("acting");
        assertThat(begun.text("/act/by_account_id")).isEqualTo(moderator.id());
        Response shown = api.get(SELECTIONS + "/" + id, moderator.token());
        assertThat(names(shown)).containsExactly("zoe");
        assertThat(shown.text("/act/why")).isEqualTo("a wave");
        assertThat(api.get(SELECTIONS, moderator.token()).each("id")).contains(id);
        Response log = api.get("/api/v1/admin/audit_log?action=selections", moderator.token());
        assertThat(log.text("/entries/0/detail")).contains("1 accounts: 1 names");
        String lane = Keys.lane(Id.shard(Id.parse(moderator.id())), "normal");
        assertThat(redis.askAt(lane, "LINDEX", lane, "0").asString()).contains("selection.1 " + moderator.id());
        assertThat(api.get("/api/v1/accounts/" + zoe.id(), null).status()).isEqualTo(200);
    }
}
