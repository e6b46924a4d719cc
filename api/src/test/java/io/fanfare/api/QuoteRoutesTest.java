package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Quote policies, and the end of a quote that the author of the quoted post does not want. */
class QuoteRoutesTest extends OnEveryRedis {
    private static User ann;
    private static User fan;
    private static User bob;

    @BeforeParameterizedClassInvocation
    static void people() {
        ann = api.signUp("ann");
        fan = api.signUp("fan");
        bob = api.signUp("bob");
        api.follow(fan, ann);
    }

    @AfterEach
    void everybodyMayQuoteAgain() {
        prefer("public");
    }

    /** The ways in which a post is quoted. */
    private enum Way {
        POST {
            @Override
            Response quote(User by, String id) {
                return api.post("/api/v1/statuses", by.token(), "status", "look", "quoted_status_id", id);
            }
        },
        REPOST_WITH_WORDS {
            @Override
            Response quote(User by, String id) {
                return api.post("/api/v1/statuses/" + id + "/reblog", by.token(), "comment", "look");
            }
        },
        COMMENT_THAT_IS_REPOSTED {
            @Override
            Response quote(User by, String id) {
                String path = "/api/v1/statuses/" + id + "/comments";
                return api.post(path, by.token(), "text", "look", "also_repost", "true");
            }
        };

        abstract Response quote(User by, String id);
    }

    private static String publish(User author, String policy) {
        Response posted =
                api.post("/api/v1/statuses", author.token(), "status", "hello", "quote_approval_policy", policy);
        assertThat(posted.status()).as(posted.body()).isEqualTo(200);
        return posted.text("/id");
    }

    private static Response show(String id, User viewer) {
        return api.get("/api/v1/statuses/" + id, viewer == null ? null : viewer.token());
    }

    @CanIgnoreReturnValue
    private static Response allow(String id, String policy, User by) {
        String form = "application/x-www-form-urlencoded";
        String path = "/api/v1/statuses/" + id + "/interaction_policy";
        return api.send("PUT", path, by.token(), form, "quote_approval_policy=" + policy);
    }

    private static Response revoke(String quoted, String quote, User by) {
        return api.post("/api/v1/statuses/" + quoted + "/quotes/" + quote + "/revoke", by.token());
    }

    @CanIgnoreReturnValue
    private static Response prefer(String policy) {
        String body = "{\"source\":{\"quote_policy\":\"" + policy + "\"}}";
        return api.patchJson("/api/v1/accounts/update_credentials", ann.token(), body);
    }

    @ParameterizedTest
    @EnumSource
    void theApprovalShownToAViewerDecidesTheQuote(Way way) {
        Map<String, Map<User, String>> expected = Map.of(
                "public", Map.of(ann, "automatic", fan, "automatic", bob, "automatic"),
                "followers", Map.of(ann, "automatic", fan, "automatic", bob, "denied"),
                "nobody", Map.of(ann, "automatic", fan, "denied", bob, "denied"));
        expected.forEach((policy, viewers) -> viewers.forEach((viewer, approval) -> {
            String id = publish(ann, policy);
            assertThat(show(id, viewer).text("/quote_approval/current_user"))
                    .as(policy + " to " + viewer.name())
                    .isEqualTo(approval);
            Response answer = way.quote(viewer, id);
            assertThat(answer.status()).as(answer.body()).isEqualTo(approval.equals("automatic") ? 200 : 422);
            assertThat(show(id, null).json().path("quotes_count").asInt())
                    .isEqualTo(approval.equals("automatic") ? 1 : 0);
        }));
    }

    @Test
    void aRepostShowsTheViewerWhetherItsOriginalMayBeQuoted() {
        String id = publish(ann, "followers");
        Response repost = api.post("/api/v1/statuses/" + id + "/reblog", bob.token());

        assertThat(repost.text("/reblog/quote_approval/current_user")).isEqualTo("denied");
        assertThat(api.get("/api/v1/statuses/" + repost.text("/id"), fan.token())
                        .text("/reblog/quote_approval/current_user"))
                .isEqualTo("automatic");
        assertThat(Way.POST.quote(bob, repost.text("/id")).status()).isEqualTo(422);
        assertThat(show(id, null).text("/quote_approval/current_user")).isEqualTo("unknown");
    }

