package io.fanfare.api;

import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Tests of routes before each kind of Redis, which is empty when a class begins. All tests of a class have one server.
 */
@ParameterizedClass
@KindsOfRedis
abstract class OnEveryRedis {
    static TestRedis redis;
    static ApiServer api;

    @Parameter
    TestRedis.Kind kind;

    @BeforeParameterizedClassInvocation
    static void start(TestRedis.Kind kind) {
        redis = kind.redis();
        redis.flush();
        api = new ApiServer(redis);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        api.close();
    }
}
