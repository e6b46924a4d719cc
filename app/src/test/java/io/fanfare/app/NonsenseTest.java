package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.app.Cast.Caller;
import io.fanfare.app.ContractServer.Answer;
import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Contract.Operation;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every operation of openapi.yaml with nonsense in each of its parameters and fields, and with bodies that are none:
 * what it answers is one of the answers that are documented for it, in words that tell nothing of what is inside, a
 * good request is answered as before, and nothing of it has become part of a key of Redis.
 */
class NonsenseTest extends OnEveryOperation {
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    /** The number of nonsense values that each parameter gets. */
    private static final int DRAWN = 2;

    /** As they stand in a query or form. */
    private static final List<String> VALUES = List.of(
            "",
            "%20",
            "-1",
            "0",
            "1.5",
            "x",
            "NaN",
            "true",
            "null",
            "%5B%5D",
            "%00",
            "%0D%0Ax%3A%201",
            "%F0%9F%92%A9",
            "%22%27%3C%7B%24",
            "..%2F..%2F",
            "a%7B7%7Db*%0A",
            "9223372036854775808",
            "9".repeat(300),
            "x".repeat(3000));

    /** As they stand in JSON. */
    private static final List<String> JSON_VALUES = List.of(
            "null",
            "true",
            "-1",
            "1.5",
            "1e400",
            "9223372036854775808",
            "\"\"",
            "\"x\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "[]",
            "[null]",
            "[[1]]",
            "{}",
            "{\"x\":{\"y\":[1]}}",
            "[\"" + "x".repeat(3000) + "\"]");

    private static final List<String> BODIES =
            List.of("{", "[]", "true", "\"x\"", "{\"a\":}", "{}{}", "{\"a\":" + "[".repeat(50) + "]".repeat(50) + "}");

    /**
     * The pattern of all keys. Text of users enters a key in harmless characters alone, so it cannot choose the slot.
     */
    private static final Pattern KEY = Pattern.compile("[\\w.:-]*(\\{[\\w-]+\\}[\\w.:-]*)?");

    @BeforeAll
    static void printSeed() {
        System.out.println("seed=" + SEED);
    }

    @TestFactory
    Stream<DynamicTest> nonsenseGetsAnAnswerThatIsDocumented() {
        Stream<DynamicTest> operations = server.operations()
                .map(operation -> DynamicTest.dynamicTest(operation.id(), () -> sayNonsense(operation)));
        return Stream.concat(
                operations, Stream.of(DynamicTest.dynamicTest("the keys of all that", NonsenseTest::checkKeys)));
    }

    private static void sayNonsense(Operation operation) {
        RandomGenerator random = new Random(SEED ^ operation.id().hashCode());
        Cast cast = cast(operation);
        JsonNode row = rows.path(operation.id());
        int before = good(operation, row, cast);
        for (String parameter : parameters(operation)) {
            for (String value : drawn(VALUES, random)) {
                Request request = Request.of(operation, row, cast).asking(parameter, value);
                check(request.toString(), request.send(server, cast.token(Caller.OWNER)));
            }
        }
        for (String field : fields(operation)) {
            sayNonsense(operation, row, cast, field, random);
        }
        if (takesJson(operation)) {
            sayNothing(Request.of(operation, row, cast), cast);
        }
        assertThat(good(operation, row, cast(operation)))
                .as("a good request of others, seed " + SEED)
                .isEqualTo(before);
    }

    private static void checkKeys() {
        assertThat(TestRedis.standalone().keys()).as("seed " + SEED).allMatch(KEY.asMatchPredicate());
    }

    private static int good(Operation operation, JsonNode row, Cast cast) {
        return Request.of(operation, row, cast)
                .send(server, cast.token(Caller.OWNER))
                .status();
    }

    private static void sayNonsense(
            Operation operation, JsonNode row, Cast cast, String field, RandomGenerator random) {
        for (String value : drawn(VALUES, random)) {
            Request request = Request.of(operation, row, cast).saying(field, value);
            check(request + " " + request.body(), request.send(server, cast.token(Caller.OWNER)));
        }
        for (String value : drawn(JSON_VALUES, random)) {
            Request request = Request.of(operation, row, cast);
            String body = "{\"" + field + "\":" + value + "}";
            check(request + " " + body, json(request, cast, body));
        }
    }

    private static void sayNothing(Request request, Cast cast) {
        for (String body : BODIES) {
            Answer answer = json(request, cast, body);
            check(request + " " + body, answer);
            assertThat(answer.status()).as(request + " " + body).isEqualTo(400);
        }
        Answer answer = request.sendAs("text/plain", "x=1", server, cast.token(Caller.OWNER));
        assertThat(answer.status()).as(request + " as text/plain").isEqualTo(415);
    }

    private static Answer json(Request request, Cast cast, String body) {
        return request.sendAs("application/json", body, server, cast.token(Caller.OWNER));
    }

    /** The status and the form have been looked at already. */
    private static void check(String request, Answer answer) {
        assertThat(answer.status())
                .as("seed %d: %s: %s", SEED, request, answer.body())
                .isLessThan(500);
        if (answer.status() >= 400) {
            assertThat(answer.body())
                    .as("seed %d: %s", SEED, request)
                    .doesNotContain("Exception", "io.fanfare", "io.vertx", "jackson", "java.");
        }
    }

    private static List<String> drawn(List<String> values, RandomGenerator random) {
        List<String> drawn = new ArrayList<>();
        for (int i = 0; i < DRAWN; i++) {
            drawn.add(values.get(random.nextInt(values.size())));
        }
        return drawn;
    }

    /** Names of what may stand in its query. */
    static List<String> parameters(Operation operation) {
        List<String> names = new ArrayList<>();
        for (JsonNode reference : operation.node().path("parameters")) {
            JsonNode parameter = Contract.instance().resolve(reference);
            if (parameter.path("in").asText().equals("query")) {
                names.add(parameter.path("name").asText());
            }
        }
        return names;
    }

    private static JsonNode content(Operation operation) {
        Contract contract = Contract.instance();
        return contract.resolve(operation.node().path("requestBody")).path("content");
    }

    private static boolean takesJson(Operation operation) {
        return content(operation).has("application/json");
    }

    /** Names of what may stand in its body. */
    static List<String> fields(Operation operation) {
        List<String> fields = new ArrayList<>();
        JsonNode schema = content(operation).elements().hasNext()
                ? content(operation).elements().next().path("schema")
                : content(operation);
        Contract.instance().resolve(schema).path("properties").fieldNames().forEachRemaining(fields::add);
        return fields;
    }
}
