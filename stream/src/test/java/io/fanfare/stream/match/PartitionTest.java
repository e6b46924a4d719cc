package io.fanfare.stream.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64})
    void eachAuthorIsInExactlyOnePartOfAboutEqualSize(int count) {
        Random random = new Random(7);
        int[] sizes = new int[count];
        for (int i = 0; i < 200 * count; i++) {
            // Ids of one shard differ by their time only.
            long author = 281474976710656L + 8L * random.nextInt(1_000_000);
            int[] in = IntStream.range(0, count)
                    .filter(index -> new Partition(index, count).has(author))
                    .toArray();
            assertThat(in).hasSize(1);
            sizes[in[0]]++;
        }
        assertThat(IntStream.of(sizes).min().orElseThrow()).isGreaterThan(100);
        assertThat(IntStream.of(sizes).max().orElseThrow()).isLessThan(300);
    }

    @Test
    void theTextOfAPartitionIsItsNumberAndTheirCount() {
        assertThat(Partition.parse("partition", "")).isEqualTo(Partition.WHOLE);
        assertThat(Partition.parse("partition", "3/4")).isEqualTo(new Partition(3, 4));
        assertThat(Partition.parse("partition", "1023/1024").label()).isEqualTo("partition 1023/1024");
    }

    @ParameterizedTest
    @ValueSource(strings = {"4/4", "0/0", "1/1025", "-1/4", "1", "1/", "/4", "a/b", "1/4/2", "99999/99999", " 1/4"})
    void anotherTextIsRefused(String text) {
        assertThatThrownBy(() -> Partition.parse("partition", text))
                .isInstanceOf(InvalidFilter.class)
                .hasMessageContaining("A partition is a number from 0 and their count");
    }
}
