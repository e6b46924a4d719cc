package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.app.Cast.Caller;
import io.fanfare.app.ContractServer.Answer;
import io.fanfare.redis.testing.TestRedis;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every operation of openapi.yaml that reads, while Redis refuses writes as {@code up} lets it on a full disk. */
class ReadsOnAFullDiskTest extends OnEveryOperation {
    @AfterAll
    static void takeWrites() {
        setReplicasNeeded(0);
    }

    @TestFactory
    Stream<DynamicTest> everyReadIsAnsweredAsBefore() {
        return server.operations()
                .filter(operation -> operation.method().equals("GET"))
                .map(operation -> DynamicTest.dynamicTest(operation.id(), () -> {
                    JsonNode row = rows.path(operation.id());
                    Cast cast = new Cast(server);
                    Request request = Request.of(operation, row, cast);
                    String token = cast.token(Caller.OWNER);
                    setReplicasNeeded(1);
                    Answer during;
                    try {
                        during = request.send(server, token);
                    } finally {
                        setReplicasNeeded(0);
                    }
                    assertThat(during.status())
                            .as("%s: %s", request, during.body())
                            .isEqualTo(request.send(server, token).status());
                }));
    }

    private static void setReplicasNeeded(int replicas) {
        assertThat(TestRedis.ask(
                                TestRedis.standalone().server(),
                                "CONFIG",
                                "SET",
                                "min-replicas-to-write",
                                Integer.toString(replicas))
                        .asString())
                .isEqualTo("OK");
    }
}
