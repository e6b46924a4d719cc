package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Reports.Report;
import io.fanfare.common.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A report is kept once until it is closed or makes room, and there are never more than allowed, of one account and of
 * all.
 */
@ParameterizedClass
@EnumSource
class ReportsTest {
    private static final int REPORTERS = 4;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Reports reports;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        reports = new Reports(f.link);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void reportsAreThoseOfASimpleListWhateverIsDone() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Report> model = new ArrayList<>();
        long lastId = 0;
        // One reporter has so many that its limit is met, the others few.
        for (int i = 0; i < Reports.EACH_MAX - 2; i++) {
            Report report = report(1, i);
            model.add(f.get(() -> reports.add(report)));
            lastId++;
        }
        for (int step = 0; step < 300; step++) {
            String at = "seed " + seed + ", step " + step;
            long some = model.isEmpty()
                    ? 1
                    : model.get(random.nextInt(model.size())).id();
            if (random.nextInt(3) == 0) {
                long id = random.nextInt(4) == 0 ? lastId + 1 : some;
                assertThat(f.get(() -> reports.close(id)))
                        .as(at)
                        .isEqualTo(model.removeIf(report -> report.id() == id));
            } else {
                Report report = report(1 + random.nextInt(REPORTERS), random.nextInt(200));
                long ofReporter = model.stream()
                        .filter(each -> each.reporter() == report.reporter())
                        .count();
                Optional<Report> kept =
                        model.stream().filter(each -> same(each, report)).findFirst();
                Optional<Report> added = add(report);
                if (ofReporter >= Reports.EACH_MAX) {
                    assertThat(added).as(at).isEmpty();
                } else if (kept.isPresent()) {
                    assertThat(added).as(at).isEqualTo(kept);
                } else {
                    assertThat(added.orElseThrow().id()).as(at).isEqualTo(++lastId);
                    assertThat(same(added.orElseThrow(), report)).as(at).isTrue();
                    model.add(added.orElseThrow());
                }
            }
            assertThat(f.get(() -> reports.list(Reports.MAX))).as(at).isEqualTo(model);
            assertThat(f.get(() -> reports.find(some)))
                    .as(at)
                    .isEqualTo(model.stream().filter(each -> each.id() == some).findFirst());
        }
        Map<String, String> counts = new TreeMap<>();
        model.forEach(report -> counts.merge(
                Long.toString(report.reporter()), "1", (one, more) -> Long.toString(Long.parseLong(one) + 1)));
        assertThat(f.hash(Keys.REPORTERS)).as("seed %d", seed).isEqualTo(counts);
    }

    @Test
    void aFullServerKeepsAReportOfAnAccountWithoutAnyInPlaceOfOneByTheAccountsWithMost() {
        reports = new Reports(f.link, 20);
        Report first = add(report(100, 0)).orElseThrow();
        for (int i = 0; i < 18; i++) {
            assertThat(add(report(1 + i % 2, i))).isPresent();
        }
        Report ofOne = add(report(101, 1)).orElseThrow();
        assertThat(kept()).hasSize(20);

        // Each takes from those of the two that have most, the oldest first.
        for (int i = 0; i < 10; i++) {
            assertThat(add(report(200 + i, i))).isPresent();
        }

        List<Report> left = kept();
        assertThat(left).hasSize(20).contains(first, ofOne);
        assertThat(left.stream().filter(each -> each.reporter() >= 200)).hasSize(10);
        assertThat(left.stream()
                        .filter(each -> each.reporter() <= 2)
                        .map(Report::atMillis)
                        .toList())
                .containsExactly(1010L, 1011L, 1012L, 1013L, 1014L, 1015L, 1016L, 1017L);
        assertThat(f.hash(Keys.REPORTERS)).containsEntry("1", "4").containsEntry("2", "4");
    }

    @Test
    void ofAnAccountThatHasReportsAFullServerKeepsMoreWhileAnotherHasTwiceAsMany() {
        reports = new Reports(f.link, 12);
        for (int i = 0; i < 11; i++) {
            assertThat(add(report(1, i))).isPresent();
        }
        for (int i = 0; i < 4; i++) {
            assertThat(add(report(2, i))).as("report %d", i).isPresent();
        }
        assertThat(add(report(2, 4))).as("8 and 4").isEmpty();
        assertThat(add(report(1, 20))).as("the one with most").isEmpty();
        assertThat(f.hash(Keys.REPORTERS)).isEqualTo(Map.of("1", "8", "2", "4"));
        long oldest = kept().get(0).id();
        assertThat(f.get(() -> reports.close(oldest))).isTrue();
        assertThat(add(report(2, 4))).as("one was closed").isPresent();
    }

    @Test
    void whenEachAccountHasOneTheOldestOfAllMakesRoom() {
        reports = new Reports(f.link, 5);
        for (int i = 1; i <= 5; i++) {
            assertThat(add(report(i, i))).isPresent();
        }
        assertThat(add(report(6, 6))).isPresent();
        assertThat(kept().stream().map(Report::reporter)).containsExactly(2L, 3L, 4L, 5L, 6L);
        assertThat(add(report(2, 9))).as("it has one").isEmpty();
        assertThat(f.hash(Keys.REPORTERS)).doesNotContainKey("1").hasSize(5);
    }

    /** As many and as long as there may be. */
    @Test
    void aHundredAccountsThatFillTheServerShutNobodyOut() {
        List<String> lines = new ArrayList<>(List.of("ZADD", Keys.REPORTS));
        List<String> counts = new ArrayList<>(List.of("HSET", Keys.REPORTERS));
        for (int i = 0; i < Reports.MAX; i++) {
            lines.add(Integer.toString(i + 1));
            lines.add("{\"at\":" + i + ",\"by\":" + (1000 + i % 100)
                    + ",\"account\":1,\"category\":\"spam\",\"comment\":\"\",\"statuses\":[]}");
        }
        for (int i = 0; i < 100; i++) {
            counts.addAll(List.of(Integer.toString(1000 + i), Integer.toString(Reports.EACH_MAX)));
        }
        f.redis.askAt(Keys.REPORTS, lines.toArray(String[]::new));
        f.redis.askAt(Keys.REPORTERS, counts.toArray(String[]::new));
        f.redis.askAt(Keys.LAST_REPORT, "SET", Keys.LAST_REPORT, Integer.toString(Reports.MAX));

        for (int i = 1; i <= 150; i++) {
            assertThat(add(report(i, i))).as("account %d", i).isPresent();
        }

        assertThat(kept()).hasSize(Reports.MAX);
        assertThat(f.hash(Keys.REPORTERS).entrySet().stream()
                        .filter(each -> each.getKey().length() == 4)
                        .map(Map.Entry::getValue)
                        .distinct())
                .containsExactlyInAnyOrder("48", "49");
    }

    private List<Report> kept() {
        return f.get(() -> reports.list(Reports.MAX));
    }

    private Optional<Report> add(Report report) {
        try {
            return Optional.of(f.get(() -> reports.add(report)));
        } catch (Refusal refusal) {
            assertThat(refusal.reason()).isEqualTo(Refusal.Reason.INVALID);
            return Optional.empty();
        }
    }

    /** The same for the same reporter and number. */
    private static Report report(long reporter, int number) {
        List<Long> statuses = number % 3 == 0 ? List.of() : List.of(7L, 1L + number);
        String category = number % 2 == 0 ? "spam" : "other";
        return new Report(0, 1000 + number, reporter, 90 + number % 5, category, "\"Grüße\" 💬 " + number, statuses);
    }

    private static boolean same(Report one, Report other) {
        return one.atMillis() == other.atMillis() && one.reporter() == other.reporter();
    }
}
