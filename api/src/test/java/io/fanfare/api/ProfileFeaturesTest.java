package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.api.tag.FeaturedTags;
import org.junit.jupiter.api.Test;

/** Featured hashtags and endorsements, which accounts show on their profiles. */
class ProfileFeaturesTest extends OnEveryRedis {
    private static Response act(String act, User other, User user) {
        return api.post("/api/v1/accounts/" + other.id() + "/" + act, user.token());
    }

    @Test
    void aFeaturedTagIsListedForEverybodyWithItsUsesUntilItIsTakenOff() {
        User ann = api.signUp("ann");
        User bob = api.signUp("bob");
        String first = api.publish(ann, "one #Cats");
        String last = api.publish(ann, "two #cats #dogs");
        assertThat(api.post("/api/v1/statuses", ann.token(), "status", "#cats in private", "visibility", "private")
                        .status())
                .isEqualTo(200);
        assertThat(first).isNotEqualTo(last);

        Response cats = api.post("/api/v1/featured_tags", ann.token(), "name", "#CATS");
        assertThat(cats.text("/name")).isEqualTo("cats");
        assertThat(cats.json().at("/statuses_count").isTextual())
                .as("as in Mastodon")
                .isTrue();
        assertThat(cats.text("/statuses_count")).isEqualTo("2");
        assertThat(cats.text("/last_status_at"))
                .as("a day, as in Mastodon")
                .isEqualTo(api.get("/api/v1/statuses/" + last, ann.token())
                        .text("/created_at")
                        .substring(0, 10));
        assertThat(api.post("/api/v1/featured_tags", ann.token(), "name", "cats")
                        .text("/id"))
                .as("again")
                .isEqualTo(cats.text("/id"));
        Response unused = api.post("/api/v1/featured_tags", ann.token(), "name", "unused");
        assertThat(unused.json().at("/last_status_at").isNull()).isTrue();

        assertThat(api.get("/api/v1/featured_tags", ann.token()).each("name")).containsExactly("cats", "unused");
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/featured_tags", null)
                        .each("statuses_count"))
                .containsExactly("2", "0");
        assertThat(api.get("/api/v1/featured_tags/suggestions", ann.token()).each("name"))
                .containsExactly("dogs");
        assertThat(api.get("/api/v1/tags/cats", ann.token())
                        .json()
                        .at("/featuring")
                        .asBoolean())
                .isTrue();

        String id = "/api/v1/featured_tags/" + cats.text("/id");
        assertThat(api.delete(id, bob.token()).status()).as("of somebody else").isEqualTo(404);
        assertThat(api.delete(id, ann.token()).status()).isEqualTo(200);
        assertThat(api.delete(id, ann.token()).status()).isEqualTo(404);
        assertThat(api.get("/api/v1/featured_tags", ann.token()).each("name")).containsExactly("unused");

        assertThat(act("block", bob, ann).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/featured_tags", bob.token())
                        .each("name"))
                .as("for who is blocked")
                .isEmpty();
        assertThat(api.get("/api/v1/accounts/1/featured_tags", ann.token()).status())
                .isEqualTo(404);
    }

    @Test
    void aTagIsFeaturedAndTakenOffByItsNameToo() {
        User cat = api.signUp("cat");
        assertThat(api.post("/api/v1/tags/mice/feature", cat.token())
                        .json()
                        .at("/featuring")
                        .asBoolean())
                .isTrue();
        assertThat(api.get("/api/v1/featured_tags", cat.token()).each("name")).containsExactly("mice");
        assertThat(api.post("/api/v1/tags/mice/unfeature", cat.token())
                        .json()
                        .at("/featuring")
                        .asBoolean())
                .isFalse();
        assertThat(api.get("/api/v1/featured_tags", cat.token()).each("name")).isEmpty();
    }

    @Test
    void anInvalidTagAndOneTagTooManyAreRefused() {
        User dan = api.signUp("dan");
        Response none = api.post("/api/v1/featured_tags", dan.token(), "name", "a b");
        assertThat(none.status()).isEqualTo(422);
        assertThat(none.text("/error")).isEqualTo("Validation failed: Tag is invalid");
        for (int i = 0; i < FeaturedTags.MAX; i++) {
            assertThat(api.post("/api/v1/featured_tags", dan.token(), "name", "t" + i)
                            .status())
                    .isEqualTo(200);
        }
        assertThat(api.post("/api/v1/featured_tags", dan.token(), "name", "more")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void oneRecommendsWhomOneFollowsForAsLongAsOneDoes() {
        User eve = api.signUp("eve");
        User fay = api.signUp("fay");
        User gus = api.signUp("gus");
        Response stranger = act("endorse", fay, eve);
        assertThat(stranger.status()).isEqualTo(422);
        assertThat(stranger.text("/error"))
                .isEqualTo("Validation failed: You must be already following the person you want to endorse");

        assertThat(act("follow", fay, eve).status()).isEqualTo(200);
        assertThat(act("follow", gus, eve).status()).isEqualTo(200);
        assertThat(act("endorse", fay, eve).json().at("/endorsed").asBoolean()).isTrue();
        assertThat(act("pin", gus, eve).json().at("/endorsed").asBoolean()).isTrue();
        assertThat(api.get("/api/v1/endorsements", eve.token()).each("id")).containsExactly(gus.id(), fay.id());
        String of = "/api/v1/accounts/" + eve.id() + "/endorsements";
        assertThat(api.get(of + "?limit=1", null).each("id")).containsExactly(gus.id());
        assertThat(api.get(of, fay.token()).each("id")).containsExactly(gus.id(), fay.id());

        assertThat(act("unpin", gus, eve).json().at("/endorsed").asBoolean()).isFalse();
        assertThat(act("unfollow", fay, eve).json().at("/endorsed").asBoolean()).isFalse();
        assertThat(api.get(of, null).each("id")).isEmpty();
        assertThat(act("follow", fay, eve).json().at("/endorsed").asBoolean())
                .as("a new follow")
                .isFalse();
        assertThat(act("endorse", fay, eve).status()).isEqualTo(200);
        assertThat(act("block", eve, fay).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/endorsements", eve.token()).each("id"))
                .as("blocked by whom it recommended")
                .isEmpty();
        assertThat(act("endorse", gus, eve).status()).isEqualTo(200);
        assertThat(act("block", gus, eve).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/endorsements", eve.token()).each("id")).isEmpty();
        assertThat(act("unendorse", gus, eve).status()).isEqualTo(200);
    }
}
