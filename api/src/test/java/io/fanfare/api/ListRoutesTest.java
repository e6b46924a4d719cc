package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ListRoutesTest extends OnEveryRedis {
    private static final String LISTS = "/api/v1/lists";

    private static int people;

    private static User person() {
        return api.signUp("lister" + ++people);
    }

    /** The id of a new list. */
    @CanIgnoreReturnValue
    private static String list(User owner, String title, String... form) {
        Response made = api.post(
                LISTS,
                owner.token(),
                Stream.concat(Stream.of("title", title), Stream.of(form)).toArray(String[]::new));
        assertThat(made.status()).isEqualTo(200);
        return made.text("/id");
    }

    @CanIgnoreReturnValue
    private static Response add(User owner, String list, User... accounts) {
        return send("POST", owner, list, accounts);
    }

    @CanIgnoreReturnValue
    private static Response send(String method, User owner, String list, User... accounts) {
        String body = String.join(
                "&", Stream.of(accounts).map(one -> "account_ids[]=" + one.id()).toList());
        return api.send(
                method, LISTS + "/" + list + "/accounts", owner.token(), "application/x-www-form-urlencoded", body);
    }

    private static Response put(User owner, String list, String body) {
        return api.send("PUT", LISTS + "/" + list, owner.token(), "application/x-www-form-urlencoded", body);
    }

    private static List<String> timeline(User owner, String list) {
        return api.get("/api/v1/timelines/list/" + list, owner.token()).each("id");
    }

    @Test
    void aMuteThatEndsShowsTheAuthorAgain() {
        User ann = person();
        User bob = person();
        api.follow(ann, bob);
        String id = list(ann, "friends");
        add(ann, id, bob);
        String post = api.publish(bob, "hello");
        assertThat(timeline(ann, id)).containsExactly(post);
        Response muted = api.post("/api/v1/accounts/" + bob.id() + "/mute", ann.token(), "duration", "3600");
        assertThat(muted.status()).isEqualTo(200);
        assertThat(timeline(ann, id)).isEmpty();

        String ends = Keys.muteEnds(Long.parseLong(ann.id()));
        redis.askAt(ends, "ZADD", ends, "1000", bob.id());
        assertThat(timeline(ann, id)).containsExactly(post);
    }

    @Test
    void aListIsMadeShownChangedAndDeleted() {
        User ann = person();
        assertThat(api.get(LISTS, ann.token()).body()).isEqualTo("[]");
        String id = list(ann, " Friends\nand  family ");

        Response made = api.get(LISTS + "/" + id, ann.token());
        assertThat(made.text("/title")).isEqualTo("Friends and  family");
        assertThat(made.text("/replies_policy")).isEqualTo("list");
        assertThat(made.json().path("exclusive").asBoolean()).isFalse();

        Response changed = put(ann, id, "replies_policy=none");
        assertThat(changed.text("/title")).isEqualTo("Friends and  family");
        assertThat(changed.text("/replies_policy")).isEqualTo("none");
        assertThat(put(ann, id, "title=Foes").text("/replies_policy")).isEqualTo("none");
        String other = list(ann, "Others", "replies_policy", "followed");
        Response all = api.get(LISTS, ann.token());
        assertThat(all.each("id")).containsExactly(id, other);
        assertThat(all.each("title")).containsExactly("Foes", "Others");

        assertThat(api.delete(LISTS + "/" + id, ann.token()).body()).isEqualTo("{}");
        assertThat(api.get(LISTS + "/" + id, ann.token()).status()).isEqualTo(404);
        assertThat(api.delete(LISTS + "/" + id, ann.token()).status()).isEqualTo(404);
        assertThat(api.get(LISTS, ann.token()).each("id")).containsExactly(other);
    }

    @Test
    void anInvalidListIsRefusedInAWholeSentence() {
        User ann = person();
        for (String[] form : new String[][] {
            {},
            {"title", " "},
            {"title", "x".repeat(257)},
            {"title", "x".repeat(3000)},
            {"title", "x", "replies_policy", "some"},
        }) {
            Response refused = api.post(LISTS, ann.token(), form);
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.text("/error")).startsWith("Validation failed: ");
        }
        assertThat(api.post(LISTS, ann.token()).text("/error")).isEqualTo("Validation failed: Title can't be blank");
        assertThat(api.get(LISTS, ann.token()).body()).isEqualTo("[]");
        String list = list(ann, "x".repeat(256));
        assertThat(put(ann, list, "title=").status()).isEqualTo(422);
        assertThat(put(ann, list, "replies_policy=all").status()).isEqualTo(422);
    }

    @Test
    void anAccountHasABoundedNumberOfLists() {
        User ann = person();
        IntStream.range(0, 50).forEach(number -> list(ann, "list " + number));
        Response refused = api.post(LISTS, ann.token(), "title", "one more");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/error")).contains("50 lists").contains("delete one");
    }

    @Test
    void aFolloweeIsPutOnAListAndTakenOff() {
        User ann = person();
        User bob = person();
        User eve = person();
        String list = list(ann, "friends");
        api.follow(ann, bob);

        assertThat(add(ann, list, bob, eve).status()).as("one is not followed").isEqualTo(404);
        assertThat(accounts(ann, list)).isEmpty();
        assertThat(add(ann, list, bob, ann).body()).isEqualTo("{}");
        assertThat(accounts(ann, list)).as("the newest account first").containsExactly(bob.id(), ann.id());
        Response again = add(ann, list, bob);
        assertThat(again.status()).isEqualTo(422);
        assertThat(again.text("/error")).isEqualTo("Validation failed: Account has already been taken");
        assertThat(add(ann, list).body()).as("nobody").isEqualTo("{}");

        assertThat(api.get("/api/v1/accounts/" + bob.id() + "/lists", ann.token())
                        .each("id"))
                .containsExactly(list);
        assertThat(api.get("/api/v1/accounts/" + eve.id() + "/lists", ann.token())
                        .body())
                .isEqualTo("[]");
        assertThat(api.get("/api/v1/accounts/" + bob.id() + "/lists", bob.token())
                        .body())
                .isEqualTo("[]");

        assertThat(send("DELETE", ann, list, ann, eve).body()).isEqualTo("{}");
        assertThat(accounts(ann, list)).containsExactly(bob.id());
        String query = LISTS + "/" + list + "/accounts?account_ids[]=" + bob.id();
        assertThat(api.delete(query, ann.token()).body()).isEqualTo("{}");
        assertThat(accounts(ann, list)).isEmpty();
    }

    private static List<String> accounts(User owner, String list) {
        return api.get(LISTS + "/" + list + "/accounts", owner.token()).each("id");
    }

    @Test
    void anUnfollowedAccountLeavesAllLists() {
        User ann = person();
        User bob = person();
        User cat = person();
        String first = list(ann, "first");
        String second = list(ann, "second");
        for (User friend : List.of(bob, cat)) {
            api.follow(ann, friend);
            assertThat(add(ann, first, friend).status()).isEqualTo(200);
            assertThat(add(ann, second, friend).status()).isEqualTo(200);
        }
        assertThat(api.post("/api/v1/accounts/" + bob.id() + "/unfollow", ann.token())
                        .status())
                .isEqualTo(200);
        assertThat(accounts(ann, first)).containsExactly(cat.id());
        assertThat(accounts(ann, second)).containsExactly(cat.id());
        assertThat(api.post("/api/v1/accounts/" + cat.id() + "/block", ann.token())
                        .status())
                .isEqualTo(200);
        assertThat(accounts(ann, first)).isEmpty();
        assertThat(accounts(ann, second)).isEmpty();
    }

    @Test
    void accountsComeInPagesOrAllAtOnce() {
        User ann = person();
        List<User> friends = IntStream.range(0, 5).mapToObj(i -> person()).toList();
        friends.forEach(friend -> api.follow(ann, friend));
        String list = list(ann, "friends");
        assertThat(add(ann, list, friends.toArray(User[]::new)).status()).isEqualTo(200);
        String path = LISTS + "/" + list + "/accounts";

        Response first = api.get(path + "?limit=2", ann.token());
        assertThat(first.each("id")).hasSize(2);
        Response second = api.get(
                first.link("next")
                        .orElseThrow()
                        .getRawSchemeSpecificPart()
                        .substring(first.link("next")
                                .orElseThrow()
                                .getRawSchemeSpecificPart()
                                .indexOf("/api/")),
                ann.token());
        assertThat(second.each("id")).hasSize(2).doesNotContainAnyElementsOf(first.each("id"));
        Response all = api.get(path + "?limit=0", ann.token());
        assertThat(all.each("id")).hasSize(5);
        assertThat(all.link("next")).isEmpty();
        assertThat(all.link("prev")).isEmpty();
    }

    @Test
    void theListOfAnotherIsAsUnknownAsOneThatThereIsNot() {
        User ann = person();
        User eve = person();
        String list = list(ann, "friends");
        for (String id : List.of(list, "1", "x")) {
            String path = LISTS + "/" + id;
            for (Response answer : List.of(
                    api.get(path, eve.token()),
                    put(eve, id, "title=mine"),
                    api.delete(path, eve.token()),
                    api.get(path + "/accounts", eve.token()),
                    add(eve, id, eve),
                    send("DELETE", eve, id, eve),
                    api.get("/api/v1/timelines/list/" + id, eve.token()))) {
                assertThat(answer.status()).as(answer.body()).isEqualTo(404);
            }
        }
        assertThat(api.get(LISTS + "/" + list, ann.token()).text("/title")).isEqualTo("friends");
        assertThat(api.get(LISTS, eve.token()).body()).isEqualTo("[]");
    }

    @Test
    void theTimelineShowsTheAccountsOfTheListAndTheAnswersThatItsPolicyWants() {
        User ann = person();
        User bob = person();
        User cat = person();
        User dan = person();
        User eve = person();
        List.of(bob, cat, dan).forEach(friend -> api.follow(ann, friend));
        String list = list(ann, "friends");
        assertThat(add(ann, list, bob, cat).status()).isEqualTo(200);

        String plain = api.publish(bob, "hello");
        String others = api.publish(dan, "hello");
        String strange = api.publish(eve, "hello");
        String thread = reply(bob, plain);
        String toMember = reply(cat, plain);
        String toFollowed = reply(cat, others);
        String toStranger = reply(cat, strange);
        String toOwner = reply(cat, api.publish(ann, "hello"));

        assertThat(timeline(ann, list)).containsExactly(toOwner, toMember, thread, plain);
        assertThat(put(ann, list, "replies_policy=followed").status()).isEqualTo(200);
        assertThat(timeline(ann, list)).containsExactly(toOwner, toFollowed, toMember, thread, plain);
        assertThat(put(ann, list, "replies_policy=none").status()).isEqualTo(200);
        assertThat(timeline(ann, list)).containsExactly(toOwner, thread, plain);

        assertThat(api.post("/api/v1/accounts/" + cat.id() + "/mute", ann.token())
                        .status())
                .isEqualTo(200);
        assertThat(timeline(ann, list)).containsExactly(thread, plain).doesNotContain(toStranger);
        assertThat(api.delete("/api/v1/statuses/" + thread, bob.token()).status())
                .isEqualTo(200);
        assertThat(timeline(ann, list)).containsExactly(plain);
    }

    private static String reply(User author, String status) {
        Response answer = api.post("/api/v1/statuses", author.token(), "status", "yes", "in_reply_to_id", status);
        assertThat(answer.status()).isEqualTo(200);
        return answer.text("/id");
    }

    @Test
    void anExclusiveListTakesItsAccountsOutOfTheHome() {
        User ann = person();
        User bob = person();
        User cat = person();
        api.follow(ann, bob);
        api.follow(ann, cat);
        String own = api.publish(ann, "own");
        String words = api.publish(bob, "words");
        String other = api.publish(cat, "other");
        assertThat(home(ann)).containsExactly(other, words, own);

        String list = list(ann, "Apart", "exclusive", "true");
        assertThat(api.get(LISTS + "/" + list, ann.token())
                        .json()
                        .path("exclusive")
                        .asBoolean())
                .isTrue();
        assertThat(home(ann)).containsExactly(other, words, own);
        add(ann, list, bob);
        add(ann, list, ann);
        assertThat(home(ann)).containsExactly(other, own);
        assertThat(timeline(ann, list)).containsExactly(words, own);
        assertThat(put(ann, list, "exclusive=false").status()).isEqualTo(200);
        assertThat(home(ann)).containsExactly(other, words, own);
        assertThat(put(ann, list, "exclusive=true").status()).isEqualTo(200);
        assertThat(home(ann)).containsExactly(other, own);
        assertThat(api.delete(LISTS + "/" + list, ann.token()).status()).isEqualTo(200);
        assertThat(home(ann)).containsExactly(other, words, own);
    }

    private static List<String> home(User viewer) {
        return api.get("/api/v1/timelines/home", viewer.token()).each("id");
    }
}
