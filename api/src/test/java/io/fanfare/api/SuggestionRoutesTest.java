package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionRoutesTest extends OnEveryRedis {
    private static final String SUGGESTIONS = "/api/v2/suggestions";

    @Test
    void anAccountThatManyFolloweesFollowComesFirst() {
        User ann = api.signUp("ann");
        User[] friends = {api.signUp("bob"), api.signUp("cat"), api.signUp("dan")};
        User star = api.signUp("star");
        User known = api.signUp("known");
        for (User friend : friends) {
            api.follow(ann, friend);
            api.follow(friend, star);
            api.follow(friend, ann);
        }
        api.follow(friends[0], known);

        Response suggested = api.get(SUGGESTIONS + "?limit=2", ann.token());

        assertThat(suggested.text("/0/account/id")).isEqualTo(star.id());
        assertThat(suggested.text("/0/source")).isEqualTo("past_interactions");
        assertThat(suggested.text("/0/sources/0")).isEqualTo("friends_of_friends");
        assertThat(suggested.text("/1/account/id")).isEqualTo(known.id());
        assertThat(suggested.json()).hasSize(2);
        assertThat(api.get("/api/v1/suggestions", ann.token()).each("id")).startsWith(star.id(), known.id());

        assertThat(api.patchJson(
                                "/api/v1/accounts/update_credentials",
                                friends[0].token(),
                                "{\"hide_collections\":true}")
                        .status())
                .isEqualTo(200);

        assertThat(api.get(SUGGESTIONS, ann.token()).json().findValuesAsText("id"))
                .as("whom only somebody follows who hides it")
                .contains(star.id())
                .doesNotContain(known.id());
    }

    @Test
    void aNewUserIsShownWhoPostsAndHasTheMostFollowers() {
        User quiet = api.signUp("quiet");
        User eve = api.signUp("eve");
        User fay = api.signUp("fay");
        api.follow(quiet, fay);
        for (User author : List.of(eve, fay)) {
            // No worker runs here: the test lists the post itself.
            String post = api.publish(author, "hello");
            redis.askAt(Keys.PUBLIC, "ZADD", Keys.PUBLIC, post, post);
        }
        User newcomer = api.signUp("newcomer");

        Response suggested = api.get(SUGGESTIONS, newcomer.token());

        assertThat(suggested.json().findValuesAsText("id")).containsSubsequence(fay.id(), eve.id());
        assertThat(suggested.text("/0/sources/0")).isEqualTo("most_followed");
        assertThat(suggested.json().findValuesAsText("id")).doesNotContain(quiet.id(), newcomer.id());
    }

    @Test
    void nobodyIsSuggestedWhoIsFollowedHiddenDismissedOrDoesNotWantIt() {
        User gus = api.signUp("gus");
        User hub = api.signUp("hub");
        User[] others = new User[6];
        api.follow(gus, hub);
        for (int i = 0; i < others.length; i++) {
            others[i] = api.signUp("other" + i);
            api.follow(hub, others[i]);
        }
        api.follow(gus, others[0]);
        assertThat(api.post("/api/v1/accounts/" + others[1].id() + "/block", gus.token())
                        .status())
                .isEqualTo(200);
        assertThat(api.post("/api/v1/accounts/" + others[2].id() + "/mute", gus.token())
                        .status())
                .isEqualTo(200);
        assertThat(api.post("/api/v1/accounts/" + gus.id() + "/block", others[3].token())
                        .status())
                .isEqualTo(200);
        assertThat(api.send(
                                "PATCH",
                                "/api/v1/accounts/update_credentials",
                                others[4].token(),
                                "application/x-www-form-urlencoded",
                                "discoverable=false")
                        .status())
                .isEqualTo(200);
        assertThat(suggested(gus)).contains(others[5].id());

        Response dismissed = api.send("DELETE", "/api/v1/suggestions/" + others[5].id(), gus.token(), null, null);

        assertThat(dismissed.status()).isEqualTo(200);
        assertThat(dismissed.body()).isEqualTo("{}");
        for (User other : others) {
            assertThat(suggested(gus)).doesNotContain(other.id());
        }
        assertThat(api.send("DELETE", "/api/v1/suggestions/nobody", gus.token(), null, null)
                        .status())
                .isEqualTo(404);
    }

    private String suggested(User user) {
        return api.get(SUGGESTIONS + "?limit=80", user.token())
                .json()
                .findValuesAsText("id")
                .toString();
    }
}
