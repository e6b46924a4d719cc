package io.fanfare.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SlotsTest {
    @Test
    void countsAsTheServerDoes() {
        Random random = new Random(7);
        List<String> keys = new ArrayList<>(List.of(
                "",
                "a",
                "{}",
                "{}a",
                "{a}",
                "a{b}c",
                "a{b}{c}",
                "{{a}}",
                "a{b",
                "a}b{c}",
                "123456789",
                "schl\u00fcssel",
                "{\u20ac}x"));
        for (int i = 0; i < 200; i++) {
            keys.add(random.ints(1 + random.nextInt(12), 32, 127)
                    .mapToObj(Character::toString)
                    .collect(Collectors.joining()));
        }
        for (String key : keys) {
            long expected = TestRedis.ask(TestRedis.cluster().server(), "CLUSTER", "KEYSLOT", key)
                    .asLong();
            assertThat((long) Slots.of(key)).as(key).isEqualTo(expected);
        }
    }
}
