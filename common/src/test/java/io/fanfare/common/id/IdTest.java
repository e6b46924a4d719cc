package io.fanfare.common.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdTest {
    @Test
    void anIdEncodesTimeShardAndSequence() {
        long id = Id.of(1_795_251_986_123L, 1023, 3);
        assertThat(Id.epochMillis(id)).isEqualTo(1_795_251_986_123L);
        assertThat(Id.shard(id)).isEqualTo(1023);
        assertThat(id & 3).isEqualTo(3);
    }

    @Test
    void idsFitADoubleUntil2093() {
        long last = Id.of(Id.EPOCH_MILLIS + (1L << 41) - 1, 1023, 3);
        assertThat(last).isEqualTo(Id.MAX);
        assertThat((long) (double) last).isEqualTo(last);
    }

    @Test
    void impossiblePartsAreRefused() {
        assertThatThrownBy(() -> Id.of(Id.EPOCH_MILLIS, 1024, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Id.of(Id.EPOCH_MILLIS, 0, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Id.of(Id.EPOCH_MILLIS - 1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 10, 4_503_599_627_370_497L, Id.MAX})
    void idsAreReadAsTheyAreWritten(long id) {
        assertThat(Id.parse(Long.toString(id))).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "01",
                "-1",
                "+1",
                "1.0",
                "1e3",
                " 1",
                "1 ",
                "abc",
                "9007199254740992",
                "99999999999999999",
                "١"
            })
    void anythingElseIsNoId(String text) {
        assertThat(Id.parse(text)).isEqualTo(-1);
        assertThat(Id.parse(null)).isEqualTo(-1);
    }

    @Test
    void shardsAreAPowerOfTwoAndAllAreDrawn() {
        assertThatThrownBy(() -> new Shards(12))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("12");
        assertThatThrownBy(() -> new Shards(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Shards(2048)).isInstanceOf(IllegalArgumentException.class);
        Random random = new Random(1);
        assertThat(random.ints(200, 0, 1)
                        .map(i -> new Shards(16).draw(random))
                        .distinct()
                        .count())
                .isEqualTo(16);
    }
}
