package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionRoutesTest {
    private static final String PAGE = "X-Fanfare-Page";

    private static ApiServer api;
    private static User ann;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        api = new ApiServer(TestRedis.standalone());
        ann = api.signUp("ann");
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    private static Response ask(String method, String path, String form, String... headers) {
        return api.send(method, path, null, form == null ? null : "application/x-www-form-urlencoded", form, headers);
    }

    private static Response logIn(String... headers) {
        return ask("POST", "/api/v1/session", "username=ann&password=" + ApiServer.PASSWORD.replace(' ', '+'), headers);
    }

    private static String cookie(Response answer) {
        String set = answer.header("Set-Cookie").orElseThrow();
        return set.substring(0, set.indexOf(';'));
    }

    @Test
    void theTokenIsInACookieThatNoScriptReadsAndNowhereElse() {
        Response answer = logIn(PAGE, "1");
        String cookie = answer.header("Set-Cookie").orElseThrow();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("/account/username")).isEqualTo("ann");
        assertThat(cookie).startsWith("fanfare_session=").contains("; HttpOnly; SameSite=Strict", "Path=/");
        String token = cookie(answer).substring(cookie(answer).indexOf('=') + 1);
        assertThat(answer.body()).doesNotContain(token);
        assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(ask("GET", "/api/v1/accounts/verify_credentials", null, PAGE, "1", "Cookie", cookie(answer))
                        .text("/id"))
                .isEqualTo(ann.id());
    }

    @Test
    void theOwnerSeesTheBrowserOfEachSessionAndWhenItWasUsed() {
        User owner = api.signUp("owner");
        String form = "username=owner&password=" + ApiServer.PASSWORD.replace(' ', '+');
        Response answer = ask(
                "POST",
                "/api/v1/session",
                form,
                PAGE,
                "1",
                "User-Agent",
                "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0");
        Response listed = ask("GET", "/api/v1/tokens", null, PAGE, "1", "Cookie", cookie(answer));

        assertThat(owner.id()).isEqualTo(answer.text("/account/id"));
        int current = listed.each("current").indexOf("true");
        assertThat(listed.text("/" + current + "/browser")).isEqualTo("Firefox");
        assertThat(listed.text("/" + current + "/system")).isEqualTo("Linux");
        assertThat(listed.text("/" + current + "/network")).isEqualTo("127.0.0.0/24");
        assertThat(listed.text("/" + current + "/last_used_at")).isEqualTo(listed.text("/" + current + "/created_at"));
    }

    @Test
    void overHttpsTheCookieIsOfThisHostAlone() {
        try (ApiServer https = new ApiServer(TestRedis.standalone(), "http.public-url=https://example.org");
                ApiServer below = new ApiServer(TestRedis.standalone(), "http.public-url=https://example.org/social")) {
            String form = "username=ann&password=" + ApiServer.PASSWORD.replace(' ', '+');
            String type = "application/x-www-form-urlencoded";
            assertThat(https.send("POST", "/api/v1/session", null, type, form, PAGE, "1")
                            .header("Set-Cookie")
                            .orElseThrow())
                    .startsWith("__Host-fanfare_session=")
                    .contains("; Path=/;", "; Secure");
            assertThat(below.send("POST", "/api/v1/session", null, type, form, PAGE, "1")
                            .header("Set-Cookie")
                            .orElseThrow())
                    .startsWith("__Secure-fanfare_session=")
                    .contains("; Path=/social;", "; Secure");
        }
    }

    /** The headers of a browser's request that another page causes; empty = absent. */
    @ParameterizedTest
    @CsvSource({
        "'',   '',                    '', 401",
        "1,    cross-site,            '', 401",
        "1,    same-site,             '', 401",
        "1,    none,                  '', 401",
        "1,    '',                    https://evil.example, 401",
        "1,    '',                    'null', 401",
        "1,    same-origin,           http://127.0.0.1:1, 401",
        "'',   same-origin,           '', 401",
        "1,    same-origin,           '', 200",
        "1,    same-origin,           own, 200",
        "1,    '',                    own, 200",
        "1,    '',                    '', 200"
    })
    void theCookieCountsForOurOwnPagesOnly(String header, String site, String origin, int status) {
        List<String> headers = new ArrayList<>(List.of("Cookie", cookie(logIn(PAGE, "1"))));
        if (!header.isEmpty()) {
            headers.addAll(List.of(PAGE, header));
        }
        if (!site.isEmpty()) {
            headers.addAll(List.of("Sec-Fetch-Site", site));
        }
        if (!origin.isEmpty()) {
            headers.addAll(List.of("Origin", origin.equals("own") ? api.url() : origin));
        }
        String[] all = headers.toArray(String[]::new);

        assertThat(ask("POST", "/api/v1/statuses", "status=forged", all).status())
                .isEqualTo(status);
        assertThat(ask("GET", "/api/v1/timelines/home", null, all).status()).isEqualTo(status);
        assertThat(ask("GET", "/api/v1/session", null, all)
                        .json()
                        .path("account")
                        .isNull())
                .isEqualTo(status != 200);
    }

    @Test
    void thePagesKnowWhetherThisBuildResetsPasswordsBeforeAndAfterTheLogIn() {
        assertThat(ask("GET", "/api/v1/session", null, PAGE, "1")
                        .json()
                        .path("password_reset")
                        .asBoolean())
                .isTrue();
        assertThat(logIn(PAGE, "1").json().path("password_reset").asBoolean()).isTrue();
    }

    @Test
    void otherPagesCanNeitherLogInNorOutNorSignUp() {
        String sent = cookie(logIn(PAGE, "1"));

        assertThat(logIn().status()).isEqualTo(403);
        assertThat(logIn(PAGE, "1", "Sec-Fetch-Site", "cross-site").status()).isEqualTo(403);
        assertThat(ask("DELETE", "/api/v1/session", null, "Cookie", sent).status())
                .isEqualTo(403);
        assertThat(ask(
                                "POST",
                                "/api/v1/session/sign_up",
                                "username=eve&email=eve@example.org&password=a+good+long+one&agreement=1")
                        .status())
                .isEqualTo(403);
        assertThat(api.get("/@eve", null).status()).isEqualTo(404);
    }

    @Test
    void noPreflightAllowsThePagesHeader() {
        Response preflight = ask(
                "OPTIONS",
                "/api/v1/statuses",
                null,
                "Origin",
                "https://evil.example",
                "Access-Control-Request-Method",
                "POST",
                "Access-Control-Request-Headers",
                PAGE);

        assertThat(preflight.header("Access-Control-Allow-Headers").orElse("")).doesNotContainIgnoringCase(PAGE);
        assertThat(preflight.header("Access-Control-Allow-Credentials")).isEmpty();
    }

    @Test
    void aHeaderWithATokenIsJudgedByItselfWhateverTheCookieSays() {
        String good = cookie(logIn(PAGE, "1"));

        assertThat(api.send("GET", "/api/v1/timelines/home", "wrong", null, null, PAGE, "1", "Cookie", good)
                        .status())
                .isEqualTo(401);
    }

    @Test
    void loggingOutEndsTheToken() {
        String sent = cookie(logIn(PAGE, "1"));

        Response out = ask("DELETE", "/api/v1/session", null, PAGE, "1", "Cookie", sent);
        assertThat(out.status()).isEqualTo(200);
        assertThat(out.header("Set-Cookie").orElseThrow()).contains("fanfare_session=;", "Max-Age=0");
        assertThat(ask("GET", "/api/v1/timelines/home", null, PAGE, "1", "Cookie", sent)
                        .status())
                .isEqualTo(401);
        Response nobody = ask("GET", "/api/v1/session", null, PAGE, "1", "Cookie", sent);
        assertThat(nobody.json().path("account").isNull()).isTrue();
        assertThat(nobody.header("Set-Cookie"))
                .as("another tab may have logged in")
                .isEmpty();
        assertThat(ask("DELETE", "/api/v1/session", null, PAGE, "1", "Cookie", sent)
                        .status())
                .as("twice")
                .isEqualTo(200);
    }

    @Test
    void aNewSessionEndsTheOneWhoseCookieItReplaces() {
        String first = cookie(logIn(PAGE, "1"));
        String other = cookie(logIn(PAGE, "1"));
        assertThat(logIn("Cookie", first).status()).as("of another page").isEqualTo(403);
        assertThat(ask("POST", "/api/v1/session", "username=ann&password=wrong", PAGE, "1", "Cookie", first)
                        .status())
                .isEqualTo(401);
        assertThat(statusOfHome(first)).isEqualTo(200);

        String second = cookie(logIn(PAGE, "1", "Cookie", first));
        assertThat(statusOfHome(first)).isEqualTo(401);
        assertThat(statusOfHome(second)).isEqualTo(200);
        assertThat(statusOfHome(other)).isEqualTo(200);

        String form = "username=dot&email=dot@example.org&password=a+good+long+one&agreement=true";
        Response third = ask("POST", "/api/v1/session/sign_up", form, PAGE, "1", "Cookie", second);
        assertThat(third.text("/role/name")).as("a new account").isEmpty();
        assertThat(statusOfHome(second)).isEqualTo(401);
        assertThat(statusOfHome(cookie(third))).isEqualTo(200);
    }

    private static int statusOfHome(String cookie) {
        return ask("GET", "/api/v1/timelines/home", null, PAGE, "1", "Cookie", cookie)
                .status();
    }

    @Test
    void aWrongPasswordAndAnUnknownNameLookTheSame() {
        Response wrong = ask("POST", "/api/v1/session", "username=ann&password=wrong", PAGE, "1");
        Response unknown = ask("POST", "/api/v1/session", "username=nobody&password=wrong", PAGE, "1");

        assertThat(wrong.status()).isEqualTo(401);
        assertThat(unknown.status()).isEqualTo(401);
        assertThat(wrong.body()).isEqualTo(unknown.body());
        assertThat(wrong.header("Set-Cookie")).isEmpty();
    }

    @Test
    void aNewUserIsLoggedInAfterTheSignUp() {
        String form = "username=cid&email=cid@example.org&password=a+good+long+one&agreement=true";
        Response answer = ask("POST", "/api/v1/session/sign_up", form, PAGE, "1");

        assertThat(answer.text("/account/username")).isEqualTo("cid");
        assertThat(ask("GET", "/api/v1/session", null, PAGE, "1", "Cookie", cookie(answer))
                        .text("/account/username"))
                .isEqualTo("cid");
        Response taken = ask("POST", "/api/v1/session/sign_up", form, PAGE, "1");
        assertThat(taken.status()).isEqualTo(422);
        assertThat(taken.json().path("details").has("username")).isTrue();
    }
}