    @Test
    void theAuthorChangesWhoMayQuoteAndWhatHasQuotedStays() {
        String id = publish(ann, "public");
        String quote = Way.POST.quote(bob, id).text("/id");

        Response changed = allow(id, "nobody", ann);
        assertThat(changed.status()).as(changed.body()).isEqualTo(200);
        assertThat(changed.json().at("/quote_approval/automatic")).isEmpty();
        assertThat(changed.json().path("edited_at").isNull()).isTrue();
        assertThat(Way.POST.quote(bob, id).status()).isEqualTo(422);
        assertThat(show(quote, bob).text("/quote/state")).isEqualTo("accepted");

        String edit = "status=other+words&quote_approval_policy=followers";
        Response edited =
                api.send("PUT", "/api/v1/statuses/" + id, ann.token(), "application/x-www-form-urlencoded", edit);
        assertThat(edited.text("/quote_approval/automatic/0")).isEqualTo("followers");
        assertThat(edited.text("/content")).contains("other words");
        String last = Way.POST.quote(fan, id).text("/id");
        form(fan, "/api/v1/statuses/" + last, "status=look+again");
        assertThat(api.get("/api/v1/statuses/" + last + "/history", bob.token())
                        .json()
                        .findValuesAsText("state"))
                .as("in each version")
                .containsExactly("accepted", "accepted");
    }

