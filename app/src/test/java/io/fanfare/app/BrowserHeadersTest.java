package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.Contract.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The response headers of every operation of openapi.yaml, to a request that a page of another site makes the browser
 * send. They forbid it to frame, sniff or run the response, and cookies authorise nothing.
 */
class BrowserHeadersTest extends OnEveryOperation {
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(60))
            .build();

    @TestFactory
    Stream<DynamicTest> everyAnswerHasHeadersThatMakeBrowsersTrustNothing() {
        return server.operations()
                .map(operation -> DynamicTest.dynamicTest(operation.id(), () -> {
                    Cast cast = cast(operation);
                    HttpResponse<InputStream> answer =
                            fromAnotherSite(Request.of(operation, rows.path(operation.id()), cast), cast, true);
                    checkHeaders(operation, answer.headers());
                }));
    }

    @TestFactory
    Stream<DynamicTest> aCookieIsNoToken() {
        return server.operations()
                .filter(BrowserHeadersTest::needsToken)
                .map(operation -> DynamicTest.dynamicTest(operation.id(), () -> {
                    Cast cast = cast(operation);
                    Request request = Request.of(operation, rows.path(operation.id()), cast);
                    assertThat(fromAnotherSite(request, cast, false).statusCode())
                            .isEqualTo(401);
                }));
    }

    private static void checkHeaders(Operation operation, HttpHeaders headers) {
        assertThat(headers.allValues("X-Content-Type-Options")).containsExactly("nosniff");
        assertThat(headers.allValues("Referrer-Policy")).containsExactly("no-referrer");
        assertThat(headers.allValues("Date")).singleElement().satisfies(date -> assertThat(
                        Duration.between(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)), Instant.now())
                                .abs())
                .isLessThan(Duration.ofMinutes(1)));
        // One alone: of two, a browser enforces both, and a page would break without anybody noticing here.
        assertThat(headers.allValues("Content-Security-Policy")).singleElement().satisfies(policy -> assertThat(policy)
                .contains("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'")
                .doesNotContain("unsafe-"));
        String type = headers.firstValue("Content-Type").orElse("");
        assertThat(type.startsWith("text/") || type.startsWith("application/json"))
                .as("type " + type)
                .isEqualTo(type.toLowerCase(Locale.ROOT).contains("charset=utf-8"));
        assertThat(headers.allValues("Access-Control-Allow-Credentials")).isEmpty();
        assertThat(headers.allValues("Access-Control-Allow-Origin"))
                .as("never the asking site by its name")
                .doesNotContain("https://elsewhere.example");
        if (needsToken(operation)) {
            assertThat(headers.firstValue("Cache-Control").orElse("")).contains("no-store");
        }
    }

    private static boolean needsToken(Operation operation) {
        boolean open = operation.node().path("security").isEmpty();
        for (var way : operation.node().path("security")) {
            open |= way.isEmpty();
        }
        return !open;
    }

    /**
     * The request as a page of another site makes a browser send it, with the owner's token in every cookie that could
     * be taken for one; and in its header, if that is wanted.
     */
    private static HttpResponse<InputStream> fromAnotherSite(Request request, Cast cast, boolean withHeader) {
        String token = cast.token(Cast.Caller.OWNER);
        HttpRequest.Builder sent = HttpRequest.newBuilder(URI.create(server.url() + request.path() + request.query()))
                .timeout(Duration.ofSeconds(60))
                .header("Origin", "https://elsewhere.example")
                .header("Cookie", "access_token=" + token + "; token=" + token + "; Authorization=Bearer " + token)
                .method(
                        request.method(),
                        request.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(request.body()));
        if (request.body() != null) {
            sent.header("Content-Type", "application/x-www-form-urlencoded");
        }
        if (withHeader) {
            sent.header("Authorization", "Bearer " + token);
        }
        try {
            HttpResponse<InputStream> answer = CLIENT.send(sent.build(), BodyHandlers.ofInputStream());
            answer.body().close(); // A stream has no end.
            return answer;
        } catch (IOException e) {
            throw new AssertionError(request + " failed", e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
