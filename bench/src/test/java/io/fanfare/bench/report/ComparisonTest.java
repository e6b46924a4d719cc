package io.fanfare.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void letsContestantsTakeTurnsAfterARoundThatDoesNotCount() {
        List<String> played = new ArrayList<>();
        List<Comparison.Result> results = new Comparison()
                .contestant("a", () -> play(played, "a"))
                .contestant("b", () -> play(played, "b"))
                .run(2);
        assertThat(played).containsExactly("a", "b", "a", "b", "a", "b");
        assertThat(results).extracting(Comparison.Result::name).containsExactly("a", "b");
        assertThat(results.get(0).rounds()).hasSize(2);
    }

    @Test
    void takesMediansOfRoundsAndAccountsProcessorTimePerUnit() {
        Comparison.Result result = new Comparison.Result(
                "a", List.of(round(100, 1, 0.5), round(400, 2, 0.1), round(900, 1, 0.9), round(1000, 1, 0.2)));
        assertThat(result.perSecond()).isEqualTo((200 + 900) / 2.0);
        assertThat(result.cpuMicros("redis")).isCloseTo((250 + 1000) / 2.0, within(1e-6));
        assertThat(result.busy("redis")).isCloseTo((0.2 + 0.5) / 2, within(1e-9));
    }

    @Test
    void readsTheProcessorTimeAroundEachRound() {
        double[] used = {0};
        List<Comparison.Result> results = new Comparison()
                .process("p", () -> used[0])
                .contestant("a", () -> {
                    used[0] += 3;
                    return 1_000_000;
                })
                .run(1);
        assertThat(results.get(0).cpuMicros("p")).isCloseTo(3, within(1e-9));
    }

    private static long play(List<String> played, String name) {
        played.add(name);
        return 1;
    }

    private static Comparison.Round round(long units, double seconds, double redis) {
        return new Comparison.Round(units, seconds, Map.of("redis", redis));
    }
}