    private static void form(User by, String path, String body) {
        Response answer = api.send("PUT", path, by.token(), "application/x-www-form-urlencoded", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void theDefaultOfTheAuthorHoldsForWhatDoesNotSayIt() {
        assertThat(prefer("followers").text("/source/quote_policy")).isEqualTo("followers");
        assertThat(api.get("/api/v1/preferences", ann.token())
                        .json()
                        .path("posting:default:quote_policy")
                        .asText())
                .isEqualTo("followers");
        assertThat(show(api.publish(ann, "as always"), bob).text("/quote_approval/automatic/0"))
                .isEqualTo("followers");
        assertThat(show(publish(ann, "public"), bob).text("/quote_approval/automatic/0"))
                .isEqualTo("public");
        prefer("nobody");
        Response comment =
                api.post("/api/v1/statuses/" + publish(bob, "public") + "/comments", ann.token(), "text", "a");
        assertThat(comment.json().at("/quote_approval/automatic")).isEmpty();
    }

    @Test
    void aQuoteShowsNothingOfAPostThatItsAuthorHasTakenOutOfIt() {
        String id = api.publish(ann, "private after all");
        String quote = Way.POST.quote(bob, id).text("/id");
        String other = Way.REPOST_WITH_WORDS.quote(fan, id).text("/id");
        String quoteOfQuote = Way.POST.quote(fan, quote).text("/id");
        String repost =
                api.post("/api/v1/statuses/" + quote + "/reblog", fan.token()).text("/id");

        for (int i = 0; i < 2; i++) {
            Response revoked = revoke(id, quote, ann);
            assertThat(revoked.status()).as(revoked.body()).isEqualTo(200);
            assertThat(revoked.text("/id")).isEqualTo(quote);
            assertThat(revoked.text("/quote/state")).isEqualTo("revoked");
        }

        for (User viewer : new User[] {ann, bob, fan, null}) {
            Response shown = show(quote, viewer);
            assertThat(shown.text("/quote/state")).isEqualTo("revoked");
            assertThat(shown.text("/content")).isEqualTo("<p>look</p>");
            assertThat(shown.body()).doesNotContain("private after all", id);
            assertThat(show(repost, viewer).body()).doesNotContain("private after all", id);
            assertThat(show(quoteOfQuote, viewer).body()).doesNotContain(id);
            assertThat(show(quoteOfQuote, viewer).text("/quote/quoted_status/quote/state"))
                    .isEqualTo("revoked");
        }
        assertThat(show(other, bob).text("/quote/quoted_status/id")).isEqualTo(id);
        assertThat(show(id, ann).json().path("quotes_count").asInt()).isEqualTo(1);
        assertThat(api.get("/api/v1/statuses/" + id + "/quotes", ann.token()).each("id"))
                .containsExactly(other);
        assertThat(api.get("/api/v1/notifications?types[]=quote", ann.token()).body())
                .doesNotContain(quote);
    }

    @Test
    void aPostIsTakenOutOfAQuoteThatItsAuthorMayNotSee() {
        User hidden = api.signUp("hidden");
        String id = api.publish(ann, "mine alone");
        String quote = Way.POST.quote(hidden, id).text("/id");
        assertThat(api.post("/api/v1/accounts/" + ann.id() + "/block", hidden.token())
                        .status())
                .isEqualTo(200);

        Response revoked = revoke(id, quote, ann);

        assertThat(revoked.status()).as(revoked.body()).isEqualTo(200);
        assertThat(revoked.text("/id")).as("what is not for her stays so").isEqualTo(id);
        assertThat(show(quote, fan).text("/quote/state")).isEqualTo("revoked");
    }

    @Test
    void everybodyMayQuoteAnArticleWhateverItsAuthorsDefaultIs() {
        prefer("nobody");
        Response article = api.post("/api/v1/articles", ann.token(), "title", "News", "link", "https://example.org/a");
        assertThat(article.status()).as(article.body()).isEqualTo(200);

        assertThat(show(article.text("/id"), bob).text("/quote_approval/current_user"))
                .isEqualTo("automatic");
        assertThat(Way.POST.quote(bob, article.text("/id")).status()).isEqualTo(200);
        assertThat(allow(article.text("/id"), "nobody", ann).status()).isEqualTo(422);
        assertThat(api.post("/api/v1/articles", ann.token(), "title", "More", "quote_approval_policy", "nobody")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void onlyTheAuthorTakesAPostOutOfAQuoteAndOnlyOutOfAQuoteOfIt() {
        String id = api.publish(ann, "mine");
        String quote = Way.POST.quote(bob, id).text("/id");
        String apart = api.publish(bob, "about nothing");
        String repost =
                api.post("/api/v1/statuses/" + id + "/reblog", bob.token()).text("/id");

        assertThat(revoke(id, quote, bob).status()).isEqualTo(403);
        assertThat(revoke(id, apart, ann).status()).isEqualTo(404);
        assertThat(revoke(id, repost, ann).status()).isEqualTo(404);
        assertThat(revoke(id, "x", ann).status()).isEqualTo(404);
        assertThat(revoke("4711", quote, ann).status()).isEqualTo(404);
        assertThat(show(quote, ann).text("/quote/quoted_status/id")).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource({"friends, 422", "'', 200"})
    void aPolicyThatDoesNotExistIsRefusedAndWithoutOneNothingChanges(String policy, int status) {
        String id = publish(ann, "followers");

        assertThat(allow(id, policy, ann).status()).isEqualTo(status);
        assertThat(show(id, ann).text("/quote_approval/automatic/0")).isEqualTo("followers");
        assertThat(allow(id, "public", bob).status()).isEqualTo(404);
        assertThat(show(id, ann).text("/quote_approval/automatic/0")).isEqualTo("followers");
    }

    private static Response whisper(User author, String visibility) {
        return api.post("/api/v1/statuses", author.token(), "status", "psst", "visibility", visibility);
    }

    @Test
    void aDirectMessageIsQuotedByNobodyWhateverItsPolicy() {
        Response posted = whisper(ann, "direct");
        Response allowed = allow(posted.text("/id"), "public", ann);

        assertThat(allowed.status()).isEqualTo(200);
        assertThat(allowed.text("/quote_approval/current_user")).isEqualTo("denied");
        assertThat(Way.POST.quote(ann, posted.text("/id")).status()).isEqualTo(422);
    }

    @ParameterizedTest
    @EnumSource
    void aStatusForFollowersIsQuotedByItsAuthorAloneAndForTheSameFollowers(Way way) {
        String id = whisper(ann, "private").text("/id");
        Response allowed = allow(id, "public", ann);
        assertThat(allowed.json().at("/quote_approval/automatic")).isEmpty();
        assertThat(allowed.text("/quote_approval/current_user")).isEqualTo("automatic");
        assertThat(show(id, fan).text("/quote_approval/current_user")).isEqualTo("denied");
        assertThat(way.quote(fan, id).status()).isEqualTo(422);
        assertThat(way.quote(bob, id).status()).isEqualTo(404);

        Response answer = way.quote(ann, id);

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.text("/visibility")).isEqualTo("private");
        String quote =
                api.get("/api/v1/statuses/" + id + "/quotes", ann.token()).text("/0/id");
        for (User follower : new User[] {ann, fan}) {
            assertThat(show(quote, follower).text("/quote/state")).isEqualTo("accepted");
            assertThat(show(quote, follower).text("/quote/quoted_status/content"))
                    .isEqualTo("<p>psst</p>");
        }
        assertThat(show(quote, bob).status()).isEqualTo(404);
        assertThat(show(quote, null).status()).isEqualTo(404);
    }

    @Test
    void aQuoteOfACommentForOthersShowsItOnlyToThem() {
        User host = api.signUp("host");
        User both = api.signUp("both");
        api.follow(ann, host);
        api.follow(both, host);
        api.follow(both, ann);
        String above = whisper(host, "private").text("/id");
        String comment = api.post("/api/v1/statuses/" + above + "/comments", ann.token(), "text", "between us")
                .text("/id");

        String quote = Way.POST.quote(ann, comment).text("/id");

        assertThat(show(quote, ann).text("/quote/quoted_status/content")).contains("between us");
        assertThat(show(quote, both).text("/quote/quoted_status/content")).contains("between us");
        assertThat(show(quote, fan).text("/quote/state")).isEqualTo("unauthorized");
        assertThat(show(quote, fan).body()).doesNotContain("between us");
        assertThat(api.get("/api/v1/timelines/home", fan.token()).body()).doesNotContain("between us");
        assertThat(show(quote, host).status()).isEqualTo(404);
    }
}
