package io.fanfare.api.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.report.Reports.Report;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * A report is kept once until it is closed or makes room, and there are never more than allowed, of one account and of
 * all.
 */
@ParameterizedClass
@KindsOfRedis
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
        long lastId = 1; // No report has this id.
        // One reporter has so many that its limit is met, the others few.
        for (int i = 0; i < Reports.EACH_MAX - 2; i++) {
            Report report = report(1, i);
            model.add(f.get(() -> reports.add(report)));
            lastId++;
        }
        for (int step = 0; step < 300; step++) {
            String at = "seed " + seed + ", step " + step;
            long picked = model.isEmpty()
                    ? 1
                    : model.get(random.nextInt(model.size())).id();
            if (random.nextInt(3) == 0) {
                long id = random.nextInt(4) == 0 ? lastId + 1 : picked;
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
            assertThat(f.get(() -> reports.find(picked)))
                    .as(at)
                    .isEqualTo(
                            model.stream().filter(each -> each.id() == picked).findFirst());
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

    /** As many as there may be, as an older version has kept them. */
    private void fill(IntUnaryOperator reporter, String comment) {
        List<String> lines = new ArrayList<>(List.of("ZADD", Keys.REPORTS));
        Map<Integer, Integer> counts = new TreeMap<>();
        for (int i = 0; i < Reports.MAX; i++) {
            int by = reporter.applyAsInt(i);
            counts.merge(by, 1, Integer::sum);
            lines.add(Integer.toString(i + 1));
            lines.add("{\"at\":" + i + ",\"by\":" + by + ",\"account\":1,\"category\":\"spam\",\"comment\":\"" + comment
                    + "\",\"statuses\":[]}");
        }
        List<String> set = new ArrayList<>(List.of("HSET", Keys.REPORTERS));
        counts.forEach((by, count) -> set.addAll(List.of(Integer.toString(by), Integer.toString(count))));
        f.redis.askAt(Keys.REPORTS, lines.toArray(String[]::new));
        f.redis.askAt(Keys.REPORTERS, set.toArray(String[]::new));
        f.redis.askAt(Keys.LAST_REPORT, "SET", Keys.LAST_REPORT, Integer.toString(Reports.MAX));
    }

    @Test
    void aHundredAccountsThatFillTheServerShutNobodyOut() {
        fill(i -> 1000 + i % 100, "");

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

    /** Each report has 5 KB; the account with most has the newest ones, behind all others. */
    @Test
    void aReportToAFullServerReadsNoOtherReports() {
        fill(i -> i < Reports.MAX - Reports.EACH_MAX ? 2000 + i / 2 : 1000, "c".repeat(4_900));
        assertThat(add(report(1, 1))).as("makes the indexes").isPresent();

        for (int i = 2; i <= 5; i++) {
            reset();
            assertThat(add(report(i, i))).isPresent();
            assertThat(calls("zrange")).as("who has most, and its oldest").isLessThanOrEqualTo(3);
            assertThat(calls("hgetall")).isZero();
            assertThat(calls(""))
                    .as("commands in all, those of the connection included")
                    .isLessThan(60);
        }
        assertThat(f.hash(Keys.REPORTERS)).containsEntry("1000", "45");
        assertIndexed();
    }

    @Test
    void reportsThatAnOlderVersionKeptOrClosedAreFoundAgain() {
        reports = new Reports(f.link, 20);
        for (int i = 0; i < 20; i++) {
            assertThat(add(report(1 + i % 2, i))).isPresent();
        }
        // It closes the oldest of one account, and keeps another one, without a word in the indexes.
        f.redis.askAt(Keys.REPORTS, "ZREMRANGEBYSCORE", Keys.REPORTS, "2", "3");
        f.redis.askAt(Keys.REPORTERS, "HINCRBY", Keys.REPORTERS, "1", "-1");
        f.redis.askAt(Keys.REPORTERS, "HINCRBY", Keys.REPORTERS, "2", "-1");
        for (int i = 0; i < 2; i++) {
            String line =
                    "{\"at\":" + i + ",\"by\":3,\"account\":1,\"category\":\"spam\",\"comment\":\"\",\"statuses\":[]}";
            f.redis.askAt(Keys.REPORTS, "ZADD", Keys.REPORTS, Integer.toString(100 + i), line);
            f.redis.askAt(Keys.REPORTERS, "HINCRBY", Keys.REPORTERS, "3", "1");
        }
        f.redis.askAt(Keys.LAST_REPORT, "SET", Keys.LAST_REPORT, "101");

        for (int i = 0; i < 4; i++) {
            assertThat(add(report(10 + i, i))).isPresent();
        }

        assertThat(kept()).hasSize(20);
        assertThat(kept().stream().map(Report::id).limit(3)).containsExactly(8L, 9L, 10L);
        assertIndexed();
        f.redis.askAt(Keys.REPORTS_OWN, "DEL", Keys.REPORTS_OWN);
        f.redis.askAt(Keys.REPORTS_OWN, "DEL", Keys.REPORT_COUNTS);
        assertThat(add(report(20, 20))).isPresent();
        assertIndexed();
    }

    /** The indexes say what the reports do. */
    private void assertIndexed() {
        Map<String, String> own = new TreeMap<>();
        Map<String, String> counts = new TreeMap<>();
        for (Report each : kept()) {
            own.put(String.format("%016d", each.id()), Long.toString(each.reporter()));
            counts.merge(Long.toString(each.reporter()), "1", (one, more) -> Long.toString(Long.parseLong(one) + 1));
        }
        assertThat(scores(Keys.REPORTS_OWN)).isEqualTo(own);
        assertThat(scores(Keys.REPORT_COUNTS)).isEqualTo(counts);
        assertThat(f.hash(Keys.REPORTERS)).isEqualTo(counts);
    }

    private Map<String, String> scores(String key) {
        List<Reply> flat =
                f.redis.askAt(key, "ZRANGE", key, "0", "-1", "WITHSCORES").items();
        Map<String, String> scores = new TreeMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            scores.put(flat.get(i).asString(), flat.get(i + 1).asString());
        }
        return scores;
    }

    private void reset() {
        f.redis.askAt(Keys.REPORTS, "CONFIG", "RESETSTAT");
    }

    /** How often a command ran since then; "" = any. */
    private long calls(String command) {
        String stats = f.redis.askAt(Keys.REPORTS, "INFO", "commandstats").asString();
        return Pattern.compile("cmdstat_" + (command.isEmpty() ? "\\w+" : command) + ":calls=(\\d+)")
                .matcher(stats)
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
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
        return new Report(
                0,
                1000 + number,
                reporter,
                90 + number % 5,
                new ReportCategory(category, List.of()),
                "\"Grüße\" 💬 " + number,
                statuses);
    }

    private static boolean same(Report one, Report other) {
        return one.atMillis() == other.atMillis() && one.reporter() == other.reporter();
    }
}
