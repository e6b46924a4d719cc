package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BlockRoutesTest extends OnEveryRedis {
    private static int names;

    private User ann;
    private User bob;

    @BeforeEach
    void signUp() {
        ann = user();
        bob = user();
    }

    private static User user() {
        return api.signUp("user" + names++);
    }

    @Test
    void aBlockIsSeenFromBothSidesAndEndsEveryFollow() {
        api.follow(ann, bob);
        api.follow(bob, ann);
        JsonNode blocked = post(ann, "block", bob).json();
        assertThat(blocked.path("blocking").asBoolean()).isTrue();
        assertThat(blocked.path("following").asBoolean()).isFalse();
        assertThat(blocked.path("followed_by").asBoolean()).isFalse();
        JsonNode other = relationship(bob, ann);
        assertThat(other.path("blocked_by").asBoolean()).isTrue();
        assertThat(other.path("blocking").asBoolean()).isFalse();
        assertThat(other.path("following").asBoolean()).isFalse();

        assertThat(post(ann, "follow", bob).status()).isEqualTo(403);
        assertThat(post(bob, "follow", ann).status()).isEqualTo(403);
        assertThat(post(bob, "follow", ann).text("/error")).endsWith(".");
        assertThat(post(ann, "unblock", bob).json().path("blocking").asBoolean())
                .isFalse();
        assertThat(post(bob, "follow", ann).status()).isEqualTo(200);
    }

    @Test
    void aBlockedAccountSeesNothingAndTheBlockerSeesOnlyPagesItOpens() {
        String theirs = api.publish(bob, "by Bob");
        String mine = api.publish(ann, "by Ann");
        assertThat(post(ann, "block", bob).status()).isEqualTo(200);

        assertThat(api.get("/api/v1/statuses/" + mine, bob.token()).status()).isEqualTo(404);
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/statuses", bob.token())
                        .body())
                .isEqualTo("[]");
        assertThat(api.get("/api/v1/statuses/" + theirs, ann.token()).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/accounts/" + bob.id() + "/statuses", ann.token())
                        .each("id"))
                .containsExactly(theirs);
        assertThat(api.get("/api/v1/statuses/" + mine, null).status()).isEqualTo(200);
        Response reply = api.post("/api/v1/statuses", bob.token(), "status", "hey", "in_reply_to_id", mine);
        assertThat(reply.status()).isEqualTo(404);
    }

    @Test
    void aMuteHidesFromHomeAndListsButNotFromTheProfile() {
        User star = user();
        api.follow(ann, bob);
        api.follow(bob, star);
        String theirs = api.publish(bob, "by Bob");
        JsonNode muted = post(ann, "mute", bob).json();
        assertThat(muted.path("muting").asBoolean()).isTrue();
        assertThat(muted.path("muting_notifications").asBoolean()).isTrue();
        assertThat(muted.path("following").asBoolean()).isTrue();

        assertThat(api.get("/api/v1/timelines/home", ann.token()).body()).isEqualTo("[]");
        assertThat(api.get("/api/v1/accounts/" + bob.id() + "/statuses", ann.token())
                        .each("id"))
                .containsExactly(theirs);
        String fans = "/api/v1/accounts/" + star.id() + "/followers";
        assertThat(api.get(fans, ann.token()).body()).isEqualTo("[]");
        assertThat(api.get(fans, star.token()).each("id")).containsExactly(bob.id());
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/following", ann.token())
                        .each("id"))
                .containsExactly(bob.id());

        assertThat(post(ann, "unmute", bob).json().path("muting").asBoolean()).isFalse();
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id")).containsExactly(theirs);
    }

    @Test
    void authorsSeeAllTheirRepostsThatAreCountedAndSoDoOthers() {
        User cat = user();
        User blocker = user();
        List<String> reposts = new ArrayList<>();
        for (User original : List.of(bob, cat, blocker)) {
            String status = api.publish(original, "by " + original.name());
            reposts.add(
                    0,
                    api.post("/api/v1/statuses/" + status + "/reblog", ann.token())
                            .text("/id"));
        }
        assertThat(post(ann, "mute", bob).status()).isEqualTo(200);
        assertThat(post(ann, "block", cat).status()).isEqualTo(200);
        String profile = "/api/v1/accounts/" + ann.id() + "/statuses";

        assertThat(api.get(profile, ann.token()).each("id")).isEqualTo(reposts);
        assertThat(api.get(profile, null).each("id")).isEqualTo(reposts);
        assertThat(api.get("/api/v1/accounts/" + ann.id(), ann.token()).text("/statuses_count"))
                .isEqualTo("3");
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id"))
                .as("lists of many authors still leave them out")
                .containsExactly(reposts.get(0));

        assertThat(post(blocker, "block", ann).status()).isEqualTo(200);
        ApiServer.Response own = api.get(profile, ann.token());
        assertThat(own.each("id")).as("list and counter agree").isEqualTo(reposts);
        assertThat(own.text("/0/reblog/account/username")).isEqualTo(blocker.name());
        assertThat(own.text("/0/reblog/content")).contains("by " + blocker.name());
        assertThat(api.get(profile, null).each("id")).isEqualTo(reposts);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id"))
                .as("nothing of an author who blocks the viewer is in other lists")
                .isEmpty();
        assertThat(api.get("/api/v1/statuses/" + own.text("/0/reblog/id"), ann.token())
                        .status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/accounts/" + ann.id(), ann.token()).text("/statuses_count"))
                .isEqualTo("3");
    }

    @Test
    void blockedOnesAreLeftOutOfForeignListsInBothDirections() {
        User star = user();
        User cat = user();
        for (User fan : List.of(ann, bob, cat)) {
            api.follow(fan, star);
        }
        assertThat(post(ann, "block", bob).status()).isEqualTo(200);
        String fans = "/api/v1/accounts/" + star.id() + "/followers";
        assertThat(api.get(fans, ann.token()).each("id")).containsExactly(cat.id(), ann.id());
        assertThat(api.get(fans, bob.token()).each("id")).containsExactly(cat.id(), bob.id());
        assertThat(api.get(fans, star.token()).each("id")).containsExactly(cat.id(), bob.id(), ann.id());
        assertThat(api.get(fans, null).each("id")).hasSize(3);
        api.follow(ann, cat);
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/following", bob.token())
                        .body())
                .isEqualTo("[]");
    }

    /** Mastodon.py fails at an empty page that has links. */
    @Test
    void pagesOfWhichNothingIsShownArePassedOver() {
        User star = user();
        User cat = user();
        for (User fan : List.of(ann, bob, cat)) {
            api.follow(fan, star);
        }
        assertThat(post(ann, "mute", bob).status()).isEqualTo(200);
        assertThat(post(ann, "mute", cat).status()).isEqualTo(200);
        String fans = api.url() + "/api/v1/accounts/" + star.id() + "/followers?limit=1";
        Response down = api.get(fans, ann.token());
        assertThat(down.each("id")).containsExactly(ann.id());
        assertThat(down.link("next")).isEmpty();

        String newer = down.link("prev").orElseThrow().toString();
        Response nothing = api.get(newer, ann.token());
        assertThat(nothing.body()).isEqualTo("[]");
        assertThat(nothing.link("next")).isEmpty();
        assertThat(nothing.link("prev")).isEmpty();
        User late = user();
        api.follow(late, star);
        assertThat(api.get(newer, ann.token()).each("id")).containsExactly(late.id());
    }

    @Test
    void aMuteMayLeaveNotificationsAndLastsUntilItIsTakenBack() {
        Response muted = api.post("/api/v1/accounts/" + bob.id() + "/mute", ann.token(), "notifications", "false");
        assertThat(muted.json().path("muting").asBoolean()).isTrue();
        assertThat(muted.json().path("muting_notifications").asBoolean()).isFalse();
        assertThat(post(ann, "mute", bob).json().path("muting_notifications").asBoolean())
                .isTrue();
        String path = "/api/v1/accounts/" + bob.id() + "/mute";
        assertThat(api.post(path, ann.token(), "duration", "x")
                        .json()
                        .path("muting_expires_at")
                        .isNull())
                .as("without digits it is 0, which is for ever")
                .isTrue();
        assertThat(api.post(path, ann.token(), "duration", "0")
                        .json()
                        .path("muting_expires_at")
                        .isNull())
                .isTrue();
    }

    @Test
    void aMuteForATimeIsOverEverywhereWhenItEnds() {
        api.follow(ann, bob);
        String theirs = api.publish(bob, "by Bob");
        String mine = api.publish(ann, "by Ann");
        assertThat(api.post("/api/v1/statuses/" + mine + "/favourite", bob.token())
                        .status())
                .isEqualTo(200);
        String path = "/api/v1/accounts/" + bob.id() + "/mute";
        Instant before = Instant.now();
        Instant end =
                Instant.parse(api.post(path, ann.token(), "duration", "3600").text("/muting_expires_at"));
        assertThat(end).isBetween(before.plusSeconds(3590), before.plusSeconds(3610));
        assertThat(Instant.parse(api.get("/api/v1/mutes", ann.token()).text("/0/mute_expires_at")))
                .isEqualTo(end);
        assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id")).containsExactly(mine);
        assertThat(api.get("/api/v1/notifications", ann.token()).body()).isEqualTo("[]");

        // As if the time had passed.
        String ends = Keys.muteEnds(Long.parseLong(ann.id()));
        redis.askAt(ends, "ZADD", ends, "" + before.toEpochMilli(), bob.id());
        for (int i = 0; i < 2; i++) {
            assertThat(api.get("/api/v1/timelines/home", ann.token()).each("id"))
                    .as("read %d", i)
                    .containsExactlyInAnyOrder(theirs, mine);
        }
        assertThat(relationship(ann, bob).path("muting").asBoolean()).isFalse();
        assertThat(relationship(ann, bob).path("muting_expires_at").isNull()).isTrue();
        assertThat(api.get("/api/v1/mutes", ann.token()).body()).isEqualTo("[]");
        assertThat(api.get("/api/v1/notifications", ann.token()).each("type")).contains("favourite");
        assertThat(post(ann, "mute", bob).json().path("muting_expires_at").isNull())
                .as("muted again, for good")
                .isTrue();
        assertThat(redis.keys()).doesNotContain(ends);
    }

    @Test
    void mutesThatHaveEndedArePassedOverUntilThereIsOneToShow() {
        String ends = Keys.muteEnds(Long.parseLong(ann.id()));
        User last = user();
        assertThat(post(ann, "mute", last).status()).isEqualTo(200);
        List<User> ended = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ended.add(user());
            String path = "/api/v1/accounts/" + ended.get(i).id() + "/mute";
            assertThat(api.post(path, ann.token(), "duration", "3600").status()).isEqualTo(200);
        }
        ended.forEach(other -> redis.askAt(ends, "ZADD", ends, "1", other.id()));

        Response page = api.get("/api/v1/mutes?limit=2", ann.token());
        assertThat(page.each("id")).containsExactly(last.id());
        assertThat(page.json().get(0).has("mute_expires_at")).isTrue();
    }

    @Test
    void blocksAndMutesAreWalkedNewestFirst() {
        List<String> people = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            User person = user();
            people.add(0, person.id());
            assertThat(post(ann, "block", person).status()).isEqualTo(200);
            assertThat(post(ann, "mute", person).status()).isEqualTo(200);
        }
        for (String list : List.of("blocks", "mutes")) {
            List<String> walked = new ArrayList<>();
            Optional<URI> next = Optional.of(URI.create(api.url() + "/api/v1/" + list + "?limit=2"));
            while (next.isPresent()) {
                Response page = api.get(next.get().toString(), ann.token());
                walked.addAll(page.each("id"));
                next = page.link("next");
                assertThat(page.json().get(0).has("mute_expires_at")).isEqualTo(list.equals("mutes"));
            }
            assertThat(walked).as(list).isEqualTo(people);
        }
        assertThat(api.get("/api/v1/blocks", null).status()).isEqualTo(401);
    }

    @Test
    void nobodyBlocksOrMutesThemselvesOrNobody() {
        for (String what : List.of("block", "mute")) {
            assertThat(post(ann, what, ann).status()).isEqualTo(422);
        }
        for (String what : List.of("block", "mute", "unblock", "unmute")) {
            assertThat(api.post("/api/v1/accounts/4711/" + what, ann.token()).status())
                    .as(what)
                    .isEqualTo(404);
        }
    }

    @Test
    void aStormOfFollowsAndBlocksLeavesNoFollowAcrossABlock() {
        for (int round = 0; round < 6; round++) {
            List<CompletableFuture<Response>> storm = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                storm.add(CompletableFuture.supplyAsync(() -> post(bob, "follow", ann)));
                storm.add(CompletableFuture.supplyAsync(() -> post(ann, "follow", bob)));
                storm.add(CompletableFuture.supplyAsync(() -> post(ann, "block", bob)));
            }
            for (CompletableFuture<Response> one : storm) {
                assertThat(one.join().status()).isIn(200, 403);
            }
            for (User user : List.of(ann, bob)) {
                JsonNode account =
                        api.get("/api/v1/accounts/" + user.id(), null).json();
                assertThat(account.path("followers_count").asInt()).isZero();
                assertThat(account.path("following_count").asInt()).isZero();
                assertThat(api.get("/api/v1/accounts/" + user.id() + "/followers", user.token())
                                .body())
                        .isEqualTo("[]");
            }
            assertThat(post(ann, "unblock", bob).status()).isEqualTo(200);
        }
    }

    private static Response post(User user, String what, User other) {
        return api.post("/api/v1/accounts/" + other.id() + "/" + what, user.token());
    }

    private static JsonNode relationship(User viewer, User other) {
        return api.get("/api/v1/accounts/relationships?id[]=" + other.id(), viewer.token())
                .json()
                .get(0);
    }
}
