package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.oauth.PasswordRules;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.SettingsLoader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccountRoutesTest extends OnEveryRedis {
    private static User ann;
    private static User bob;
    private static User cat;

    @BeforeParameterizedClassInvocation
    static void people() {
        ann = api.signUp("ann");
        bob = api.signUp("bob");
        cat = api.signUp("cat");
    }

    @Test
    void signUpAnswersATokenThatWorks() {
        Response token = signUp("dora", "Dora@Example.ORG", "a good password", "1");

        assertThat(token.status()).isEqualTo(200);
        assertThat(token.text("/token_type")).isEqualTo("Bearer");
        assertThat(token.json().path("created_at").isIntegralNumber()).isTrue();
        Response me = api.get("/api/v1/accounts/verify_credentials", token.text("/access_token"));
        assertThat(me.text("/username")).isEqualTo("dora");
        assertThat(me.text("/source/privacy")).isEqualTo("public");
        assertThat(me.text("/source/quote_policy")).isEqualTo("public");
        assertThat(me.text("/role/id")).isEqualTo("-99");
    }

    @Test
    void ofTwentySignUpsAtOnceForANameOneSucceeds() {
        List<CompletableFuture<Response>> all = IntStream.range(0, 20)
                .mapToObj(i -> CompletableFuture.supplyAsync(() ->
                        signUp(i % 2 == 0 ? "wanted" : "Wanted", "w" + i + "@example.org", "a good password", "true")))
                .toList();
        List<Response> answers = all.stream().map(CompletableFuture::join).toList();

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers).filteredOn(answer -> answer.status() != 200).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(422);
            assertThat(answer.text("/details/username/0/error")).isEqualTo("ERR_TAKEN");
        });
        assertThat(api.get("/api/v1/accounts/lookup?acct=wanted", null).text("/username"))
                .isEqualToIgnoringCase("wanted");
        assertThat(api.get("/api/v1/accounts/search?q=wanted", ann.token()).json())
                .hasSize(1);
        int loser = answers.get(0).status() == 200 ? 1 : 0;
        assertThat(signUp("another", "w" + loser + "@example.org", "a good password", "true")
                        .status())
                .as("whoever lost may use the address with another name")
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"admin", "Support", "p0stmaster", "ad_min"})
    void nobodySignsUpWithANameThatIsReserved(String name) {
        Response refused = signUp(name, "reserved@example.org", "a good password", "true");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/details/username/0/error")).isEqualTo("ERR_RESERVED");
        assertThat(api.get("/api/v1/accounts/available?username=" + name, null)
                        .json()
                        .path("username")
                        .asBoolean(true))
                .isFalse();
        assertThat(api.get("/api/v1/accounts/available?email=reserved@example.org", null)
                        .json()
                        .path("email")
                        .asBoolean())
                .as("the address is nobody's")
                .isTrue();
    }

    @Test
    void namesAndAddressesAreTakenWhateverTheirCase() {
        Response both = signUp("Ann", "ANN@example.org", "a good password", "true");
        Response name = signUp("ANN", "other@example.org", "a good password", "true");
        Response address = signUp("other", "Ann@example.org", "a good password", "true");

        assertThat(both.text("/error"))
                .isEqualTo("Validation failed: username has already been taken, email has already been taken.");
        assertThat(name.status()).isEqualTo(422);
        assertThat(name.text("/details/username/0/error")).isEqualTo("ERR_TAKEN");
        assertThat(address.text("/details/email/0/error")).isEqualTo("ERR_TAKEN");
    }

    @ParameterizedTest
    @CsvSource({
        "username, '', ERR_BLANK",
        "username, a{b}, ERR_INVALID",
        "username, ä, ERR_INVALID",
        "username, aaaaaaaaaabbbbbbbbbbccccccccccd, ERR_TOO_LONG",
        "email, '', ERR_BLANK",
        "email, nowhere, ERR_INVALID",
        "email, a@-b, ERR_INVALID",
        "email, a@b., ERR_INVALID",
        "email, a@127.0.0.1, ERR_INVALID",
        "email, a b@example.org, ERR_INVALID",
        "email, <a>@example.org, ERR_INVALID",
        "password, '', ERR_BLANK",
        "password, ninechars, ERR_TOO_SHORT",
        "password, ninechare\u0301, ERR_TOO_SHORT",
        "password, 'nine\u200bchars\u200d', ERR_TOO_SHORT",
        "password, PassWord123, ERR_INVALID",
        "password, qweasdzxc123, ERR_INVALID",
        "password, MonkeyMonkey, ERR_INVALID",
        "password, some.one.else, ERR_INVALID",
        "password, SOME.ONE.else@Example.ORG, ERR_INVALID",
        "password, someone_else, ERR_INVALID",
        "password, Someone_Else, ERR_INVALID",
        "agreement, false, ERR_ACCEPTED"
    })
    void anInvalidSignUpNamesTheFieldAndTheError(String field, String value, String error) {
        Response refused = signUp(
                field.equals("username") ? value : "someone_else",
                field.equals("email") ? value : "some.one.else@example.org",
                field.equals("password") ? value : "a good password",
                field.equals("agreement") ? value : "true");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/details/" + field + "/0/error")).isEqualTo(error);
        assertThat(refused.text("/details/" + field + "/0/description")).isNotEmpty();
    }

    @Test
    void aSignUpReportsAllInvalidFieldsAtOnce() {
        assertThat(signUp("", "", "", "").json().path("details").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("username", "email", "password", "agreement");
    }

    /** The codes are Mastodon's, as masto.js holds them against it. */
    @Test
    void blankFieldsHaveTheCodesOfMastodon() {
        JsonNode details = signUp("", "", "", "").json().path("details");

        assertThat(details.path("username").findValuesAsText("error")).containsExactly("ERR_BLANK");
        assertThat(details.path("email").findValuesAsText("error")).containsExactly("ERR_BLANK", "ERR_INVALID");
        assertThat(details.at("/email/1/description").asText()).isEqualTo("is invalid");
        assertThat(details.path("password").findValuesAsText("error")).containsExactly("ERR_BLANK");
        assertThat(details.path("agreement").findValuesAsText("error")).containsExactly("ERR_ACCEPTED");
    }

    @Test
    void theTenThousandCommonestPasswordsAreRefused() throws IOException {
        List<String> words = commonPasswords();
        PasswordRules rules = rules();

        assertThat(words)
                .hasSizeGreaterThan(10_000)
                .startsWith("123456", "password")
                .doesNotHaveDuplicates();
        for (String password : words.subList(0, 10_000)) {
            ValidationErrors errors = new ValidationErrors();
            rules.check(errors, password);
            assertThatThrownBy(errors::refuseIfAny).as(password).isInstanceOf(Refusal.class);
        }
    }

    @Test
    void withWeakPasswordsOnlyLengthAndTheOwnersNamesCount() {
        PasswordRules rules = rules("auth.weak-passwords=true");

        assertThat(isRefused(rules, "password")).isFalse();
        assertThat(isRefused(rules, "passwor")).isTrue();
        assertThat(isRefused(rules, "")).isTrue();
        assertThat(isRefused(rules(), "passwords")).as("by default").isTrue();
    }

    private static boolean isRefused(PasswordRules rules, String password) {
        ValidationErrors errors = new ValidationErrors();
        rules.check(errors, password);
        try {
            errors.refuseIfAny();
            return false;
        } catch (Refusal refused) {
            return true;
        }
    }

    private static PasswordRules rules(String... settings) {
        return new PasswordRules(SettingsLoader.defaultsWith(settings).auth());
    }

    private static List<String> commonPasswords() throws IOException {
        try (InputStream in = PasswordRules.class.getResourceAsStream("common-passwords.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    @Test
    void aPasswordOfManyMarksIsRefusedAndOneOfComposedLettersIsNot() {
        assertThat(signUp("marks1", "marks1@example.org", "\u03b1\u0313\u0300\u0345".repeat(128), "1")
                        .status())
                .isEqualTo(200);
        assertThat(signUp("marks2", "marks2@example.org", "a long one " + "\u0301\u0323".repeat(16), "1")
                        .text("/details/password/0/error"))
                .isEqualTo("ERR_INVALID");
        assertThat(signUp("marks3", "marks3@example.org", "\u0301\u0323".repeat(600), "1")
                        .text("/details/password/0/error"))
                .isEqualTo("ERR_TOO_LONG");
    }

    @Test
    void aPasswordOfExactly128CodePointsIsTakenAndOneMoreIsNot() {
        assertThat(signUp("long1", "long1@example.org", "ß".repeat(128), "1").status())
                .isEqualTo(200);
        assertThat(signUp("long2", "long2@example.org", "ß".repeat(129), "1").text("/details/password/0/error"))
                .isEqualTo("ERR_TOO_LONG");
    }

    @Test
    void anAccountIsFoundByIdAndByName() {
        Response byId = api.get("/api/v1/accounts/" + ann.id(), null);

        assertThat(byId.text("/acct")).isEqualTo("ann");
        assertThat(byId.text("/url")).isEqualTo(api.url() + "/@ann");
        assertThat(byId.json().path("last_status_at").isNull()).isTrue();
        assertThat(api.get("/api/v1/accounts/lookup?acct=@Ann", null).text("/id"))
                .isEqualTo(ann.id());
        assertThat(api.get("/api/v1/accounts/lookup?acct=ann@127.0.0.1", null).text("/id"))
                .isEqualTo(ann.id());
        String domain = api.get("/api/v2/instance", null).text("/domain");
        assertThat(domain).startsWith("127.0.0.1:");
        assertThat(api.get("/api/v1/accounts/lookup?acct=@ANN@" + domain, null).text("/id"))
                .isEqualTo(ann.id());
        assertThat(api.get("/api/v1/accounts/lookup?acct=ann@127.0.0.1:1", null).status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/accounts/lookup?acct=ann@elsewhere.org", null)
                        .status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/accounts/lookup?acct=%7Ba%7D", null).status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/accounts/lookup", null).status()).isEqualTo(400);
    }

    @Test
    void imagesOfAnAccountExist() {
        JsonNode account = api.get("/api/v1/accounts/" + ann.id(), null).json();

        for (String field : List.of("avatar", "avatar_static", "header", "header_static")) {
            Response image = api.get(account.path(field).asText(), null);
            assertThat(image.status()).as(field).isEqualTo(200);
            assertThat(image.header("Content-Type")).contains("image/png");
        }
    }

    @Test
    void anAccountWithoutAPictureHasADrawnOneThatCachesMayKeep() {
        User one = api.signUp("drawn_one");
        User two = api.signUp("drawn_two");
        String path = "/avatars/" + one.id() + ".png";
        Response account = api.get("/api/v1/accounts/" + one.id(), null);
        Response picture = api.get(path, null);

        assertThat(account.text("/avatar")).endsWith(path).isEqualTo(account.text("/avatar_static"));
        assertThat(api.get("/api/v1/statuses/" + api.publish(one, "x"), null).text("/account/avatar"))
                .isEqualTo(account.text("/avatar"));
        assertThat(picture.status()).isEqualTo(200);
        assertThat(picture.body())
                .isNotEqualTo(api.get("/avatars/" + two.id() + ".png", null).body());
        assertThat(picture.header("Cache-Control")).contains("public, max-age=31536000, immutable");
        assertThat(picture.header("Content-Security-Policy").orElseThrow()).contains("sandbox");
        assertThat(picture.header("X-Content-Type-Options")).contains("nosniff");
        String tag = picture.header("ETag").orElseThrow();
        Response again = api.send("GET", path, null, null, null, "If-None-Match", tag);
        assertThat(again.status()).isEqualTo(304);
        for (String name : List.of("x.png", "0.png", ".png", one.id(), one.id() + ".svg", "-1.png", "1e3.png")) {
            assertThat(api.get("/avatars/" + name, null).status()).as(name).isEqualTo(404);
        }
    }

    @Test
    void followingChangesTheRelationshipOfBoth() {
        User dan = api.signUp("dan");
        User eve = api.signUp("eve");
        Response followed = api.post("/api/v1/accounts/" + eve.id() + "/follow", dan.token());

        assertThat(followed.json().path("following").asBoolean()).isTrue();
        assertThat(followed.json().path("followed_by").asBoolean()).isFalse();
        JsonNode seenByEve = api.get("/api/v1/accounts/relationships?id[]=" + dan.id(), eve.token())
                .json()
                .get(0);
        assertThat(seenByEve.path("following").asBoolean()).isFalse();
        assertThat(seenByEve.path("followed_by").asBoolean()).isTrue();
        assertThat(api.get("/api/v1/accounts/" + eve.id(), null)
                        .json()
                        .path("followers_count")
                        .asInt())
                .isEqualTo(1);

        Response unfollowed = api.post("/api/v1/accounts/" + eve.id() + "/unfollow", dan.token());
        assertThat(unfollowed.json().path("following").asBoolean()).isFalse();
    }

    @Test
    void followingTwiceIsFollowingOnceAndOneselfNever() {
        User dan = api.signUp("fred");
        api.follow(dan, ann);
        api.follow(dan, ann);

        assertThat(api.get("/api/v1/accounts/" + dan.id(), null)
                        .json()
                        .path("following_count")
                        .asInt())
                .isEqualTo(1);
        assertThat(api.post("/api/v1/accounts/" + dan.id() + "/follow", dan.token())
                        .status())
                .isIn(403, 422);
        assertThat(api.post("/api/v1/accounts/4711/follow", dan.token()).status())
                .isEqualTo(404);
        assertThat(api.post("/api/v1/accounts/4711/unfollow", dan.token()).status())
                .isEqualTo(404);
    }

    @Test
    void relationshipsComeInTheOrderOfTheRequestAndOnceEach() {
        String path = "/api/v1/accounts/relationships?id[]=" + cat.id() + "&id[]=4711&id[]=x&id[]=" + bob.id()
                + "&id[]=" + cat.id();

        assertThat(api.get(path, ann.token()).each("id")).containsExactly(cat.id(), bob.id());
        assertThat(api.get("/api/v1/accounts/relationships", ann.token()).body())
                .isEqualTo("[]");
        assertThat(api.get("/api/v1/accounts/relationships?id=" + bob.id(), ann.token())
                        .each("id"))
                .containsExactly(bob.id());
    }

    @Test
    void followersAreWalkedNewestFirstByTheirLinks() {
        User star = api.signUp("star");
        List<String> fans = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            User fan = api.signUp("fan" + i);
            api.follow(fan, star);
            fans.add(0, fan.id());
        }
        String first = "/api/v1/accounts/" + star.id() + "/followers?limit=2";

        List<String> walked = new ArrayList<>();
        Optional<URI> next = Optional.of(URI.create(api.url() + first));
        Response page = null;
        while (next.isPresent()) {
            page = api.get(next.get().toString(), star.token());
            walked.addAll(page.each("id"));
            next = page.link("next");
        }
        assertThat(walked).isEqualTo(fans);
        assertThat(page.link("prev")).isPresent();
        assertThat(api.get(page.link("prev").get().toString(), null).each("id")).isEqualTo(fans.subList(2, 4));
        assertThat(api.get(first, star.token()).each("relationship_state")).containsOnly("follower");
        assertThat(api.get(first, null).json().at("/0/relationship_state").isNull())
                .isTrue();
        assertThat(api.get(first, null).text("/0/followed_at")).matches("\\d{4}-.*Z");
        String following = "/api/v1/accounts/" + fans.get(0) + "/following";
        assertThat(api.get(following, star.token()).each("relationship_state")).containsExactly("self");
    }

    @Test
    void unknownAccountsAreNotFound() {
        for (String id : List.of("4711", "abc", "0", "-1", "99999999999999999999")) {
            for (String path : List.of("", "/followers", "/following", "/statuses")) {
                Response answer = api.get("/api/v1/accounts/" + id + path, null);
                assertThat(answer.status()).as(id + path).isEqualTo(404);
                assertThat(answer.text("/error")).isNotEmpty();
            }
        }
    }

    private static Response signUp(String username, String email, String password, String agreement) {
        return api.post(
                "/api/v1/accounts",
                null,
                "username",
                username,
                "email",
                email,
                "password",
                password,
                "agreement",
                agreement);
    }
}
