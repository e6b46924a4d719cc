package io.fanfare.common.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.StoreFixture;
import io.fanfare.common.testing.TestRedis;
import io.fanfare.common.testing.Verification;
import io.fanfare.common.verify.Report;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random schedules of single steps against a naive model. The message of a failure names the seed;
 * {@code -Dsimulation.seed=N} begins there.
 */
@ParameterizedClass
@EnumSource
public class SimulationTest {
    private static final long SEED = Long.getLong("simulation.seed", 1);
    private static final int SHORT = Integer.getInteger("simulation.short", 40);
    private static final int LONG = Integer.getInteger("simulation.long", 1000);

    /**
     * How often as many schedules may pass before a rule that is left out is noticed: one was not in the first
     * thousand.
     */
    private static final long PATIENCE = 4;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture fixture;

    @BeforeEach
    void open() {
        fixture = StoreFixture.on(kind.redis());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void everyPageShowsWhatItMust() {
        assertHolds(SHORT);
    }

    @Test
    @Tag("faults")
    void everyPageShowsWhatItMustInManySchedules() {
        assertHolds(LONG);
    }

    private void assertHolds(int schedules) {
        for (long seed = SEED; seed < SEED + schedules; seed++) {
            assertThat(run(Rules.ALL, mix(seed), seed))
                    .as("seed %d, %s", seed, mix(seed))
                    .isEmpty();
            Report report = fixture.get(() -> Verification.of(fixture.link, fixture.settings));
            assertThat(report.left()).as("verified, seed %d", seed).isEmpty();
            Verification.assertClean(report);
        }
    }

    private static Simulation.Mix mix(long seed) {
        return switch ((int) (seed % 6)) {
            case 0 -> Simulation.Mix.REBUILDS;
            case 1 -> Simulation.Mix.DELETES;
            case 2 -> Simulation.Mix.EDGES;
            default -> Simulation.Mix.EVEN;
        };
    }

    /**
     * What leaving out one rule does to random schedules: it is noticed. Each rule has a fixed schedule in
     * {@link RulesTest} too; the coincidence that needs the token is too rare to wait for it here, and so is the
     * fence's: somebody links an edge that has ended and dies before the re-check. The re-check matters only once a day
     * has gone by and the fence has forgotten the edge, which no schedule lasts; and a removal must be followed by as
     * many more as a page has entries, and by a late delivery, for its count to matter. No failover takes back what a
     * home has pulled. An author must leave more posts to a reader than a home holds before the reader looks again, or
     * newest ones that the reader does not want, for the bound of what was pulled to matter.
     */
    @Tag("faults")
    @ParameterizedTest
    @EnumSource(
            names = {
                "ALL",
                "NO_TOKEN",
                "NO_FENCE",
                "NO_RECHECK",
                "NO_COUNT_AT_TAKE_OUT",
                "PULL_INTO_ANY_HOME",
                "NO_FLOOR_AT_PULL",
                "CUT_PULL_IS_WHOLE"
            },
            mode = EnumSource.Mode.EXCLUDE)
    void leavingOutARuleIsNoticed(Rules rules) {
        Set<String> noticed = new TreeSet<>();
        long seed = SEED;
        while (noticed.isEmpty() && seed < SEED + PATIENCE * LONG) {
            noticed.addAll(run(rules, mix(seed), seed++));
        }
        assertThat(noticed).as("%s in %d schedules", rules, seed - SEED).isNotEmpty();
    }

    /** Standing still at pure push, at pure pull or between them, or on the move. */
    private static List<Settings> dials(long seed) {
        List<Settings> dials = Stream.of(1_000_000, 0, 1, 3)
                .map(most -> StoreFixture.settings("feeds.push-max-followers=" + most))
                .toList();
        int kind = (int) (seed / 6 % 6);
        return kind < dials.size() ? List.of(dials.get(kind)) : kind == 4 ? dials.subList(0, 2) : dials;
    }

    private Set<String> run(Rules rules, Simulation.Mix mix, long seed) {
        kind.redis().flush();
        Set<String> broken =
                new TreeSet<>(fixture.get(() -> new Simulation(fixture.link, dials(seed), rules, mix, seed).run()));
        // A status may hide again while its delivery is under way; see Simulation.
        broken.remove("flicker");
        return broken;
    }
}
