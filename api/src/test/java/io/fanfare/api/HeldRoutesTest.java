package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.model.Role;
import io.fanfare.media.TestPictures;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Posts of new accounts that a signal holds or limits: for their authors and for moderators. */
@ParameterizedClass
@KindsOfRedis
class HeldRoutesTest {
    private static final String POSTS = "/api/v1/statuses";
    private static final String HELD = "/api/v1/held_statuses";
    private static final String WAITING = "/api/v1/admin/held_statuses";
    private static final String LINK = "look at https://other.example/offer";

    private static TestRedis redis;
    private static ApiServer api;
    private static ApiServer limiting;
    private static User moderator;
    private static int people;

    @Parameter
    TestRedis.Kind kind;

    private final User ann = api.signUp("newcomer" + ++people);

    @BeforeParameterizedClassInvocation
    static void start(TestRedis.Kind kind) {
        redis = kind.redis();
        redis.flush();
        api = new ApiServer(redis, "signals.links=hold", "signals.mentions=hold", "signals.mentions-max=1");
        limiting = new ApiServer(redis, "signals.links=limit");
        moderator = Moderators.signUp(api, "mia");
        Moderators.promote(redis, moderator, Role.MODERATOR);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        api.close();
        limiting.close();
    }

    private Response post(String... form) {
        return api.post(POSTS, ann.token(), form);
    }

    private static void assertHeld(Response answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(422);
        assertThat(answer.text("/details/status/0/error")).isEqualTo("ERR_HELD");
        assertThat(answer.text("/error")).contains("waits for a moderator", "You need not send it again");
    }

    private String held(String... form) {
        assertHeld(post(form));
        return api.get(HELD, ann.token()).text("/0/id");
    }

    private Response decide(String id, String decision, String... form) {
        return decide(moderator, ann, id, decision, form);
    }

    private static Response decide(User by, User author, String id, String decision, String... form) {
        String path = "/api/v1/admin/accounts/" + author.id() + "/held_statuses/" + id + "/" + decision;
        return api.post(path, by.token(), form);
    }

    private List<String> published() {
        return api.get("/api/v1/accounts/" + ann.id() + "/statuses", ann.token())
                .each("id");
    }

    /** The scheduled posts, such as an approved one until a worker publishes it. */
    private Map<String, String> scheduled() {
        List<String> ids = api.get("/api/v1/scheduled_statuses", ann.token()).each("id");
        return ids.isEmpty()
                ? Map.of()
                : Map.of(
                        ids.get(0),
                        api.get("/api/v1/scheduled_statuses/" + ids.get(0), ann.token())
                                .text("/params/text"));
    }

