package io.fanfare.app.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import io.fanfare.app.size.Size.Amount;
import io.fanfare.app.size.Size.Role;
import io.fanfare.common.settings.SettingsLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizingTest {
    private static final Costs COSTS = Costs.load();
    private static final Sizing SIZING = new Sizing(COSTS, SettingsLoader.defaultsWith());

    private static Site site(long users) {
        return new Site(users, 0.2, 100, 10, 0.3, users * 0.02, 0.1, 1_000_000, 3, 30);
    }

    /** All figures of a size in one list. */
    private static List<Double> figures(Size size) {
        List<Double> figures = new ArrayList<>();
        Stream.of(size.load(), size.memory(), size.disk(), size.network())
                .flatMap(List::stream)
                .map(Amount::value)
                .forEach(figures::add);
        for (Role role : size.roles()) {
            figures.addAll(List.of(
                    (double) role.processes(),
                    role.cores().value(),
                    role.memory().value()));
        }
        SIZING.of(site(1)).limits().forEach(limit -> figures.add(size.use(limit.resource())));
        return figures;
    }

    @Test
    void moreUsersNeedNoLessOfAnything() {
        List<Double> before = figures(SIZING.of(site(1)));
        for (long users = 2; users <= 10_000_000_000L; users = users * 3 / 2 + 1) {
            List<Double> now = figures(SIZING.of(site(users)));
            for (int at = 0; at < now.size(); at++) {
                assertThat(now.get(at)).as("figure %d at %d users", at, users).isGreaterThanOrEqualTo(before.get(at));
            }
            before = now;
        }
    }

    @Test
    void theLoadIsThatOfADayTimesThePeak() {
        Size size = SIZING.of(new Site(864_000, 0.5, 40, 20, 0.3, 1000, 0.1, 1_000_000, 2, 30));

        assertThat(size.value(Sizing.POSTS)).isEqualTo(10, offset(1e-9));
        assertThat(size.value("deliveries into homes")).isEqualTo(400, offset(1e-9));
        assertThat(size.value("pages of homes")).isEqualTo(400, offset(1e-9));
        assertThat(size.value("events sent to streams")).isEqualTo(1000 * 40 * 0.5 * 2 / 86_400, offset(1e-9));
        assertThat(size.value("pictures from clients")).isEqualTo(1_000_000, offset(1e-6));
        assertThat(size.roles().get(0).cores().value())
                .isEqualTo((400 * cost("page.api") + 10 * cost("post.api")) / 1e6 / Sizing.USE_MAX, offset(1e-9));
        assertThat(size.value("accounts")).isEqualTo(864_000 * cost("account.redis"));
        assertThat(size.value("archive, a year")).isEqualTo(432_000 * 365 * cost("archive.disk"));
    }

    /** The data sets of docs/benchmarks/sizing.md: users, follows of each, posts of all, used memory. */
    @ParameterizedTest
    @CsvSource({"200, 50, 4000, 11050922", "2000, 50, 2000, 20409779"})
    void theMemoryIsAboutThatOfTheMeasuredDataSets(long users, double follows, double posts, double used) {
        // All were posted within an hour, of which the log and the keys of requests have everything.
        Site measured = new Site(users, posts / users, follows, 0, 1, 0, 0, 1, 1, 1);
        Size size = new Sizing(COSTS, SettingsLoader.defaultsWith("stream.log-age=25h")).of(measured);
        double homes = users * (follows + 1) * posts / users * cost("entry.redis");
        double predicted =
                size.memoryBytes() - size.value("homes") + homes + posts * cost("key.redis") + cost("server.redis");

        assertThat(predicted).isCloseTo(used, withPercentage(15));
    }

    @Test
    void oneUserNeedsOneProcessOfEachRoleAndNoDeliveries() {
        Size size = SIZING.of(site(1));

        assertThat(size.roles()).extracting(Role::processes).containsOnly(1L);
        assertThat(size.value("deliveries into homes")).isZero();
        assertThat(size.value(Sizing.FOLLOWS)).isZero();
        assertThat(size.bottleneck().use()).isLessThan(1);
    }

    @Test
    void theLargestValuesOverflowNothing() {
        Size size = SIZING.of(
                new Site(Site.USERS_MAX, 10_000, 1_000_000, 100_000, 1, Site.USERS_MAX, 16, 1 << 28, 1000, 36_500));

        assertThat(figures(size))
                .allSatisfy(value -> assertThat(value).isFinite().isPositive());
        assertThat(SizeText.of(List.of(size), SIZING)).contains("bottleneck at 10,000,000,000 users: ");
    }

    @Test
    void withoutPicturesNoDiskIsNeededForThem() {
        Site without = new Site(1_000_000, 0.2, 100, 10, 0.3, 20_000, 0, 1_000_000, 3, 30);

        assertThat(SIZING.of(without).value("pictures, a year")).isZero();
        assertThat(SIZING.of(site(1_000_000)).value("pictures, a year")).isEqualTo(7.3e12, offset(1.0));
    }

    @Test
    void theSettingsBoundHomesAndTheStreamsOfAProcess() {
        Sizing small = new Sizing(
                COSTS,
                SettingsLoader.defaultsWith(
                        "feeds.home-max=100",
                        "feeds.home-slack=0",
                        "stream.connections-max=7500",
                        "http.event-loops=1"));
        Size size = small.of(site(10_000_000));
        Size byDefault = SIZING.of(site(10_000_000));

        assertThat(size.value("homes")).isCloseTo(byDefault.value("homes") / 12, withPercentage(0.1));
        assertThat(size.roles().get(2).processes()).isEqualTo(27);
        assertThat(byDefault.roles().get(2).processes()).isEqualTo(14);
    }

    @Test
    void aLogThatIsInFullUseIsTheBottleneckAlthoughMoreMastersAreNeeded() {
        Size many = SIZING.of(new Site(100_000_000, 5, 100, 10, 0.3, 2_000_000, 0, 1, 3, 30));

        assertThat(many.limits().get(0).use()).isGreaterThan(many.use(Resource.LOG));
        assertThat(many.bottleneck().resource().isSpread()).isFalse();
        assertThat(SIZING.of(site(1_000_000)).bottleneck().resource()).isEqualTo(Resource.REDIS_MEMORY);
    }

    @Test
    void streamsShareEventLoopsWithTheEventsThatAllOfThemRead() {
        Size few = SIZING.of(new Site(100_000_000, 1, 1000, 0, 0.3, 1_000_000, 0, 1, 1, 30));
        Size many = SIZING.of(new Site(100_000_000, 4, 250, 0, 0.3, 1_000_000, 0, 1, 1, 30));

        assertThat(many.value("events sent to streams")).isEqualTo(few.value("events sent to streams"), offset(1e-6));
        assertThat(many.use(Resource.processors("stream"))).isGreaterThan(few.use(Resource.processors("stream")));
        assertThat(many.use(Resource.EVENTS)).isEqualTo(4 * few.use(Resource.EVENTS), offset(1e-9));
    }

    @Test
    void theUsersAtALimitAreTheFewestThatReachIt() {
        long users = SIZING.usersAt(site(200), size -> size.use(Resource.REDIS_MEMORY));

        assertThat(SIZING.of(site(200).withUsers(users)).use(Resource.REDIS_MEMORY))
                .isGreaterThanOrEqualTo(1);
        assertThat(SIZING.of(site(200).withUsers(users - 1)).use(Resource.REDIS_MEMORY))
                .isLessThan(1);
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "10000000001"})
    void anImpossibleNumberOfUsersIsRefused(long users) {
        assertThatThrownBy(() -> site(users))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--users must be a number from 1 to 10,000,000,000");
    }

    @Test
    void aValueThatIsNoNumberIsRefused() {
        assertThatThrownBy(() -> new Site(1, Double.NaN, 100, 10, 0.3, 0, 0.1, 1, 3, 30))
                .hasMessage("--posts-per-user-day must be a number from 0 to 10,000");
        assertThatThrownBy(() -> new Site(1, 1, 100, 10, 0.3, Double.POSITIVE_INFINITY, 0.1, 1, 3, 30))
                .hasMessageStartingWith("--streams must be");
    }

    @Test
    void numbersHaveThreeDigitsAndBytesDecimalUnits() {
        assertThat(Stream.of(0.0, 0.0004, 0.0123456, 7.0, 12.345, 999.6, 1_234_567.0)
                        .map(SizeText::number))
                .containsExactly("0", "<0.001", "0.0123", "7", "12.3", "1,000", "1,234,567");
        assertThat(Stream.of(0.0, 999.0, 999.6, 12_345.0, 7.3e12, 1e30).map(SizeText::bytes))
                .containsExactly("0 B", "999 B", "1 kB", "12.3 kB", "7.3 TB", "1,000,000,000 ZB");
    }

    private static double cost(String name) {
        return COSTS.get(name).value();
    }
}
