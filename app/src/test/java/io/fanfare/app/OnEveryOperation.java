package io.fanfare.app;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.common.testing.Contract.Operation;
import io.fanfare.redis.testing.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Tests of every operation of openapi.yaml, each with a good request made from its row. All tests of a class have one
 * server, whose Redis is empty when the class begins.
 */
abstract class OnEveryOperation {
    static ContractServer server;
    static JsonNode rows;

    /** The cast of all requests that only read. */
    private static Cast readers;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        server = new ContractServer(TestRedis.standalone());
        rows = Request.rows();
        readers = new Cast(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The shared cast for operations that only read; for all others new people, who use its app. */
    static Cast cast(Operation operation) {
        return operation.method().equals("GET") ? readers : newPeople();
    }

    /** People who have done nothing before; all use one app. */
    static Cast newPeople() {
        return readers.again();
    }
}
