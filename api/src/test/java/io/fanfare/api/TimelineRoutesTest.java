package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineRoutesTest extends OnEveryRedis {
    private static User ann;
    private static User bob;

    /** Newest first; ann's and bob's in turn. */
    private static List<String> posted;

    @BeforeParameterizedClassInvocation
    static void people() {
        ann = api.signUp("ann");
        bob = api.signUp("bob");
        posted = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            posted.add(0, api.publish(i % 2 == 0 ? ann : bob, "post " + i));
        }
        api.follow(ann, bob);
    }

    @Test
    void aProfileIsFilteredByATagHoweverItIsSpelled() {
        User tess = api.signUp("tess");
        String tagged = api.publish(tess, "of #Cats");
        String other = api.publish(tess, "of #dogs");
        String path = "/api/v1/accounts/" + tess.id() + "/statuses?tagged=";
        assertThat(api.get(path + "dogs", null).each("id")).containsExactly(other);
        for (String tag : List.of("cats", "%23CATS", "%EF%BC%A3ats")) {
            assertThat(api.get(path + tag, null).each("id")).as(tag).containsExactly(tagged);
        }
        for (String tag : List.of("birds", "no%20tag", "12")) {
            assertThat(api.get(path + tag, null).each("id")).as(tag).isEmpty();
        }
    }

    @Test
    void aHomeShowsOwnAndFollowedPostsNewestFirst() {
        Response home = api.get("/api/v1/timelines/home", ann.token());

        assertThat(home.each("id")).isEqualTo(posted);
        assertThat(home.json().at("/0/favourited").isBoolean()).isTrue();
        assertThat(home.json().at("/1/account/username").asText()).isEqualTo("bob");
        assertThat(home.link("next")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void aWalkDownTheLinksSeesEveryPostOnce(int limit) {
        List<String> walked = new ArrayList<>();
        Optional<URI> next = Optional.of(URI.create(api.url() + "/api/v1/timelines/home?limit=" + limit));
        Response page = null;
        while (next.isPresent()) {
            page = api.get(next.get().toString(), ann.token());
            assertThat(page.each("id")).hasSizeLessThanOrEqualTo(limit);
            walked.addAll(page.each("id"));
            next = page.link("next");
        }
        assertThat(walked).isEqualTo(posted);
    }

    @Test
    void aWalkUpTheLinksComesBack() {
        Response oldest = api.get("/api/v1/timelines/home?limit=3&max_id=" + posted.get(3), ann.token());
        assertThat(oldest.each("id")).isEqualTo(posted.subList(4, 7));

        Response above = api.get(oldest.link("prev").orElseThrow().toString(), ann.token());
        assertThat(above.each("id")).isEqualTo(posted.subList(1, 4));
    }

    @Test
    void anEmptyPageLeadsNowhere() {
        for (String end : List.of("min_id=", "since_id=")) {
            Response newer = api.get("/api/v1/timelines/home?" + end + posted.get(0), ann.token());
            assertThat(newer.each("id")).as(end).isEmpty();
            assertThat(newer.header("Link")).as(end).isEmpty();
        }
    }

    @Test
    void aPageThatIsTheSameIsNotSentAgainButItsTokenIsChecked() {
        User zoe = api.signUp("zoe");
        String post = api.publish(zoe, "hello");
        for (String path : List.of("/api/v1/timelines/home", "/api/v1/accounts/" + zoe.id() + "/statuses")) {
            Response first = api.get(path, zoe.token());
            String tag = first.header("ETag").orElseThrow();
            assertThat(first.header("Cache-Control"))
                    .as("browsers keep no copy")
                    .contains("no-store");

            Response same = ifChanged(path, zoe.token(), "\"x\", " + tag);
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.body()).isEmpty();
            assertThat(same.header("ETag")).contains(tag);
            assertThat(ifChanged(path, zoe.token(), "\"x\"").each("id")).containsExactly(post);
            assertThat(ifChanged(path, "no-token", tag).status()).isEqualTo(401);

            assertThat(act(post, "favourite").status()).isEqualTo(200);
            Response liked = ifChanged(path, zoe.token(), tag);
            assertThat(liked.json().at("/0/favourites_count").asInt()).isEqualTo(1);
            assertThat(act(post, "unfavourite").status()).isEqualTo(200);
        }
    }

    private static Response act(String post, String verb) {
        return api.send("POST", "/api/v1/statuses/" + post + "/" + verb, ann.token(), null, null);
    }

    private static Response ifChanged(String path, String token, String tags) {
        return api.send("GET", path, token, null, null, "If-None-Match", tags);
    }

    @Test
    void cursorsSelect() {
        String home = "/api/v1/timelines/home?";
        assertThat(api.get(home + "since_id=" + posted.get(2), ann.token()).each("id"))
                .isEqualTo(posted.subList(0, 2));
        assertThat(api.get(home + "limit=1&min_id=" + posted.get(2), ann.token())
                        .each("id"))
                .isEqualTo(posted.subList(1, 2));
        assertThat(api.get(home + "max_id=999999999999999999999", ann.token()).each("id"))
                .isEqualTo(posted);
        assertThat(api.get(home + "max_id=0", ann.token()).each("id")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"since_id", "min_id"})
    void aCursorOfTomorrowIsRefusedAndOneOfThisMomentIsNot(String name) {
        long now = System.currentTimeMillis();
        long tomorrow = Id.of(now + Duration.ofDays(1).toMillis(), 0, 0);
        for (String list : List.of("timelines/home", "accounts/" + ann.id() + "/statuses", "notifications")) {
            for (String future : List.of(Long.toString(tomorrow), "9".repeat(16), "9".repeat(30))) {
                Response refused = api.get("/api/v1/" + list + "?" + name + "=" + future, ann.token());
                assertThat(refused.status()).as(list + " " + future).isEqualTo(400);
                assertThat(refused.text("/error")).contains("The parameter " + name + " is of the future");
            }
            Response soon = api.get("/api/v1/" + list + "?" + name + "=" + Id.of(now + 60_000, 0, 0), ann.token());
            assertThat(soon.status()).as(list).isEqualTo(200);
            assertThat(soon.each("id")).isEmpty();
            assertThat(api.get("/api/v1/" + list + "?max_id=" + "9".repeat(30), ann.token())
                            .status())
                    .as("from the newest")
                    .isEqualTo(200);
        }
    }

    @Test
    void aMinIdOfZeroBeginsWithTheOldest() {
        Response oldest = api.get("/api/v1/timelines/home?limit=3&min_id=0", ann.token());
        assertThat(oldest.each("id")).isEqualTo(posted.subList(4, 7));
        assertThat(oldest.link("next")).isEmpty();

        Response above = api.get(oldest.link("prev").orElseThrow().toString(), ann.token());
        assertThat(above.each("id")).isEqualTo(posted.subList(1, 4));
    }

    @Test
    void limitsAreClampedAndNoCursorIsGuessed() {
        String home = "/api/v1/timelines/home?limit=";
        assertThat(api.get(home + "0", ann.token()).each("id")).hasSize(1);
        assertThat(api.get(home + "-5", ann.token()).each("id")).hasSize(1);
        assertThat(api.get(home + "100000000000", ann.token()).each("id")).hasSize(7);
        assertThat(api.get(home + "9".repeat(30), ann.token()).each("id")).hasSize(7);
        assertThat(api.get(home + "many", ann.token()).each("id"))
                .as("without digits it is 0")
                .hasSize(1);
        assertThat(api.get("/api/v1/timelines/home?max_id=x", ann.token()).status())
                .isEqualTo(400);
    }

    @Test
    void linksKeepTheOtherParametersAndNameThePublicUrl() {
        Response page = api.get("/api/v1/timelines/home?limit=2&x=a%20b&max_id=" + posted.get(0), ann.token());

        assertThat(page.header("Link").orElseThrow())
                .isEqualTo("<" + api.url() + "/api/v1/timelines/home?limit=2&x=a+b&max_id=" + posted.get(2)
                        + ">; rel=\"next\", <" + api.url() + "/api/v1/timelines/home?limit=2&x=a+b&min_id="
                        + posted.get(1) + ">; rel=\"prev\"");
    }

    @Test
    void aProfileShowsItsAuthorsPosts() {
        List<String> bobs = List.of(posted.get(1), posted.get(3), posted.get(5));
        String path = "/api/v1/accounts/" + bob.id() + "/statuses";

        assertThat(api.get(path, null).each("id")).isEqualTo(bobs);
        assertThat(api.get(path + "?limit=1&max_id=" + bobs.get(0), null).each("id"))
                .isEqualTo(bobs.subList(1, 2));
        assertThat(api.get(path + "?pinned=true", null).body()).isEqualTo("[]");
    }

    @Test
    void aProfileHidesPrivatePostsFromStrangersAndRepliesOnRequest() {
        User cat = api.signUp("cat");
        String open = api.publish(cat, "open");
        String secret = api.post("/api/v1/statuses", cat.token(), "status", "psst", "visibility", "private")
                .text("/id");
        String reply = api.post("/api/v1/statuses", cat.token(), "status", "hi", "in_reply_to_id", posted.get(0))
                .text("/id");
        String thread = api.post("/api/v1/statuses", cat.token(), "status", "more", "in_reply_to_id", open)
                .text("/id");
        String path = "/api/v1/accounts/" + cat.id() + "/statuses";

        assertThat(api.get(path, bob.token()).each("id")).containsExactly(thread, reply, open);
        assertThat(api.get(path, cat.token()).each("id")).containsExactly(thread, reply, secret, open);
        assertThat(api.get(path + "?exclude_replies=1", cat.token()).each("id")).containsExactly(thread, secret, open);
    }

    @Test
    void anUnfollowedAuthorAndADeletedPostAreGoneAtOnce() {
        User dan = api.signUp("dan");
        api.follow(dan, bob);
        User eve = api.signUp("eve");
        api.follow(dan, eve);
        String gone = api.publish(eve, "gone soon");
        assertThat(api.get("/api/v1/timelines/home", dan.token()).each("id")).hasSize(4);

        assertThat(api.delete("/api/v1/statuses/" + gone, eve.token()).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/timelines/home", dan.token()).each("id")).hasSize(3);
        assertThat(api.post("/api/v1/accounts/" + bob.id() + "/unfollow", dan.token())
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/timelines/home", dan.token()).body()).isEqualTo("[]");
    }
}
