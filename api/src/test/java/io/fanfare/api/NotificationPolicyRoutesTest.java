package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NotificationPolicyRoutesTest extends OnEveryRedis {
    private static final String POLICY = "/api/v2/notifications/policy";
    private static final String POLICY_V1 = "/api/v1/notifications/policy";
    private static final String REQUESTS = "/api/v1/notifications/requests";
    private static int names;

    private User ann;
    private User bob;
    private User cat;

    @BeforeEach
    void signUp() {
        ann = api.signUp("user" + names++);
        bob = api.signUp("user" + names++);
        cat = api.signUp("user" + names++);
        String post = api.publish(ann, "like me");
        for (User user : List.of(bob, cat)) {
            assertThat(api.post("/api/v1/statuses/" + post + "/favourite", user.token())
                            .status())
                    .isEqualTo(200);
        }
    }

    @CanIgnoreReturnValue
    private Response change(String name, String value) {
        return api.patchJson(POLICY, ann.token(), "{\"" + name + "\":\"" + value + "\"}");
    }

    private List<String> received() {
        List<String> types = api.get("/api/v1/notifications", ann.token()).each("type");
        int grouped =
                api.get("/api/v2/notifications", ann.token()).json().findValuesAsText("notifications_count").stream()
                        .mapToInt(Integer::parseInt)
                        .sum();
        assertThat(grouped).isEqualTo(types.size());
        assertThat(api.get("/api/v1/notifications/unread_count", ann.token()).text("/count"))
                .isEqualTo("" + types.size());
        return types;
    }

    @Test
    void droppedNotificationsAreHiddenUntilTheyAreAcceptedAgain() {
        assertThat(api.get(POLICY, ann.token()).text("/for_not_following")).isEqualTo("accept");
        assertThat(received()).containsExactly("favourite", "favourite");
        assertThat(change("for_not_following", "drop").text("/for_not_following"))
                .isEqualTo("drop");
        assertThat(received()).isEmpty();
        api.follow(ann, bob);
        assertThat(received()).containsExactly("favourite");
        assertThat(change("for_not_followers", "drop").text("/for_not_following"))
                .isEqualTo("drop");
        assertThat(received()).isEmpty();
        api.follow(bob, ann);
        assertThat(received()).containsExactly("follow", "favourite");
        change("for_new_accounts", "drop");
        assertThat(received()).isEmpty();
        for (String source : List.of("not_following", "not_followers", "new_accounts")) {
            change("for_" + source, "accept");
        }
        assertThat(received()).containsExactly("follow", "favourite", "favourite");
        change("for_private_mentions", "drop");
        change("for_limited_accounts", "drop");
        assertThat(received()).hasSize(3);
    }

    @Test
    void aPostNotificationIsShownWhateverThePolicy() {
        String post = api.publish(bob, "news");
        String key = Keys.notifications(Long.parseLong(ann.id()));
        redis.askAt(key, "ZADD", key, post, "status " + bob.id() + " " + post);
        change("for_not_followers", "drop");
        assertThat(received()).containsExactly("status");
        change("for_not_followers", "filter");
        assertThat(received()).containsExactly("status");
        assertThat(requests("id")).doesNotContain(post).hasSize(2);
    }

    private List<String> requests(String field) {
        return api.get(REQUESTS, ann.token()).each(field);
    }

    @Test
    void filteredNotificationsFormARequestThatIsAcceptedOrDismissed() {
        change("for_not_following", "filter");
        assertThat(received()).isEmpty();
        assertThat(api.get("/api/v1/notifications?include_filtered=true", ann.token())
                        .each("type"))
                .hasSize(2);
        assertThat(api.get("/api/v1/notifications?account_id=" + bob.id(), ann.token())
                        .each("type"))
                .hasSize(1);
        Response all = api.get(REQUESTS + "?limit=1", ann.token());
        assertThat(all.each("id")).containsExactly(cat.id());
        assertThat(all.text("/0/notifications_count")).isEqualTo("1");
        assertThat(all.text("/0/last_status/account/id")).isEqualTo(ann.id());
        Response next = api.get(all.link("next").orElseThrow().toString(), ann.token());
        assertThat(next.each("id")).containsExactly(bob.id());
        assertThat(next.link("next")).isEmpty();
        JsonNode summary = api.get(POLICY, ann.token()).json().path("summary");
        assertThat(summary.path("pending_requests_count").asInt()).isEqualTo(2);
        assertThat(summary.path("pending_notifications_count").asInt()).isEqualTo(2);

        String one = REQUESTS + "/" + bob.id();
        assertThat(api.get(one, ann.token()).text("/account/id")).isEqualTo(bob.id());
        assertThat(api.get(one, cat.token()).status()).isEqualTo(404);
        assertThat(api.post(one + "/accept", ann.token()).body()).isEqualTo("{}");
        assertThat(api.post(one + "/accept", ann.token()).status()).isEqualTo(404);
        assertThat(api.get(REQUESTS + "/merged", ann.token()).body()).isEqualTo("{\"merged\":true}");
        assertThat(received()).containsExactly("favourite");
        assertThat(api.post(REQUESTS + "/" + cat.id() + "/dismiss", ann.token()).body())
                .isEqualTo("{}");
        assertThat(requests("id")).isEmpty();
        change("for_not_following", "accept");
        assertThat(received()).containsExactly("favourite");
    }

    @Test
    void manyRequestsAreAnsweredAtOnce() {
        change("for_not_followers", "filter");
        assertThat(api.post(REQUESTS + "/dismiss", ann.token(), "id[]", bob.id(), "id[]", "1")
                        .body())
                .isEqualTo("{}");
        assertThat(requests("id")).containsExactly(cat.id());
        assertThat(api.post(REQUESTS + "/accept", ann.token(), "id[]", bob.id(), "id[]", cat.id())
                        .body())
                .isEqualTo("{}");
        assertThat(requests("id")).isEmpty();
        assertThat(received()).containsExactly("favourite");
        // Bob was not accepted: there was no request of his any more.
        api.follow(bob, cat);
        String post = api.publish(ann, "like me too");
        assertThat(api.post("/api/v1/statuses/" + post + "/favourite", bob.token())
                        .status())
                .isEqualTo(200);
        assertThat(requests("id")).containsExactly(bob.id());
    }

    @Test
    void anInvalidPolicyIsRefusedAndChangesNothing() {
        Response refused = api.patchJson(
                POLICY, ann.token(), "{\"for_new_accounts\":\"drop\",\"for_private_mentions\":\"maybe\"}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/error")).contains("accept, filter or drop", "for_private_mentions");
        assertThat(api.get(POLICY, ann.token()).text("/for_new_accounts")).isEqualTo("accept");
    }

    @Test
    void theFirstFormSetsAsideAndAccepts() {
        change("for_new_accounts", "drop");
        Response first = api.get(POLICY_V1, ann.token());
        assertThat(first.json().at("/filter_new_accounts").asBoolean()).isTrue();
        assertThat(first.json().at("/filter_not_following").asBoolean()).isFalse();
        String whole = "{\"filter_new_accounts\":true,\"filter_not_following\":true}";
        assertThat(api.patchJson(POLICY_V1, ann.token(), whole).status()).isEqualTo(200);
        Response both = api.get(POLICY, ann.token());
        assertThat(both.text("/for_new_accounts")).isEqualTo("drop");
        assertThat(both.text("/for_not_following")).isEqualTo("filter");
        whole = "{\"filter_new_accounts\":false,\"filter_not_following\":false}";
        assertThat(api.send("PUT", POLICY_V1, ann.token(), "application/json", whole)
                        .status())
                .isEqualTo(200);
        assertThat(received()).hasSize(2);
    }
}
