package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Direct messages and their conversations. */
class DirectRoutesTest extends OnEveryRedis {
    private static int rounds;

    private User ann;
    private User bob;
    private User cat;
    private User eve;

    @BeforeEach
    void people() {
        int round = ++rounds;
        ann = api.signUp("ann" + round);
        bob = api.signUp("bob" + round);
        cat = api.signUp("cat" + round);
        eve = api.signUp("eve" + round);
        api.follow(eve, ann);
    }

    private static Response direct(User author, String text, String... more) {
        List<String> form = new ArrayList<>(List.of("status", text, "visibility", "direct"));
        form.addAll(List.of(more));
        return api.post("/api/v1/statuses", author.token(), form.toArray(String[]::new));
    }

    private String to(User recipient, String text) {
        Response posted = direct(ann, "@" + recipient.name() + " " + text);
        assertThat(posted.status()).as(posted.body()).isEqualTo(200);
        assertThat(posted.text("/visibility")).isEqualTo("direct");
        return posted.text("/id");
    }

    private static int status(User viewer, String status) {
        return api.get("/api/v1/statuses/" + status, viewer == null ? null : viewer.token())
                .status();
    }

    private static void done(User who, String act, User whom) {
        assertThat(api.post("/api/v1/accounts/" + whom.id() + "/" + act, who.token())
                        .status())
                .isEqualTo(200);
    }

    private static JsonNode conversations(User user) {
        return api.get("/api/v1/conversations", user.token()).json();
    }

    @Test
    void aDirectMessageIsForItsAuthorAndThoseItNames() {
        String id = to(bob, "psst");

        assertThat(status(ann, id)).isEqualTo(200);
        assertThat(status(bob, id)).isEqualTo(200);
        for (User other : new User[] {cat, eve, null}) {
            String token = other == null ? null : other.token();
            assertThat(status(other, id)).isEqualTo(404);
            for (String below : List.of("context", "favourited_by", "reblogged_by", "quotes", "comments", "history")) {
                assertThat(api.get("/api/v1/statuses/" + id + "/" + below, token)
                                .status())
                        .as(below)
                        .isEqualTo(404);
            }
        }
        for (String act : List.of("favourite", "bookmark", "reblog", "mute", "pin")) {
            assertThat(api.post("/api/v1/statuses/" + id + "/" + act, eve.token())
                            .status())
                    .as(act)
                    .isEqualTo(404);
        }
        assertThat(direct(eve, "@" + ann.name() + " I know", "in_reply_to_id", id)
                        .status())
                .isEqualTo(404);
        for (String list : List.of(
                "/api/v1/timelines/home",
                "/api/v1/timelines/public",
                "/api/v1/accounts/" + ann.id() + "/statuses",
                "/api/v1/accounts/" + ann.id() + "/comments",
                "/api/v1/accounts/" + bob.id() + "/statuses")) {
            for (User viewer : List.of(ann, bob, eve)) {
                assertThat(api.get(list, viewer.token()).body()).as(list).doesNotContain("psst");
            }
        }
        assertThat(api.get("/api/v1/accounts/" + ann.id(), eve.token())
                        .json()
                        .path("statuses_count")
                        .asInt())
                .isZero();
        assertThat(api.get("/@" + ann.name() + "/" + id, null).status()).isEqualTo(404);
        assertThat(api.get("/@" + ann.name() + ".rss", null).body()).doesNotContain("psst");
    }

