package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fanfare.app.Cast.Caller;
import io.fanfare.app.ContractServer.Answer;
import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Contract.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Equivalent forms of a request, each sent to every operation of openapi.yaml: all get the same answer. */
class LeniencyTest extends OnEveryOperation {
    @TestFactory
    Stream<DynamicTest> aSlashAtTheEndIsNothing() {
        // The front has one already.
        return each(operation -> !operation.path().equals("/"), operation -> {
            int plain = status(operation, Request::send);
            int slashed = status(
                    operation,
                    (request, there, token) -> there.send(
                            request.method(), request.path() + "/" + request.query(), token, request.body()));
            assertThat(slashed).isEqualTo(plain);
        });
    }

    @TestFactory
    Stream<DynamicTest> limitsAreMovedIntoTheirBounds() {
        return each(LeniencyTest::hasLimit, operation -> {
            for (String limit : List.of("0", "-3", "1000", "99999999999999999999")) {
                int status = status(operation, (request, there, token) -> request.asking("limit", limit)
                        .send(there, token));
                assertThat(status).as(limit).isEqualTo(200);
            }
        });
    }

    /** As Mastodon reads numbers: up to the first sign that is no digit. */
    @TestFactory
    Stream<DynamicTest> limitsMayHaveMoreThanDigits() {
        return each(LeniencyTest::hasLimit, operation -> {
            for (String limit : List.of("%207", "7.0", "7px", "7%20", "seven", "null")) {
                int status = status(operation, (request, there, token) -> request.asking("limit", limit)
                        .send(there, token));
                assertThat(status).as(limit).isEqualTo(200);
            }
        });
    }

    /** As Mastodon reads truth values: what is no word for false is true. */
    @TestFactory
    Stream<DynamicTest> truthValuesMayBeAnyWord() {
        return each(operation -> !flags(operation).isEmpty(), operation -> {
            for (String flag : flags(operation)) {
                int plain = status(operation, (request, there, token) -> request.asking(flag, "true")
                        .send(there, token));
                for (String value : List.of("y", "%201", "checked", "undefined", "TRUE")) {
                    int status = status(operation, (request, there, token) -> request.asking(flag, value)
                            .send(there, token));
                    assertThat(status).as(flag + "=" + value).isEqualTo(plain);
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> whatIsInABodyMayComeInAnyForm() {
        return each(operation -> rows.path(operation.id()).has("body"), operation -> {
            int form = status(operation, Request::send);
            assertThat(status(operation, LeniencyTest::sendAsJson)).as("JSON").isEqualTo(form);
            assertThat(status(operation, LeniencyTest::sendInParts))
                    .as("multipart")
                    .isEqualTo(form);
            assertThat(status(operation, LeniencyTest::sendInQuery)).as("query").isEqualTo(form);
        });
    }

    /** In Latin-1, which servers took for U+FFFD, and as half of a letter. */
    @TestFactory
    Stream<DynamicTest> lettersOfAnotherCharsetAreRefusedWhereverTheyStand() {
        return each(LeniencyTest::mayBeMalformed, operation -> {
            // A refused request changes nothing: one cast may send all of them.
            Cast cast = cast(operation);
            for (String escapes : List.of("caf%E9", "%ED%A0%80")) {
                assertThat(status(operation, cast, (request, there, token) -> request.asking("unread", escapes)
                                .send(there, token)))
                        .as("query %s", escapes)
                        .isEqualTo(400);
                if (rows.path(operation.id()).has("body")) {
                    assertThat(status(
                                    operation,
                                    cast,
                                    (request, there, token) -> there.send(
                                            request.method(),
                                            request.path() + request.query(),
                                            token,
                                            request.body() + "&unread=" + escapes)))
                            .as("form %s", escapes)
                            .isEqualTo(400);
                }
            }
            assertThat(status(operation, cast, (request, there, token) -> request.asking("unread", "caf%C3%A9%EF%BF%BD")
                            .send(there, token)))
                    .isEqualTo(status(operation, Request::send));
        });
    }

    private interface Check {
        void of(Operation operation);
    }

    private interface Way {
        Answer send(Request request, ContractServer server, String token);
    }

    private static Stream<DynamicTest> each(Predicate<Operation> which, Check check) {
        return server.operations()
                .filter(which)
                .map(operation -> DynamicTest.dynamicTest(operation.id(), () -> check.of(operation)));
    }

    /** The status of a good request that is sent in one form. If it can change something, it is sent by a new cast. */
    private static int status(Operation operation, Way way) {
        return status(operation, cast(operation), way);
    }

    private static int status(Operation operation, Cast cast, Way way) {
        Request request = Request.of(operation, rows.path(operation.id()), cast);
        return way.send(request, server, cast.token(Caller.OWNER)).status();
    }

    private static List<String> flags(Operation operation) {
        return StreamSupport.stream(operation.node().path("parameters").spliterator(), false)
                .map(Contract.instance()::resolve)
                .filter(parameter -> parameter.path("in").asText().equals("query"))
                .filter(parameter ->
                        parameter.path("schema").path("type").asText().equals("boolean"))
                .map(parameter -> parameter.path("name").asText())
                .toList();
    }

    /** Not of files and documents that are always the same, and take nothing. */
    private static boolean mayBeMalformed(Operation operation) {
        return operation.node().path("responses").has("400");
    }

    private static boolean hasLimit(Operation operation) {
        JsonNode parameters = operation.node().path("parameters");
        return StreamSupport.stream(parameters.spliterator(), false)
                .map(Contract.instance()::resolve)
                .anyMatch(parameter -> parameter.path("name").asText().equals("limit"));
    }

    private static Answer sendAsJson(Request request, ContractServer server, String token) {
        Map<String, Object> object = new HashMap<>();
        fields(request).forEach((name, value) -> {
            boolean list = name.endsWith("[]");
            object.put(list ? name.substring(0, name.length() - 2) : name, list ? List.of(value) : value);
        });
        String body = new ObjectMapper().valueToTree(object).toString();
        return request.sendAs("application/json", body, server, token);
    }

    private static Answer sendInParts(Request request, ContractServer server, String token) {
        StringBuilder body = new StringBuilder();
        fields(request).forEach((name, value) -> body.append("--b\r\nContent-Disposition: form-data; name=\"")
                .append(name)
                .append("\"\r\n\r\n")
                .append(value)
                .append("\r\n"));
        return request.sendAs("multipart/form-data; boundary=b", body + "--b--\r\n", server, token);
    }

    private static Answer sendInQuery(Request request, ContractServer server, String token) {
        String query = request.query() + (request.query().isEmpty() ? "?" : "&") + request.body();
        return server.send(request.method(), request.path() + query.replace(" ", "%20"), token, null);
    }

    private static Map<String, String> fields(Request request) {
        Map<String, String> fields = new HashMap<>();
        for (String field : request.body().split("&", -1)) {
            int is = field.indexOf('=');
            fields.put(field.substring(0, is), field.substring(is + 1));
        }
        return fields;
    }
}
