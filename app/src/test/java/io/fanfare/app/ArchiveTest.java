package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.article.ArticleLists;
import io.fanfare.api.notification.NotificationRequests;
import io.fanfare.api.notification.NotificationRequests.Request;
import io.fanfare.api.post.Pins;
import io.fanfare.api.post.Threads;
import io.fanfare.archive.JdbcArchive;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Article.Standing;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.NotificationPolicy.Choice;
import io.fanfare.common.model.NotificationPolicy.Source;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.RenderCache;
import io.fanfare.core.LoopStores;
import io.fanfare.core.archive.ArchivePass;
import io.fanfare.core.favourite.SavedStatuses;
import io.fanfare.core.feed.Stores;
import io.fanfare.core.feed.SwitchedArchive;
import io.fanfare.core.graph.Backlinks;
import io.fanfare.core.poll.Polls;
import io.fanfare.core.post.Edits;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.fanfare.verify.Difference;
import io.fanfare.verify.Difference.Kind;
import io.fanfare.verify.Report;
import io.fanfare.verify.Verifier.Scope;
import io.fanfare.verify.testing.ArchiveFixture;
import io.fanfare.verify.testing.Verification;
import io.fanfare.worker.account.AccountErasure;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Old statuses leave Redis and are shown, liked and deleted as before. */
@ParameterizedClass
@KindsOfRedis
class ArchiveTest {
    @Parameter
    TestRedis.Kind kind;

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private SwitchedArchive archive;
    private ArchiveFixture a;
    private long author;
    private long ann;

    @BeforeEach
    void open() {
        Settings.Archive settings =
                SettingsLoader.defaultsWith("archive.timeout=60s").archive();
        archive = new SwitchedArchive(JdbcArchive.of(vertx, settings.at(new Secret(url())), new SimpleMeterRegistry()));
        a = new ArchiveFixture(kind.redis(), archive);
        long[] users = a.f.users(2);
        author = users[0];
        ann = users[1];
    }

    @AfterEach
    void close() {
        a.close();
        TestRedis.await(archive.close());
        TestRedis.await(vertx.close());
    }

    /** The address of an empty database. */
    String url() {
        return "jdbc:sqlite:" + folder.resolve("archive.db");
    }