    @Test
    void aPostWithALinkWaitsAndItsAuthorReadsWhy() {
        Response refused = post("status", LINK, "spoiler_text", "psst", "visibility", "unlisted");
        assertHeld(refused);
        assertThat(refused.text("/error")).contains("the account is new, and the post has a link to another site");
        assertThat(published()).isEmpty();

        Response list = api.get(HELD, ann.token());
        assertThat(list.json()).hasSize(1);
        assertThat(list.text("/0/signal")).isEqualTo("links");
        assertThat(list.text("/0/reason")).contains("link to another site");
        assertThat(list.text("/0/params/text")).isEqualTo(LINK);
        assertThat(list.text("/0/params/spoiler_text")).isEqualTo("psst");
        assertThat(list.text("/0/params/visibility")).isEqualTo("unlisted");
        assertThat(list.json().at("/0/scheduled_at").isNull()).isTrue();
        assertThat(list.json().at("/0").has("account")).isFalse();
        String id = list.text("/0/id");
        assertThat(api.get(HELD + "/" + id, ann.token()).text("/id")).isEqualTo(id);

        User bob = api.signUp("curious" + ++people);
        assertThat(api.get(HELD, bob.token()).json()).isEmpty();
        assertThat(api.get(HELD + "/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(api.delete(HELD + "/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(api.get(HELD + "/" + id, ann.token()).status()).isEqualTo(200);

        assertThat(api.delete(HELD + "/" + id, ann.token()).body()).isEqualTo("{}");
        assertThat(api.delete(HELD + "/" + id, ann.token()).status()).isEqualTo(404);
        assertThat(decide(id, "approve").status()).isEqualTo(404);
        assertThat(published()).isEmpty();
        assertThat(scheduled()).isEmpty();
    }

    @Test
    void theSameRequestAgainAnswersTheSameAndKeepsNothing() {
        String form = "status=" + LINK.replace(" ", "+");
        for (int i = 0; i < 2; i++) {
            assertHeld(api.send(
                    "POST", POSTS, ann.token(), "application/x-www-form-urlencoded", form, "Idempotency-Key", "key"));
            assertHeld(post("status", LINK));
        }
        assertThat(api.get(HELD, ann.token()).json()).hasSize(1);
    }

    @Test
    void anApprovedPostIsHandedToItsJobAndTheActIsLogged() {
        String id = held("status", LINK);
        Response waiting = api.get(WAITING, moderator.token());
        assertThat(waiting.each("id")).contains(id);
        assertThat(waiting.json().findValuesAsText("username")).contains(ann.name());

        Response done = decide(id, "approve", "why", "known");
        assertThat(done.body()).isEqualTo("{}");
        assertThat(scheduled()).containsExactly(Map.entry(id, LINK));
        assertThat(api.get(HELD, ann.token()).json()).isEmpty();
        assertThat(api.get(WAITING, moderator.token()).each("id")).doesNotContain(id);
        assertThat(decide(id, "approve").status()).isEqualTo(404);
        assertThat(decide(id, "reject").status()).isEqualTo(404);

        Response log = api.get("/api/v1/admin/audit_log?target_account_id=" + ann.id(), moderator.token());
        assertThat(log.json().at("/entries")).hasSize(1);
        assertThat(log.text("/entries/0/action")).isEqualTo("held.approve");
        assertThat(log.text("/entries/0/detail")).isEqualTo("links");
        assertThat(log.text("/entries/0/why")).isEqualTo("known");
        assertHeld(post("status", LINK + "/2"));
    }

    @Test
    void noPostOfATrustedAccountWaits() {
        String id = held("status", LINK);
        assertThat(decide(id, "approve", "trust", "true").status()).isEqualTo(200);
        assertThat(post("status", LINK + "/2").status()).isEqualTo(200);
        assertThat(post("status", LINK + "/3").json().has("limited_by")).isFalse();
    }

    @Test
    void theAuthorOfARejectedPostGetsTheMessageAndNobodyElsesName() {
        String id = held("status", LINK);
        assertThat(decide(id, "reject", "text", "No advertising.", "why", "spam")
                        .body())
                .isEqualTo("{}");
        assertThat(published()).isEmpty();
        assertThat(scheduled()).isEmpty();
        assertThat(api.get(HELD, ann.token()).json()).isEmpty();
        Response warnings = api.get("/api/v1/warnings", ann.token());
        assertThat(warnings.text("/0/action")).isEqualTo("none");
        assertThat(warnings.text("/0/text")).contains(LINK, "was not published", "No advertising.");
        assertThat(warnings.body()).doesNotContain("mia").doesNotContain("spam");
        assertThat(api.get("/api/v1/notifications?types[]=moderation_warning", ann.token())
                        .json())
                .hasSize(1);
        Response log = api.get("/api/v1/admin/audit_log?target_account_id=" + ann.id(), moderator.token());
        assertThat(log.text("/entries/0/action")).isEqualTo("held.reject");
        assertThat(log.text("/entries/0/why")).isEqualTo("spam");
    }

    @Test
    void postsOfModeratorsDoNotWaitAndNobodyWithoutARoleDecides() {
        Response own = api.post(POSTS, moderator.token(), "status", LINK);
        assertThat(own.status()).as(own.body()).isEqualTo(200);
        String id = held("status", LINK);
        User bob = Moderators.signUp(api, "noRole" + ++people);
        assertThat(api.get(WAITING, bob.token()).status()).isEqualTo(403);
        assertThat(decide(bob, ann, id, "approve").status()).isEqualTo(403);
        assertThat(decide(bob, ann, id, "reject").status()).isEqualTo(403);
        assertThat(decide(id, "approve", "why", "x".repeat(501)).status()).isEqualTo(422);
        assertThat(api.get(HELD + "/" + id, ann.token()).status()).isEqualTo(200);
    }

    @Test
    void aPostThatNamesManyStrangersWaits() {
        User bob = api.signUp("first" + ++people);
        User cat = api.signUp("second" + ++people);
        String text = "@" + bob.name() + " @" + cat.name() + " hello";
        assertThat(post("status", "@" + bob.name() + " hello").status()).isEqualTo(200);
        Response refused = post("status", text);
        assertHeld(refused);
        assertThat(refused.text("/error")).contains("names several accounts");
        api.follow(bob, ann);
        assertThat(post("status", text + " again").status()).isEqualTo(200);
    }

    @Test
    void commentsRepliesAndQuotesWaitWithWhatTheyReferTo() {
        String subject = api.publish(moderator, "subject " + people);
        assertHeld(api.post(POSTS + "/" + subject + "/comments", ann.token(), "text", LINK + "/c"));
        assertThat(api.get(HELD, ann.token()).text("/0/comment_on_id")).isEqualTo(subject);
        assertHeld(post("status", LINK + "/r", "in_reply_to_id", subject));
        assertThat(api.get(HELD, ann.token()).text("/0/params/in_reply_to_id")).isEqualTo(subject);
        assertHeld(post("status", LINK + "/q", "quoted_status_id", subject));
        assertThat(api.get(HELD, ann.token()).text("/0/params/quoted_status_id"))
                .isEqualTo(subject);
        Response both =
                api.post(POSTS + "/" + subject + "/comments", ann.token(), "text", LINK + "/b", "also_repost", "true");
        assertHeld(both);
        assertThat(both.text("/error")).contains("as a comment only");
        assertThat(api.get(HELD, ann.token()).json()).hasSize(4);
        assertThat(api.get(POSTS + "/" + subject + "/comments", ann.token()).json())
                .isEmpty();
    }

    @Test
    void postsThatModeratorsDoNotReadAreRefusedAndNotKept() {
        for (String visibility : List.of("private", "direct")) {
            Response refused = post("status", LINK + " @mia", "visibility", visibility);
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.text("/error")).contains("Moderators do not read");
            assertThat(refused.json().has("details")).isFalse();
        }
        Response article =
                api.post("/api/v1/articles", ann.token(), "title", "News", "link", "https://other.example/news");
        assertThat(article.status()).as(article.body()).isEqualTo(422);
        assertThat(article.text("/error")).contains("Publish a post instead");
        assertThat(api.get(HELD, ann.token()).json()).isEmpty();
        assertThat(post("status", "to followers", "visibility", "private").status())
                .isEqualTo(200);
    }

    @Test
    void thePictureOfAPostStaysWhileItWaitsAndComesBackToItsAuthor(@TempDir Path folder) throws IOException {
        try (ApiServer files = new ApiServer(redis, "media.directory=" + folder, "signals.links=hold")) {
            String picture = files.sendFile("POST", "/api/v2/media", ann.token(), "file", TestPictures.jpeg(64, 64))
                    .text("/id");
            for (int i = 0; i < 2; i++) {
                assertHeld(files.post(POSTS, ann.token(), "status", LINK, "media_ids[]", picture));
            }
            Response waiting = files.get(HELD, ann.token());
            assertThat(waiting.json()).hasSize(1);
            assertThat(waiting.text("/0/media_attachments/0/id")).isEqualTo(picture);
            assertThat(MediaFiles.fetched("GET", waiting.text("/0/media_attachments/0/url"))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(files.get("/api/v1/media/" + picture, ann.token()).status())
                    .as("it is no upload meanwhile")
                    .isEqualTo(404);
            assertThat(decide(waiting.text("/0/id"), "reject").status()).isEqualTo(200);
            Response again = files.post(POSTS, ann.token(), "status", "no link", "media_ids[]", picture);
            assertThat(again.status()).as(again.body()).isEqualTo(200);
            assertThat(again.text("/media_attachments/0/id")).isEqualTo(picture);
        }
    }

    @Test
    void anEditThatAddsASignalIsRefused() {
        String plain = post("status", "plain words").text("/id");
        Response refused = api.send(
                "PUT",
                POSTS + "/" + plain,
                ann.token(),
                "application/x-www-form-urlencoded",
                "status=" + LINK.replace(" ", "+"));
        assertThat(refused.status()).as(refused.body()).isEqualTo(422);
        assertThat(refused.text("/error")).contains("Your edit was not stored", "Write a new post");
        assertThat(api.get(POSTS + "/" + plain + "/source", ann.token()).text("/text"))
                .isEqualTo("plain words");
        Response edited = api.send(
                "PUT", POSTS + "/" + plain, ann.token(), "application/x-www-form-urlencoded", "status=other words");
        assertThat(edited.status()).isEqualTo(200);
    }

    @Test
    void aScheduledPostWaitsWithItsTime() {
        assertHeld(post("status", LINK, "scheduled_at", "2100-01-01"));
        Response list = api.get(HELD, ann.token());
        assertThat(list.text("/0/scheduled_at")).isEqualTo("2100-01-01T00:00:00.000Z");
        assertThat(decide(list.text("/0/id"), "approve").status()).isEqualTo(200);
        assertThat(api.get("/api/v1/scheduled_statuses", ann.token()).text("/0/scheduled_at"))
                .isEqualTo("2100-01-01T00:00:00.000Z");
    }

    @Test
    void aLimitedPostIsUnlistedAndItsAuthorReadsWhy() {
        Response limited = limiting.post(POSTS, ann.token(), "status", LINK);
        assertThat(limited.status()).as(limited.body()).isEqualTo(200);
        assertThat(limited.text("/visibility")).isEqualTo("unlisted");
        assertThat(limited.text("/limited_by/signal")).isEqualTo("links");
        assertThat(limited.text("/limited_by/reason")).startsWith("Published as unlisted: ");
        assertThat(api.get("/api/v1/timelines/public", null).each("id")).doesNotContain(limited.text("/id"));
        assertThat(api.get(POSTS + "/" + limited.text("/id"), ann.token())
                        .json()
                        .has("limited_by"))
                .isFalse();

        Response whole = limiting.post(
                POSTS,
                ann.token(),
                "status",
                LINK + "/2",
                "visibility",
                "public",
                "sensitive",
                "false",
                "language",
                "en",
                "quote_approval_policy",
                "public");
        assertThat(whole.text("/visibility")).as("with every option").isEqualTo("unlisted");
        Response narrow = limiting.post(POSTS, ann.token(), "status", LINK + "/3", "visibility", "private");
        assertThat(narrow.text("/visibility")).isEqualTo("private");
        assertThat(narrow.json().has("limited_by")).isFalse();
        Response later = limiting.post(POSTS, ann.token(), "status", LINK + "/4", "scheduled_at", "2100-01-01");
        assertThat(later.text("/params/visibility")).isEqualTo("unlisted");
        Response plain = limiting.post(POSTS, ann.token(), "status", "plain words");
        assertThat(plain.text("/visibility")).isEqualTo("public");
        assertThat(edit(plain.text("/id")).status()).as("it would stay public").isEqualTo(422);
        assertThat(edit(narrow.text("/id")).status()).isEqualTo(200);
    }

    private Response edit(String id) {
        String form = "status=" + LINK.replace(" ", "+") + "/edited";
        return limiting.send("PUT", POSTS + "/" + id, ann.token(), "application/x-www-form-urlencoded", form);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "abc", "9007199254740991", "-1"})
    void anIdThatNobodyHasIsUnknown(String id) {
        assertThat(decide(id, "approve").status()).isEqualTo(404);
        assertThat(decide(id, "reject").status()).isEqualTo(404);
        assertThat(api.get(HELD + "/" + id, ann.token()).status()).isEqualTo(404);
        assertThat(api.delete(HELD + "/" + id, ann.token()).status()).isEqualTo(404);
    }
}
