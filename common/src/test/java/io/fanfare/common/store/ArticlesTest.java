package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Articles.Ranked;
import io.fanfare.common.store.Articles.Standing;
import io.fanfare.common.store.Articles.Voter;
import io.fanfare.common.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ArticlesTest {
    private static final long START = Id.EPOCH_MILLIS + 60_000_000_000L;
    private static final long DAY = 86_400_000;
    private static final long AUTHOR = Id.of(Id.EPOCH_MILLIS + 1, 3, 0);

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Articles articles;
    private long now = START;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        articles = articles(new Articles.Limits(1000, 3, 1000, Duration.ofDays(30)));
    }

    private Articles articles(Articles.Limits limits) {
        return new Articles(f.link, limits, () -> Long.toString(now));
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void theAuthorsVoteIsTheFirstAndIsNotRepeated() {
        long id = article(START);

        assertThat(add(id)).isEqualTo(1);
        assertThat(add(id)).isEqualTo(1);
        assertThat(vote(id, AUTHOR)).isEqualTo(1);

        assertThat(ranking()).containsExactly(new Ranked(id, START / 1000 + 432));
        assertThat(f.get(() -> articles.byTime(Id.MAX, 25))).containsExactly(id);
    }

    @Test
    void aVoteThatComesBeforeThePublicationRanksTheArticle() {
        long id = article(START);

        assertThat(vote(id, 7)).isEqualTo(2);
        assertThat(add(id)).isEqualTo(2);

        assertThat(ranking()).containsExactly(new Ranked(id, Articles.score(id, 2)));
        assertThat(f.get(() -> articles.voters(id, Long.MAX_VALUE >> 11, 40)))
                .containsExactly(new Voter(7, 2), new Voter(AUTHOR, 1));
    }

    @Test
    void aThousandVotersAtOnceCountOnceEach() {
        long id = article(START);
        f.get(() -> {
            List<Future<Long>> votes = new ArrayList<>(List.of(articles.add(id, AUTHOR)));
            for (int i = 0; i < 1500; i++) {
                votes.add(articles.vote(id, AUTHOR, 1L + i % 1000));
            }
            return Future.all(votes).<Void>mapEmpty();
        });

        assertThat(f.hash(Keys.article(id))).isEqualTo(Map.of("votes", "1001"));
        assertThat(f.members(Keys.voters(id))).hasSize(1001).doesNotHaveDuplicates();
        assertThat(ranking()).containsExactly(new Ranked(id, START / 1000 + 432 * 1001));
        assertThat(f.get(() -> articles.best(Id.MAX, 50))).containsExactly(id);
    }

    @Test
    void noVoteCountsSevenDaysAfterThePublication() {
        long id = article(START);
        add(id);
        now = START + 7 * DAY - 1;
        assertThat(vote(id, 7)).isEqualTo(2);

        now = START + 7 * DAY;
        assertThatThrownBy(() -> vote(id, 8))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.INVALID));
        assertThatThrownBy(() -> vote(id, 7)).isInstanceOf(Refusal.class);
        assertThat(ranking()).containsExactly(new Ranked(id, Articles.score(id, 2)));
    }

    @Test
    void theVotersAreForgottenWhenTheVotingEndsAndTheCountsStay() {
        long id = article(START);
        now = START + 6 * DAY;
        add(id);
        vote(id, 7);
        assertThat(f.number(Keys.voters(id), "PTTL", Keys.voters(id))).isBetween(DAY - 60_000, DAY);
        assertThat(standing(id, 7)).isEqualTo(new Standing(2, Articles.score(id, 2), Optional.of(true)));
        assertThat(standing(id, 8).voted()).contains(false);
        assertThat(standing(id, 0).voted()).isEmpty();

        f.redis.askAt(Keys.voters(id), "PEXPIRE", Keys.voters(id), "0");

        assertThat(standing(id, 7)).isEqualTo(new Standing(2, Articles.score(id, 2), Optional.empty()));
        assertThat(f.get(() -> articles.voters(id, 100, 40))).isEmpty();
        assertThat(f.number(Keys.article(id), "TTL", Keys.article(id))).isEqualTo(-1);
    }

    @Test
    void aDeletedArticleDoesNotComeBackByALateVoteOrPublication() {
        long id = article(START);
        add(id);
        vote(id, 7);
        vote(id, 8);
        remove(id);
        remove(id);

        assertThatThrownBy(() -> vote(id, 9)).hasMessageStartingWith("Record not found");
        assertThatThrownBy(() -> add(id)).hasMessageStartingWith("Record not found");
        assertThat(ranking()).isEmpty();
        assertThat(f.get(() -> articles.byTime(Id.MAX, 25))).isEmpty();
        assertThat(f.get(() -> articles.best(Id.MAX, 25))).isEmpty();
        assertThat(f.get(() -> articles.standings(Map.of(id, AUTHOR), 7))).isEmpty();
        assertThat(f.number(Keys.article(id), "PTTL", Keys.article(id))).isBetween(37 * DAY - 60_000, 37 * DAY);
    }

    @Test
    void aRankingKeepsTheHighest() {
        articles = articles(new Articles.Limits(2, 2, 1, Duration.ofDays(30)));
        long one = article(START);
        long two = article(START + 1000);
        long three = article(START + 2000);
        add(one);
        add(two);
        vote(one, 7);
        vote(two, 7);
        add(three);

        assertThat(ranking().stream().map(Ranked::id)).containsExactly(two, one);
        assertThat(f.get(() -> articles.byTime(Id.MAX, 25))).containsExactly(three, two);
        assertThat(f.get(() -> articles.best(Id.MAX, 50))).containsExactly(two);
        vote(three, 7);
        assertThat(ranking().stream().map(Ranked::id)).containsExactly(three, two);
    }

    @Test
    void articlesOfOneScoreNeitherRepeatNorVanishBetweenPages() {
        Set<Long> ids = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            long id = Id.of(START + i / 4, 3, i % 4);
            add(id);
            ids.add(id);
        }

        for (int limit : List.of(1, 3, 25)) {
            List<Long> walk = walk(limit, () -> {});
            assertThat(walk).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(ids);
        }
    }

    @Test
    void aWalkUnderVotesRepeatsNothingAndSkipsOnlyWhatRisesPastIt() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            ids.add(article(START + i * 300_000L));
            add(ids.get(i));
        }
        Set<Long> lifted = new HashSet<>();
        List<Long> walk = walk(5, () -> {
            for (int i = 0; i < 5; i++) {
                long id = ids.get(random.nextInt(ids.size()));
                vote(id, 1L + random.nextInt(1000));
                lifted.add(id);
            }
        });

        assertThat(walk).as("seed " + seed).doesNotHaveDuplicates();
        Set<Long> missing = new HashSet<>(ids);
        missing.removeAll(walk);
        assertThat(lifted).as("seed " + seed).containsAll(missing);
    }

    @Test
    void listsAndCountsAgreeWithANaiveModel() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<Long, Set<Long>> model = new TreeMap<>();
        Set<Long> deleted = new HashSet<>();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(article(START - (long) random.nextInt(8) * DAY + i));
        }
        for (int step = 0; step < 600; step++) {
            long id = ids.get(random.nextInt(ids.size()));
            int what = random.nextInt(20);
            now += random.nextInt(300_000);
            if (what == 0) {
                remove(id);
                model.remove(id);
                deleted.add(id);
            } else if (what < 4) {
                if (deleted.contains(id)) {
                    assertThatThrownBy(() -> add(id)).as("seed " + seed).isInstanceOf(Refusal.class);
                } else {
                    model.computeIfAbsent(id, absent -> new HashSet<>(Set.of(AUTHOR)));
                    add(id);
                }
            } else {
                long voter = 1L + random.nextInt(10);
                if (deleted.contains(id) || now >= Id.epochMillis(id) + 7 * DAY) {
                    assertThatThrownBy(() -> vote(id, voter)).as("seed " + seed).isInstanceOf(Refusal.class);
                } else {
                    Set<Long> voters = model.computeIfAbsent(id, absent -> new HashSet<>(Set.of(AUTHOR)));
                    voters.add(voter);
                    assertThat(vote(id, voter)).as("seed " + seed).isEqualTo(voters.size());
                }
            }
        }

        Comparator<Ranked> highest = Comparator.comparingLong(Ranked::score).thenComparingLong(Ranked::id);
        List<Ranked> ranked = new ArrayList<>();
        model.forEach((id, voters) -> ranked.add(new Ranked(id, Articles.score(id, voters.size()))));
        ranked.sort(highest.reversed());
        assertThat(f.get(() -> articles.byScore(Optional.empty(), 100)))
                .as("seed " + seed)
                .isEqualTo(ranked);
        assertThat(ranked).allMatch(each -> each.votes() == model.get(each.id()).size());
        List<Long> byTime = new ArrayList<>(model.keySet());
        byTime.sort(Comparator.reverseOrder());
        assertThat(f.get(() -> articles.byTime(Id.MAX, 100))).as("seed " + seed).isEqualTo(byTime);
        byTime.removeIf(id -> model.get(id).size() < 3);
        assertThat(f.get(() -> articles.best(Id.MAX, 100))).as("seed " + seed).isEqualTo(byTime);
    }

    private List<Long> walk(int limit, Runnable between) {
        List<Long> walk = new ArrayList<>();
        Optional<Ranked> place = Optional.empty();
        while (true) {
            Optional<Ranked> after = place;
            List<Ranked> page = f.get(() -> articles.byScore(after, limit));
            if (page.isEmpty()) {
                return walk;
            }
            page.forEach(each -> walk.add(each.id()));
            place = Optional.of(page.get(page.size() - 1));
            between.run();
        }
    }

    private static long article(long millis) {
        return Id.of(millis, 3, 0);
    }

    @CanIgnoreReturnValue
    private long add(long id) {
        return f.get(() -> articles.add(id, AUTHOR));
    }

    @CanIgnoreReturnValue
    private long vote(long id, long voter) {
        return f.get(() -> articles.vote(id, AUTHOR, voter));
    }

    private void remove(long id) {
        f.get(() -> articles.remove(id));
    }

    private Standing standing(long id, long viewer) {
        return f.get(() -> articles.standings(Map.of(id, AUTHOR), viewer)).get(id);
    }

    private List<Ranked> ranking() {
        return f.get(() -> articles.byScore(Optional.empty(), 25));
    }
}
