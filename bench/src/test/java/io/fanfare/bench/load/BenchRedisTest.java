package io.fanfare.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.runtime.EventLoop;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchRedisTest {
    @Test
    void aRedisThatHoldsDataIsLeftAlone() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (EventLoop loop = new EventLoop()) {
            RedisLink link = redis.link(loop.vertx());
            assertThat(loop.await(() -> link.send(Command.of("SET", "theirs", "1")))
                            .asString())
                    .isEqualTo("OK");

            assertThatThrownBy(() -> BenchRedis.open(
                            loop, options("--url", redis.options().url().reveal())))
                    .isInstanceOf(BenchFailed.class)
                    .hasMessageContaining("holds data");

            assertThat(loop.await(() -> link.send(Command.routed("DBSIZE", null)))
                            .asLong())
                    .isEqualTo(1);
        }
    }

    private static BenchOptions options(String... arguments) {
        return CommandLine.populateCommand(new BenchOptions(), arguments);
    }
}