    /** Newest first. */
    @CanIgnoreReturnValue
    private List<Long> posts(int count) {
        List<Long> posts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            posts.add(0, a.post(author));
        }
        return posts;
    }

    /** Archived, since they are the oldest. */
    private long archived() {
        long oldest = posts(6).get(5);
        a.archive(author);
        return oldest;
    }

    /** One query answers for all followees of whom Redis holds nothing, instead of one for each. */
    @Test
    void aHomeOfManyAuthorsIsWalkedThroughTheArchiveToItsEnd() {
        Stores many = Stores.on(a.f.link, StoreFixture.settings("limits.following-max=60"), 1);
        long[] authors = Arrays.copyOfRange(a.f.users(52), 2, 52);
        for (long one : authors) {
            a.f.get(() -> many.follows().follow(ann, one));
        }
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            for (long one : authors) {
                all.add(a.post(one));
            }
        }
        for (long one : authors) {
            a.archive(one);
        }
        all.sort(Comparator.reverseOrder());
        assertThat(a.walkHome(ann, 20)).isEqualTo(all);
    }

    @Test
    void aWriteFindsAStatusThatSomebodyElseThawsBetweenItsSteps() {
        long id = archived();
        Redis redis = new Between(a.f.link, () -> a.statuses.archived().thaw(id), 1);

        assertThat(a.f.get(() -> a.statuses(redis).delete(author, id))).isPresent();
    }

    @Test
    void aWriteGoesOnWhileAPassTakesItsStatusAwayBetweenItsSteps() {
        long id = archived();
        Redis redis = new Between(a.f.link, () -> a.pass.run(Id.shard(author)), 3);

        a.f.get(() -> a.favourites(redis).like(ann, new Reference(id, author)));

        assertThat(a.f.get(() -> a.statuses.load(List.of(id)))
                        .get(id)
                        .counters()
                        .likes())
                .isEqualTo(1);
    }

    @Test
    void aWriteWhoseStatusIsTakenAwayEachTimeIsRefusedForNow() {
        long id = archived();
        Redis redis = new Between(a.f.link, () -> a.pass.run(Id.shard(author)), 100);

        assertThatThrownBy(() -> a.f.get(() -> a.statuses(redis).delete(author, id)))
                .satisfies(refused -> assertThat(Refusal.isFor(Refusal.Reason.OVERLOADED, refused))
                        .isTrue());
    }

    /** Redis where something happens after each call of a script that writes to a status or thaws one. */
    private static final class Between implements Redis {
        private static final Set<String> SCRIPTS = Set.of("delete ", "link ", "thaw ");

        private final Redis redis;
        private final Supplier<Future<?>> event;
        private int times;

        Between(Redis redis, Supplier<Future<?>> event, int times) {
            this.redis = redis;
            this.event = event;
            this.times = times;
        }

        @Override
        public Future<Reply> send(Command command) {
            Future<Reply> answer = redis.send(command);
            if (times == 0 || SCRIPTS.stream().noneMatch(command.toString()::startsWith)) {
                return answer;
            }
            times--;
            return answer.compose(reply -> event.get().map(happened -> reply));
        }

        @Override
        public Future<List<Reply>> pipeline(List<Command> commands) {
            return redis.pipeline(commands);
        }
    }

    private long number(String... command) {
        return a.f.number(Keys.archived(Id.shard(author)), command);
    }

    @Test
    void theNewestStayInRedisAndTheOthersLeaveIt() {
        List<Long> posts = posts(11);
        assertThat(a.f.number(Keys.archiveDue(Id.shard(author)), "ZCARD", Keys.archiveDue(Id.shard(author))))
                .isEqualTo(1);
        a.archive(author);

        assertThat(a.profile(author)).hasSize(4);
        assertThat(a.f.number(Keys.status(posts.get(4)), "EXISTS", Keys.status(posts.get(4))))
                .isZero();
        assertThat(number("HGET", Keys.archived(Id.shard(author)), "" + author)).isEqualTo(posts.get(4));
        assertThat(a.f.account(author).statusesCount()).isEqualTo(11);
        assertThat(a.f.number(Keys.archiveDue(Id.shard(author)), "ZCARD", Keys.archiveDue(Id.shard(author))))
                .isZero();
        assertThat(a.differences()).isEmpty();
    }

    @Test
    void aProfileIsWalkedAcrossTheBorderInBothDirections() {
        List<Long> posts = posts(13);
        a.archive(author);
        posts.addAll(0, posts(3));
        for (int limit : new int[] {1, 2, 3, 5, 20}) {
            assertThat(a.walk(author, limit)).as("down by %d", limit).isEqualTo(posts);
            assertThat(a.walkUp(author, limit)).as("up by %d", limit).isEqualTo(posts);
        }
    }

    @Test
    void aHomeGoesOnInTheArchivesOfAllAuthors() {
        long reader = a.f.users(3)[2];
        a.f.follow(reader, author);
        a.f.follow(reader, ann);
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            all.add(0, a.post(author));
            all.add(0, a.post(ann));
        }
        // Shards give out ids beside each other.
        all.sort(Comparator.reverseOrder());
        assertThat(a.walkHome(reader, 3)).isEqualTo(all);
        a.archive(author);
        a.archive(ann);
        assertThat(a.profile(author)).hasSize(4);
        Counter fromArchive =
                a.metrics.get("fanfare.homes.reads").tag("source", "archive").counter();
        assertThat(fromArchive.count()).isZero();
        for (int limit : new int[] {1, 2, 3, 7, 40}) {
            assertThat(a.walkHome(reader, limit)).as("by %d", limit).isEqualTo(all);
        }
        assertThat(fromArchive.count()).isGreaterThan(5);
        assertThat(a.differences()).isEmpty();
    }

    @Test
    void anArchivedStatusCanBePinnedStaysSoWhenItMovesAgainAndIsUnpinnedByItsDelete() {
        long old = a.post(author);
        posts(8);
        a.archive(author);
        Pins pins = new Pins(a.f.link, a.statuses.archived(), a.statuses);

        a.f.get(() -> pins.pin(author, old));
        a.archive(author);
        assertThat(a.f.number(Keys.status(old), "EXISTS", Keys.status(old))).isZero();
        List<Long> pinned = a.f.get(() -> pins.of(author));
        assertThat(pinned).containsExactly(old);
        assertThat(a.f.get(() -> a.timelines.profile(author, ann, pinned, any -> true)))
                .extracting(Status::id)
                .containsExactly(old);
        a.delete(author, old);
        assertThat(a.f.get(() -> pins.of(author))).isEmpty();
        assertThat(a.differences()).isEmpty();
    }

    @Test
    void anArchivedStatusIsEditedAndMovesAgainWithItsHistory() {
        long old = a.post(author);
        posts(8);
        a.archive(author);
        assertThat(a.f.number(Keys.status(old), "EXISTS", Keys.status(old))).isZero();
        Edits edits = new Edits(a.f.link, a.settings, a.statuses.archived());

        assertThat(a.f.get(() -> edits.edit(author, old, Content.of("other"))))
                .get()
                .satisfies(edited -> assertThat(edited.changed()).isTrue());
        long neverPosted = Id.of(Id.epochMillis(old) - 1, Id.shard(old), 0);
        assertThat(a.f.get(() -> edits.edit(author, neverPosted, Content.of("other"))))
                .as("never posted")
                .isEmpty();
        a.archive(author);
        assertThat(a.f.number(Keys.status(old), "EXISTS", Keys.status(old))).isZero();
        assertThat(a.f.get(() -> a.statuses.find(old)).orElseThrow().text()).isEqualTo("other");
        assertThat(a.f.get(() -> edits.versions(old))).extracting(Status::text).containsExactly("hello", "other");
        assertThat(a.differences()).isEmpty();
    }

    @Test
    void anArchivedStatusIsFoundByItsIdWithAllItHas() {
        Post post = new Post(
                author,
                Visibility.UNLISTED,
                Post.Kind.POST,
                new Content("caf\u00e9 \ud83d\ude00 \u0000", "cw", true, "fr", List.of(), List.of("tag"), null, null),
                null,
                null,
                null,
                "app");
        long id = a.f.get(() -> a.statuses.post(post, null)).status().id();
        Status before = a.f.get(() -> a.statuses.find(id)).orElseThrow();
        posts(6);
        a.archive(author);
        assertThat(a.f.number(Keys.status(id), "EXISTS", Keys.status(id))).isZero();

        assertThat(a.f.get(() -> a.statuses.find(id))).contains(before);
        assertThat(a.f.get(() -> a.statuses.load(List.of(id, id - 1)))).containsOnlyKeys(id);
    }

    @Test
    void thePollOfAnArchivedStatusIsVotedOnWhereItIsAndGoesWithIt() {
        Poll poll = new Poll(List.of("a", "b"), System.currentTimeMillis() + 600_000, true, true);
        Post post = Post.of(author, Visibility.PUBLIC, Content.of("which").with(poll));
        long id = a.f.get(() -> a.statuses.post(post, null)).status().id();
        Polls polls = new Polls(a.f.link, InstantSource.system());
        Status before = a.f.get(() -> a.statuses.find(id)).orElseThrow();
        a.f.get(() -> polls.vote(before, ann, List.of(1)));
        posts(6);
        a.archive(author);
        assertThat(a.f.number(Keys.status(id), "EXISTS", Keys.status(id))).isZero();

        Status archived = a.f.get(() -> a.statuses.find(id)).orElseThrow();
        assertThat(archived).isEqualTo(before);
        a.f.get(() -> polls.vote(archived, ann, List.of(0)));
        assertThat(a.f.get(() -> polls.standings(List.of(archived), ann)))
                .containsEntry(id, new Poll.Standing(List.of(1L, 1L), 1, List.of(1, 0), false));
        assertThat(a.f.number(Keys.status(id), "EXISTS", Keys.status(id)))
                .as("it stays there")
                .isZero();
        assertThat(a.differences()).isEmpty();
        assertThat(a.delete(author, id)).isTrue();
        assertThat(a.f.number(Keys.pollVotes(id), "EXISTS", Keys.pollVotes(id))).isZero();
        assertThatThrownBy(() -> a.f.get(() -> polls.vote(archived, ann + 1, List.of(0))))
                .isInstanceOf(Refusal.class);
    }

    @Test
    void likesOfAnArchivedStatusAreCountedAndMoveWithIt() {
        List<Long> posts = posts(8);
        long old = posts.get(7);
        a.like(ann, author, old);
        a.archive(author);
        assertThat(likes(old)).isEqualTo(1);
        a.like(author, author, old);
        assertThat(likes(old)).isEqualTo(2);
        a.archive(author);
        assertThat(a.f.number(Keys.status(old), "EXISTS", Keys.status(old))).isZero();
        assertThat(likes(old)).isEqualTo(2);
        a.f.get(() -> a.favourites.unlike(ann, old));
        assertThat(likes(old)).isEqualTo(1);
        assertThat(a.f.get(() -> a.favourites.page(author, PageRequest.newest(10)))
                        .items())
                .extracting(Status::id)
                .containsExactly(old);
        assertThat(a.differences()).isEmpty();
    }

    private long likes(long id) {
        return a.f.get(() -> a.statuses.find(id)).orElseThrow().counters().likes();
    }

    @Test
    void aCommentOnAnArchivedStatusIsListedAndCounted() {
        long old = posts(8).get(7);
        a.archive(author);
        Post comment = new Post(
                ann,
                Visibility.PUBLIC,
                Post.Kind.COMMENT,
                Content.of("yes"),
                new Reference(old, author),
                null,
                null,
                null);
        Status status = a.f.get(() -> a.statuses.post(comment, null)).status();
        a.f.get(() -> new Backlinks(new SubjectEdges(a.f.link, a.settings, a.statuses.archived())).add(status));
        assertThat(a.f.get(() -> a.statuses.find(old)).orElseThrow().counters().comments())
                .isEqualTo(1);
        a.archive(author);
        assertThat(a.differences()).isEmpty();
    }

    @Test
    void anArchivedStatusIsDeletedByItsAuthorOnlyAndForGood() {
        List<Long> posts = posts(9);
        long old = posts.get(7);
        a.like(ann, author, old);
        a.archive(author);
        assertThat(a.delete(ann, old)).isFalse();
        assertThat(a.delete(author, old)).isTrue();
        assertThat(a.delete(author, old)).isFalse();

        posts.remove(7);
        assertThat(a.walk(author, 2)).isEqualTo(posts);
        assertThat(a.f.get(() -> a.statuses.find(old))).isEmpty();
        assertThat(a.f.account(author).statusesCount()).isEqualTo(8);
        assertThat(a.f.number(Keys.status(old), "TTL", Keys.status(old))).isEqualTo(-1);
        a.archive(author);
        // The archive knows it now, so that the tombstone may end.
        assertThat(a.f.number(Keys.status(old), "TTL", Keys.status(old))).isPositive();
        a.f.redis.askAt(Keys.status(old), "DEL", Keys.status(old));
        assertThat(a.walk(author, 2)).isEqualTo(posts);
        assertThat(a.f.get(() -> a.statuses.find(old))).isEmpty();
        assertThat(a.differences()).isEmpty();
    }

    @Test
    void anArticleThatCanBeVotedOnStaysInRedis() {
        Status article = article();
        List<Long> posts = posts(8);
        a.f.get(() -> articles(1000).add(article));
        a.archive(author);
        posts.add(article.id());
        assertThat(a.profile(author)).hasSize(4);
        assertThat(isInRedis(article)).isTrue();
        assertThat(a.walk(author, 3)).isEqualTo(posts);
        look(article);
        assertThat(isInRedis(article)).isTrue();
        assertThat(a.differences()).isEmpty();
    }

    @Test
    void anArticleLeavesRedisWhenTheVotingIsOverAndNoListOfAllHasIt() {
        Status article = aged(article());
        Articles articles = articles(100);
        a.f.get(() -> articles.add(article));
        List<Long> posts = posts(8);
        a.archive(author);
        look(article);
        assertThat(isInRedis(article)).as("while it is ranked").isTrue();
        // Newer ones push it out of the lists of all articles, not out of the one of its group.
        pushOut(articles, 100);
        assertThat(a.differences()).isEmpty();
        look(article);
        assertThat(isInRedis(article)).as("when it has left the ranking").isFalse();

        posts.add(article.id());
        assertThat(a.walk(author, 3)).isEqualTo(posts);
        Status found = a.f.get(() -> a.statuses.find(article.id())).orElseThrow();
        assertThat(found.post().content().article().title()).isEqualTo("Ten fast queues");
        assertThat(a.f.get(() -> articles.standings(List.of(found), ann, Redis.NOW)))
                .containsEntry(article.id(), new Standing(1, Optional.empty(), List.of("redis")));
        assertThatThrownBy(() -> a.f.get(() -> articles.vote(found, ann))).isInstanceOf(Refusal.class);
        ArticleLists lists =
                new ArticleLists(articles, a.statuses, new ViewerRelationshipsReader(a.f.link, InstantSource.system()));
        assertThat(group(lists)).containsExactly(article.id());
        assertThat(a.differences()).isEmpty();
        a.f.get(() -> Verification.of(a.f.link, a.settings, Scope.ALL, true));
        assertThat(group(lists)).containsExactly(article.id());
        archive.isAway = true;
        assertThatThrownBy(() -> group(lists)).isSameAs(Archive.AWAY);
        archive.isAway = false;

        a.like(ann, author, article.id());
        a.archive(author);
        assertThat(likes(article.id())).isEqualTo(1);
        assertThat(isInRedis(article)).as("after a like").isFalse();
        assertThat(a.delete(author, article.id())).isTrue();
        a.f.get(() -> articles.remove(article.id()));
        a.archive(author);
        assertThat(group(lists)).isEmpty();
        assertThat(a.differences()).isEmpty();
    }

    private List<Long> group(ArticleLists lists) {
        return a.f.get(() -> lists.byScore("redis", ann, Optional.empty(), 25, Redis.NOW)).items().stream()
                .map(Status::id)
                .toList();
    }

    private Articles articles(int rankingMax) {
        Settings settings = StoreFixture.settings("articles.ranking-max=" + rankingMax);
        return new Articles(a.f.link, settings, InstantSource.system());
    }

    private Status article() {
        Article article = new Article("Ten fast queues", "https://example.org/", List.of("redis"));
        Content content = Content.of("Ten fast queues").with(article);
        return a.f.get(() -> a.statuses.post(Post.of(author, Visibility.PUBLIC, content), null))
                .status();
    }

    /** The same, published eight days before. */
    private Status aged(Status article) {
        long id = article.id();
        long old = Id.of(Id.epochMillis(id) - Duration.ofDays(8).toMillis(), Id.shard(id), 0);
        String key = Keys.status(id);
        a.f.redis.askAt(key, "RENAME", key, Keys.status(old));
        for (String list : List.of(Keys.profile(author), Keys.outbox(author))) {
            a.f.redis.askAt(list, "ZREM", list, "" + id);
            a.f.redis.askAt(list, "ZADD", list, "" + old, "" + old);
        }
        return new Status(old, article.post(), article.counters());
    }

    private boolean isInRedis(Status status) {
        return a.f.number(Keys.status(status.id()), "EXISTS", Keys.status(status.id())) == 1;
    }

    /** As if the time had come to look at it again. */
    private void look(Status article) {
        String thawed = Keys.thawed(author);
        assertThat(a.f.number(thawed, "ZADD", thawed, "XX", "CH", "1", "" + article.id()))
                .isEqualTo(1);
        String due = Keys.archiveDue(Id.shard(author));
        a.f.redis.askAt(due, "ZADD", due, "XX", "0", "" + author);
        a.archive(author);
    }

    private void pushOut(Articles articles, int count) {
        Content content = Content.of("Newer").with(new Article("Newer", null, List.of()));
        for (int i = 0; i < count; i++) {
            Status newer = a.f.get(() -> a.statuses.post(Post.of(ann, Visibility.PUBLIC, content), null))
                    .status();
            a.f.get(() -> articles.add(newer));
        }
    }

    @Test
    void withoutTheArchivePostingGoesOnAndPagesEndWithoutAFalseEnd() {
        List<Long> posts = posts(8);
        a.archive(author);
        archive.isAway = true;
        posts.addAll(0, posts(1));

        var page = a.f.get(() -> a.timelines.profile(author, 0, PageRequest.newest(20)));
        assertThat(StoreFixture.ids(page)).isEqualTo(posts.subList(0, 5));
        assertThat(page.next()).isPositive();
        assertThatThrownBy(() -> a.f.get(() -> a.timelines.profile(author, 0, PageRequest.olderThan(page.next(), 20))))
                .isSameAs(Archive.AWAY);
        assertThatThrownBy(() -> a.f.get(() -> a.statuses.find(posts.get(8)))).isSameAs(Archive.AWAY);
        // An id that no archive can have is still unknown.
        assertThat(a.f.get(() -> a.statuses.find(posts.get(0) + (1L << 20)))).isEmpty();

        archive.isAway = false;
        var rest = a.f.get(() -> a.timelines.profile(author, 0, PageRequest.olderThan(page.next(), 20)));
        assertThat(StoreFixture.ids(rest)).isEqualTo(posts.subList(5, 9));
    }

    @Test
    void postsAndReadsOfRedisDoNotWaitForADatabaseThatIsLocked() throws SQLException {
        List<Long> posts = posts(8);
        a.archive(author);
        a.f.follow(ann, author);
        List<Future<Boolean>> passes = new ArrayList<>();
        posts.addAll(0, posts(6));
        try (Connection other = DriverManager.getConnection(url());
                Statement statement = other.createStatement()) {
            lock(statement);
            a.f.get(() -> {
                passes.add(a.pass.run(Id.shard(author)));
                return Future.succeededFuture();
            });
            posts.addAll(0, posts(6));
            assertThat(StoreFixture.ids(a.f.get(() -> a.timelines.profile(author, 0, PageRequest.newest(9)))))
                    .isEqualTo(posts.subList(0, 9));
            assertThat(StoreFixture.ids(a.f.get(() -> a.timelines.home(ann, PageRequest.newest(9)))))
                    .isEqualTo(posts.subList(0, 9));
            assertThat(passes.get(0).isComplete()).as("the pass").isFalse();
            statement.execute("ROLLBACK");
        }
        assertThat(TestRedis.await(passes.get(0))).isTrue();
        a.archive(author);
        assertThat(a.walk(author, 7)).isEqualTo(posts);
        assertThat(a.differences()).isEmpty();
    }

    /** Begins a transaction that lets nobody else write. */
    void lock(Statement statement) throws SQLException {
        statement.execute("BEGIN IMMEDIATE");
    }

    @Test
    void requestsAreCountedAndAnsweredWithoutTheArchive() {
        ViewerRelationshipsReader people = new ViewerRelationshipsReader(a.f.link, InstantSource.system());
        Notifications notifications = new Notifications(a.f.link, a.settings, a.statuses, people);
        NotificationRequests requests =
                new NotificationRequests(notifications, a.f.stores.accounts(), a.statuses, people);
        long old = posts(8).get(7);
        a.f.get(() -> notifications.add(author, Notification.of(Notification.Type.FAVOURITE, ann, old)));
        a.f.get(() -> notifications.policies().choose(author, Map.of(Source.NOT_FOLLOWING, Choice.FILTER)));
        a.archive(author);
        archive.isAway = true;
        List<Request> away = a.f.get(() -> requests.all(author));
        assertThat(away).singleElement().satisfies(request -> {
            assertThat(request.sender()).isEqualTo(ann);
            assertThat(request.aside()).hasSize(1);
            assertThat(request.last()).isNull();
        });
        archive.isAway = false;
        assertThat(a.f.get(() -> requests.all(author)).get(0).last().id()).isEqualTo(old);
        archive.isAway = true;
        a.f.get(() -> requests.accept(author, away));
        assertThat(a.f.get(() -> requests.all(author))).isEmpty();
    }

    /** Each of these leads to an archived status. */
    @Test
    void bookmarksNotificationsThreadsAndQuotesShowWhatIsArchivedAndAreRefusedWhileTheArchiveIsAway() {
        long root = a.post(ann);
        Reference beginning = new Reference(root, ann);
        long answer = post(new Post(
                author, Visibility.PUBLIC, Post.Kind.POST, Content.of("answer"), beginning, beginning, null, null));
        long quote = post(
                new Post(author, Visibility.PUBLIC, Post.Kind.POST, Content.of("quote"), null, null, beginning, null));
        posts(4);
        a.archive(author);
        assertThat(a.profile(author)).doesNotContain(Long.toString(answer), Long.toString(quote));
        Reference answered = new Reference(answer, author);
        long below = post(
                new Post(ann, Visibility.PUBLIC, Post.Kind.POST, Content.of("below"), answered, answered, null, null));
        // The answer was put back into Redis to be counted at it.
        a.archive(author);
        for (long id : List.of(answer, quote)) {
            assertThat(a.f.redis
                            .askAt(Keys.status(id), "EXISTS", Keys.status(id))
                            .asLong())
                    .isZero();
        }

        ViewerRelationshipsReader people = new ViewerRelationshipsReader(a.f.link, InstantSource.system());
        Threads threads = new Threads(a.f.link, a.statuses, people);
        Notifications notifications = new Notifications(a.f.link, a.settings, a.statuses, people);
        Status first = a.f.get(() -> a.statuses.find(root)).orElseThrow();
        Status last = a.f.get(() -> a.statuses.find(below)).orElseThrow();
        a.f.redis.askAt(Keys.bookmarks(ann), "ZADD", Keys.bookmarks(ann), "7", Long.toString(answer));
        a.f.get(() -> notifications.add(ann, Notification.of(Notification.Type.MENTION, author, answer)));
        PageRequest newest = PageRequest.newest(10);
        Map<String, Supplier<Future<List<Long>>>> lists = new LinkedHashMap<>();
        lists.put("bookmarks", () -> new SavedStatuses(a.f.link, a.statuses, people)
                .page(Keys.bookmarks(ann), ann, newest)
                .map(StoreFixture::ids));
        lists.put("notifications", () -> notifications
                .page(ann, newest, notification -> notification.type() == Notification.Type.MENTION)
                .map(page ->
                        page.items().stream().map(shown -> shown.status().id()).toList()));
        lists.put("above", () -> threads.ancestors(ann, last).map(found -> found.stream()
                .map(Status::id)
                .filter(id -> id == answer)
                .toList()));
        lists.put("below", () -> threads.descendants(ann, first).map(found -> found.stream()
                .map(Status::id)
                .filter(id -> id == answer)
                .toList()));
        lists.put("quotes", () -> threads.page(SubjectEdges.Kind.QUOTE, root, ann, newest)
                .map(StoreFixture::ids));
        lists.forEach((name, list) ->
                assertThat(a.f.get(list)).as(name).containsOnly(name.equals("quotes") ? quote : answer));

        archive.isAway = true;
        lists.forEach(
                (name, list) -> assertThatThrownBy(() -> a.f.get(list)).as(name).isSameAs(Archive.AWAY));
        archive.isAway = false;
        lists.forEach(
                (name, list) -> assertThat(a.f.get(list)).as(name + " again").hasSize(1));
    }

    /** Posts, and updates the statuses to which it refers. */
    private long post(Post post) {
        Status status = a.f.get(() -> a.statuses.post(post, null)).status();
        a.f.get(() -> new Backlinks(new SubjectEdges(a.f.link, a.settings, a.statuses.archived())).add(status));
        return status.id();
    }

    @Test
    void anUnreadableArchivedStatusIsNotTakenForDeleted() {
        long old = posts(8).get(7);
        a.like(ann, author, old);
        a.archive(author);
        archive.isAway = true;
        assertThatThrownBy(() -> a.f.get(() -> a.favourites.page(ann, PageRequest.newest(10))))
                .isSameAs(Archive.AWAY);
        assertThatThrownBy(() -> a.f.get(() -> a.favourites.finishLike(ann, old, 1)))
                .isSameAs(Archive.AWAY);
        // A process without an archive does no harm either.
        Statuses bare = new Statuses(a.f.link, a.settings, RenderCache.none());
        assertThatThrownBy(() -> a.f.get(() -> bare.find(old))).isSameAs(Archive.AWAY);
        archive.isAway = false;
        assertThat(a.f.get(() -> a.favourites.page(ann, PageRequest.newest(10))).items())
                .extracting(Status::id)
                .containsExactly(old);
    }

    @Test
    void oldStatusesMoveThoughTheirAuthorPostsNoMore() {
        Settings aged = StoreFixture.settings("archive.days=1", "queue.depth-max=1000000");
        Statuses statuses = new Statuses(a.f.link, aged, RenderCache.none(), archive);
        List<Long> posts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            posts.add(
                    0,
                    a.f.get(() -> statuses.post(Post.of(author, "hello"), null))
                            .status()
                            .id());
        }
        long day = Duration.ofDays(1).toMillis();
        assertThat(due()).isEqualTo(Id.epochMillis(posts.get(2)) + day);
        archiveAt(aged, Id.epochMillis(posts.get(2)) + day - 1);
        assertThat(a.profile(author)).hasSize(3);
        // Ids of one millisecond are of one age.
        List<Long> young = posts.stream()
                .filter(id -> Id.epochMillis(id) > Id.epochMillis(posts.get(2)))
                .toList();
        archiveAt(aged, Id.epochMillis(posts.get(2)) + day);
        assertThat(a.profile(author)).hasSize(young.size());
        archiveAt(aged, Id.epochMillis(posts.get(0)) + day);
        assertThat(a.profile(author)).isEmpty();
        assertThat(due()).isNull();
        assertThat(a.walk(author, 2)).isEqualTo(posts);
        assertThat(a.differences()).isEmpty();
        posts.add(
                0,
                a.f.get(() -> statuses.post(Post.of(author, "hello"), null))
                        .status()
                        .id());
        assertThat(due()).isEqualTo(Id.epochMillis(posts.get(0)) + day);
        assertThat(a.walk(author, 3)).isEqualTo(posts);
    }

    @Test
    void tooManyPostsMoveAtOnceThoughTheOldestIsNotOldYet() {
        Settings both = StoreFixture.settings("archive.days=1", "archive.profile-max=4", "queue.depth-max=1000000");
        Statuses statuses = new Statuses(a.f.link, both, RenderCache.none(), archive);
        for (int i = 0; i < 6; i++) {
            a.f.get(() -> statuses.post(Post.of(author, "hello"), null));
        }
        archiveAt(both, System.currentTimeMillis() + 1);
        assertThat(a.profile(author)).hasSize(4);
        assertThat(due())
                .isEqualTo(Id.epochMillis(Long.parseLong(a.profile(author).get(0)))
                        + Duration.ofDays(1).toMillis());
    }

    /** Passes as of a moment, until there is nothing to do at once. */
    private void archiveAt(Settings settings, long now) {
        ArchivePass pass = new ArchivePass(a.f.link, settings, archive) {
            @Override
            protected String now() {
                return Long.toString(now);
            }
        };
        while (a.f.get(() -> pass.run(Id.shard(author)))) {
            // Goes on.
        }
    }

    /** When the author is due; null = never. */
    private Long due() {
        String key = Keys.archiveDue(Id.shard(author));
        Reply due = a.f.redis.askAt(key, "ZSCORE", key, Long.toString(author));
        return due.isNil() ? null : due.asLong();
    }

    @Test
    void aShortHomeIsNotBuiltAgainWhenItsAuthorsHaveNothingMoreInRedis() {
        List<Long> posts = posts(9);
        a.archive(author);
        for (int i = 0; i < 3; i++) {
            a.delete(author, posts.remove(0));
        }
        a.f.follow(ann, author);
        for (int i = 0; i < 3; i++) {
            assertThat(StoreFixture.ids(a.f.get(() -> a.timelines.home(ann, PageRequest.newest(4)))))
                    .isEqualTo(posts.subList(0, 4));
        }
        assertThat(a.metrics.counter("fanfare.homes.rebuilt", "reason", "short").count())
                .isZero();
        assertThat(a.metrics
                        .counter("fanfare.homes.rebuilt", "reason", "absent")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void nothingMovesWhereItIsSwitchedOff() {
        for (int i = 0; i < 9; i++) {
            a.f.post(author);
        }
        assertThat(a.f.get(() -> a.pass.run(Id.shard(author)))).isFalse();
        assertThat(a.profile(author)).hasSize(9);
    }

    @Test
    void ofADeletedAccountTheArchiveHasNothingThatLives() {
        posts(130);
        a.archive(author);
        long liked = Long.parseLong(a.profile(author).get(0));
        a.like(ann, author, liked);
        a.like(author, ann, a.post(ann));

        a.f.get(() -> new AccountAccess(a.f.link).delete(author));
        AccountErasure erasure = new AccountErasure(LoopStores.of(LoopStores.Parts.uncached(
                        a.f.link,
                        a.settings,
                        new Shards(a.settings.redis().shards()),
                        InstantSource.system(),
                        new Random(1))
                .with(archive)));
        AccountErasure.Step step = a.f.get(() -> erasure.step(author, 0));
        int steps = 1;
        for (; !step.done(); steps++) {
            long next = step.next();
            step = a.f.get(() -> erasure.step(author, next));
        }
        a.archive(author);

        assertThat(steps).as("pages").isBetween(4, 10);
        assertThat(a.f.get(() -> archive.count(author, Id.MAX))).isZero();
        assertThat(a.f.get(() -> archive.older(List.of(author), Id.MAX, 10))).isEmpty();
        assertThat(a.f.hash(Keys.archived(Id.shard(author))))
                .doesNotContainKeys("" + author, "n" + author, "p" + author, "f" + author);
        assertThat(a.f.hash(Keys.user(author))).containsOnlyKeys("state", "name", "deleted");
        Verification.assertClean(verified());
    }

    @Test
    void aVerificationComparesTheRowsOfTheArchiveAndGoesWithoutOneThatIsAway() {
        List<Long> posts = posts(8);
        a.archive(author);
        Report clean = verified();
        Verification.assertClean(clean);
        assertThat(clean.looked()).containsEntry(Report.ARCHIVED, 4L);
        assertThat(a.f.get(() -> Verification.of(a.f.link, a.settings)).looked())
                .doesNotContainKey(Report.ARCHIVED);

        long lost = posts.get(0) + 1;
        a.f.get(() -> archive.put(List.of(new Archive.Row(lost, author, false, 1, "{}"))));
        long old = posts.get(7);
        a.f.get(() -> archive.delete(List.of(new Archive.Entry(old, author))));
        assertThat(verified().left())
                .allSatisfy(difference -> assertThat(difference.kind()).isEqualTo(Kind.ARCHIVE))
                .extracting(Difference::detail)
                .containsExactlyInAnyOrder(
                        "status " + lost + " of account " + author
                                + " is above the border of its author and in no profile",
                        "account " + author + " counts 4 archived statuses, the archive has 3");

        archive.isAway = true;
        Report away = verified();
        assertThat(away.left()).isEmpty();
        assertThat(away.archiveNotRead()).isEqualTo("the database does not answer");
    }

    @Test
    void aDeleteThatTheArchiveLacksIsNoDifference() {
        List<Long> posts = posts(8);
        a.archive(author);
        archive.isAway = true;
        assertThat(a.delete(author, posts.get(0))).isTrue();
        assertThat(a.f.redis
                        .askAt(Keys.status(posts.get(0)), "TTL", Keys.status(posts.get(0)))
                        .asLong())
                .as("until the archive has heard of it")
                .isEqualTo(-1);
        archive.isAway = false;
        Verification.assertClean(verified());
        a.archive(author);
        Verification.assertClean(verified());
    }

    private Report verified() {
        return a.f.get(() -> Verification.of(a.f.link, a.settings, archive, Scope.ALL, false));
    }

    @Test
    void aRepairTakesNothingFromWhatIsArchived() {
        List<Long> posts = posts(9);
        a.like(ann, author, posts.get(8));
        a.archive(author);
        a.f.get(() -> Verification.of(a.f.link, a.settings, Scope.ALL, true));
        assertThat(a.f.get(() -> a.statuses.find(posts.get(8))))
                .map(status -> status.counters().likes())
                .isEqualTo(Optional.of(1L));
        assertThat(a.walk(author, 4)).isEqualTo(posts);
        assertThat(a.differences()).isEmpty();
    }
}
