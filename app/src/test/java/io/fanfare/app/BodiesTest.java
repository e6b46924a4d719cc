package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.Cast.Caller;
import io.fanfare.app.ContractServer.Answer;
import io.fanfare.common.testing.Contract.Operation;
import io.fanfare.server.http.BodyReader;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Bodies are read where openapi.yaml has one, and nowhere else: elsewhere a short one changes nothing, as clients that
 * send {@code {}} with every request need it, and a longer one is refused, or not looked at where the answer is always
 * the same.
 */
class BodiesTest extends OnEveryOperation {
    private static final String JSON = "application/json";

    @TestFactory
    Stream<DynamicTest> aLongBodyIsTakenOnlyWhereTheContractHasOne() {
        String body = "{\"x\":\"" + "x".repeat(BodyReader.UNASKED_BYTES_MAX) + "\"}";
        return server.operations()
                .map(operation -> DynamicTest.dynamicTest(operation.id(), () -> {
                    Cast cast = cast(operation);
                    Answer answer = request(operation, cast).sendAs(JSON, body, server, cast.token(Caller.OWNER));

                    if (operation.node().has("requestBody")) {
                        assertThat(answer.status()).isNotEqualTo(413);
                    } else if (operation.statuses().contains(413)) {
                        assertThat(answer.status()).isEqualTo(413);
                    } else {
                        assertThat(answer.status()).isEqualTo(withoutBody(operation));
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> anUnexpectedShortBodyChangesNothing() {
        return server.operations()
                .filter(operation -> !operation.node().has("requestBody"))
                .map(operation -> DynamicTest.dynamicTest(operation.id(), () -> {
                    Cast cast = cast(operation);
                    Answer answer = request(operation, cast).sendAs(JSON, "{}", server, cast.token(Caller.OWNER));

                    assertThat(answer.status()).isEqualTo(withoutBody(operation));
                }));
    }

    private static Request request(Operation operation, Cast cast) {
        return Request.of(operation, rows.path(operation.id()), cast);
    }

    private static int withoutBody(Operation operation) {
        Cast cast = cast(operation);
        Request request = request(operation, cast);
        return server.send(request.method(), request.path() + request.query(), cast.token(Caller.OWNER), null)
                .status();
    }
}
