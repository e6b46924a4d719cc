package io.fanfare.api.post;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Key;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.graph.Backlinks;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Comments, reposts and quotes as their author's shard keeps them; plain posts are in {@code StatusesTest}. */
@ParameterizedClass
@KindsOfRedis
class StatusKindsTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long author;
    private long other;
    private int shard;
    private Status original;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        long[] users = f.users(2);
        author = users[0];
        other = users[1];
        shard = Id.shard(author);
        original = post(Post.of(other, "to be talked about"));
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void aCommentIsInTheListOfItsAuthorsCommentsOnly() {
        f.arrangeHome(author, "f0");
        long last = f.post(author);
        Status comment = post(commentOn(original));
        assertThat(f.members(Keys.commentsBy(author))).containsExactly("" + comment.id());
        assertThat(f.members(Keys.profile(author))).containsExactly("" + last);
        assertThat(f.members(Keys.outbox(author))).containsExactly("" + last);
        assertThat(f.list(author)).containsExactly("f0", "" + last);
        assertThat(f.hash(Keys.user(author))).containsEntry("posts", "1").containsEntry("last", "" + last);
        assertThat(f.get(() -> f.stores.statuses().find(comment.id()))).contains(comment);
    }

    @Test
    void aCommentIsListedWithItsAuthorsAfterTheDeleteOfWhatItStandsUnder() {
        long reader = f.users(3)[2];
        Threads threads =
                new Threads(f.link, f.stores.statuses(), new ViewerRelationshipsReader(f.link, InstantSource.system()));
        Status first = post(commentOn(original));
        Status second = post(commentOn(original));
        f.delete(other, original.id());
        assertThat(f.get(() -> threads.commentsBy(author, reader, PageRequest.newest(1)))
                        .items())
                .containsExactly(second);
        assertThat(f.get(() -> threads.commentsBy(author, reader, PageRequest.olderThan(second.id(), 1)))
                        .items())
                .containsExactly(first);

        String list = Keys.commentsBy(author);
        f.redis.askAt(list, "ZADD", list, "1", "1");
        assertThat(f.get(() -> threads.commentsBy(author, 0, PageRequest.newest(5)))
                        .items())
                .containsExactly(second, first);
        TestRedis.awaitUntil("what is gone leaves the list, beside the answer", () -> !f.members(list)
                .contains("1"));
    }

    @Test
    void theJobOfACommentNeverWaitsBehindFollowers() {
        f.redis.askAt(Keys.user(author), "HSET", Keys.user(author), "followers", "100000");
        Status comment = post(commentOn(original));
        assertThat(f.jobs(shard, "high")).contains("announce.1 " + author + " " + comment.id() + " 0");
    }

    @Test
    void aDeletedCommentChangesNoListAndKeepsTheTargetsForItsJob() {
        long last = f.post(author);
        Status comment = post(commentOn(original));
        assertThat(f.get(() -> f.stores.statuses().delete(author, comment.id())))
                .contains(comment);
        assertThat(f.members(Keys.commentsBy(author))).isEmpty();
        assertThat(f.account(author).statusesCount()).isEqualTo(1);
        assertThat(f.hash(Keys.user(author))).containsEntry("last", "" + last);
        Status left = f.get(() -> f.stores.statuses().findDeleted(comment.id())).orElseThrow();
        assertThat(left.text()).isEmpty();
        assertThat(Backlinks.of(left)).isEqualTo(Backlinks.of(comment)).hasSize(2);
    }

    @Test
    void aRepostIsAPostOfItsAuthorsThatIsFoundByItsOriginal() {
        f.arrangeHome(author, "f0");
        Status repost = post(repost());
        String id = "" + repost.id();
        assertThat(f.members(Keys.profile(author))).containsExactly(id);
        assertThat(f.members(Keys.outbox(author))).containsExactly(id);
        assertThat(f.list(author)).containsExactly("f0", id);
        assertThat(f.hash(Keys.user(author))).containsEntry("posts", "1").containsEntry("last", id);
        assertThat(f.members(Keys.reblogged(author))).containsExactly("" + original.id());
        assertThat(f.get(() -> f.stores.statuses().repostOf(original.id(), author)))
                .contains(repost.id());
        assertThat(f.get(() -> f.stores.statuses().repostOf(original.id(), other)))
                .isEmpty();
        assertThat(repost.subjectId()).isEqualTo(original.id());
    }

    @Test
    void manyRepostsOfOneOriginalAtOnceAreOne() {
        List<Statuses.Posted> answers = f.get(() -> {
            List<Future<Statuses.Posted>> posts = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                posts.add(f.stores
                        .statuses()
                        .post(repost(), i % 2 == 0 ? null : IdempotentRequest.of("key" + i, "repost")));
            }
            return Future.all(posts).map(all -> all.<Statuses.Posted>list());
        });
        Set<Status> reposts = new HashSet<>();
        answers.forEach(answer -> reposts.add(answer.status()));
        assertThat(reposts).hasSize(1);
        assertThat(answers).filteredOn(answer -> !answer.repeated()).hasSize(1);
        assertThat(f.account(author).statusesCount()).isEqualTo(1);
        assertThat(f.members(Keys.profile(author))).hasSize(1);
        assertThat(f.jobs(shard, "high"))
                .filteredOn(job -> job.startsWith("fan_out.1 " + author))
                .hasSize(1);
    }

    @Test
    void aRepostThatWasTakenBackCanBeMadeAgain() {
        Status first = post(repost());
        f.delete(author, first.id());
        assertThat(f.members(Keys.reblogged(author))).isEmpty();
        assertThat(f.account(author).statusesCount()).isZero();
        Status left = f.get(() -> f.stores.statuses().findDeleted(first.id())).orElseThrow();
        assertThat(Backlinks.of(left)).isEqualTo(Backlinks.of(first)).hasSize(1);
        Status second = post(repost());
        assertThat(second.id()).isGreaterThan(first.id());
        f.delete(author, first.id());
        assertThat(f.get(() -> f.stores.statuses().repostOf(original.id(), author)))
                .contains(second.id());
    }

    @Test
    void aQuoteIsNoRepost() {
        Status quote = post(quote());
        assertThat(f.members(Keys.reblogged(author))).isEmpty();
        assertThat(f.members(Keys.profile(author))).containsExactly("" + quote.id());
        assertThat(quote.subjectId()).isEqualTo(quote.id());
        f.delete(author, quote.id());
        Status left = f.get(() -> f.stores.statuses().findDeleted(quote.id())).orElseThrow();
        assertThat(Backlinks.of(left)).isEqualTo(Backlinks.of(quote)).hasSize(1);
    }

    @Test
    void theKeysOfAStatusAreDeletedWithIt() {
        Status status = post(Post.of(author, "hello"));
        List<String> kept = new ArrayList<>(Key.ofStatus(status.id()));
        kept.remove(Keys.status(status.id()));
        assertThat(kept).hasSizeGreaterThan(5);
        kept.forEach(key -> f.redis.askAt(key, "ZADD", key, "1", "1"));
        f.delete(author, status.id());
        assertThat(f.redis.keys()).doesNotContainAnyElementsOf(kept).contains(Keys.status(status.id()));
        assertThat(f.hash(Keys.status(status.id()))).isEqualTo(Map.of("uid", "" + author, "gone", "1"));
    }

    private Status post(Post post) {
        return f.get(() -> f.stores.statuses().post(post, null)).status();
    }

    private Post commentOn(Status subject) {
        Reference root = new Reference(4710, 814);
        return new Post(
                author,
                Visibility.UNLISTED,
                Post.Kind.COMMENT,
                Content.of("well said"),
                Reference.to(subject),
                root,
                null,
                null);
    }

    private Post repost() {
        return about(Post.Kind.REPOST, Content.NONE);
    }

    private Post quote() {
        return about(Post.Kind.POST, Content.of("look"));
    }

    private Post about(Post.Kind kind, Content content) {
        return new Post(author, Visibility.PUBLIC, kind, content, null, null, Reference.to(original), null);
    }
}
