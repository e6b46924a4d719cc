package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Article.Standing;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Articles.Group;
import io.fanfare.common.store.Articles.Ranked;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Redis;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class ArticlesTest {
    /** A moment of now, since keys end by the clock of Redis. */
    private static final long START = System.currentTimeMillis() / 1000 * 1000;

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
        articles = articles(new Settings.Articles(/* bestVotes= */ 3, /* rankingMax= */ 1000, /* groupsMax= */ 5));
    }

    private Articles articles(Settings.Articles settings) {
        return new Articles(f.link, settings, Duration.ofDays(30), () -> Instant.ofEpochMilli(now));
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void theAuthorsVoteIsTheFirstAndIsNotRepeated() {
        long id = article(START);

        add(id);
        add(id);
        vote(id, AUTHOR);

        assertThat(ranking()).containsExactly(new Ranked(id, START / 1000 + 432));
        assertThat(byTime("")).containsExactly(id);
        assertThat(standing(id, AUTHOR)).isEqualTo(new Standing(1, Optional.of(true), List.of()));
    }

    @Test
    void aVoteThatComesBeforeThePublicationRanksTheArticle() {
        long id = article(START);

        vote(id, 7, "java");
        add(id, "java");

        assertThat(ranking()).containsExactly(new Ranked(id, Article.score(id, 2)));
        assertThat(ranking("java")).isEqualTo(ranking());
        assertThat(voters(id)).extracting(Edge::accountId).containsExactly(7L, AUTHOR);
    }

    @Test
    void aThousandVotersAtOnceCountOnceEach() {
        long id = article(START);
        f.get(() -> {
            List<Future<Void>> votes = new ArrayList<>(List.of(articles.add(status(id, "java"))));
            for (int i = 0; i < 1500; i++) {
                votes.add(articles.vote(status(id, "java"), 1L + i % 1000));
            }
            return Future.all(votes).<Void>mapEmpty();
        });

        assertThat(standing(id, 0)).isEqualTo(new Standing(1001, Optional.empty(), List.of("java")));
        assertThat(f.number(Keys.articleVoters(id), "SCARD", Keys.articleVoters(id)))
                .isEqualTo(1001);
        assertThat(f.number(Keys.articleBallots(id), "LLEN", Keys.articleBallots(id)))
                .isEqualTo(1001);
        assertThat(ranking()).containsExactly(new Ranked(id, START / 1000 + 432 * 1001));
        assertThat(ranking("java")).isEqualTo(ranking());
        assertThat(f.get(() -> articles.best())).containsExactly(id);
    }

    @Test
    void ofAThousandVotersAtTheDeadlineThoseCountWhoWereInTime() {
        long id = article(START);
        add(id, "java");
        now = START + 7 * DAY - 1;
        List<Future<Void>> votes = new ArrayList<>();
        f.get(() -> {
            for (int i = 0; i < 1000; i++) {
                if (i == 600) {
                    now = START + 7 * DAY;
                }
                votes.add(articles.vote(status(id, "java"), 1L + i));
            }
            return Future.join(votes).otherwiseEmpty().<Void>mapEmpty();
        });

        assertThat(votes.subList(0, 600)).allMatch(Future::succeeded);
        assertThat(votes.subList(600, 1000)).allMatch(Future::failed);
        assertThat(ranking()).containsExactly(new Ranked(id, Article.score(id, 601)));
        assertThat(ranking("java")).isEqualTo(ranking());
    }

    @Test
    void aThousandVotersAndADeleteAtOnceLeaveNothingInAnyRanking() {
        long id = article(START);
        add(id, "java");
        List<Future<Void>> votes = new ArrayList<>();
        List<Future<Void>> removed = new ArrayList<>();
        for (int round = 0; round < 10; round++) {
            int first = 100 * round;
            f.get(() -> {
                if (first == 500) {
                    removed.add(articles.remove(id));
                }
                for (int i = first; i < first + 100; i++) {
                    votes.add(articles.vote(status(id, "java"), 1L + i));
                }
                return Future.join(votes).otherwiseEmpty().<Void>mapEmpty();
            });
        }

        assertThat(removed).allMatch(Future::succeeded);
        long counted = votes.stream().filter(Future::succeeded).count();
        assertThat(counted).isBetween(500L, 600L);
        assertThat(standing(id, 7).votes()).isEqualTo(1 + counted);
        assertThat(ranking()).isEmpty();
        assertThat(ranking("java")).isEmpty();
        assertThat(f.get(() -> articles.best())).isEmpty();
        assertThat(f.redis.keys()).doesNotContain(Keys.articleVoters(id), Keys.articleBallots(id), Keys.ARTICLE_GROUPS);
    }

    @Test
    void anArticleWhoseVotersAreNoSetKeepsNoOtherVoteFromBeingCounted() {
        long bad = article(START);
        long good = article(START + 1);
        add(bad);
        add(good);
        f.redis.askAt(Keys.articleVoters(bad), "DEL", Keys.articleVoters(bad));
        f.redis.askAt(Keys.articleVoters(bad), "SET", Keys.articleVoters(bad), "x");
        List<Future<Void>> votes = new ArrayList<>();
        f.get(() -> {
            for (int i = 1; i <= 200; i++) {
                votes.add(articles.vote(status(i % 2 == 0 ? good : bad), i));
            }
            return Future.join(votes).otherwiseEmpty().<Void>mapEmpty();
        });

        assertThat(votes).filteredOn(Future::succeeded).hasSize(100);
        assertThat(ranking())
                .containsExactly(new Ranked(good, Article.score(good, 101)), new Ranked(bad, Article.score(bad, 1)));
    }

    @Test
    void noVoteCountsSevenDaysAfterThePublication() {
        long id = article(START);
        add(id);
        now = START + 7 * DAY - 1;
        vote(id, 7);

        now = START + 7 * DAY;
        assertThatThrownBy(() -> vote(id, 8))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.INVALID));
        assertThatThrownBy(() -> vote(id, 7)).isInstanceOf(Refusal.class);
        assertThat(ranking()).containsExactly(new Ranked(id, Article.score(id, 2)));
    }

    @Test
    void theVotersAreForgottenWhenTheVotingEndsAndTheCountsStay() {
        long id = article(START);
        now = START + 6 * DAY;
        add(id, "java");
        vote(id, 7);
        for (String key : List.of(Keys.articleVoters(id), Keys.articleBallots(id))) {
            assertThat(f.number(key, "PEXPIRETIME", key))
                    .isBetween(Article.votingEnds(id) + DAY - 1000, Article.votingEnds(id) + DAY + 1000);
        }
        assertThat(standing(id, 7)).isEqualTo(new Standing(2, Optional.of(true), List.of("java")));
        assertThat(standing(id, 8).voted()).contains(false);
        assertThat(standing(id, 0).voted()).isEmpty();

        now = START + 7 * DAY;

        assertThat(standing(id, 7)).isEqualTo(new Standing(2, Optional.empty(), List.of("java")));
        assertThat(voters(id)).isEmpty();
        assertThat(f.number(Keys.article(id), "TTL", Keys.article(id))).isEqualTo(-1);
    }

    @Test
    void votersAreReadPageByPageWhileOthersVote() {
        long id = article(START);
        add(id);
        for (long voter = 1; voter <= 9; voter++) {
            vote(id, voter);
        }

        Page<Edge> newest = voters(id, PageRequest.newest(4));
        assertThat(accounts(newest)).containsExactly(9L, 8L, 7L, 6L);
        vote(id, 10);
        Page<Edge> second = voters(id, PageRequest.olderThan(newest.next(), 4));
        assertThat(accounts(second)).containsExactly(5L, 4L, 3L, 2L);
        Page<Edge> last = voters(id, PageRequest.olderThan(second.next(), 4));
        assertThat(accounts(last)).containsExactly(1L, AUTHOR);
        assertThat(last.next()).isZero();

        assertThat(accounts(voters(id, PageRequest.justAbove(newest.prev(), 4))))
                .containsExactly(10L);
        assertThat(accounts(voters(id, PageRequest.justAbove(last.prev(), 2)))).containsExactly(3L, 2L);
        assertThat(accounts(voters(id, PageRequest.justAbove(PageRequest.BOTTOM, 2))))
                .containsExactly(1L, AUTHOR);
        Page<Edge> sinceLast = voters(id, new PageRequest(Id.MAX, last.prev(), 0, 40));
        assertThat(accounts(sinceLast)).containsExactly(10L, 9L, 8L, 7L, 6L, 5L, 4L, 3L, 2L);
        assertThat(accounts(voters(id, PageRequest.olderThan(sinceLast.next(), 40))))
                .containsExactly(1L, AUTHOR);
        Page<Edge> nothing = voters(article(START + 1), PageRequest.newest(4));
        assertThat(nothing).isEqualTo(new Page<>(List.of(), 0, 0));
    }

    private static List<Long> accounts(Page<Edge> page) {
        return page.items().stream().map(Edge::accountId).toList();
    }

    private Page<Edge> voters(long id, PageRequest page) {
        return f.get(() -> articles.voters(id, page));
    }

    @Test
    void aDeletedArticleDoesNotComeBackByALateVoteOrPublication() {
        long id = article(START);
        add(id, "java");
        vote(id, 7);
        vote(id, 8);
        remove(id);
        remove(id);

        assertThatThrownBy(() -> vote(id, 9)).hasMessageStartingWith("Record not found");
        assertThatThrownBy(() -> putInto("rust", id, AUTHOR)).hasMessageStartingWith("Record not found");
        add(id);
        assertThat(ranking()).isEmpty();
        assertThat(ranking("java")).isEmpty();
        assertThat(byTime("")).isEmpty();
        assertThat(f.get(() -> articles.best())).isEmpty();
        assertThat(groups()).isEmpty();
        assertThat(standing(id, 7)).isEqualTo(new Standing(3, Optional.of(false), List.of()));
        assertThat(f.number(Keys.article(id), "PEXPIRETIME", Keys.article(id)))
                .isBetween(Article.votingEnds(id) + 30 * DAY - 1000, Article.votingEnds(id) + 30 * DAY + 1000);
        assertThat(f.hash(Keys.ARTICLE_GROUP_OWNERS)).isEmpty();
    }

    @Test
    void aRankingKeepsTheHighest() {
        articles = articles(new Settings.Articles(2, 2, 5));
        long one = article(START);
        long two = article(START + 1000);
        long three = article(START + 2000);
        add(one, "java");
        add(two, "java");
        vote(one, 7);
        vote(two, 7);
        add(three, "java");

        assertThat(ranking().stream().map(Ranked::id)).containsExactly(two, one);
        assertThat(ranking("java")).isEqualTo(ranking());
        assertThat(byTime("")).containsExactly(three, two);
        assertThat(byTime("java")).containsExactly(three, two);
        assertThat(standing(three, 0).votes()).isEqualTo(1);
        add(three, "java");
        assertThat(ranking().stream().map(Ranked::id)).containsExactly(two, one);
        vote(three, 7);
        assertThat(ranking().stream().map(Ranked::id)).containsExactly(three, two);
        assertThat(ranking("java")).isEqualTo(ranking());
        assertThat(standing(one, 7)).isEqualTo(new Standing(2, Optional.of(true), List.of("java")));
        vote(one, 8);
        assertThat(ranking().stream().map(Ranked::id)).containsExactly(one, three);
        assertThat(standing(two, 0).votes()).isEqualTo(2);
        assertThat(f.hash(Keys.article(one))).isEqualTo(Map.of("groups", "java"));
    }

    @Test
    void theBestAreTheNewestFiftyWithEnoughVotes() {
        for (int i = 0; i < 60; i++) {
            long id = article(START + i);
            add(id);
            vote(id, 7);
            if (i != 30) {
                vote(id, 8);
            }
        }

        List<Long> best = f.get(() -> articles.best());
        assertThat(best).hasSize(50).doesNotContain(article(START + 30)).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(best.get(0)).isEqualTo(article(START + 59));
        assertThat(f.number(Keys.BEST_ARTICLES, "ZCARD", Keys.BEST_ARTICLES)).isEqualTo(50);
    }

    @Test
    void aGroupIsCreatedByItsFirstArticleAndEndsWithItsLast() {
        long one = article(START);
        long two = article(START + 1000);
        add(one, "java", "编程");
        add(two, "java");
        assertThat(groups()).containsExactly(new Group("java", 2), new Group("编程", 1));
        assertThat(f.get(() -> articles.groups(1, 1))).containsExactly(new Group("编程", 1));

        takeOut("java", one, AUTHOR);
        takeOut("java", one, AUTHOR);
        assertThat(groups()).containsExactlyInAnyOrder(new Group("java", 1), new Group("编程", 1));
        assertThat(standing(one, 0).groups()).containsExactly("编程");
        assertThat(byTime("java")).containsExactly(two);
        takeOut("编程", one, AUTHOR);
        assertThat(f.hash(Keys.article(one))).isEmpty();

        vote(two, 7);
        putInto("java", one, AUTHOR);
        putInto("java", one, AUTHOR);
        assertThat(ranking("java"))
                .containsExactly(new Ranked(two, Article.score(two, 2)), new Ranked(one, Article.score(one, 1)));
        assertThat(f.hash(Keys.ARTICLE_GROUP_OWNERS)).isEqualTo(Map.of("java", Long.toString(AUTHOR)));
    }

    @Test
    void onlyTheAuthorAndTheCreatorOfAGroupChangeIt() {
        long one = article(START);
        long other = article(START + 1000);
        add(one, "java");
        f.get(() -> articles.add(by(7, other)));

        assertThatThrownBy(() -> putInto("java", one, 8))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.FORBIDDEN));
        assertThatThrownBy(() -> takeOut("java", one, 8)).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> putInto("new", one, 8)).isInstanceOf(Refusal.class);
        f.get(() -> articles.putInto("java", by(7, other), AUTHOR));
        assertThat(groups()).containsExactly(new Group("java", 2));
        f.get(() -> articles.takeOut("java", by(7, other), AUTHOR));
        f.get(() -> articles.putInto("java", by(7, other), 7));
        f.get(() -> articles.takeOut("java", by(7, other), 7));
        assertThat(groups()).containsExactly(new Group("java", 1));
    }

    @Test
    void groupsAreBoundedInAllAndOfOneArticle() {
        long one = article(START);
        add(one, "a", "b", "c", "d", "e", "f");
        assertThat(standing(one, 0).groups()).containsExactly("a", "b", "c", "d", "e");
        assertThatThrownBy(() -> putInto("g", one, AUTHOR)).hasMessageContaining("There are 5 groups");

        articles = articles(new Settings.Articles(3, 1000, 100));
        for (int i = 0; i < 5; i++) {
            putInto("more" + i, one, AUTHOR);
        }
        assertThatThrownBy(() -> putInto("g", one, AUTHOR)).hasMessageContaining("in 10 groups");
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
    void listsCountsAndGroupsAgreeWithANaiveModel() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<Long, Set<Long>> model = new TreeMap<>();
        Map<Long, Set<String>> groups = new HashMap<>();
        Set<Long> deleted = new HashSet<>();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(article(START - (long) random.nextInt(8) * DAY + i));
        }
        for (int step = 0; step < 1000; step++) {
            long id = ids.get(random.nextInt(ids.size()));
            int what = random.nextInt(20);
            String group = "group" + random.nextInt(4);
            now += random.nextInt(200_000);
            boolean gone = deleted.contains(id);
            if (what == 0) {
                remove(id);
                model.remove(id);
                groups.remove(id);
                deleted.add(id);
            } else if (what < 4) {
                add(id);
                if (!gone) {
                    model.computeIfAbsent(id, absent -> new HashSet<>(Set.of(AUTHOR)));
                }
            } else if (what < 9) {
                if (gone) {
                    assertThatThrownBy(() -> putInto(group, id, AUTHOR))
                            .as("seed " + seed)
                            .isInstanceOf(Refusal.class);
                    continue;
                }
                model.computeIfAbsent(id, absent -> new HashSet<>(Set.of(AUTHOR)));
                Set<String> joined = groups.computeIfAbsent(id, absent -> new HashSet<>());
                if (what < 6) {
                    takeOut(group, id, AUTHOR);
                    joined.remove(group);
                } else {
                    putInto(group, id, AUTHOR);
                    joined.add(group);
                }
            } else {
                long voter = 1L + random.nextInt(10);
                if (gone || now >= Id.epochMillis(id) + 7 * DAY) {
                    assertThatThrownBy(() -> vote(id, voter)).as("seed " + seed).isInstanceOf(Refusal.class);
                } else {
                    Set<Long> voters = model.computeIfAbsent(id, absent -> new HashSet<>(Set.of(AUTHOR)));
                    voters.add(voter);
                    vote(id, voter);
                    assertThat(standing(id, 0).votes()).as("seed " + seed).isEqualTo(voters.size());
                }
            }
        }

        for (String group : List.of("", "group0", "group1", "group2", "group3")) {
            List<Ranked> expected = model.entrySet().stream()
                    .filter(entry -> group.isEmpty()
                            || groups.getOrDefault(entry.getKey(), Set.of()).contains(group))
                    .map(entry -> new Ranked(
                            entry.getKey(),
                            Article.score(entry.getKey(), entry.getValue().size())))
                    .sorted(Comparator.comparingLong(Ranked::score)
                            .thenComparingLong(Ranked::id)
                            .reversed())
                    .toList();
            List<Long> byTime = expected.stream()
                    .map(Ranked::id)
                    .sorted(Comparator.reverseOrder())
                    .toList();
            assertThat(ranking(group)).as("seed " + seed).isEqualTo(expected);
            assertThat(byTime(group)).as("seed " + seed).isEqualTo(byTime);
            long size = groups().stream()
                    .filter(each -> each.name().equals(group))
                    .mapToLong(Group::articles)
                    .sum();
            assertThat(size).as("seed " + seed).isEqualTo(group.isEmpty() ? 0 : expected.size());
        }
        List<Long> best = new ArrayList<>(model.keySet());
        best.removeIf(id -> model.get(id).size() < 3);
        best.sort(Comparator.reverseOrder());
        assertThat(f.get(() -> articles.best())).as("seed " + seed).isEqualTo(best);
    }

    private List<Long> walk(int limit, Runnable between) {
        List<Long> walk = new ArrayList<>();
        Optional<Ranked> place = Optional.empty();
        while (true) {
            Optional<Ranked> after = place;
            List<Ranked> page = f.get(() -> articles.byScore("", after, limit));
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

    private static Status status(long id, String... groups) {
        Article article = new Article("A title", null, List.of(groups));
        Post post = Post.of(AUTHOR, Visibility.PUBLIC, Content.of("A title").with(article));
        return new Status(id, post, Counters.NONE);
    }

    private static Status by(long author, long id) {
        Content content = Content.of("A title").with(new Article("A title", null, List.of()));
        return new Status(id, Post.of(author, Visibility.PUBLIC, content), Counters.NONE);
    }

    /** Articles that votes lift into a ranking of few places and out of it, and two processes that remember votes. */
    @Test
    void everyProcessShowsAVoteFromItsAnswerOn() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Settings.Articles few = new Settings.Articles(/* bestVotes= */ 3, /* rankingMax= */ 3, /* groupsMax= */ 5);
        List<Articles> processes = List.of(articles(few), articles(few));
        List<Status> all = IntStream.range(0, 6)
                .mapToObj(i -> status(article(START + 600_000L * i)))
                .toList();
        all.forEach(article -> f.get(() -> processes.get(0).add(article)));
        Set<String> votes = new HashSet<>();
        for (int step = 0; step < 600; step++) {
            Articles process = processes.get(random.nextInt(2));
            long viewer = 1L + random.nextInt(40);
            if (random.nextInt(3) == 0) {
                Status article = all.get(random.nextInt(all.size()));
                f.get(() -> process.vote(article, viewer));
                votes.add(viewer + " " + article.id());
            }
            List<Status> page = all.stream().filter(any -> random.nextBoolean()).toList();
            Map<Long, Standing> standings = f.get(() -> process.standings(page, viewer, Redis.NOW));
            for (Status article : page) {
                assertThat(standings.get(article.id()).voted())
                        .as("seed %d step %d viewer %d article %d", seed, step, viewer, article.id())
                        .contains(votes.contains(viewer + " " + article.id()));
            }
        }
    }

    /** Nobody else has voted since: a page asks for scores alone. */
    @Test
    void votesThatNothingCanHaveChangedAreNotReadAgain() {
        List<Status> all =
                IntStream.range(0, 5).mapToObj(i -> status(article(START + i))).toList();
        all.forEach(article -> add(article.id()));
        vote(all.get(2).id(), 7);
        assertThat(votersRead(all, 7)).as("all but that of the vote").isEqualTo(4);
        assertThat(votersRead(all, 7)).as("again").isZero();
        vote(all.get(2).id(), 8);
        vote(all.get(3).id(), 8);
        assertThat(votersRead(all, 7)).as("after votes").isEqualTo(1);
        assertThat(votersRead(all, 9)).as("of another").isEqualTo(5);
        assertThat(votersRead(all, 0)).as("of nobody").isZero();
    }

    /** How many sets of voters a reading asks. */
    private long votersRead(List<Status> all, long viewer) {
        long before = membershipReads();
        f.get(() -> articles.standings(all, viewer, Redis.NOW));
        return membershipReads() - before;
    }

    private long membershipReads() {
        String stats =
                f.redis.askAt(Keys.ARTICLES_BY_SCORE, "INFO", "commandstats").asString();
        Matcher calls = Pattern.compile("cmdstat_sismember:calls=(\\d+)").matcher(stats);
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    private void add(long id, String... groups) {
        f.get(() -> articles.add(status(id, groups)));
    }

    private void vote(long id, long voter, String... groups) {
        f.get(() -> articles.vote(status(id, groups), voter));
    }

    private void remove(long id) {
        f.get(() -> articles.remove(id));
    }

    private void putInto(String group, long id, long caller) {
        f.get(() -> articles.putInto(group, status(id), caller));
    }

    private void takeOut(String group, long id, long caller) {
        f.get(() -> articles.takeOut(group, status(id), caller));
    }

    private Standing standing(long id, long viewer) {
        return f.get(() -> articles.standings(List.of(status(id)), viewer, Redis.NOW))
                .get(id);
    }

    private List<Edge> voters(long id) {
        return f.get(() -> articles.voters(id, PageRequest.newest(40))).items();
    }

    private List<Group> groups() {
        return f.get(() -> articles.groups(0, 100));
    }

    private List<Ranked> ranking() {
        return ranking("");
    }

    private List<Ranked> ranking(String group) {
        return f.get(() -> articles.byScore(group, Optional.empty(), 100));
    }

    private List<Long> byTime(String group) {
        return f.get(() -> articles.<Long>byTime(group, PageRequest.newest(100), members -> {
                    Map<String, Long> all = new HashMap<>();
                    members.forEach(member -> all.put(member.name(), member.id()));
                    return Future.succeededFuture(all);
                }))
                .items();
    }
}
