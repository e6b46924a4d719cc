package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Accounts that are locked, and the requests to follow them. */
class FollowRequestRoutesTest extends OnEveryRedis {
    private static Response act(String act, User other, User user, String... form) {
        return api.post("/api/v1/accounts/" + other.id() + "/" + act, user.token(), form);
    }

    private static Response answer(String act, User other, User user) {
        return api.post("/api/v1/follow_requests/" + other.id() + "/" + act, user.token());
    }

    private static User locked(String name) {
        User user = api.signUp(name);
        Response changed = api.patchJson("/api/v1/accounts/update_credentials", user.token(), "{\"locked\":true}");
        assertThat(changed.json().at("/locked").asBoolean()).isTrue();
        return user;
    }

    private static List<String> asking(User user) {
        return api.get("/api/v1/follow_requests", user.token()).each("id");
    }

    private static Response relation(User other, User user) {
        return api.get("/api/v1/accounts/relationships?id[]=" + other.id(), user.token());
    }

    private static List<String> received(User user) {
        return api.get("/api/v1/notifications", user.token()).each("type");
    }

    private static boolean is(Response answer, String flag) {
        return answer.json().at((answer.json().isArray() ? "/0/" : "/") + flag).asBoolean();
    }

    @Test
    void aRequestIsNoFollowUntilItIsAuthorized() {
        User ann = locked("ann");
        User bob = api.signUp("bob");
        String secret = api.post("/api/v1/statuses", ann.token(), "status", "words", "visibility", "private")
                .text("/id");
        Response requested = act("follow", ann, bob, "reblogs", "false", "notify", "true", "languages[]", "en");
        assertThat(is(requested, "requested")).isTrue();
        assertThat(is(requested, "following")).isFalse();
        assertThat(is(act("follow", ann, bob), "requested")).as("again").isTrue();
        assertThat(is(relation(bob, ann), "requested_by")).isTrue();
        assertThat(is(relation(bob, ann), "followed_by")).isFalse();
        assertThat(asking(ann)).containsExactly(bob.id());
        assertThat(received(ann)).containsExactly("follow_request");
        assertThat(api.get("/api/v2/notifications", ann.token())
                        .json()
                        .at("/notification_groups/0/type")
                        .asText())
                .isEqualTo("follow_request");
        assertThat(api.get("/api/v1/accounts/verify_credentials", ann.token())
                        .json()
                        .at("/source/follow_requests_count")
                        .asInt())
                .isEqualTo(1);
        assertThat(api.get("/api/v1/statuses/" + secret, bob.token()).status()).isEqualTo(404);
        assertThat(api.get("/api/v1/timelines/home", bob.token()).each("id")).isEmpty();
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/followers", bob.token())
                        .each("id"))
                .isEmpty();
        assertThat(api.get("/api/v1/accounts/" + ann.id(), null)
                        .json()
                        .at("/followers_count")
                        .asInt())
                .isZero();

        Response answered = answer("authorize", bob, ann);
        assertThat(is(answered, "followed_by")).isTrue();
        assertThat(is(answered, "requested_by")).isFalse();
        assertThat(asking(ann)).isEmpty();
        assertThat(received(ann)).containsExactly("follow");
        assertThat(api.get("/api/v1/timelines/home", bob.token()).each("id")).containsExactly(secret);
        Response follows = relation(ann, bob);
        assertThat(is(follows, "following")).isTrue();
        assertThat(is(follows, "requested")).isFalse();
        assertThat(is(follows, "showing_reblogs")).as("as it was asked for").isFalse();
        assertThat(is(follows, "notifying")).as("as it was asked for").isTrue();
        assertThat(follows.json().at("/0/languages/0").asText())
                .as("as it was asked for")
                .isEqualTo("en");
        assertThat(answer("authorize", bob, ann).status()).isEqualTo(404);
    }

    @Test
    void aRequestIsWithdrawnRejectedOrEndedByABlock() {
        User cat = locked("cat");
        User dan = api.signUp("dan");
        User eve = api.signUp("eve");
        User fay = api.signUp("fay");
        for (User user : List.of(dan, eve, fay)) {
            assertThat(is(act("follow", cat, user), "requested")).isTrue();
        }
        assertThat(asking(cat)).containsExactly(fay.id(), eve.id(), dan.id());
        assertThat(api.get("/api/v1/follow_requests?limit=1", cat.token()).each("id"))
                .containsExactly(fay.id());

        assertThat(is(act("unfollow", cat, dan), "requested")).isFalse();
        assertThat(asking(cat)).containsExactly(fay.id(), eve.id());
        assertThat(is(answer("reject", eve, cat), "requested_by")).isFalse();
        assertThat(asking(cat)).containsExactly(fay.id());
        assertThat(answer("reject", eve, cat).status()).isEqualTo(404);
        assertThat(act("block", fay, cat).status()).isEqualTo(200);
        assertThat(asking(cat)).isEmpty();
        assertThat(is(relation(cat, fay), "requested")).isFalse();
        assertThat(received(cat)).isEmpty();
        assertThat(act("follow", cat, fay).status()).isEqualTo(403);

        assertThat(is(act("follow", cat, eve), "requested")).isTrue();
        assertThat(act("block", cat, eve).status()).isEqualTo(200);
        assertThat(asking(cat)).as("blocked by who asked").isEmpty();
    }

    @Test
    void aFollowThatExistsStaysAndABatchRequestsLockedAccounts() {
        User gus = api.signUp("gus");
        User hal = api.signUp("hal");
        User ivy = locked("ivy");
        api.follow(hal, gus);
        assertThat(api.patchJson("/api/v1/accounts/update_credentials", gus.token(), "{\"locked\":true}")
                        .status())
                .isEqualTo(200);
        assertThat(is(act("follow", gus, hal), "following")).isTrue();

        Response batch = api.post("/api/v1/accounts/follow", ivy.token(), "id[]", gus.id(), "id[]", hal.id());
        assertThat(batch.each("requested")).containsExactly("true", "false");
        assertThat(batch.each("following")).containsExactly("false", "true");
        assertThat(asking(gus)).containsExactly(ivy.id());
        assertThat(api.patchJson("/api/v1/accounts/update_credentials", gus.token(), "{\"locked\":false}")
                        .json()
                        .at("/locked")
                        .asBoolean())
                .isFalse();
        assertThat(is(act("follow", gus, ivy), "following"))
                .as("asks again of who is locked no more")
                .isTrue();
        assertThat(asking(gus)).isEmpty();
    }
}
