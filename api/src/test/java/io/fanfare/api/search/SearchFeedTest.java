package io.fanfare.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cases that {@code StatusSearchTest} does not wait for. */
class SearchFeedTest {
    @Test
    void theDelayBeforeARebuildDoublesUpToABound() {
        assertThat(IntStream.rangeClosed(0, 7).mapToObj(SearchFeed::reopenMillis))
                .containsExactly(10_000L, 10_000L, 20_000L, 40_000L, 80_000L, 160_000L, 300_000L, 300_000L);
        assertThat(SearchFeed.reopenMillis(Integer.MAX_VALUE)).isEqualTo(300_000);
    }
}
