package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

class InteractionRoutesTest extends OnEveryRedis {
    private static User ann;
    private static User bob;

    @BeforeParameterizedClassInvocation
    static void people() {
        ann = api.signUp("ann");
        bob = api.signUp("bob");
    }

    private static void act(String path, User user) {
        assertThat(api.post(path, user.token()).status()).isEqualTo(200);
    }

    @Test
    void aLikeIsAnsweredWithItsFlagAndCountAndListedOnBothSides() {
        String post = api.publish(ann, "like me");
        Response liked = api.post("/api/v1/statuses/" + post + "/favourite", bob.token());
        assertThat(liked.json().at("/favourited").asBoolean()).isTrue();
        assertThat(liked.text("/favourites_count")).isEqualTo("1");
        assertThat(api.get("/api/v1/favourites", bob.token()).each("id")).containsExactly(post);
        assertThat(api.get("/api/v1/statuses/" + post + "/favourited_by", null).each("id"))
                .containsExactly(bob.id());

        Response back = api.post("/api/v1/statuses/" + post + "/unfavourite", bob.token());
        assertThat(back.json().at("/favourited").asBoolean()).isFalse();
        assertThat(back.text("/favourites_count")).isEqualTo("0");
        assertThat(api.get("/api/v1/favourites", bob.token()).each("id")).isEmpty();
    }

    @Test
    void bookmarksAreTheViewersOwn() {
        String first = api.publish(ann, "one");
        String second = api.publish(ann, "two");
        act("/api/v1/statuses/" + second + "/bookmark", bob);
        Response kept = api.post("/api/v1/statuses/" + first + "/bookmark", bob.token());
        assertThat(kept.json().at("/bookmarked").asBoolean()).isTrue();

        Response page = api.get("/api/v1/bookmarks?limit=1", bob.token());
        assertThat(page.each("id")).containsExactly(first);
        Response next = api.get(page.link("next").orElseThrow().toString(), bob.token());
        assertThat(next.each("id")).containsExactly(second);
        assertThat(next.link("next")).isEmpty();
        act("/api/v1/statuses/" + first + "/unbookmark", bob);
        assertThat(api.get("/api/v1/bookmarks", bob.token()).each("id")).containsExactly(second);
        assertThat(api.get("/api/v1/bookmarks", ann.token()).each("id")).isEmpty();
    }

    @Test
    void aHiddenStatusAnswersNotFound() {
        String secret = api.post("/api/v1/statuses", ann.token(), "status", "psst", "visibility", "private")
                .text("/id");
        for (String act : List.of("favourite", "unfavourite", "bookmark", "unbookmark")) {
            assertThat(api.post("/api/v1/statuses/" + secret + "/" + act, bob.token())
                            .status())
                    .as(act)
                    .isEqualTo(404);
        }
        assertThat(api.get("/api/v1/statuses/" + secret + "/favourited_by", bob.token())
                        .status())
                .isEqualTo(404);
    }

    @Test
    void deletedAndHiddenStatusesCanStillBeUnlikedAndUnbookmarked() {
        User dan = api.signUp("dan");
        User eve = api.signUp("eve");
        String gone = api.publish(eve, "gone");
        String hidden = api.publish(eve, "hidden");
        for (String post : List.of(gone, hidden)) {
            act("/api/v1/statuses/" + post + "/favourite", dan);
            act("/api/v1/statuses/" + post + "/bookmark", dan);
        }
        assertThat(api.delete("/api/v1/statuses/" + gone, eve.token()).status()).isEqualTo(200);
        act("/api/v1/accounts/" + dan.id() + "/block", eve);

        for (String post : List.of(gone, hidden)) {
            for (String act : List.of("unfavourite", "unbookmark")) {
                assertThat(api.post("/api/v1/statuses/" + post + "/" + act, dan.token())
                                .status())
                        .isEqualTo(404);
            }
        }
        long id = Long.parseLong(dan.id());
        assertThat(redis.keys()).doesNotContain(Keys.favourites(id), Keys.bookmarks(id));
        assertThat(api.get("/api/v1/statuses/" + hidden, null).text("/favourites_count"))
                .isEqualTo("0");
    }

    @Test
    void anAuthorReceivesNotificationsAndMayDismissThem() {
        User cat = api.signUp("cat");
        String post = api.publish(cat, "tell me");
        api.follow(bob, cat);
        act("/api/v1/statuses/" + post + "/favourite", bob);

        Response all = api.get("/api/v1/notifications", cat.token());
        assertThat(all.each("type")).containsExactly("favourite", "follow");
        assertThat(all.text("/0/account/id")).isEqualTo(bob.id());
        assertThat(all.text("/0/status/id")).isEqualTo(post);
        assertThat(all.json().at("/1/status").isMissingNode()).isTrue();
        assertThat(api.get("/api/v1/notifications?types[]=follow", cat.token()).each("type"))
                .containsExactly("follow");
        assertThat(api.get("/api/v1/notifications?exclude_types[]=follow", cat.token())
                        .each("type"))
                .containsExactly("favourite");
        assertThat(api.get("/api/v1/notifications?account_id=" + ann.id(), cat.token())
                        .each("type"))
                .isEmpty();
        assertThat(api.get("/api/v1/notifications/unread_count", cat.token()).text("/count"))
                .isEqualTo("2");

        String id = all.text("/1/id");
        assertThat(api.get("/api/v1/notifications/" + id, cat.token()).text("/type"))
                .isEqualTo("follow");
        assertThat(api.get("/api/v1/notifications/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(api.post("/api/v1/notifications/" + id + "/dismiss", cat.token())
                        .body())
                .isEqualTo("{}");
        assertThat(api.get("/api/v1/notifications", cat.token()).each("type")).containsExactly("favourite");
        act("/api/v1/notifications/clear", cat);
        assertThat(api.get("/api/v1/notifications", cat.token()).each("type")).isEmpty();
    }
}
