package io.fanfare.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.fanfare.common.settings.Settings;
import io.fanfare.core.feed.MemoryArchive;
import io.fanfare.core.feed.Rules;
import io.fanfare.core.feed.SwitchedArchive;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.Simulation.Operation;
import io.fanfare.verify.testing.Verification;
import java.util.ArrayList;
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
@KindsOfRedis
public class SimulationTest {
    private static final long SEED = Long.getLong("simulation.seed", 1);
    private static final int SHORT = Integer.getInteger("simulation.short", 20);
    private static final int LONG = Integer.getInteger("simulation.long", 1000);

    /**
     * How often as many schedules may pass before a rule that is left out is noticed: one was not in the first
     * thousand.
     */
    private static final long PATIENCE = 4;

    /** How often counting restarts, at another seed: docs/feeds.md has the counts. */
    private static final int STARTS = Integer.getInteger("simulation.starts", 1);

    /** Whether the shortest schedule that notices is sought too. That takes longer than to notice. */
    private static final boolean SHORTEN = Boolean.getBoolean("simulation.shorten");

    /** Between two such seeds; the same mixes, dials and archives follow each. */
    private static final long APART = 7_200_000;

    /** Orders in which fewer operations are tried before they count as right. */
    private static final int ORDERS = 10;

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
            Outcome outcome = run(Rules.ALL, seed);
            if (!outcome.broken().isEmpty()) {
                fail("seed %d, %s: %s; shortest: %s", seed, mix(seed), outcome.broken(), shortest(Rules.ALL, seed));
            }
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
            case 3 -> Simulation.Mix.PEOPLE;
            default -> Simulation.Mix.EVEN;
        };
    }

    /**
     * Random schedules notice that one rule is left out. Each rule has a fixed schedule in {@code RulesTest} too; the
     * coincidence that needs the token is too rare to wait for it here, and so is the fence's: somebody links an edge
     * that has ended and dies before the re-check. The re-check matters only once a day has gone by and the fence has
     * forgotten the edge, which no schedule lasts; and a removal must be followed by as many more as a page has
     * entries, and by a late delivery, for its count to matter. No failover takes back what a home has pulled. An
     * author must leave more posts to a reader than a home holds before the reader looks again, or newest ones that the
     * reader does not want, for the bound of what was pulled to matter. The follows of a walk matter only when they
     * change between two of its pages below the home, and 4000 schedules did not do that at the wrong moment.
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
                "WALK_OF_OTHER_FOLLOWS",
                "PULL_INTO_ANY_HOME",
                "NO_FLOOR_AT_PULL",
                "CUT_PULL_IS_WHOLE"
            },
            mode = EnumSource.Mode.EXCLUDE)
    void leavingOutARuleIsNoticed(Rules rules) {
        List<Long> counts = new ArrayList<>();
        Set<String> shown = new TreeSet<>();
        for (int start = 0; start < STARTS; start++) {
            long first = SEED + start * APART;
            long seed = first - 1;
            Set<String> noticed = Set.of();
            while (noticed.isEmpty() && seed < first + PATIENCE * LONG) {
                noticed = run(rules, ++seed).broken();
            }
            assertThat(noticed).as("%s in %d schedules", rules, seed - first).isNotEmpty();
            counts.add(seed - first + 1);
            shown.addAll(noticed);
        }
        System.out.printf("%s %s: noticed after %s schedules, %s%n", kind, rules, counts, shown);
        if (SHORTEN) {
            System.out.printf("shortest: %s%n", shortest(rules, SEED + counts.get(0) - 1));
        }
    }

    @Test
    @Tag("faults")
    void aScheduleThatFailsIsShortened() {
        long seed = SEED;
        while (run(Rules.NO_BACKFILL, seed).broken().isEmpty()) {
            seed++;
        }
        List<Operation> shortest = shortest(Rules.NO_BACKFILL, seed);
        // Somebody follows somebody who has posted.
        assertThat(shortest).as("seed %d", seed).hasSizeLessThan(5);
        assertThat(shortest).extracting(Operation::kind).contains(Simulation.Kind.FOLLOW);
    }

    /**
     * As few of the operations of a schedule that fails as fail still: halves, quarters and so on are left out while
     * that is so. Without an operation the others meet each other otherwise, so that some orders are tried.
     */
    private List<Operation> shortest(Rules rules, long seed) {
        List<Operation> shortest = run(rules, seed).operations();
        for (int part = shortest.size() / 2; part > 0; ) {
            List<Operation> shorter = null;
            for (int from = 0; from < shortest.size() && shorter == null; from += part) {
                List<Operation> rest = new ArrayList<>(shortest);
                rest.subList(from, Math.min(from + part, rest.size())).clear();
                shorter = !rest.isEmpty() && fails(rules, seed, rest) ? rest : null;
            }
            part = shorter == null ? part / 2 : Math.min(part, shorter.size());
            shortest = shorter == null ? shortest : shorter;
        }
        return shortest;
    }

    private boolean fails(Rules rules, long seed, List<Operation> operations) {
        for (int salt = 0; salt < ORDERS; salt++) {
            if (!run(rules, seed, operations, salt).broken().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Standing still at pure push, at pure pull or between them, or on the move. */
    private static List<Settings> dials(long seed) {
        List<Settings> dials = Stream.of(1_000_000, 0, 1, 3)
                .map(most -> StoreFixture.settings(
                        "feeds.push-max-followers=" + most,
                        "archive.profile-max=" + (isArchived(seed) ? 2 : 0),
                        "archive.thaw-for=0ms"))
                .toList();
        int kind = (int) (seed / 6 % 6);
        return kind < dials.size() ? List.of(dials.get(kind)) : kind == 4 ? dials.subList(0, 2) : dials;
    }

    /** In every second schedule, beside each dial and mix. */
    private static boolean isArchived(long seed) {
        return (seed / 36 + seed) % 2 == 0;
    }

    /**
     * The result of a schedule.
     *
     * @param broken in words, or nothing
     */
    private record Outcome(Set<String> broken, List<Operation> operations) {}

    private Outcome run(Rules rules, long seed) {
        return run(rules, seed, List.of(), 0);
    }

    private Outcome run(Rules rules, long seed, List<Operation> script, long salt) {
        kind.redis().flush();
        SwitchedArchive archive = isArchived(seed) ? new SwitchedArchive(new MemoryArchive()) : null;
        Simulation simulation =
                new Simulation(fixture.link, dials(seed), archive, rules, mix(seed), seed, script, salt);
        Set<String> broken = new TreeSet<>(fixture.get(simulation::run));
        // A status may hide again while its delivery is under way; see Simulation.
        broken.remove("flicker");
        return new Outcome(broken, simulation.operations());
    }
}
