package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fanfare.app.Cast.Caller;
import io.fanfare.app.ContractServer.Answer;
import io.fanfare.common.testing.Contract.Operation;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Every operation of openapi.yaml with a text in each of its parameters and fields that is as long as a body may be and
 * costs its length squared to normalise, to make small or to match: what the event loops spend on it is no more than on
 * any text of that length. Time is that of their own threads on a processor, since the machine has other things to do.
 */
class TextCostTest extends OnEveryOperation {
    /** About: with the rest of the request it has to fit into {@code http.body-max-bytes}. */
    private static final int BODY_BYTES = 60 << 10;

    private static final int ADDRESS_BYTES = 12 << 10;

    /** Ten times what is promised. The cheapest of these texts cost 300 where they were normalised as they came. */
    private static final long MILLIS_MAX = 100;

    /** The first time, classes are loaded and nothing is compiled. */
    private static final int TRIES = 4;

    private static final List<String> UNITS = List.of(
            "\u0301\u0323", // Sorted by their combining class.
            "\u0301\u200d\u0323", // The same, once NFKC_Casefold has taken the joiner away.
            "\uff9e\u0301", // The same, since the first is a letter by itself only.
            "\u03a3", // Whether it ends its word decides which small letter it is.
            "-ab"); // As many parts as a code of a language can have.

    /** Each field with one of the units, which one is always the same. */
    @TestFactory
    Stream<DynamicTest> aTextOf64KilobytesHoldsUpNobody() {
        return measured(field -> List.of(UNITS.get(Math.floorMod(field.hashCode(), UNITS.size()))));
    }

    @TestFactory
    @Tag("programs")
    Stream<DynamicTest> aTextOf64KilobytesOfAnyUnitHoldsUpNobody() {
        return measured(field -> UNITS);
    }

    /** @param units those that a field of an operation is tried with */
    private static Stream<DynamicTest> measured(Function<String, List<String>> units) {
        return server.operations()
                .filter(operation -> !NonsenseTest.parameters(operation).isEmpty()
                        || !NonsenseTest.fields(operation).isEmpty())
                .map(operation -> DynamicTest.dynamicTest(operation.id(), () -> measure(operation, units)));
    }

    private static void measure(Operation operation, Function<String, List<String>> units) {
        Cast cast = cast(operation);
        JsonNode row = rows.path(operation.id());
        String token = cast.token(Caller.OWNER);
        for (String parameter : NonsenseTest.parameters(operation)) {
            for (String unit : units.apply(operation.id() + parameter)) {
                String value = URLEncoder.encode(text(unit, ADDRESS_BYTES / 3), StandardCharsets.UTF_8);
                check(operation, parameter, unit, () -> Request.of(operation, row, cast)
                        .asking(parameter, value)
                        .send(server, token));
            }
        }
        for (String field : NonsenseTest.fields(operation)) {
            for (String unit : units.apply(operation.id() + field)) {
                String body = json(row, cast, field, text(unit, BODY_BYTES));
                check(operation, field, unit, () -> Request.of(operation, row, cast)
                        .sendAs("application/json", body, server, token));
            }
        }
    }

    private static void check(Operation operation, String field, String unit, Attempt attempt) {
        String what = operation.id() + " " + field + " "
                + unit.codePoints().mapToObj("U+%04X"::formatted).toList();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && least > MILLIS_MAX; i++) {
            long before = loopsNanos();
            Answer answer = attempt.run();
            least = Math.min(least, TimeUnit.NANOSECONDS.toMillis(loopsNanos() - before));
            assertThat(answer.status()).as(what + ": " + answer.body()).isLessThan(500);
        }
        assertThat(least).as(what).isLessThanOrEqualTo(MILLIS_MAX);
    }

    private interface Attempt {
        Answer run();
    }

    /** Begins as a name, a code of a language or a phrase may. */
    private static String text(String unit, int bytes) {
        return "en" + unit.repeat((bytes - 2) / unit.getBytes(StandardCharsets.UTF_8).length);
    }

    /** The good body of the operation as JSON, but for one field: in it no character takes more bytes than it has. */
    private static String json(JsonNode row, Cast cast, String field, String text) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        if (row.has("body")) {
            Arrays.stream(cast.fill(row.path("body").asText()).split("&", -1))
                    .map(pair -> pair.split("=", 2))
                    .forEach(pair -> body.put(pair[0], pair[1]));
        }
        return body.put(field, text).toString();
    }

    private static long loopsNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("vert.x-eventloop-thread"))
                .mapToLong(thread -> Math.max(0, threads.getThreadCpuTime(thread.getId())))
                .sum();
    }
}
