package io.fanfare.core.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.TagHistory;
import io.fanfare.common.model.TagHistory.Day;
import io.fanfare.common.model.Visibility;
import io.fanfare.core.feed.TagTrends.Trend;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class TagTrendsTest {
    private static final List<String> TAGS = List.of("go", "编程", "cats", "a_b");

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private TagTrends trends;
    /** That of the first status, so that it is one day all the time. */
    private Instant now;

    private long firstDay;
    private long[] users;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        trends = new TagTrends(f.link, () -> now, Duration.ofDays(90));
        users = f.users(4);
        now = Instant.ofEpochMilli(Id.epochMillis(users[0]));
        firstDay = day(now);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void aPostCountsOnceAndNotAfterItIsDropped() {
        Status one = post(users[0], "go", "cats");
        Status two = post(users[0], "go");
        count(List.of(one, two));
        count(List.of(one));
        assertThat(today("go")).isEqualTo(new Day(day(one), 2, 1));
        assertThat(today("cats")).isEqualTo(new Day(day(one), 1, 1));
        assertThat(today("unused")).isEqualTo(new Day(day(one), 0, 0));

        f.get(() -> trends.drop(one, List.of("go")));
        f.get(() -> trends.drop(one, List.of("go")));
        assertThat(today("go")).isEqualTo(new Day(day(one), 1, 1));
        f.get(() -> trends.drop(List.of(one, two)));
        assertThat(f.redis.keys()).noneMatch(key -> key.startsWith("tag-day:"));
    }

    @Test
    void oneAccountAloneMakesNoTrendAndTwoDo() {
        count(List.of(post(users[0], "go"), post(users[0], "go"), post(users[0], "cats")));
        assertThat(trending()).isEmpty();
        assertThat(f.redis.keys()).noneMatch(key -> key.startsWith("{trends}:tags:"));

        Status second = post(users[1], "go");
        count(List.of(second));
        assertThat(trending()).containsExactly("go");
        f.get(() -> trends.drop(List.of(second)));
        assertThat(trending()).isEmpty();
    }

    @Test
    void usesOfASuspendedAccountDoNotCountUntilItIsSuspendedNoMore() {
        AccountAccess access = new AccountAccess(f.link);
        Status one = post(users[0], "go");
        count(List.of(one, post(users[1], "go"), post(users[1], "go")));
        f.get(() -> access.suspend(users[1]));
        assertThat(today("go")).isEqualTo(new Day(day(one), 1, 1));
        assertThat(trending()).isEmpty();

        f.get(() -> access.unsuspend(users[1]));
        assertThat(today("go")).isEqualTo(new Day(day(one), 3, 2));
        assertThat(trending()).containsExactly("go");
    }

    @Test
    void tagsOfTheSuspendedHideNoTrendThatStandsBelowThem() {
        String key = Keys.trendingTags(firstDay);
        for (int i = 0; i < 2 * TagTrends.CANDIDATES_MAX; i++) {
            f.redis.askAt(key, "ZADD", key, "3", "other" + i);
        }
        count(List.of(post(users[0], "go"), post(users[1], "go")));
        assertThat(trending()).containsExactly("go");
    }

    @Test
    void aRankingIsKeptForSomeSecondsAndShowsNothingThatTrendsNoMore() {
        Status one = post(users[0], "go");
        count(List.of(one, post(users[1], "go")));
        assertThat(names(trends)).containsExactly("go");
        count(List.of(post(users[0], "cats"), post(users[1], "cats")));
        assertThat(names(trends)).containsExactly("go");
        f.get(() -> trends.drop(List.of(one)));
        assertThat(names(trends)).isEmpty();
        now = now.plusMillis(TagTrends.RANKED_MILLIS);
        assertThat(names(trends)).containsExactly("cats");
    }

    @Test
    void aCachedRankingIsReadFurtherForDeeperPages() {
        for (int i = 0; i < TagTrends.CANDIDATES_MAX + 10; i++) {
            String tag = "tag" + (100 + i);
            count(List.of(post(users[0], tag), post(users[1], tag)));
        }
        assertThat(f.get(() -> trends.trending(0, 20))).hasSize(20);
        assertThat(f.get(() -> trends.trending(TagTrends.CANDIDATES_MAX, 20)).stream()
                        .map(Trend::tag))
                .hasSize(10)
                .startsWith("tag160")
                .endsWith("tag169");
    }

    @Test
    void dayAndRankingEndByThemselves() {
        count(List.of(post(users[0], "go"), post(users[1], "go")));
        for (String key : f.redis.keys()) {
            if (key.startsWith("tag-day:") || key.startsWith("{trends}:tags:")) {
                assertThat(f.number(key, "TTL", key)).as(key).isBetween(7 * 86_400L, 8 * 86_400L);
            }
        }
        now = now.plus(Duration.ofDays(2));
        assertThat(trending()).as("of the day before yesterday").isEmpty();
        Status old = post(users[0], "late");
        now = now.plus(Duration.ofDays(20));
        count(List.of(old));
        assertThat(f.redis.keys()).doesNotContain(Keys.tagDay(PublicTimelines.digest("late"), day(old)));
    }

    @Test
    void theRankingKeepsTheTagsOfMostAccounts() {
        String key = Keys.trendingTags(firstDay);
        for (int i = 0; i < TagTrends.RANKED_MAX; i++) {
            f.redis.askAt(key, "ZADD", key, "3", "other" + i);
        }
        count(List.of(post(users[0], "go"), post(users[1], "go")));
        assertThat(f.members(key)).hasSize(TagTrends.RANKED_MAX).doesNotContain("go");
        count(List.of(post(users[2], "go"), post(users[3], "go")));
        assertThat(f.members(key)).hasSize(TagTrends.RANKED_MAX).contains("go");
    }

    /** The trends match a naive list of uses, in whatever order uses were counted and dropped, twice or not at all. */
    @Test
    void randomUsesAreCountedAsAModelCountsThem() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        System.out.println("TagTrendsTest seed=" + seed);
        Map<Status, Set<String>> uses = new LinkedHashMap<>();
        Set<Long> suspended = new HashSet<>();
        AccountAccess access = new AccountAccess(f.link);
        List<Status> posted = new ArrayList<>();
        for (int step = 0; step < 120; step++) {
            switch (random.nextInt(8)) {
                case 0, 1, 2, 3 -> {
                    long author = LongStream.of(users)
                            .filter(user -> !suspended.contains(user))
                            .skip(random.nextInt(2))
                            .findFirst()
                            .orElseThrow();
                    Status status = aged(post(author, sample(random).toArray(String[]::new)), random.nextInt(9));
                    posted.add(status);
                    uses.put(status, new TreeSet<>(status.post().content().tags()));
                    count(List.of(status));
                }
                case 4 -> {
                    if (!posted.isEmpty()) {
                        Status again = posted.get(random.nextInt(posted.size()));
                        uses.put(again, new TreeSet<>(again.post().content().tags()));
                        count(List.of(again, again));
                    }
                }
                case 5 -> {
                    if (!posted.isEmpty()) {
                        Status gone = posted.get(random.nextInt(posted.size()));
                        uses.remove(gone);
                        f.get(() -> trends.drop(List.of(gone)));
                    }
                }
                case 6 -> {
                    if (!posted.isEmpty()) {
                        Status edited = posted.get(random.nextInt(posted.size()));
                        String tag = TAGS.get(random.nextInt(TAGS.size()));
                        uses.getOrDefault(edited, new TreeSet<>()).remove(tag);
                        f.get(() -> trends.drop(edited, List.of(tag)));
                    }
                }
                default -> {
                    long user = users[random.nextInt(4)];
                    if (suspended.remove(user)) {
                        f.get(() -> access.unsuspend(user));
                    } else if (suspended.size() < 2) {
                        // Whoever is suspended posts nothing, but what it has posted may still be counted.
                        suspended.add(user);
                        f.get(() -> access.suspend(user));
                    }
                }
            }
            Map<String, List<Day>> expected = model(uses, suspended);
            Map<String, TagHistory> found = f.get(() -> trends.histories(TAGS));
            for (String tag : TAGS) {
                assertThat(found.get(tag).days())
                        .as("seed %d step %d tag %s", seed, step, tag)
                        .isEqualTo(expected.get(tag));
            }
            assertThat(trending()).as("seed %d step %d", seed, step).isEqualTo(ranking(expected));
        }
    }

    private Map<String, List<Day>> model(Map<Status, Set<String>> uses, Set<Long> suspended) {
        long today = day(now);
        Map<String, List<Day>> model = new LinkedHashMap<>();
        for (String tag : TAGS) {
            List<Day> days = new ArrayList<>();
            for (long day = today; day > today - TagHistory.DAYS; day--) {
                long of = day;
                List<Long> authors = uses.entrySet().stream()
                        .filter(use -> use.getValue().contains(tag) && day(use.getKey()) == of)
                        .map(use -> use.getKey().authorId())
                        .filter(author -> !suspended.contains(author))
                        .toList();
                days.add(new Day(day, authors.size(), new HashSet<>(authors).size()));
            }
            model.put(tag, days);
        }
        return model;
    }

    private static List<String> ranking(Map<String, List<Day>> model) {
        return TAGS.stream()
                .filter(tag ->
                        model.get(tag).subList(0, 2).stream().anyMatch(day -> day.accounts() >= TagTrends.ACCOUNTS_MIN))
                .sorted(Comparator.comparingLong((String tag) -> -accounts(model.get(tag)))
                        .thenComparingLong(tag -> -uses(model.get(tag)))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static long accounts(List<Day> days) {
        return days.get(0).accounts() + days.get(1).accounts();
    }

    private static long uses(List<Day> days) {
        return days.get(0).uses() + days.get(1).uses();
    }

    private static List<String> sample(Random random) {
        return TAGS.stream().filter(tag -> random.nextInt(3) == 0).toList();
    }

    /** The same status as if it had been posted some days before. */
    private static Status aged(Status status, int days) {
        long id = Id.of(Id.epochMillis(status.id()) - Duration.ofDays(days).toMillis(), Id.shard(status.id()), (int)
                (status.id() & 3));
        return new Status(id, status.post(), status.counters());
    }

    private void count(List<Status> statuses) {
        f.get(() -> trends.count(statuses));
    }

    /** On the first day, also when that has ended meanwhile. */
    private Status post(long author, String... tags) {
        Content content = new Content("x", "", false, null, List.of(), List.of(tags), null);
        Status status = f.get(() -> f.stores.statuses().post(Post.of(author, Visibility.PUBLIC, content), null))
                .status();
        return day(status) == firstDay ? status : aged(status, (int) (day(status) - firstDay));
    }

    private static long day(Instant at) {
        return Math.floorDiv(at.toEpochMilli(), 86_400_000L);
    }

    private static long day(Status status) {
        return Math.floorDiv(Id.epochMillis(status.id()), 86_400_000L);
    }

    private Day today(String tag) {
        return f.get(() -> trends.histories(List.of(tag))).get(tag).today();
    }

    /** The trends of an instance that has cached nothing. */
    private List<String> trending() {
        return names(new TagTrends(f.link, () -> now, Duration.ofDays(90)));
    }

    private List<String> names(TagTrends trends) {
        return f.get(() -> trends.trending(0, 20)).stream().map(Trend::tag).toList();
    }
}
