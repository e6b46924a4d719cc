package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.api.post.Pins;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PinRoutesTest extends OnEveryRedis {
    private static Response act(String act, String status, User user) {
        return api.post("/api/v1/statuses/" + status + "/" + act, user.token());
    }

    private static List<String> pinned(User author, User viewerOrNull, String more) {
        return api.get(
                        "/api/v1/accounts/" + author.id() + "/statuses?pinned=true" + more,
                        viewerOrNull == null ? null : viewerOrNull.token())
                .each("id");
    }

    @Test
    void aPinIsAnsweredWithItsFlagAndListedForEverybodyUntilItIsTakenBack() {
        User ann = api.signUp("ann");
        String first = api.publish(ann, "first");
        String second = api.publish(ann, "second");
        String third = api.publish(ann, "third");
        assertThat(act("pin", second, ann).json().at("/pinned").asBoolean()).isTrue();
        assertThat(act("pin", first, ann).status()).isEqualTo(200);
        assertThat(act("pin", second, ann).status()).as("again").isEqualTo(200);

        assertThat(pinned(ann, null, "")).containsExactly(first, second);
        assertThat(pinned(ann, ann, "&limit=1")).containsExactly(first);
        assertThat(pinned(ann, ann, "&max_id=" + second)).containsExactly(first);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id")).containsExactly(third, second, first);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("pinned"))
                .containsExactly("false", "true", "true");
        assertThat(act("unpin", second, ann).json().at("/pinned").asBoolean()).isFalse();
        assertThat(pinned(ann, null, "")).containsExactly(first);
        assertThat(api.delete("/api/v1/statuses/" + first, ann.token()).status())
                .isEqualTo(200);
        assertThat(pinned(ann, null, "")).isEmpty();
    }

    @Test
    void aRefusedPinIsExplainedInMastodonsWords() {
        User bob = api.signUp("bob");
        User cat = api.signUp("cat");
        String post = api.publish(bob, "of bob");
        String repost =
                api.post("/api/v1/statuses/" + post + "/reblog", cat.token()).text("/id");

        assertThat(act("pin", post, cat).status()).isEqualTo(422);
        assertThat(act("pin", post, cat).text("/error"))
                .isEqualTo("Validation failed: Someone else's post cannot be pinned");
        assertThat(act("pin", repost, cat).text("/error")).isEqualTo("Validation failed: A boost cannot be pinned");
        for (int i = 0; i < Pins.MAX; i++) {
            assertThat(act("pin", api.publish(bob, "post " + i), bob).status()).isEqualTo(200);
        }
        Response more = act("pin", post, bob);
        assertThat(more.status()).isEqualTo(422);
        assertThat(more.text("/error")).contains("You have already pinned the maximum number of posts");
        assertThat(act("pin", "4711", bob).status()).isEqualTo(404);
    }

    @Test
    void aPinnedPostForFollowersIsShownToThemOnly() {
        User dan = api.signUp("dan");
        User eve = api.signUp("eve");
        List<String> posts = new ArrayList<>();
        for (String visibility : List.of("private", "unlisted", "public")) {
            posts.add(
                    0,
                    api.post("/api/v1/statuses", dan.token(), "status", "words", "visibility", visibility)
                            .text("/id"));
            assertThat(act("pin", posts.get(0), dan).status()).isEqualTo(200);
        }

        assertThat(pinned(dan, eve, "")).isEqualTo(posts.subList(0, 2));
        api.follow(eve, dan);
        assertThat(pinned(dan, eve, "")).isEqualTo(posts);
        assertThat(act("pin", posts.get(2), api.signUp("fay")).status()).isEqualTo(404);
    }
}
