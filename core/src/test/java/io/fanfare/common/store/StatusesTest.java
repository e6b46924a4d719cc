package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Post.Kind;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.testing.Milliseconds;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class StatusesTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long author;
    private int shard;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        author = f.users(1)[0];
        shard = Id.shard(author);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void postingIsOneStepThatLeavesNothingOut() {
        f.arrangeHome(author, "f0");
        Status status = post(Post.of(author, "hello"), "key").status();
        String id = Long.toString(status.id());
        assertThat(f.redis.keys())
                .containsExactlyInAnyOrder(
                        Keys.login("user0"),
                        Keys.NAMES,
                        Keys.NEW_ACCOUNTS,
                        Keys.user(author),
                        Keys.counts(shard),
                        Keys.ids(shard),
                        Keys.status(status.id()),
                        Keys.profile(author),
                        Keys.outbox(author),
                        Keys.home(author),
                        Keys.lane(shard, "high"),
                        Keys.queueStats(shard),
                        f.redis.keys().stream()
                                .filter(key -> key.startsWith("idem:"))
                                .findFirst()
                                .orElseThrow());
        assertThat(f.hash(Keys.status(status.id()))).isEqualTo(Map.of("uid", "" + author, "text", "hello"));
        assertThat(f.members(Keys.profile(author))).containsExactly(id);
        assertThat(f.members(Keys.outbox(author))).containsExactly(id);
        assertThat(f.list(author)).containsExactly("f0", id);
        assertThat(f.hash(Keys.user(author))).containsEntry("posts", "1").containsEntry("last", id);
        assertThat(f.jobs(shard, "high")).containsExactly("fan_out.1 " + author + " " + id + " 0");
        assertThat(f.hash(Keys.queueStats(shard))).containsEntry("enqueued", "1");
        assertThat(f.number(Keys.ids(shard), "GET", Keys.ids(shard))).isEqualTo(status.id());
        assertThat(Id.shard(status.id())).isEqualTo(shard);
    }

    @Test
    void everyFieldComesBackAsItWasPosted() {
        Content content = new Content(
                "Grüße, 编程 🎺\r\n{a}",
                "warned",
                true,
                "de",
                List.of(new Mention(11, "ann"), new Mention(12, "bob")),
                List.of("grüße", "编程"),
                new Place(-0.5, 179.25, "at the sea"),
                new Article("Grüße, 编程 🎺", "https://example.org/?a=b", List.of("java", "编程")));
        Reference reply = new Reference(4711, 815);
        Reference original = new Reference(4712, 816);
        Reference root = new Reference(4710, 814);
        Post post = new Post(author, Visibility.PRIVATE, Kind.COMMENT, content, reply, root, original, null)
                .postedWith(new Application("toot", "https://toot.example/?a=b"));
        Status status = post(post, null).status();
        assertThat(status).isEqualTo(new Status(status.id(), post, Counters.NONE));
        assertThat(f.get(() -> f.stores.statuses().find(status.id()))).contains(status);
        assertThat(f.get(() -> f.stores.statuses().load(List.of(1L, status.id()))))
                .isEqualTo(Map.of(status.id(), status));
    }

    @Test
    void ofAnAppWhoseWebsiteAnOlderProcessHasNotKeptTheNameStays() {
        Post post = Post.of(author, "hello").postedWith(new Application("toot", "https://toot.example/"));
        Status status = post(post, null).status();
        String key = Keys.status(status.id());
        assertThat(f.hash(key)).containsEntry("app", "toot").containsEntry("site", "https://toot.example/");

        f.redis.askAt(key, "HDEL", key, "site");

        assertThat(f.get(() -> f.stores.statuses().find(status.id())))
                .contains(new Status(status.id(), post.postedWith(new Application("toot", null)), Counters.NONE));
    }

    @Test
    void theJobIsOneThatWorkersUnderstand() {
        long id = f.post(author);
        String line = f.redis
                .askAt(Keys.lane(shard, "high"), "LINDEX", Keys.lane(shard, "high"), "0")
                .asString();
        assertThat(JobCodec.decode(line).job()).isEqualTo(new Job.FanOut(author, id, 0));
    }

    @Test
    void idsGoUpEvenWhenTheClockGoesBack() {
        long ahead = Id.of(System.currentTimeMillis() + 3_600_000, shard, 3);
        f.redis.askAt(Keys.ids(shard), "SET", Keys.ids(shard), "" + ahead);
        long first = f.post(author);
        long second = f.post(author);
        assertThat(first).isGreaterThan(ahead);
        assertThat(second).isGreaterThan(first);
    }

    /** Or every page would be read from profiles until that moment comes. */
    @Test
    void oneIdOfTheFutureDoesNotRaiseTheFloorOfHomes() {
        long[] users = f.users(40);
        long reader = users[1];
        long other = LongStream.of(users)
                .filter(user -> user != reader && Id.shard(user) != shard)
                .findFirst()
                .orElseThrow();
        f.follow(reader, author);
        f.follow(reader, other);
        f.home(reader, 4);
        long ahead = Id.of(System.currentTimeMillis() + 86_400_000, shard, 0);
        f.redis.askAt(Keys.ids(shard), "SET", Keys.ids(shard), "" + ahead);
        f.fanOut(author, f.post(author));
        for (int i = 0; i < 20; i++) {
            f.fanOut(other, f.post(other));
        }
        Milliseconds.awaitNext(); // An id of this one may be higher than the lowest of it.
        String head = f.list(reader).get(0);
        assertThat(Long.parseLong(head.substring(1).replaceAll("/.*", "")))
                .isBetween(1L, Id.of(System.currentTimeMillis(), 0, 0));
        assertThat(f.home(reader, 4)).hasSize(4);
    }

    @Test
    void theOutboxIsTheNewestPartOfTheProfile() {
        f.post(author);
        long second = f.post(author);
        long third = f.post(author);
        assertThat(f.members(Keys.profile(author))).hasSize(3);
        assertThat(f.members(Keys.outbox(author))).containsExactly("" + second, "" + third);
    }

    @Test
    void anAuthorWithoutAHomeGetsNone() {
        f.post(author);
        assertThat(f.list(author)).isEmpty();
    }

    @Test
    void onesOwnHomeIsTrimmedLikeAnyOther() {
        f.arrangeHome(author, "f0");
        List<Long> posts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            posts.add(f.post(author));
        }
        assertThat(f.list(author))
                .containsExactly(
                        "f" + posts.get(1) + "/4",
                        "" + posts.get(2),
                        "" + posts.get(3),
                        "" + posts.get(4),
                        "" + posts.get(5));
    }

    @Test
    void longFollowerListsWaitInLowerLanes() {
        followers(2);
        f.post(author);
        followers(3);
        f.post(author);
        followers(10_000);
        f.post(author);
        followers(10_001);
        f.post(author);
        assertThat(f.jobs(shard, "high")).hasSize(1);
        assertThat(f.jobs(shard, "normal")).hasSize(2);
        assertThat(f.jobs(shard, "low")).hasSize(1);
    }

    private void followers(int count) {
        f.redis.askAt(Keys.user(author), "HSET", Keys.user(author), "followers", "" + count);
    }

    @Test
    void theSameKeyAndBodyIsTheSameStatus() {
        Statuses.Posted first = post(Post.of(author, "hello"), "key");
        Statuses.Posted second = post(Post.of(author, "hello"), "key");
        assertThat(first.repeated()).isFalse();
        assertThat(second).isEqualTo(new Statuses.Posted(first.status(), true));
        assertThat(f.jobs(shard, "high")).hasSize(1);
        assertThat(f.account(author).statusesCount()).isEqualTo(1);
        String record = f.redis.keys().stream()
                .filter(key -> key.startsWith("idem:"))
                .findFirst()
                .orElseThrow();
        assertThat(f.number(record, "TTL", record)).isBetween(3590L, 3600L);
    }

    @Test
    void theSameKeyWithAnotherBodyIsRefused() {
        post(Post.of(author, "hello"), "key");
        assertRefused(Reason.INVALID, Post.of(author, "hello!"), "key");
        assertThatThrownBy(
                        () -> f.get(() -> f.stores.statuses().earlier(author, IdempotentRequest.of("key", "hello!"))))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .extracting(Refusal::reason)
                .isEqualTo(Reason.INVALID);
        assertThat(f.members(Keys.profile(author))).hasSize(1);
    }

    @Test
    void theSameKeyAndRequestIsTheSameStatusWhateverIsMadeOfIt() {
        IdempotentRequest once = IdempotentRequest.of("key", "@bob hello");
        assertThat(f.get(() -> f.stores.statuses().earlier(author, once))).isEmpty();
        Content named = new Content("@bob hello", "", false, "de", List.of(new Mention(12, "bob")), List.of(), null);
        Post later = new Post(
                author, Visibility.PRIVATE, Kind.POST, named, null, null, new Reference(4712, 816), "another app");
        Status first = f.get(() -> f.stores.statuses().post(Post.of(author, "@bob hello"), once))
                .status();
        Statuses.Posted repeated = new Statuses.Posted(first, true);
        assertThat(f.get(() -> f.stores.statuses().post(later, once))).isEqualTo(repeated);
        assertThat(f.get(() -> f.stores.statuses().earlier(author, once))).contains(repeated);
        assertThat(f.members(Keys.profile(author))).hasSize(1);
    }

    @Test
    void theSameKeyAfterADeleteDoesNotBringTheStatusBack() {
        f.delete(author, post(Post.of(author, "hello"), "key").status().id());
        assertRefused(Reason.NOT_FOUND, Post.of(author, "hello"), "key");
        assertThatThrownBy(() -> f.get(() -> f.stores.statuses().earlier(author, IdempotentRequest.of("key", "hello"))))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .extracting(Refusal::reason)
                .isEqualTo(Reason.NOT_FOUND);
    }

    @Test
    void aPostForAnOlderRevisionOfTheAccountIsNotPublished() {
        Post post = Post.of(author, "hello");
        IdempotentRequest once = IdempotentRequest.of("key", "hello");
        IdempotentRequest other = IdempotentRequest.of("other", "hello");
        assertThat(f.get(() -> f.stores.statuses().post(post, once, 0))).isPresent();
        f.redis.askAt(Keys.user(author), "HSET", Keys.user(author), "rev", "7");

        assertThat(f.get(() -> f.stores.statuses().post(post, other, 0))).isEmpty();
        assertThat(f.members(Keys.profile(author))).hasSize(1);
        assertThat(f.get(() -> f.stores.statuses().post(post, once, 0))
                        .orElseThrow()
                        .repeated())
                .as("the same request, whatever was made of it")
                .isTrue();

        assertThat(f.get(() -> f.stores.statuses().post(post, other, 7))).isPresent();
        assertThat(f.members(Keys.profile(author))).hasSize(2);
    }

    @Test
    void twoAuthorsMayUseTheSameKey() {
        long other = f.users(2)[1];
        post(Post.of(author, "hello"), "key");
        assertThat(post(Post.of(other, "hello"), "key").repeated()).isFalse();
    }

    @Test
    void manyPostsWithOneKeyAtOnceMakeOneStatus() {
        List<Statuses.Posted> answers = f.get(() -> {
            List<Future<Statuses.Posted>> posts = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                posts.add(f.stores.statuses().post(Post.of(author, "hello"), IdempotentRequest.of("key", "hello")));
            }
            return Future.all(posts).map(all -> all.<Statuses.Posted>list());
        });
        Set<Long> ids = new HashSet<>();
        answers.forEach(answer -> ids.add(answer.status().id()));
        assertThat(ids).hasSize(1);
        assertThat(answers).filteredOn(answer -> !answer.repeated()).hasSize(1);
    }

    @Test
    void onlyAnActiveAccountCanPost() {
        f.redis.askAt(Keys.user(author), "HSET", Keys.user(author), "state", "pending");
        assertRefused(Reason.FORBIDDEN, Post.of(author, "hello"), null);
        assertThat(f.members(Keys.profile(author))).isEmpty();
    }

    @Test
    void aFullLaneRefusesPostsAndNothingIsLeftBehind() {
        for (int i = 0; i < 200; i++) {
            f.redis.askAt(Keys.lane(shard, "high"), "LPUSH", Keys.lane(shard, "high"), "job");
        }
        List<String> before = f.redis.keys();
        long lastId = f.number(Keys.ids(shard), "GET", Keys.ids(shard));
        assertRefused(Reason.OVERLOADED, Post.of(author, "hello"), "key");
        assertThat(f.redis.keys()).isEqualTo(before);
        assertThat(f.number(Keys.ids(shard), "GET", Keys.ids(shard)))
                .as("no id is used up, and so nothing is written")
                .isEqualTo(lastId);
    }

    @Test
    void aFullRedisRefusesPostsButDeletes() {
        long id = f.post(author);
        maxmemory("1");
        try {
            assertThatThrownBy(() -> post(Post.of(author, "hello"), null))
                    .asInstanceOf(InstanceOfAssertFactories.type(RedisError.class))
                    .extracting(RedisError::kind)
                    .isEqualTo(RedisError.Kind.OOM);
            f.delete(author, id);
        } finally {
            maxmemory("0");
        }
        assertThat(f.members(Keys.profile(author))).isEmpty();
    }

    private void maxmemory(String bytes) {
        f.redis.servers().forEach(server -> TestRedis.ask(server, "CONFIG", "SET", "maxmemory", bytes));
    }

    @Test
    void deletingIsOneStepThatLeavesNothingOut() {
        f.arrangeHome(author, "f0/1", "1");
        long first = f.post(author);
        long second = f.post(author);
        Status third = post(Post.of(author, Visibility.UNLISTED, Content.of("x")), null)
                .status();
        assertThat(f.get(() -> f.stores.statuses().delete(author, third.id()))).contains(third);
        assertThat(f.hash(Keys.status(third.id())))
                .isEqualTo(Map.of("uid", "" + author, "gone", "1", "vis", "unlisted"));
        assertThat(f.number(Keys.status(third.id()), "TTL", Keys.status(third.id())))
                .isBetween(30 * 86_400 - 10L, 30 * 86_400L);
        assertThat(f.members(Keys.profile(author))).containsExactly("" + first, "" + second);
        assertThat(f.members(Keys.outbox(author))).as("refilled").containsExactly("" + first, "" + second);
        assertThat(f.list(author)).containsExactly("f0/1", "1", "" + first, "" + second);
        assertThat(f.hash(Keys.user(author))).containsEntry("posts", "2").containsEntry("last", "" + second);
        assertThat(f.jobs(shard, "high")).endsWith("retract.1 " + author + " " + third.id() + " 0");
        assertThat(f.get(() -> f.stores.statuses().find(third.id()))).isEmpty();
        assertThat(f.get(() -> f.stores.statuses().findDeleted(third.id())).map(Status::visibility))
                .contains(Visibility.UNLISTED);
        assertThat(f.get(() -> f.stores.statuses().findDeleted(second))).isEmpty();
    }

    @Test
    void deletingTheLastStatusLeavesNoTimeOfALastOne() {
        f.delete(author, f.post(author));
        assertThat(f.account(author).lastStatusAt()).isZero();
        assertThat(f.account(author).statusesCount()).isZero();
    }

    @Test
    void deletingTwiceDoesNothingTheSecondTime() {
        long id = f.post(author);
        f.delete(author, id);
        assertThat(f.get(() -> f.stores.statuses().delete(author, id))).isEqualTo(Optional.empty());
        assertThat(f.jobs(shard, "high")).hasSize(2);
        assertThat(f.account(author).statusesCount()).isZero();
    }

    @Test
    void nobodyDeletesTheStatusOfSomebodyElse() {
        long id = f.post(author);
        for (long other : f.users(20)) {
            if (other != author) {
                assertThat(f.get(() -> f.stores.statuses().delete(other, id))).isEmpty();
            }
        }
        assertThat(f.get(() -> f.stores.statuses().find(id))).isPresent();
        assertThat(f.get(() -> f.stores.statuses().delete(author, 4711))).isEmpty();
    }

    @Test
    void recentPostsSayHowFarDownTheyReach() {
        List<Long> posts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            posts.add(0, f.post(author));
        }
        assertThat(f.get(() -> f.stores.statuses().recent(author))).isEqualTo(new IdRange(posts, 0));
        posts.add(0, f.post(author));
        posts.add(0, f.post(author));
        assertThat(f.get(() -> f.stores.statuses().recent(author)))
                .isEqualTo(new IdRange(posts.subList(0, 4), posts.get(3) - 1));
    }

    @CanIgnoreReturnValue
    private Statuses.Posted post(Post post, String key) {
        return f.get(() -> f.stores
                .statuses()
                .post(post, IdempotentRequest.of(key, post.content().text())));
    }

    private void assertRefused(Reason reason, Post post, String key) {
        assertThatThrownBy(() -> post(post, key))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .extracting(Refusal::reason)
                .isEqualTo(reason);
    }
}
