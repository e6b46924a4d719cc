package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.Counter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusRoutesTest extends OnEveryRedis {
    private static User ann;
    private static User bob;

    @BeforeParameterizedClassInvocation
    static void people() {
        ann = api.signUp("ann");
        bob = api.signUp("bob");
    }

    @Test
    void nothingHasTheIdZero() {
        for (String path : List.of(
                "statuses/0",
                "statuses/0/comments",
                "statuses/0/context",
                "statuses/0/quotes",
                "statuses/0/history",
                "statuses/0/favourited_by",
                "accounts/0",
                "accounts/0/statuses",
                "accounts/0/followers",
                "lists/0",
                "polls/0")) {
            assertThat(api.get("/api/v1/" + path, ann.token()).status())
                    .as(path)
                    .isEqualTo(404);
        }
    }

    @Test
    void theHistoryOfAStatusIsWhatItWasAtFirst() {
        Response posted = api.post("/api/v1/statuses", ann.token(), "status", "a *word*", "spoiler_text", "hm");
        Response history = api.get("/api/v1/statuses/" + posted.text("/id") + "/history", null);

        assertThat(history.json()).hasSize(1);
        for (String field : List.of("content", "spoiler_text", "created_at", "sensitive", "account")) {
            assertThat(history.json().at("/0/" + field))
                    .as(field)
                    .isEqualTo(posted.json().path(field));
        }
        Response hidden = api.post("/api/v1/statuses", ann.token(), "status", "x", "visibility", "private");
        assertThat(api.get("/api/v1/statuses/" + hidden.text("/id") + "/history", null)
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aPostIsAnsweredAsACompleteStatus() {
        JsonNode status = api.post(
                        "/api/v1/statuses",
                        ann.token(),
                        "status",
                        "a <b> & \"c\"\nd",
                        "spoiler_text",
                        "x",
                        "language",
                        "en",
                        "visibility",
                        "unlisted")
                .json();

        assertThat(status.path("content").asText()).isEqualTo("<p>a &lt;b&gt; &amp; &quot;c&quot;<br>d</p>");
        assertThat(status.path("spoiler_text").asText()).isEqualTo("x");
        assertThat(status.path("sensitive").asBoolean()).isTrue();
        assertThat(status.path("language").asText()).isEqualTo("en");
        assertThat(status.path("visibility").asText()).isEqualTo("unlisted");
        assertThat(status.path("created_at").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(status.at("/account/username").asText()).isEqualTo("ann");
        assertThat(status.path("favourited").isBoolean()).isTrue();
        assertThat(status.path("url").asText())
                .isEqualTo(api.url() + "/@ann/" + status.path("id").asText());
        assertThat(status.fieldNames())
                .toIterable()
                .contains("media_attachments", "mentions", "tags", "emojis", "reblog", "card", "poll", "edited_at");
    }

    @Test
    void aPostNamesNobodyWhomItsAppDidNotMean() {
        String json = "{\"status\":\"@bob and @ann and @nobody_at_all\",\"allowed_mentions\":[%s]}";
        Response meant = post(ann, json.formatted('"' + bob.id() + '"'));
        Response others = post(ann, json.formatted('"' + ann.id() + '"'));
        Response none = post(ann, json.formatted(""));

        assertThat(meant.json().at("/mentions").findValuesAsText("username")).contains("bob");
        for (Response refused : List.of(others, none)) {
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.text("/error")).contains("@bob").doesNotContain("@ann", "nobody");
            assertThat(refused.text("/details/allowed_mentions/0/error")).isEqualTo("ERR_UNEXPECTED");
            assertThat(refused.json().path("unexpected_accounts")).hasSize(1);
            assertThat(refused.json().at("/unexpected_accounts/0"))
                    .isEqualTo(
                            api.get("/api/v1/accounts/" + bob.id(), ann.token()).json());
        }
        assertThat(post(ann, "{\"status\":\"to nobody\",\"allowed_mentions\":[]}")
                        .status())
                .isEqualTo(200);
        Response later =
                post(ann, "{\"status\":\"x\",\"allowed_mentions\":[],\"scheduled_at\":\"2100-01-01T00:00:00Z\"}");
        assertThat(later.status()).isEqualTo(422);
        assertThat(later.text("/error")).contains("without allowed_mentions");
    }

    private static Response post(User author, String json) {
        return api.send("POST", "/api/v1/statuses", author.token(), "application/json", json);
    }

    @Test
    void aPostIsCountedAndFound() {
        User eve = api.signUp("eve");
        Response posted = api.postJson("/api/v1/statuses", eve.token(), "{\"status\":\"hello\",\"media_ids\":[]}");

        assertThat(posted.json().at("/account/statuses_count").asInt()).isEqualTo(1);
        Response shown = api.get("/api/v1/statuses/" + posted.text("/id"), null);
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.text("/content")).isEqualTo("<p>hello</p>");
        assertThat(shown.json().has("favourited")).isFalse();
    }

    @Test
    void aPostReachesTheEventLog() {
        String id = api.publish(ann, "for the stream");

        TestRedis.awaitUntil("the event is logged", () -> logged().contains(id));
    }

    @Test
    void theSameKeyGivesTheSameStatusAndAnotherBodyIsRefused() {
        Response first = publishOnce("k-1", "once");
        Response second = publishOnce("k-1", "once");
        Response other = publishOnce("k-1", "twice");

        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        assertThat(other.status()).isEqualTo(422);
        assertThat(publishOnce("k-2", "once").text("/id")).isNotEqualTo(first.text("/id"));
        Counter duplicates =
                api.metrics.get("fanfare.duplicates").tag("of", "post").counter();
        double before = duplicates.count();
        assertThat(publishOnce("k-2", "once").status()).isEqualTo(200);
        assertThat(duplicates.count() - before).isEqualTo(1);
        assertThat(publishOnce("k-3", "once").status()).isEqualTo(200);
        assertThat(duplicates.count() - before).as("a new one").isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"in_reply_to_id", "quoted_status_id"})
    void theSameKeyGivesTheSameStatusWhenWhatItRefersToIsGone(String reference) {
        String subject = api.publish(bob, "soon gone");
        String body = "{\"status\":\"well\",\"" + reference + "\":\"" + subject + "\"}";
        Response first = sendOnce("gone-" + reference, body);
        assertThat(api.delete("/api/v1/statuses/" + subject, bob.token()).status())
                .isEqualTo(200);

        assertRepeated(first, sendOnce("gone-" + reference, body));
        assertThat(sendOnce("new-" + reference, body).status()).isEqualTo(404);
        String other = api.publish(bob, "still here");
        assertThat(sendOnce("gone-" + reference, body.replace(subject, other)).status())
                .isEqualTo(422);
    }

    @Test
    void theSameKeyGivesTheSameStatusWhenTheParentsAuthorBlocksItsAuthor() {
        User eva = api.signUp("eva");
        String body = "{\"status\":\"rude\",\"in_reply_to_id\":\"" + api.publish(eva, "?") + "\"}";
        Response first = sendOnce("blocked", body);
        Response blocked = api.post("/api/v1/accounts/" + ann.id() + "/block", eva.token());

        assertThat(blocked.status()).isEqualTo(200);
        assertRepeated(first, sendOnce("blocked", body));
    }

    @Test
    void theSameKeyGivesTheSameStatusWhenWhomItNamesHasSignedUpSince() {
        Response first = publishOnce("named", "@latecomer are you here?");
        api.signUp("latecomer");

        Response second = publishOnce("named", "@latecomer are you here?");
        assertRepeated(first, second);
        assertThat(second.json().path("mentions")).isEmpty();
    }

    @Test
    void theSameKeyGivesTheSameStatusWhenItsAuthorPrefersAnotherLanguageAndOtherReadersSince() {
        User ida = api.signUp("ida");
        Response first = publishOnce(ida, "preferred", "hello");
        Response changed = api.send(
                "PATCH",
                "/api/v1/accounts/update_credentials",
                ida.token(),
                "application/json",
                "{\"source\":{\"language\":\"de\",\"privacy\":\"private\"}}");
        assertThat(changed.status()).isEqualTo(200);

        Response second = publishOnce(ida, "preferred", "hello");
        assertRepeated(first, second);
        assertThat(second.text("/visibility")).isEqualTo("public");
        assertThat(publishOnce(ida, "later", "hello").text("/language")).isEqualTo("de");
    }

    @Test
    void aReplyNamesWhomItAnswers() {
        String question = api.publish(bob, "?");
        Response reply = api.post("/api/v1/statuses", ann.token(), "status", "!", "in_reply_to_id", question);

        assertThat(reply.text("/in_reply_to_id")).isEqualTo(question);
        assertThat(reply.text("/in_reply_to_account_id")).isEqualTo(bob.id());
    }

    @Test
    void aReplyToWhatCannotBeSeenIsRefused() {
        String secret = api.post("/api/v1/statuses", bob.token(), "status", "mine", "visibility", "private")
                .text("/id");

        for (String id : List.of(secret, "4711", "no-id")) {
            Response reply = api.post("/api/v1/statuses", ann.token(), "status", "!", "in_reply_to_id", id);
            assertThat(reply.status()).as(id).isEqualTo(404);
        }
    }

    @Test
    void aPrivateStatusIsForItsAuthorAndFollowers() {
        User cat = api.signUp("cat");
        User dan = api.signUp("dan");
        api.follow(dan, cat);
        String id = api.post("/api/v1/statuses", cat.token(), "status", "psst", "visibility", "private")
                .text("/id");
        String path = "/api/v1/statuses/" + id;

        assertThat(api.get(path, cat.token()).status()).isEqualTo(200);
        assertThat(api.get(path, dan.token()).status()).isEqualTo(200);
        assertThat(api.get(path, ann.token()).status()).isEqualTo(404);
        assertThat(api.get(path, null).body())
                .isEqualTo(api.get("/api/v1/statuses/4711", null).body());
    }

    @Test
    void deletingAnswersTheSourceAndTheStatusIsGone() {
        String id = api.publish(ann, "oh <no>");
        Response deleted = api.delete("/api/v1/statuses/" + id, ann.token());

        assertThat(deleted.status()).isEqualTo(200);
        assertThat(deleted.text("/text")).isEqualTo("oh <no>");
        assertThat(deleted.text("/id")).isEqualTo(id);
        assertThat(api.get("/api/v1/statuses/" + id, ann.token()).status()).isEqualTo(404);
        assertThat(api.delete("/api/v1/statuses/" + id, ann.token()).status()).isEqualTo(404);
    }

    @Test
    void mentionsTagsAndTheLocationOfAStatusAreKept() {
        Response posted = api.post(
                "/api/v1/statuses", ann.token(), "status", "@bob #hi", "lat", "48.1", "long", "-11.5", "place", "here");

        assertThat(posted.text("/mentions/0/id")).isEqualTo(bob.id());
        assertThat(posted.text("/tags/0/name")).isEqualTo("hi");
        assertThat(posted.body()).contains("48.1").contains("-11.5").contains("here");
        Response refused = api.post("/api/v1/statuses", ann.token(), "status", "x", "lat", "91", "long", "0");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/details/lat/0/error")).isEqualTo("ERR_INVALID");
    }

    @Test
    void manyAreReadAtOnceInTheOrderOfTheRequest() {
        String first = api.publish(ann, "first");
        String second = api.publish(bob, "second");
        String secret = api.post("/api/v1/statuses", bob.token(), "status", "mine", "visibility", "private")
                .text("/id");
        String path = "/api/v1/statuses?id[]=" + second + "&id[]=4711&id[]=" + secret + "&id[]=" + first + "&id[]=no";

        assertThat(api.get(path, ann.token()).each("id")).containsExactly(second, first);
        assertThat(api.get(path, bob.token()).each("id")).containsExactly(second, secret, first);
        assertThat(api.get(path, null).each("id")).containsExactly(second, first);
        assertThat(api.get("/api/v1/statuses", null).body()).isEqualTo("[]");
        String many = IntStream.range(1, 102).mapToObj(i -> "id=" + i).collect(Collectors.joining("&"));
        assertThat(api.get("/api/v1/statuses?" + many, null).status()).isEqualTo(422);
    }

    @Test
    void theSourceIsForEverybodyWhoMaySeeTheStatus() {
        String id = api.post("/api/v1/statuses", ann.token(), "status", "a <b>", "spoiler_text", "cw")
                .text("/id");
        String path = "/api/v1/statuses/" + id + "/source";

        assertThat(api.get(path, ann.token()).body())
                .isEqualTo("{\"id\":\"" + id + "\",\"text\":\"a <b>\",\"spoiler_text\":\"cw\"}");
        assertThat(api.get(path, bob.token()).body())
                .isEqualTo(api.get(path, ann.token()).body());
        assertThat(api.get(path, null).status()).isEqualTo(401);
        String hidden = api.post("/api/v1/statuses", ann.token(), "status", "x", "visibility", "private")
                .text("/id");
        assertThat(api.get("/api/v1/statuses/" + hidden + "/source", bob.token())
                        .status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/statuses/4711/source", ann.token()).status())
                .isEqualTo(404);
    }

    @Test
    void somebodyElsesStatusCannotBeDeleted() {
        String id = api.publish(ann, "stays");

        assertThat(api.delete("/api/v1/statuses/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(api.get("/api/v1/statuses/" + id, null).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"status, '', ERR_BLANK", "status, ' \u3000\u200b', ERR_BLANK", "visibility, friends, ERR_INCLUSION"})
    void anInvalidStatusIsRefusedWithTheNameOfTheField(String field, String value, String error) {
        Response refused = field.equals("status")
                ? api.post("/api/v1/statuses", ann.token(), field, value)
                : api.post("/api/v1/statuses", ann.token(), "status", "fine", field, value);

        assertThat(refused.status()).isEqualTo(422);
        String name = field.equals("status") ? "text" : field;
        assertThat(refused.text("/details/" + name + "/0/error")).isEqualTo(error);
        assertThat(refused.text("/error")).contains(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "media_ids[]=1",
                "poll[options][]=a",
                "poll[options][]=a&poll[options][]=b&poll[expires_in]=300&media_ids[]=1",
                "quote_approval_policy=friends"
            })
    void anUnsupportedParameterIsRefusedRatherThanIgnored(String parameter) {
        Response refused = api.send(
                "POST", "/api/v1/statuses", ann.token(), "application/x-www-form-urlencoded", "status=x&" + parameter);

        assertThat(refused.status()).isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({
        "public, unlisted, public",
        "nobody, private, ''",
        "followers, private, ''",
        "followers, public, followers"
    })
    void aQuotePolicyHoldsForWhatEverybodyMaySee(String policy, String visibility, String automatic) {
        Response posted = api.post(
                "/api/v1/statuses",
                ann.token(),
                "status",
                "quote me",
                "quote_approval_policy",
                policy,
                "visibility",
                visibility);

        assertThat(posted.status()).as(posted.body()).isEqualTo(200);
        assertThat(posted.json().at("/quote_approval/automatic").path(0).asText())
                .isEqualTo(automatic);
        assertThat(posted.text("/quote_approval/current_user"))
                .as("to the author")
                .isEqualTo("automatic");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \u3000"})
    void aWarningWithoutATextIsTheText(String text) {
        Response posted = api.post("/api/v1/statuses", ann.token(), "status", text, "spoiler_text", "eggs");

        assertThat(posted.status()).isEqualTo(200);
        assertThat(posted.text("/content")).isEqualTo("<p>eggs</p>");
        assertThat(posted.text("/spoiler_text")).isEmpty();
        assertThat(posted.json().path("sensitive").asBoolean()).isTrue();
        assertThat(api.post("/api/v1/statuses", ann.token(), "spoiler_text", "eggs")
                        .text("/content"))
                .isEqualTo("<p>eggs</p>");
        assertThat(api.post("/api/v1/statuses", ann.token(), "status", text, "spoiler_text", text)
                        .text("/details/text/0/error"))
                .isEqualTo("ERR_BLANK");
    }

    @Test
    void aQuoteNeedsNoTextAndAPlaceIsNone() {
        String quoted = api.publish(bob, "said it all");
        Response quote = api.post("/api/v1/statuses", ann.token(), "quoted_status_id", quoted, "spoiler_text", "eggs");

        assertThat(quote.status()).isEqualTo(200);
        assertThat(quote.text("/quote/quoted_status/id")).isEqualTo(quoted);
        assertThat(quote.text("/spoiler_text")).isEqualTo("eggs");
        assertThat(quote.json().path("reblog").isNull()).isTrue();
        assertThat(api.get("/api/v1/statuses/" + quote.text("/id"), null).text("/content"))
                .isEqualTo(quote.text("/content"))
                .contains("RE: ");
        assertThat(api.post("/api/v1/statuses", ann.token(), "quoted_status_id", quoted)
                        .status())
                .isEqualTo(200);
        assertThat(api.post("/api/v1/statuses", ann.token(), "lat", "1", "long", "1", "place", "here")
                        .text("/details/text/0/error"))
                .isEqualTo("ERR_BLANK");
    }

    @ParameterizedTest
    @CsvSource({
        "a, 500, '', true",
        "a, 501, '', false",
        "编, 500, '', true",
        "编, 501, '', false",
        // A family of four, a flag, a letter with its mark: each is one character. A family has 25 bytes.
        "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67\u200D\uD83D\uDC66, 200, '', true",
        "\uD83C\uDDEB\uD83C\uDDF7, 500, '', true",
        "e\u0301, 500, '', true",
        "e\u0301, 501, '', false",
        // An address counts as 23, longer or shorter, and with a space behind it as 24.
        "'https://fanfare.example/a/path/that/is/longer ', 20, 12345678901234567890, true",
        "'https://fanfare.example/a/path/that/is/longer ', 20, 123456789012345678901, false",
        "'http://a.example ', 20, 12345678901234567890, true",
        "'http://a.example ', 20, 123456789012345678901, false",
        // Only what follows the name of a mention is left out.
        "'@ann@fanfare.example ', 100, '', true",
        "'@ann@fanfare.example ', 100, x, false",
        // The warning counts as it stands.
        "a, 477, https://a.example/12345, true",
        "a, 478, https://a.example/12345, false",
    })
    void lengthIsCountedAsMastodonsClientsDo(String text, int times, String warning, boolean fits) {
        Response posted =
                api.post("/api/v1/statuses", ann.token(), "status", text.repeat(times), "spoiler_text", warning);

        assertThat(posted.status()).isEqualTo(fits ? 200 : 422);
        assertThat(fits || posted.text("/details/text/0/error").equals("ERR_TOO_LONG"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://user:password@example.com:8080/login",
                "http://☺.example/",
                "http://192.168.0.1/index.html",
                "http://例子.测试/页面",
                "http://[2001:db8::1]/"
            })
    void anAddressIsTwentyThreeCharacters(String address) {
        String rest = " " + "x".repeat(500 - 24);

        assertThat(api.post("/api/v1/statuses", ann.token(), "status", address + rest)
                        .status())
                .isEqualTo(200);
        assertThat(api.post("/api/v1/statuses", ann.token(), "status", address + rest + "x")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void combiningMarksAndAddressesHaveALimitInBytesToo() {
        // Of ten bytes.
        String letter = "\u00e9" + "\u0301".repeat(4);
        assertThat(api.post("/api/v1/statuses", ann.token(), "status", letter.repeat(500))
                        .status())
                .isEqualTo(200);
        Response refused = api.post("/api/v1/statuses", ann.token(), "status", letter.repeat(500) + "\u0301");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/details/text/0/error")).isEqualTo("ERR_TOO_LONG");
        Response address = api.post("/api/v1/statuses", ann.token(), "status", "https://a.example/" + "x".repeat(5000));
        assertThat(address.text("/details/text/0/error")).isEqualTo("ERR_TOO_LONG");
    }

    @Test
    void moreThanThirtyCombiningMarksInARowAreRefused() {
        String thirty = "Z" + "\u0335\u0301\u0323".repeat(10) + "algo";
        String more = thirty.replace("algo", "\u0301algo");
        for (String field : new String[] {"status", "spoiler_text", "place"}) {
            assertThat(postWith(field, thirty).status()).as(field).isEqualTo(200);
            Response refused = postWith(field, more);
            assertThat(refused.status()).as(field).isEqualTo(422);
            assertThat(refused.text("/error")).as(field).contains("more than 30 combining marks in a row");
        }
    }

    private static Response postWith(String field, String text) {
        return api.post("/api/v1/statuses", ann.token(), "lat", "1", "long", "1", "status", "x", field, text);
    }

    /** As in Mastodon: a post is more than its language. */
    @Test
    void anInvalidLanguageCodeIsIgnored() {
        for (String language : List.of("not a language", "e", "english!", "en.UTF-8", "en" + "-ab".repeat(9000))) {
            Response made = api.post("/api/v1/statuses", ann.token(), "status", "x", "language", language);
            assertThat(made.status()).isEqualTo(200);
            assertThat(made.json().path("language"))
                    .isEqualTo(withoutLanguage().json().path("language"));
        }
        Response german = api.post("/api/v1/statuses", ann.token(), "status", "x", "language", " de ");
        assertThat(german.text("/language")).isEqualTo("de");
        Response edited = api.send(
                "PUT",
                "/api/v1/statuses/" + german.text("/id"),
                ann.token(),
                "application/json",
                "{\"status\":\"y\",\"language\":\"?\"}");
        assertThat(edited.text("/language")).isEqualTo("de");
    }

    private static Response withoutLanguage() {
        return api.post("/api/v1/statuses", ann.token(), "status", "x");
    }

    @Test
    void lengthIsCountedTogetherWithTheWarning() {
        assertThat(api.post("/api/v1/statuses", ann.token(), "status", "👍".repeat(500))
                        .status())
                .isEqualTo(200);
        Response refused = api.post("/api/v1/statuses", ann.token(), "status", "👍".repeat(500), "spoiler_text", "x");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/details/text/0/error")).isEqualTo("ERR_TOO_LONG");
    }

    @Test
    void halfASurrogatePairBecomesTheReplacementCharacter() {
        Response posted = api.postJson("/api/v1/statuses", ann.token(), "{\"status\":\"a\\ud800b\"}");

        assertThat(posted.text("/content")).isEqualTo("<p>a\uFFFDb</p>");
    }

    private static Response publishOnce(String key, String text) {
        return publishOnce(ann, key, text);
    }

    private static Response publishOnce(User author, String key, String text) {
        return sendOnce(author, key, "{\"status\":\"" + text + "\"}");
    }

    private static Response sendOnce(String key, String body) {
        return sendOnce(ann, key, body);
    }

    private static Response sendOnce(User author, String key, String body) {
        return api.send("POST", "/api/v1/statuses", author.token(), "application/json", body, "Idempotency-Key", key);
    }

    private static void assertRepeated(Response first, Response second) {
        assertThat(first.status()).isEqualTo(200);
        assertThat(second.status()).as(second.body()).isEqualTo(200);
        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
    }

    /** The texts of all events, one after the other. */
    private static String logged() {
        return texts(redis.askAt(Keys.BUS_BATCHES, "HVALS", Keys.BUS_BATCHES));
    }

    private static String texts(Reply reply) {
        return reply instanceof Reply.Items all
                ? all.list().stream().map(StatusRoutesTest::texts).collect(Collectors.joining("\n"))
                : reply.asString();
    }
}
