package io.fanfare.common.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Backlinks;
import io.fanfare.common.store.Edits;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.StoreFixture;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.testing.TestRedis;
import io.fanfare.common.testing.Verification;
import io.fanfare.common.verify.Verifier.Scope;
import io.fanfare.common.view.RenderCache;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Old statuses leave Redis and are shown, liked and deleted as before. */
@ParameterizedClass
@EnumSource
class ArchiveTest {
    @Parameter
    TestRedis.Kind kind;

    private final MemoryArchive memory = new MemoryArchive();
    private ArchiveFixture a;
    private long author;
    private long ann;

    @BeforeEach
    void open() {
        a = new ArchiveFixture(kind.redis(), memory);
        long[] users = a.f.users(2);
        author = users[0];
        ann = users[1];
    }

    @AfterEach
    void close() {
        a.close();
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
        for (int limit : new int[] {1, 2, 3, 7, 40}) {
            assertThat(a.walkHome(reader, limit)).as("by %d", limit).isEqualTo(all);
        }
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
        a.f.get(() -> new Backlinks(new SubjectEdges(a.f.link, a.settings, a.statuses.archived())).tell(status));
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
    void anArticleKeepsItsHashSinceRankingsReadIt() {
        Article article = new Article("Ten fast queues", "https://example.org/", List.of());
        Post post = new Post(
                author,
                Visibility.PUBLIC,
                Post.Kind.POST,
                new Content("Ten fast queues", "", false, null, List.of(), List.of(), null, article),
                null,
                null,
                null,
                null);
        long id = a.f.get(() -> a.statuses.post(post, null)).status().id();
        List<Long> posts = posts(8);
        a.archive(author);
        posts.add(id);
        assertThat(a.profile(author)).hasSize(4);
        assertThat(a.f.number(Keys.status(id), "EXISTS", Keys.status(id))).isEqualTo(1);
        assertThat(a.walk(author, 3)).isEqualTo(posts);
    }

    @Test
    void withoutTheArchivePostingGoesOnAndPagesEndWithoutAFalseEnd() {
        List<Long> posts = posts(8);
        a.archive(author);
        memory.isAway = true;
        posts.addAll(0, posts(1));

        var page = a.f.get(() -> a.timelines.profile(author, 0, PageRequest.newest(20)));
        assertThat(StoreFixture.ids(page)).isEqualTo(posts.subList(0, 5));
        assertThat(page.next()).isPositive();
        assertThatThrownBy(() -> a.f.get(() -> a.timelines.profile(author, 0, PageRequest.olderThan(page.next(), 20))))
                .isSameAs(Archive.AWAY);
        assertThatThrownBy(() -> a.f.get(() -> a.statuses.find(posts.get(8)))).isSameAs(Archive.AWAY);
        // An id that no archive can have is still unknown.
        assertThat(a.f.get(() -> a.statuses.find(posts.get(0) + (1L << 20)))).isEmpty();

        memory.isAway = false;
        var rest = a.f.get(() -> a.timelines.profile(author, 0, PageRequest.olderThan(page.next(), 20)));
        assertThat(StoreFixture.ids(rest)).isEqualTo(posts.subList(5, 9));
    }

    @Test
    void whatCannotBeAskedForIsNotTakenForDeleted() {
        long old = posts(8).get(7);
        a.like(ann, author, old);
        a.archive(author);
        memory.isAway = true;
        assertThatThrownBy(() -> a.f.get(() -> a.favourites.page(ann, PageRequest.newest(10))))
                .isSameAs(Archive.AWAY);
        assertThatThrownBy(() -> a.f.get(() -> a.favourites.finishLike(ann, old, 1)))
                .isSameAs(Archive.AWAY);
        // A process without an archive does no harm either.
        Statuses bare = new Statuses(a.f.link, a.settings, RenderCache.none());
        assertThatThrownBy(() -> a.f.get(() -> bare.find(old))).isSameAs(Archive.AWAY);
        memory.isAway = false;
        assertThat(a.f.get(() -> a.favourites.page(ann, PageRequest.newest(10))).items())
                .extracting(Status::id)
                .containsExactly(old);
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
