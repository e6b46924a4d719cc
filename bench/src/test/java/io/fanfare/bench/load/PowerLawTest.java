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

    @Test
    void inAGraphThatIsNotKeptFewAreFollowedByMany() {
        int users = 20_000;
        int[] followers = new int[users];
        for (int user = 0; user < users; user++) {
            IntStream.of(PowerLaw.followees(user, users, 50, 1)).forEach(followee -> followers[followee]++);
        }
        int[] sorted = IntStream.of(followers).sorted().toArray();
        assertThat((double) sorted[users - 1] / users).isBetween(0.4, 0.6);
        assertThat(sorted[users / 2]).as("the median").isBetween(10, 30);
        // Tenfold the rank, 0.8 powers of ten fewer followers.
        double ratio = (double) sorted[users - 1 - 100] / sorted[users - 1 - 1000];
        assertThat(ratio).isBetween(5.0, 7.5);
        // Numbers of users say nothing about their followers.
        assertThat(IntStream.range(0, users / 2).map(user -> followers[user]).sum())
                .isBetween(users * 20, users * 30);
    }

    @Test
    void followeesAreOthersAndTheSameInEachCall() {
        for (int user = 0; user < 60; user++) {
            int[] followees = PowerLaw.followees(user, 60, 50, 1);
            assertThat(followees).hasSize(50).doesNotHaveDuplicates().doesNotContain(user);
            assertThat(PowerLaw.followees(user, 60, 50, 1)).isEqualTo(followees);
        }
    }

    @Test
    void moreFolloweesThanThereAreOthersAreRefused() {
        assertThatThrownBy(() -> PowerLaw.followees(3, 50, 50, 1))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("50 users");
    }
}
