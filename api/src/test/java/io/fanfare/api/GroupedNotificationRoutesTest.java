package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupedNotificationRoutesTest extends OnEveryRedis {
    private static final String GROUPS = "/api/v2/notifications";
    private static int names;

    private User ann;
    private User bob;
    private User cat;
    private String post;

    @BeforeEach
    void signUp() {
        ann = api.signUp("user" + names++);
        bob = api.signUp("user" + names++);
        cat = api.signUp("user" + names++);
        post = api.publish(ann, "like me");
    }

    private static void act(String path, User user) {
        assertThat(api.post(path, user.token()).status()).isEqualTo(200);
    }

    private void like(User user) {
        act("/api/v1/statuses/" + post + "/favourite", user);
    }

    private static List<String> each(Response results, String list, String field) {
        List<String> values = new ArrayList<>();
        results.json().path(list).forEach(entry -> values.add(entry.path(field).asText()));
        return values;
    }

    @Test
    void likesOfAStatusAreOneGroupThatNamesItsAccountsOnce() {
        like(bob);
        like(cat);
        act("/api/v1/statuses/" + post + "/reblog", cat);
        api.follow(cat, ann);

        Response all = api.get(GROUPS, ann.token());
        assertThat(each(all, "notification_groups", "type")).containsExactly("follow", "reblog", "favourite");
        assertThat(each(all, "accounts", "id")).containsExactly(cat.id(), ann.id(), bob.id());
        assertThat(each(all, "statuses", "id")).containsExactly(post);
        assertThat(all.json().has("partial_accounts")).isFalse();
        JsonNode likes = all.json().at("/notification_groups/2");
        assertThat(likes.at("/notifications_count").asInt()).isEqualTo(2);
        assertThat(likes.at("/sample_account_ids").toString()).isEqualTo("[\"" + cat.id() + "\",\"" + bob.id() + "\"]");
        assertThat(likes.at("/status_id").asText()).isEqualTo(post);
        assertThat(likes.at("/most_recent_notification_id").isNumber()).isTrue();
        assertThat(likes.at("/page_max_id").asText())
                .isEqualTo(likes.at("/most_recent_notification_id").asText());

        // The same key wherever a notification is shown.
        Response alone = api.get("/api/v1/notifications?types[]=favourite", ann.token());
        assertThat(alone.each("group_key"))
                .containsOnly(likes.at("/group_key").asText())
                .hasSize(2);
        assertThat(likes.at("/page_min_id").asText()).isEqualTo(alone.text("/1/id"));
    }

    @Test
    void partialAccountsAreAnsweredOnRequest() {
        like(bob);
        like(cat);
        Response partial = api.get(GROUPS + "?expand_accounts=partial_avatars", ann.token());
        assertThat(each(partial, "accounts", "id")).containsExactly(cat.id(), ann.id());
        assertThat(each(partial, "partial_accounts", "id")).containsExactly(bob.id());
        assertThat(api.get(GROUPS + "?expand_accounts=none", ann.token()).status())
                .isEqualTo(400);
    }

    @Test
    void typesThatAClientDoesNotGroupStandAlone() {
        like(bob);
        like(cat);
        api.follow(bob, ann);
        api.follow(cat, ann);
        Response page = api.get(GROUPS + "?grouped_types[]=favourite&grouped_types[]=mention", ann.token());
        assertThat(each(page, "notification_groups", "type")).containsExactly("follow", "follow", "favourite");
        String key = each(page, "notification_groups", "group_key").get(0);
        assertThat(key).startsWith("ungrouped-");
        assertThat(api.get(GROUPS + "/" + key, ann.token()).text("/notification_groups/0/notifications_count"))
                .isEqualTo("1");
        assertThat(each(api.get(GROUPS + "?types[]=follow", ann.token()), "notification_groups", "type"))
                .containsExactly("follow");
        assertThat(each(
                        api.get(GROUPS + "?exclude_types[]=follow&account_id=" + bob.id(), ann.token()),
                        "notification_groups",
                        "notifications_count"))
                .containsExactly("1");
    }

    @Test
    void aWalkMeetsEachGroupOnceAndCountsWhatIsUnread() {
        String older = post;
        like(bob);
        post = api.publish(ann, "and me");
        like(bob);
        like(cat);
        post = older;
        like(cat);

        Response first = api.get(GROUPS + "?limit=1", ann.token());
        assertThat(each(first, "notification_groups", "status_id")).containsExactly(older);
        Response second = api.get(first.link("next").orElseThrow().toString(), ann.token());
        assertThat(each(second, "notification_groups", "status_id")).hasSize(1).doesNotContain(older);
        assertThat(second.link("next")).isEmpty();
        assertThat(each(
                        api.get(second.link("prev").orElseThrow().toString(), ann.token()),
                        "notification_groups",
                        "status_id"))
                .containsExactly(older);

        assertThat(api.get(GROUPS + "/unread_count", ann.token()).text("/count"))
                .isEqualTo("2");
        String read = each(second, "notification_groups", "page_max_id").get(0);
        assertThat(api.post("/api/v1/markers", ann.token(), "notifications[last_read_id]", read)
                        .status())
                .isEqualTo(200);
        assertThat(api.get(GROUPS + "/unread_count", ann.token()).text("/count"))
                .isEqualTo("1");
        assertThat(api.get(GROUPS + "/unread_count?grouped_types[]=follow", ann.token())
                        .text("/count"))
                .isEqualTo("1");
    }

    @Test
    void aGroupIsShownListedAndThrownAwayByItsKey() {
        like(bob);
        like(cat);
        String key = each(api.get(GROUPS, ann.token()), "notification_groups", "group_key")
                .get(0);
        Response one = api.get(GROUPS + "/" + key, ann.token());
        assertThat(each(one, "notification_groups", "notifications_count")).containsExactly("2");
        assertThat(one.json().at("/notification_groups/0").has("page_min_id")).isFalse();
        assertThat(api.get(GROUPS + "/" + key, bob.token()).status()).isEqualTo(404);

        Response people = api.get(GROUPS + "/" + key + "/accounts?limit=1", ann.token());
        assertThat(people.each("id")).containsExactly(cat.id());
        Response more = api.get(people.link("next").orElseThrow().toString(), ann.token());
        assertThat(more.each("id")).containsExactly(bob.id());
        assertThat(more.link("next")).isEmpty();
        assertThat(api.get(GROUPS + "/" + key + "/accounts", bob.token()).body())
                .isEqualTo("[]");

        act("/api/v1/accounts/" + bob.id() + "/block", ann);
        assertThat(api.get(GROUPS + "/" + key, ann.token()).text("/notification_groups/0/notifications_count"))
                .isEqualTo("1");
        act(GROUPS + "/" + key + "/dismiss", ann);
        act(GROUPS + "/" + key + "/dismiss", ann);
        assertThat(api.get(GROUPS, ann.token()).json().at("/notification_groups"))
                .isEmpty();
        long id = Long.parseLong(ann.id());
        assertThat(redis.keys()).doesNotContain(Keys.notifications(id));
    }

    @Test
    void allAreClearedAtOnce() {
        like(bob);
        api.follow(cat, ann);
        act(GROUPS + "/clear", ann);
        assertThat(api.get(GROUPS, ann.token()).json().at("/notification_groups"))
                .isEmpty();
    }

    @Test
    void aSuspendedAccountHidesNoHonestLikeAndIsInNoCount() {
        like(bob);
        like(cat);
        String user = Keys.user(Long.parseLong(cat.id()));
        redis.askAt(user, "HSET", user, "state", "suspended");
        Response all = api.get(GROUPS, ann.token());
        assertThat(each(all, "notification_groups", "notifications_count")).containsExactly("1");
        assertThat(each(all, "accounts", "id")).containsExactly(bob.id(), ann.id());
        assertThat(api.patchJson(GROUPS + "/policy", ann.token(), "{\"for_not_following\":\"filter\"}")
                        .json()
                        .at("/summary/pending_requests_count")
                        .asInt())
                .isEqualTo(1);
        // Both counts go by account_id as the lists do.
        String ofBob = "?account_id=" + bob.id();
        for (String version : List.of("v1", "v2")) {
            String count = "/api/" + version + "/notifications/unread_count";
            assertThat(api.get(count, ann.token()).text("/count")).isEqualTo("0");
            assertThat(api.get(count + ofBob, ann.token()).text("/count")).isEqualTo("1");
        }
        String key = each(api.get(GROUPS + ofBob, ann.token()), "notification_groups", "group_key")
                .get(0);
        assertThat(each(api.get(GROUPS + "/" + key, ann.token()), "accounts", "id"))
                .containsExactly(bob.id(), ann.id());
    }

    @Test
    void anInvalidGroupKeyAnswersNotFound() {
        for (String key : List.of("favourite", "follow-1", "ungrouped-0", "x y", "ungrouped-999999999999999999999")) {
            String path = GROUPS + "/" + URLEncoder.encode(key, StandardCharsets.UTF_8);
            assertThat(api.get(path, ann.token()).status()).as(key).isEqualTo(404);
            assertThat(api.get(path + "/accounts", ann.token()).body()).isEqualTo("[]");
            act(path + "/dismiss", ann);
        }
    }
}
