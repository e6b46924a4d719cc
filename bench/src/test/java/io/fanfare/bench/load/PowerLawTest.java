package io.fanfare.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.report.BenchFailed;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PowerLawTest {
    @Test
    void theGraphHasTheLargestAuthorAndTheMeanFanOutThatAreRequested() {
        SocialGraph graph = PowerLaw.graphOfFanOut(5000, 1100, 165, new Random(1));
        assertThat(graph.followerCount(0)).isEqualTo(1100);
        double deliveries = IntStream.range(0, graph.users())
                .mapToDouble(user -> (double) graph.followerCount(user) * graph.followerCount(user))
                .sum();
        assertThat(deliveries / graph.edges()).isBetween(160.0, 170.0);
    }

    @Test
    void aFanOutThatNoPowerLawHasIsRefused() {
        for (int fanOut : new int[] {403, 2}) {
            assertThatThrownBy(() -> PowerLaw.graphOfFanOut(100, 22, fanOut, new Random(1)))
                    .isInstanceOf(BenchFailed.class)
                    .hasMessageContaining("fan-out of " + fanOut)
                    .hasMessageContaining("100 users");
        }
    }
}
