package io.fanfare.stream;

import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Tests of streams on each kind of Redis, which is empty when a class begins. All tests of a class have one server. The
 * class starts it with its settings; after each test every client is disconnected.
 */
@ParameterizedClass
@KindsOfRedis
abstract class OnEveryRedis {
    static StreamServer server;

    @Parameter
    TestRedis.Kind kind;

    @BeforeParameterizedClassInvocation
    static void flush(TestRedis.Kind kind) {
        kind.redis().flush();
    }

    @AfterEach
    void hangUp() {
        server.hangUp();
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
    }

    /** The header with a new token of the user, with the scope {@code read}. */
    static String bearer(long user) {
        return "Authorization: Bearer " + server.token(user, "read");
    }
}
