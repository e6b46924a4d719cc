package io.fanfare.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.TestRedis;
import org.junit.jupiter.api.Test;

/** What Redis says of the buffer that a relay's messages wait in. */
class OutputBufferTest {
    @Test
    void theSmallerLimitCountsAndZeroIsNone() {
        assertThat(OutputBuffer.pubSubBytes("normal 0 0 0 slave 1 2 3 pubsub 33554432 8388608 60"))
                .isEqualTo(8_388_608);
        assertThat(OutputBuffer.pubSubBytes("normal 0 0 0 slave 1 2 3 pubsub 1048576 0 60"))
                .isEqualTo(1_048_576);
        assertThat(OutputBuffer.pubSubBytes("normal 0 0 0 slave 1 2 3 pubsub 0 0 0"))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aServerThatIsLeftAloneKeepsEnough() {
        TestRedis redis = TestRedis.standalone();
        String limits = TestRedis.ask(redis.server(), "CONFIG", "GET", "client-output-buffer-limit")
                .items()
                .get(1)
                .asString();
        assertThat(OutputBuffer.pubSubBytes(limits)).isGreaterThanOrEqualTo(OutputBuffer.ENOUGH_BYTES);
    }
}
