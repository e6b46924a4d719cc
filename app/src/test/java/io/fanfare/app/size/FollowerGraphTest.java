package io.fanfare.app.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import io.fanfare.app.size.FollowerGraph.AuthorClass;
import io.fanfare.common.settings.SettingsLoader;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FollowerGraphTest {
    @ParameterizedTest
    @CsvSource({"100000000, 100", "1000000, 100", "10000, 100", "200, 50", "2, 1", "1000, 0.01", "10000000000, 1000000"
    })
    void theClassesHaveEveryAccountAndEveryFollowOnce(double accounts, double followers) {
        FollowerGraph graph = new FollowerGraph(accounts, followers);
        List<AuthorClass> classes = graph.classes();

        assertThat(classes.stream().mapToDouble(AuthorClass::accounts).sum())
                .isCloseTo(accounts, withPercentage(0.001));
        assertThat(classes.stream().mapToDouble(AuthorClass::follows).sum()).isEqualTo(1, offset(1e-6));
        assertThat(graph.largest()).isBetween(followers, Math.max(0.22 * accounts, followers) * 1.001);
        for (AuthorClass one : classes) {
            double mean = one.follows() * accounts * followers / Math.max(one.accounts(), 1e-9);
            assertThat(mean).isGreaterThanOrEqualTo(one.followersMin() * 0.999);
        }
    }

    /** The sum over all accounts, one by one, of a power law without a bound. */
    @Test
    void aClassHasTheFollowsThatASumOverItsAccountsHas() {
        int accounts = 1_000_000;
        double all = 0;
        for (int rank = 1; rank <= accounts; rank++) {
            all += Math.min(0.22 * accounts, 100.0 * accounts * 0.0127 * Math.pow(rank, -0.8));
        }
        FollowerGraph graph = new FollowerGraph(accounts, all / accounts);
        double ofLarge = 0;
        double large = 0;
        for (int rank = 1; rank <= accounts; rank++) {
            double followers = Math.min(0.22 * accounts, 100.0 * accounts * 0.0127 * Math.pow(rank, -0.8));
            if (followers >= 1000) {
                ofLarge += followers;
                large++;
            }
        }
        List<AuthorClass> classes = graph.classes().stream()
                .filter(one -> one.followersMin() >= 1000)
                .toList();

        assertThat(classes.stream().mapToDouble(AuthorClass::accounts).sum()).isCloseTo(large, withPercentage(5));
        assertThat(classes.stream().mapToDouble(AuthorClass::follows).sum() * all)
                .isCloseTo(ofLarge, withPercentage(5));
    }

    @Test
    void theFullestShardIsFullerTheMoreShardsThereAre() {
        FollowerGraph graph = new FollowerGraph(100_000_000, 100);

        assertThat(graph.fullest(1, new Random(1))).isEqualTo(1, offset(1e-9));
        assertThat(graph.fullest(16, new Random(1))).isBetween(1.0, 1.5);
        assertThat(graph.fullest(1024, new Random(1))).isGreaterThan(graph.fullest(256, new Random(1)));
    }

    @Test
    void theCeilingOfTheLogIsReachedByTheUsersThatTheSimulationNames() {
        Sizing sizing = new Sizing(Costs.load(), SettingsLoader.defaultsWith());
        Site site = new Site(100_000_000, 1, 100, 10, 0.3, 2_000_000, 0.1, 1, 3, 30);
        Simulation simulation = Simulation.of(sizing.of(site), sizing, new Random(1));
        Size atCeiling = sizing.of(site.withUsers(simulation.usersAtCeiling()));

        assertThat(Simulation.of(atCeiling, sizing, new Random(1)).ceiling())
                .isCloseTo(atCeiling.value(Sizing.POSTS), withPercentage(1));
        assertThat(simulation.quarterCeiling()).isGreaterThan(simulation.ceiling());
    }

    @Test
    void aSiteOfOneUserHasASimulation() {
        Sizing sizing = new Sizing(Costs.load(), SettingsLoader.defaultsWith());
        Site site = new Site(1, 0, 100, 0, 0, 0, 0, 1, 1, 1);

        assertThat(SizeText.of(Simulation.of(sizing.of(site), sizing, new Random(1)), site, sizing.costs()))
                .contains("does not reach its ceiling");
    }
}