    @Test
    void participantsLikeAndKeepItAndNobodyPassesItOn() {
        String id = to(bob, "psst");

        assertThat(api.post("/api/v1/statuses/" + id + "/favourite", bob.token())
                        .text("/favourites_count"))
                .isEqualTo("1");
        assertThat(api.post("/api/v1/statuses/" + id + "/bookmark", bob.token()).status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/bookmarks", bob.token()).each("id")).containsExactly(id);
        for (User user : List.of(ann, bob)) {
            assertThat(api.post("/api/v1/statuses/" + id + "/reblog", user.token())
                            .status())
                    .isEqualTo(422);
            assertThat(api.post("/api/v1/statuses/" + id + "/reblog", user.token(), "comment", "look")
                            .status())
                    .isEqualTo(422);
            assertThat(api.post("/api/v1/statuses", user.token(), "status", "look", "quoted_status_id", id)
                            .status())
                    .isEqualTo(422);
            assertThat(api.post("/api/v1/statuses/" + id + "/comments", user.token(), "text", "hm")
                            .status())
                    .isEqualTo(422);
        }
        assertThat(api.post("/api/v1/statuses/" + id + "/pin", ann.token()).status())
                .isEqualTo(422);
        String open = api.publish(ann, "for all");
        assertThat(direct(ann, "@" + bob.name() + " see", "quoted_status_id", open)
                        .status())
                .isEqualTo(422);
        assertThat(api.post("/api/v1/statuses/" + open + "/comments", bob.token(), "text", "x", "visibility", "direct")
                        .status())
                .isEqualTo(422);
        assertThat(api.post("/api/v1/statuses/" + open + "/reblog", bob.token(), "visibility", "direct")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void answersStayAmongThoseWhoTakePart() {
        String id = to(bob, "psst");
        Response unsaid =
                api.post("/api/v1/statuses", bob.token(), "status", "@" + ann.name() + " yes", "in_reply_to_id", id);
        assertThat(unsaid.text("/visibility")).as("when nobody says for whom").isEqualTo("direct");
        assertThat(unsaid.text("/in_reply_to_id")).isEqualTo(id);
        Response open = api.post(
                "/api/v1/statuses",
                bob.token(),
                "status",
                "@" + ann.name() + " no",
                "in_reply_to_id",
                id,
                "visibility",
                "public");
        assertThat(open.text("/visibility")).as("as the client asks").isEqualTo("public");
        assertThat(open.json().path("in_reply_to_id").isNull())
                .as("what others may not see is not named")
                .isTrue();

        String answer = unsaid.text("/id");
        assertThat(api.get("/api/v1/statuses/" + id + "/context", ann.token())
                        .json()
                        .at("/descendants/0/id")
                        .asText())
                .isEqualTo(answer);
        assertThat(api.get("/api/v1/statuses/" + answer + "/context", bob.token())
                        .json()
                        .at("/ancestors/0/id")
                        .asText())
                .isEqualTo(id);
        assertThat(api.get("/api/v1/statuses/" + id, ann.token()).text("/replies_count"))
                .isEqualTo("1");
        assertThat(conversations(ann)).hasSize(1);
        assertThat(conversations(ann).at("/0/last_status/id").asText()).isEqualTo(answer);
    }

    /** A reader of the answer may not know of the answered status, and the other way round. */
    @Test
    void anAnswerToOtherPeopleDoesNotSayWhatItAnswers() {
        String id = to(bob, "psst");
        Response toAnother = direct(bob, "@" + cat.name() + " she wrote", "in_reply_to_id", id);
        assertThat(toAnother.json().path("in_reply_to_id").isNull()).isTrue();
        assertThat(toAnother.json().path("in_reply_to_account_id").isNull()).isTrue();
        Response toMore = direct(bob, "@" + ann.name() + " @" + cat.name() + " look", "in_reply_to_id", id);
        assertThat(toMore.json().path("in_reply_to_id").isNull()).isTrue();
        Response toNobody = direct(bob, "a note", "in_reply_to_id", id);
        assertThat(toNobody.text("/in_reply_to_id")).isEqualTo(id);
        assertThat(api.get("/api/v1/statuses/" + id, ann.token()).text("/replies_count"))
                .isEqualTo("0");
    }

    @Test
    void aDirectAnswerToWhatEverybodySeesIsNeitherCountedNorListedThere() {
        String open = api.publish(eve, "for all");
        Response whisper = direct(ann, "@" + bob.name() + " psst", "in_reply_to_id", open);
        assertThat(whisper.status()).isEqualTo(200);

        assertThat(api.get("/api/v1/statuses/" + open, eve.token()).text("/replies_count"))
                .isEqualTo("0");
        assertThat(api.get("/api/v1/statuses/" + open + "/context", eve.token()).body())
                .doesNotContain("psst");
        assertThat(api.get("/api/v1/notifications", eve.token()).body()).doesNotContain("psst");
        assertThat(status(eve, whisper.text("/id"))).isEqualTo(404);
        assertThat(api.get("/api/v1/statuses/" + whisper.text("/id") + "/context", bob.token())
                        .json()
                        .at("/ancestors/0/id")
                        .asText())
                .isEqualTo(open);
    }

    @Test
    void anEditKeepsTheRecipientsAndAddsNobody() {
        String id = to(bob, "psst");
        String path = "/api/v1/statuses/" + id;
        Response adds = edit(path, "@" + bob.name() + " and @" + eve.name());
        assertThat(adds.status()).isEqualTo(422);
        assertThat(status(eve, id)).isEqualTo(404);

        assertThat(edit(path, "never mind").status()).isEqualTo(200);
        assertThat(status(bob, id)).as("no longer named, still a recipient").isEqualTo(200);
        assertThat(edit(path, "@" + bob.name() + " again").status()).isEqualTo(200);
        assertThat(api.get(path + "/history", bob.token()).json()).hasSize(3);
        assertThat(api.get(path + "/history", eve.token()).status()).isEqualTo(404);
        assertThat(api.get("/api/v1/timelines/public", null).body()).doesNotContain("again");
    }

    private Response edit(String path, String text) {
        return api.send(
                "PUT",
                path,
                ann.token(),
                "application/x-www-form-urlencoded",
                "status=" + text.replace(" ", "+").replace("@", "%40"));
    }

    @Test
    void aBlockEitherWayExcludesTheRecipient() {
        done(bob, "block", ann);
        done(ann, "block", cat);
        String id = direct(ann, "@" + bob.name() + " @" + cat.name() + " psst").text("/id");
        assertThat(status(bob, id)).isEqualTo(404);
        assertThat(status(cat, id)).isEqualTo(404);
        assertThat(conversations(bob)).isEmpty();
        assertThat(conversations(cat)).isEmpty();
        done(bob, "unblock", ann);
        assertThat(status(bob, id)).as("what was settled when it was posted").isEqualTo(404);

        String second = to(bob, "hello");
        assertThat(conversations(bob)).hasSize(1);
        done(bob, "block", ann);
        assertThat(conversations(bob)).as("with whom one has blocked").isEmpty();
        done(bob, "unblock", ann);
        done(ann, "block", bob);
        assertThat(status(bob, second)).as("of one who blocks").isEqualTo(404);
        assertThat(conversations(bob)).isEmpty();
    }

    @Test
    void conversationsAreListedReadAndTakenOff() {
        String first = to(bob, "one");
        String second =
                direct(ann, "@" + bob.name() + " @" + cat.name() + " two").text("/id");
        JsonNode all = conversations(bob);
        assertThat(all.findValuesAsText("unread")).containsExactly("true", "true");
        assertThat(all.at("/0/last_status/id").asText()).isEqualTo(second);
        assertThat(all.at("/0/accounts")).hasSize(2);
        assertThat(all.at("/1/last_status/id").asText()).isEqualTo(first);
        assertThat(all.at("/1/accounts/0/id").asText()).isEqualTo(ann.id());
        assertThat(conversations(ann).findValuesAsText("unread")).containsExactly("false", "false");
        Response page = api.get("/api/v1/conversations?limit=1", bob.token());
        assertThat(page.json()).hasSize(1);
        String next = page.link("next").orElseThrow().getRawQuery();
        assertThat(next).contains("max_id=" + second);
        assertThat(api.get("/api/v1/conversations?" + next, bob.token())
                        .json()
                        .at("/0/last_status/id")
                        .asText())
                .isEqualTo(first);

        String id = all.at("/1/id").asText();
        assertThat(api.post("/api/v1/conversations/" + id + "/read", ann.token())
                        .status())
                .as("another's")
                .isEqualTo(404);
        Response read = api.post("/api/v1/conversations/" + id + "/read", bob.token());
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.json().path("unread").asBoolean(true)).isFalse();
        assertThat(api.post("/api/v1/conversations/" + id + "/unread", ann.token())
                        .status())
                .as("another's")
                .isEqualTo(404);
        Response unread = api.post("/api/v1/conversations/" + id + "/unread", bob.token());
        assertThat(unread.json().path("unread").asBoolean()).isTrue();
        assertThat(unread.json().path("last_status")).isEqualTo(read.json().path("last_status"));
        assertThat(conversations(bob).at("/1/unread").asBoolean()).isTrue();
        assertThat(api.delete("/api/v1/conversations/" + id, ann.token()).status())
                .isEqualTo(404);
        assertThat(api.delete("/api/v1/conversations/" + id, bob.token()).body())
                .isEqualTo("{}");
        assertThat(conversations(bob)).hasSize(1);
        assertThat(conversations(ann)).as("the other's list").hasSize(2);
        assertThat(status(bob, first)).as("the message stays").isEqualTo(200);

        assertThat(api.delete("/api/v1/statuses/" + second, ann.token()).status())
                .isEqualTo(200);
        assertThat(conversations(bob)).isEmpty();
        assertThat(conversations(cat)).isEmpty();
        assertThat(conversations(ann)).hasSize(1);
    }

    @Test
    void oneWritesToOneselfAlone() {
        String id = direct(ann, "a note").text("/id");
        assertThat(conversations(ann).at("/0/accounts/0/id").asText()).isEqualTo(ann.id());
        assertThat(status(eve, id)).isEqualTo(404);
    }
}
