package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.feed.PublicTimelines;
import org.junit.jupiter.api.Test;

class FollowedTagRoutesTest extends OnEveryRedis {
    @Test
    void statusesOfAFollowedTagStandInTheHomeUntilTheTagIsUnfollowed() {
        User ann = api.signUp("ann");
        User bob = api.signUp("bob");
        String post = api.publish(bob, "all about #Cats and #cats");
        String key = PublicTimelines.key("cats");
        // No worker runs here: the test lists the post itself.
        redis.askAt(key, "ZADD", key, post, post);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id")).isEmpty();

        Response followed = api.post("/api/v1/tags/CATS/follow", ann.token());
        assertThat(followed.status()).isEqualTo(200);
        assertThat(followed.text("/name")).isEqualTo("cats");
        assertThat(followed.json().at("/following").asBoolean()).isTrue();
        assertThat(api.get("/api/v1/tags/cats", ann.token())
                        .json()
                        .at("/following")
                        .asBoolean())
                .isTrue();
        assertThat(api.get("/api/v1/tags/cats", bob.token())
                        .json()
                        .at("/following")
                        .asBoolean())
                .isFalse();
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id")).containsExactly(post);
        api.follow(ann, bob);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id"))
                .as("once, though its author is followed too")
                .containsExactly(post);
        assertThat(api.post("/api/v1/accounts/" + bob.id() + "/mute", ann.token())
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id")).isEmpty();
        assertThat(api.post("/api/v1/accounts/" + bob.id() + "/unmute", ann.token())
                        .status())
                .isEqualTo(200);
        assertThat(api.post("/api/v1/accounts/" + bob.id() + "/unfollow", ann.token())
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id")).containsExactly(post);

        assertThat(api.post("/api/v1/tags/cats/unfollow", ann.token())
                        .json()
                        .at("/following")
                        .asBoolean())
                .isFalse();
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id")).isEmpty();
        assertThat(api.post("/api/v1/tags/cats/unfollow", ann.token()).status())
                .as("again")
                .isEqualTo(200);
    }

    @Test
    void aSuspendedAuthorTakesNoPlaceOnAPage() {
        User dan = api.signUp("dan");
        User eve = api.signUp("eve");
        User fay = api.signUp("fay");
        String shown = api.publish(eve, "#dogs");
        String hidden = api.publish(fay, "#dogs");
        String key = PublicTimelines.key("dogs");
        redis.askAt(key, "ZADD", key, shown, shown, hidden, hidden);
        assertThat(api.post("/api/v1/tags/dogs/follow", dan.token()).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/timelines/home?limit=1", dan.token()).each("id"))
                .containsExactly(hidden);
        String account = Keys.user(Long.parseLong(fay.id()));
        redis.askAt(account, "HSET", account, "state", "suspended");
        assertThat(api.get("/api/v1/timelines/home?limit=1", dan.token()).each("id"))
                .containsExactly(shown);
        assertThat(api.get("/api/v1/timelines/home?min_id=0", dan.token()).each("id"))
                .containsExactly(shown);
    }

    @Test
    void followedTagsAreListedInPages() {
        User cat = api.signUp("cat");
        assertThat(api.get("/api/v1/followed_tags", cat.token()).json()).isEmpty();
        for (String tag : new String[] {"one", "two", "three"}) {
            assertThat(api.post("/api/v1/tags/" + tag + "/follow", cat.token()).status())
                    .isEqualTo(200);
        }
        Response newest = api.get("/api/v1/followed_tags?limit=2", cat.token());
        assertThat(newest.each("name")).containsExactly("three", "two");
        assertThat(newest.each("following")).containsOnly("true");
        assertThat(newest.json().at("/0/history")).hasSize(7);
        assertThat(api.get("/api/v1/followed_tags?limit=200", cat.token()).each("name"))
                .containsExactly("three", "two", "one");
        assertThat(api.get("/api/v1/followed_tags", null).status()).isEqualTo(401);
        assertThat(api.post("/api/v1/tags/1/follow", cat.token()).status())
                .as("no text can have it")
                .isEqualTo(404);
    }
}
