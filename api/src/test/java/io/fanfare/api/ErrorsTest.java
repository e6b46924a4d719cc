package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input of every kind gets the documented JSON error, quickly, and leaves the server well. */
class ErrorsTest {
    private static ApiServer api;
    private static User ann;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        api = new ApiServer(TestRedis.standalone(), "http.body-max-bytes=4096");
        ann = api.signUp("ann");
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /nothing, 404",
        "GET, /api/v1/nothing, 404",
        "GET, /api/v1/polls/1, 404",
        "GET, /api/v1/accounts/1/nothing, 404",
        "GET, /%00, 404",
        "GET, /api/v1/statuses/..%2f..%2fx, 404",
        "GET, /api/v1/statuses/4711, 404",
        "GET, /api/v1/accounts/4711, 404",
        "GET, /api/v1/apps, 405",
        "PUT, /api/v1/statuses, 405",
        "POST, /api/v1/timelines/home, 405",
        "DELETE, /api/v1/accounts/verify_credentials, 405",
        "POST, /health, 405",
        "TRACE, /health, 405",
        "TRACE, /api/v1/statuses, 405",
        "TRACE, /api/v1/nothing, 404",
        "GET, /api/v1/timelines/home, 401",
        "POST, /api/v1/statuses, 401",
        "DELETE, /api/v1/statuses/1, 401",
        "GET, /api/v1/accounts/verify_credentials, 401",
        "GET, /api/v1/apps/verify_credentials, 401",
        "GET, /api/v1/accounts/relationships, 401",
        "POST, /api/v1/accounts/1/follow, 401",
        "POST, /api/v1/apps, 422",
        "POST, /api/v1/accounts, 422",
        "POST, /oauth/token, 400",
        "POST, /oauth/revoke, 200"
    })
    void errorsAreAnsweredInJson(String method, String path, int status) {
        Response answer = api.send(method, path, null, null, null);

        assertThat(answer.status()).isEqualTo(status);
        if (status >= 400) {
            assertProblem(answer);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%zz",
                "/%",
                "/%4",
                "/api/v1/statuses/%zz",
                "/api/v1/nothing?%zz",
                "/api/v1/accounts/lookup?acct=%zz",
                "/api/v1/accounts/lookup?acct=ann%"
            })
    void anAddressThatCannotBeDecodedIsRefused(String path) throws IOException {
        String answer = raw("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("400 ").contains("{\"error\":\"The address is malformed: ");
    }

    @Test
    void aFormThatCannotBeDecodedIsRefused() {
        Response answer =
                api.send("POST", "/api/v1/statuses", ann.token(), "application/x-www-form-urlencoded", "status=%zz");

        assertThat(answer.status()).isEqualTo(400);
        assertProblem(answer);
    }

    @ParameterizedTest
    @CsvSource({
        "application/x-www-form-urlencoded, limit=1, 200",
        "application/x-www-form-urlencoded; charset=utf-8, '', 200",
        "application/x-www-form-urlencoded, limit=%zz, 400",
        "application/x-www-form-urlencoded, max_id=x, 400",
        "multipart/form-data; boundary=b, --b--, 400"
    })
    void aGetMayHaveAForm(String type, String form, int status) {
        Response answer = api.send("GET", "/api/v1/timelines/home", ann.token(), type, form);

        assertThat(answer.status()).isEqualTo(status);
        if (status != 200) {
            assertProblem(answer);
        }
    }

    @Test
    void theErrorForAWrongMethodNamesTheRightOnes() {
        assertThat(api.send("PATCH", "/api/v1/statuses/1", ann.token(), null, null)
                        .header("Allow")
                        .orElse("")
                        .split(", ?", -1))
                .containsExactlyInAnyOrder("GET", "HEAD", "PUT", "DELETE");
    }

    @Test
    void aMissingTokenIsRequestedAsRfc6750Requires() {
        assertThat(api.get("/api/v1/timelines/home", null).header("WWW-Authenticate"))
                .contains("Bearer realm=\"Fanfare\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "\"status\"",
                "null {}",
                "{\"status\":}",
                "{\"status\":\"x\"} {}",
                "{status:'x'}",
                "{\"status\":\"x\",}",
                "{\"status\":\"\\q\"}",
                "{\"status\":\"\u0001\"}",
                "{\"a\":1e9999999999999999999999999999999999999999}"
            })
    void malformedJsonIsRefused(String body) {
        Response answer = api.postJson("/api/v1/statuses", ann.token(), body);

        // No body at all is a form without fields.
        assertThat(answer.status()).isEqualTo(body.isEmpty() ? 422 : 400);
        assertProblem(answer);
        assertThat(answer.body()).doesNotContain("jackson").doesNotContain("Source");
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() {
        HttpRequest request = HttpRequest.newBuilder(URI.create(api.url() + "/api/v1/statuses"))
                .header("Authorization", "Bearer " + ann.token())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray("{\"status\":\"\u00ff\u00fe\"}".getBytes(StandardCharsets.ISO_8859_1)))
                .build();

        assertThat(api.send(request).status()).isEqualTo(400);
    }

    @Test
    void jsonMayBeNestedButNotEndlessly() {
        assertThat(api.postJson("/api/v1/statuses", ann.token(), nested(32)).status())
                .isEqualTo(200);
        Response refused = api.postJson("/api/v1/statuses", ann.token(), nested(33));
        assertThat(refused.status()).isEqualTo(400);
        assertProblem(refused);
    }

    /** So deep, the object itself among them. */
    private static String nested(int depth) {
        return "{\"status\":\"x\",\"a\":" + "[".repeat(depth - 1) + "]".repeat(depth - 1) + "}";
    }

    @Test
    void aPageHoldsNoMoreThanItsLimitWhateverTheRequest() {
        User eve = api.signUp("eve");
        for (int i = 0; i < 81; i++) {
            assertThat(api.post("/api/v1/statuses", eve.token(), "status", "number " + i)
                            .status())
                    .isEqualTo(200);
        }
        for (String path : List.of("/api/v1/timelines/home", "/api/v1/accounts/" + eve.id() + "/statuses")) {
            assertThat(api.get(path + "?limit=80", eve.token()).json()).as(path).hasSize(80);
            assertThat(api.get(path + "?limit=81", eve.token()).json()).as(path).hasSize(80);
            assertThat(api.get(path + "?limit=1000000", eve.token()).json())
                    .as(path)
                    .hasSize(80);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/xml", "image/png"})
    void bodiesOfOtherTypesAreRefused(String type) {
        Response answer = api.send("POST", "/api/v1/statuses", ann.token(), type, "status=x");

        assertThat(answer.status()).isEqualTo(415);
        assertProblem(answer);
    }

    @Test
    void compressedBodiesAreRefused() {
        Response answer =
                api.send("POST", "/api/v1/statuses", ann.token(), "application/json", "{}", "Content-Encoding", "gzip");

        assertThat(answer.status()).isEqualTo(415);
        assertProblem(answer);
    }

    @Test
    void aBodyAtItsLimitIsReadAndOneByteMoreIsNot() {
        String empty = "{\"status\":\"x\",\"a\":\"\"}";
        String filled = empty.replace("\"\"", "\"" + "a".repeat(4096 - empty.length()) + "\"");

        assertThat(api.postJson("/api/v1/statuses", ann.token(), filled).status())
                .isEqualTo(200);
        Response tooLarge = api.postJson("/api/v1/statuses", ann.token(), filled + " ");
        assertThat(tooLarge.status()).isEqualTo(413);
        assertProblem(tooLarge);
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, ''",
        "application/x-www-form-urlencoded, ''",
        "application/x-www-form-urlencoded, status=",
        "multipart/form-data; boundary=b, --b"
    })
    void aHugeChunkedBodyIsRefusedWhileItArrives(String type, String start) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(api.url() + "/api/v1/statuses"))
                .header("Authorization", "Bearer " + ann.token())
                .header("Content-Type", type)
                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofString(start + "x".repeat(20_000))))
                .build();

        Response answer = api.send(request);
        assertThat(answer.status()).isEqualTo(413);
        assertProblem(answer);
    }

    @Test
    void unknownFieldsChangeNothing() {
        Response posted = api.postJson(
                "/api/v1/statuses",
                ann.token(),
                "{\"status\":\"x\",\"id\":1,\"uid\":2,\"author_id\":3,\"likes\":9,\"favourites_count\":9,\"created_at\":0,\"account\":{\"id\":4}}");

        assertThat(posted.text("/account/id")).isEqualTo(ann.id());
        assertThat(posted.json().path("favourites_count").asInt()).isZero();
        assertThat(posted.text("/id")).isNotEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource({"visibility, perhaps", "in_reply_to_id[a], x"})
    void valuesWithoutSenseAreRefusedOrIgnored(String field, String value) {
        Response answer = api.post("/api/v1/statuses", ann.token(), "status", "x", field, value);

        assertThat(answer.status()).isEqualTo(field.equals("visibility") ? 422 : 200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "true", "True", "on", "t"})
    void truthIsReadInEveryForm(String yes) {
        assertThat(api.post("/api/v1/statuses", ann.token(), "status", "x", "sensitive", yes)
                        .json()
                        .path("sensitive")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void filesAreRefusedRatherThanDropped() {
        String form = "--b\r\nContent-Disposition: form-data; name=\"display_name\"\r\n\r\nAnn\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"avatar\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"
                + "x".repeat(2000) + "\r\n--b--\r\n";

        Response answer = api.send(
                "PATCH", "/api/v1/accounts/update_credentials", ann.token(), "multipart/form-data; boundary=b", form);
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text("/error")).contains("Pictures cannot be uploaded on this server");
    }

    /** Every browser sends such parts for file inputs that nobody has used. */
    @Test
    void fileInputsThatNobodyHasUsedAreNoFiles() {
        String form = """
                --b
                Content-Disposition: form-data; name="avatar"; filename=""
                Content-Type: application/octet-stream


                --b
                Content-Disposition: form-data; name="display_name"

                Ann B
                --b
                Content-Disposition: form-data; name="header"; filename=""
                Content-Type: application/octet-stream


                --b--
                """.replace("\n", "\r\n");

        Response answer = api.send(
                "PATCH", "/api/v1/accounts/update_credentials", ann.token(), "multipart/form-data; boundary=b", form);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.text("/display_name")).isEqualTo("Ann B");
    }

    @Test
    void parametersMayStandInTheQueryTheFormOrMultipart() {
        String multipart = "--b\r\nContent-Disposition: form-data; name=\"status\"\r\n\r\nmulti ü\r\n--b--\r\n";

        assertThat(api.send("POST", "/api/v1/statuses?status=query", ann.token(), null, "")
                        .text("/content"))
                .isEqualTo("<p>query</p>");
        assertThat(api.send("POST", "/api/v1/statuses/", ann.token(), "multipart/form-data; boundary=b", multipart)
                        .text("/content"))
                .isEqualTo("<p>multi ü</p>");
        assertThat(api.post("/api/v1/statuses?status=query", ann.token(), "status", "a", "status", "b")
                        .text("/content"))
                .isEqualTo("<p>b</p>");
    }

    @Test
    void aTrailingSlashIsNoOtherAddress() {
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/", null).text("/acct"))
                .isEqualTo("ann");
        assertThat(api.get("/api/v1/instance/", null).status()).isEqualTo(200);
    }

    @Test
    void browsersOfAnyOriginMayCall() {
        Response preflight = api.send(
                "OPTIONS",
                "/api/v1/statuses",
                null,
                null,
                null,
                "Origin",
                "https://app.example",
                "Access-Control-Request-Method",
                "POST");

        assertThat(preflight.status()).isEqualTo(200);
        assertThat(preflight.header("Access-Control-Allow-Origin")).contains("*");
        assertThat(preflight.header("Access-Control-Allow-Methods").orElse("")).contains("DELETE");
        assertThat(api.get("/api/v1/nothing", null)
                        .header("Access-Control-Expose-Headers")
                        .orElse(""))
                .contains("Link");
    }

    @Test
    void aPreflightAllowsTheHeadersThatItsPageAsksFor() {
        for (String headers : List.of(
                "cache-control,last-event-id",
                "authorization, cache-control, x-requested-with",
                "accept,accept-language,authorization,content-language,content-type,pragma,x-client-version")) {
            Response preflight = preflight(headers);
            assertThat(preflight.status()).isEqualTo(200);
            assertThat(allowed(preflight)).as(headers).containsExactly(headers.split(", ?", -1));
            assertThat(preflight.header("Access-Control-Allow-Origin")).contains("*");
            assertThat(preflight.header("Access-Control-Allow-Credentials")).isEmpty();
            assertThat(preflight.header("Vary").orElse("")).isEqualToIgnoringCase("Access-Control-Request-Headers");
        }
    }

    @Test
    void aPreflightAnswersNothingThatIsNoNameOfAHeader() {
        assertThat(allowed(preflight("authorization, a b, \"quoted\", <x>, x-y")))
                .containsExactly("authorization", "x-y");
        assertThat(allowed(preflight("x-fanfare-page, authorization"))).containsExactly("authorization");
        for (String headers : List.of("", ",", "a b", "X-Fanfare-Page", "x-" + "y".repeat(3000))) {
            assertThat(allowed(preflight(headers)))
                    .as(headers)
                    .contains("Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID")
                    .hasSize(5);
        }
    }

    private static Response preflight(String headers) {
        return api.send(
                "OPTIONS",
                "/api/v1/statuses",
                null,
                null,
                null,
                "Origin",
                "https://app.example",
                "Access-Control-Request-Method",
                "POST",
                "Access-Control-Request-Headers",
                headers);
    }

    private static String[] allowed(Response preflight) {
        return preflight.header("Access-Control-Allow-Headers").orElse("").split(", ", -1);
    }

    @Test
    void everyAnswerHasARequestIdAndSecurityHeaders() {
        for (String path : List.of("/health", "/api/v1/nothing", "/api/v1/timelines/home")) {
            Response answer = api.get(path, null);
            assertThat(answer.header("X-Request-Id")).as(path).isPresent();
            assertThat(answer.header("X-Content-Type-Options")).contains("nosniff");
            assertThat(answer.header("Content-Security-Policy").orElse("")).contains("default-src 'none'");
        }
        assertThat(api.send("GET", "/health", null, null, null, "X-Request-Id", "mine-1")
                        .header("X-Request-Id"))
                .contains("mine-1");
        assertThat(api.send("GET", "/health", null, null, null, "X-Request-Id", "<mine>")
                        .header("X-Request-Id")
                        .orElse(""))
                .doesNotContain("mine");
    }

    @Test
    void bodiesThatDoNotComeAreNotWaitedForLong() {
        try (ApiServer hasty = new ApiServer(TestRedis.standalone(), "http.request-timeout=1s")) {
            for (int round = 0; round < 2; round++) {
                List<CompletableFuture<String>> answers = Stream.generate(
                                () -> CompletableFuture.supplyAsync(() -> withoutItsBody(hasty)))
                        .limit(3)
                        .toList();

                assertThat(answers)
                        .allSatisfy(answer ->
                                assertThat(answer.join()).startsWith("503 ").contains("same Idempotency-Key"));
            }
        }
    }

    private static String withoutItsBody(ApiServer server) {
        try {
            return raw(
                    server,
                    answer -> answer.endsWith("}"),
                    "POST /api/v1/statuses HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
                            + ann.token() + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"sta");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each drop comes in time; the whole never does. */
    @Test
    void aConnectionThatTricklesIsClosed() throws IOException {
        String post = "POST /api/v1/statuses HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\n\r\nstatus=";
        try (ApiServer strict = new ApiServer(
                TestRedis.standalone(),
                "http.request-timeout=500ms",
                "http.idle-timeout=1s",
                "stream.heartbeat=400ms")) {
            assertThat(isClosedInTheEnd(strict, "", "")).as("says nothing").isTrue();
            assertThat(isClosedInTheEnd(strict, "GE", "T")).as("line").isTrue();
            assertThat(isClosedInTheEnd(strict, "GET /health HTTP/1.1\r\nHost: x\r\n", "X: x\r\n"))
                    .as("headers")
                    .isTrue();
            assertThat(isClosedInTheEnd(strict, post, "x")).as("body").isTrue();
        }
    }

    /** Whether the server ends a connection on which it gets a drop every tenth of a second. */
    private static boolean isClosedInTheEnd(ApiServer server, String begin, String drop) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.verticle.port())) {
            socket.setSoTimeout(100);
            socket.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
            for (int drops = 0; drops < 300; drops++) {
                socket.getOutputStream().write(drop.getBytes(StandardCharsets.US_ASCII));
                if (isAtItsEnd(socket)) {
                    return true;
                }
            }
            return false;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static boolean isAtItsEnd(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read(new byte[8192]) < 0;
        } catch (SocketTimeoutException open) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({"20000, 414", "10, 404"})
    void anEndlessAddressIsRefused(int chars, int status) throws IOException {
        String answer = raw("GET /" + "a".repeat(chars) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith(status + " ").contains("{\"error\":");
    }

    @Test
    void endlessHeadersAreRefused() throws IOException {
        String answer = raw("GET /health HTTP/1.1\r\nHost: x\r\nX: " + "a".repeat(40_000) + "\r\n\r\n");

        assertThat(answer).startsWith("431 ").contains("{\"error\":");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NONSENSE\r\n\r\n",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nContent-Length: 3, 3\r\n\r\nabc",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\nabc",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nContent-Length : 3\r\n\r\nabc",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
                "GET /health HTTP/1.1\r\n\r\n",
                "GET /health HTTP/1.1\r\nX-Forwarded-Host: x\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET http://x/health HTTP/1.1\r\n\r\n",
                "GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
                "GET /health HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n",
                "GET /health HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
                "GET /health HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "POST /oauth/revoke HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nContent-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            })
    void anAmbiguousOrInvalidRequestIsRefusedAndTheConnectionClosed(String request) throws IOException {
        assertThat(raw(request))
                .startsWith("400 ")
                .contains("{\"error\":\"This is not a valid HTTP request")
                .as("one answer, whatever follows")
                .doesNotContain("HTTP/1.1 ");
    }

    @Test
    void aRequestOfHttp10MayLeaveOutItsHost() throws IOException {
        assertThat(raw("GET /health HTTP/1.0\r\n\r\n")).startsWith("200 ");
        assertThat(raw("GET /health HTTP/1.0\r\nHost: x\r\n\r\n")).startsWith("200 ");
    }

    @Test
    void bytesAfterAChunkedBodyAreNotReadAsARequest() throws IOException {
        String first = "POST /oauth/revoke HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
        String form = "client_name=x&redirect_uris=urn:ietf:wg:oauth:2.0:oob";
        String smuggled = "POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Connection: close\r\nContent-Length: " + form.length() + "\r\n\r\n" + form;
        long before = apps();

        assertThat(raw(first + smuggled))
                .startsWith("200 ")
                .contains("connection: close")
                .doesNotContain("HTTP/1.1 ");
        assertThat(raw(smuggled)).as("the same alone").startsWith("200 ");
        assertThat(apps()).isEqualTo(before + 1);
    }

    /** As Vert.x read it up to 5.0.12 (CVE-2026-102479): what follows was taken for a body. */
    @Test
    void aHeaderThatIsAlmostALengthIsNone() throws IOException {
        String first = "GET /api/v2/instance HTTP/1.1\r\nHost: x\r\nContent-Xength: 60\r\n\r\n";
        String second = "GET /api/v2/instance HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

        assertThat(raw(first + second)).startsWith("200 ").contains("HTTP/1.1 200 ");
    }

    private static long apps() {
        return TestRedis.standalone().keys().stream()
                .filter(key -> key.startsWith("app:"))
                .count();
    }

    @Test
    void aRefusedRequestLeavesItsConnectionUsable() throws IOException {
        String refused = "GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n";
        String good = "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

        assertThat(raw(refused + good)).startsWith("404 ").endsWith("\r\n\r\nOK");
    }

    @Test
    void headIsGetWithoutABody() {
        Response head = api.send("HEAD", "/api/v1/accounts/" + ann.id(), null, null, null);

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.header("Content-Type").orElse("")).startsWith("application/json");
    }

    private static void assertProblem(Response answer) {
        assertThat(answer.header("Content-Type").orElse("")).startsWith("application/json");
        assertThat(answer.text("/error")).isNotEmpty();
        assertThat(answer.body())
                .doesNotContain("Exception")
                .doesNotContain("io.fanfare")
                .doesNotContain("io.vertx")
                .doesNotContain("\tat ");
    }

    private static String raw(String request) throws IOException {
        return raw(api, answer -> false, request);
    }

    /** From the status on, everything that comes back until it is enough or the server closes the connection. */
    private static String raw(ApiServer server, Predicate<String> enough, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.verticle.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            StringBuilder answer = new StringBuilder();
            InputStream in = socket.getInputStream();
            byte[] bytes = new byte[8192];
            try {
                int n = in.read(bytes);
                while (n >= 0) {
                    answer.append(new String(bytes, 0, n, StandardCharsets.UTF_8));
                    n = enough.test(answer.toString()) ? -1 : in.read(bytes);
                }
            } catch (IOException quietOrReset) {
                // What has come is the answer.
            }
            return answer.substring("HTTP/1.1 ".length());
        }
    }
}
