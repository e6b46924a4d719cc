package io.fanfare.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fanfare.bench.report.BenchFailed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CostRatioTest {
    @Test
    void theIntervalIsStudentsOfTheLogarithms() {
        // Logarithms 0.1 and 0.3: mean 0.2, standard error 0.1, quantile 12.706.
        CostRatio cost = CostRatio.of("a", List.of(10.0, 20.0), List.of(10 * Math.exp(0.1), 20 * Math.exp(0.3)));
        assertThat(Math.log(cost.ratio())).isCloseTo(0.2, within(1e-9));
        assertThat(Math.log(cost.low())).isCloseTo(0.2 - 1.2706, within(1e-9));
        assertThat(Math.log(cost.high())).isCloseTo(0.2 + 1.2706, within(1e-9));
        assertThat(cost.before()).isEqualTo(15);
    }

    @Test
    void theIntervalHoldsTheTrueRatioInAbout95Of100Comparisons() {
        Random random = new Random(7);
        int held = 0;
        for (int i = 0; i < 2000; i++) {
            List<Double> before = random.doubles(9, 0.9, 1.1).boxed().toList();
            List<Double> after =
                    random.doubles(9, 0.9, 1.1).map(cost -> cost * 1.05).boxed().toList();
            CostRatio cost = CostRatio.of("a", before, after);
            held += cost.low() <= 1.05 && cost.high() >= 1.05 ? 1 : 0;
        }
        assertThat(held).isBetween(1860, 1940);
    }

    @Test
    void aCostIsAboveTheBoundOnlyIfItsWholeIntervalIs() {
        CostRatio steady = CostRatio.of("a", List.of(10.0, 10.0, 10.0), List.of(10.5, 10.6, 10.5));
        assertThat(steady.isAbove(0.03)).isTrue();
        assertThat(steady.isAbove(0.05)).isFalse();
        CostRatio noisy = CostRatio.of("a", List.of(10.0, 10.0, 10.0), List.of(9.0, 13.0, 14.0));
        assertThat(noisy.ratio()).isGreaterThan(1.15);
        assertThat(noisy.isAbove(0.03)).isFalse();
    }

    @Test
    void processesOfTheLoadAndPeersAreLeftOut() {
        RoundCosts before = RoundCosts.of(report(1, "bare handler", "fanfare: GET"));
        RoundCosts after = RoundCosts.of(report(2, "bare handler", "fanfare: GET"));
        assertThat(RoundCosts.ratios(List.of(before, before), List.of(after, after)))
                .extracting(CostRatio::contestant)
                .containsExactly("fanfare: GET, redis", "fanfare: GET, server");
    }

    @Test
    void withoutAPeerEveryContestantIsCompared() {
        RoundCosts before = RoundCosts.of(report(1, "quiet", "large"));
        RoundCosts after = RoundCosts.of(report(2, "quiet", "large"));
        assertThat(RoundCosts.ratios(List.of(before, before), List.of(after, after)))
                .hasSize(4)
                .allMatch(cost -> cost.before() == 2 && cost.after() == 4 && cost.ratio() == 2);
    }

    @Test
    void roundsThatCannotBeComparedAreRefused() {
        JsonObject whole = report(1, "bare handler", "fanfare: GET");
        refused(whole, report(1, "fanfare: GET"), "the two versions compare different contestants");
        JsonObject renamed = report(1, "bare handler", "fanfare: GET");
        used(renamed, 1).put("workers", used(renamed, 1).remove("server"));
        refused(
                whole,
                renamed,
                "the two versions account for different processes of fanfare: GET: [redis, server] and [redis, workers]");
        JsonObject idle = report(1, "bare handler", "fanfare: GET");
        used(idle, 1).put("server", 0);
        refused(whole, idle, "fanfare: GET, server used no processor time in a round");
        JsonObject nothing = report(1, "fanfare: GET");
        round(nothing, 0).put("units", 0);
        refused(whole, nothing, "fanfare: GET did nothing in its round");
        refused(whole, new JsonObject().put("scenario", "archive"), "bench archive reports no contestants to compare");
    }

    private static void refused(JsonObject before, JsonObject after, String sentence) {
        assertThatThrownBy(() -> {
                    RoundCosts old = RoundCosts.of(before);
                    RoundCosts young = RoundCosts.of(after);
                    assertThat(RoundCosts.ratios(List.of(old, old), List.of(old, young)))
                            .isEmpty();
                })
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining(sentence);
    }

    private static JsonObject used(JsonObject report, int contestant) {
        return round(report, contestant).getJsonObject("cpu-seconds");
    }

    private static JsonObject round(JsonObject report, int contestant) {
        return report.getJsonArray("contestants")
                .getJsonObject(contestant)
                .getJsonArray("rounds")
                .getJsonObject(0);
    }

    /** A thousand units that cost each process so many times 2 microseconds. */
    private static JsonObject report(int factor, String... names) {
        JsonArray contestants = new JsonArray();
        for (String name : names) {
            JsonObject used = new JsonObject()
                    .put("redis", factor * 0.002)
                    .put("server", factor * 0.002)
                    .put("generator", 5.0);
            JsonObject round = new JsonObject().put("units", 1000).put("cpu-seconds", used);
            contestants.add(new JsonObject().put("name", name).put("rounds", new JsonArray().add(round)));
        }
        return new JsonObject().put("scenario", "home").put("contestants", contestants);
    }
}
