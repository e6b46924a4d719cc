package io.fanfare.core.feed;

import static io.fanfare.core.testing.StoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How authors turn from push to pull and back (docs/feeds.md, section 4). */
@ParameterizedClass
@KindsOfRedis
public class DialTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long author;
    private long[] readers;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        long[] users = f.users(4);
        author = users[0];
        readers = new long[] {users[1], users[2], users[3]};
        for (long reader : readers) {
            f.follow(reader, author);
        }
    }

    @AfterEach
    void close() {
        f.close();
    }

    private static Stores stores(StoreFixture f, int pushMax) {
        return Stores.on(f.link, StoreFixture.settings("feeds.push-max-followers=" + pushMax), 3);
    }

    @CanIgnoreReturnValue
    private long post(int pushMax) {
        return post(stores(f, pushMax).statuses());
    }

    @CanIgnoreReturnValue
    private long post(Statuses statuses) {
        return f.get(() -> statuses.post(Post.of(author, "hello"), null))
                .status()
                .id();
    }

    private String dial() {
        return f.hash(Keys.user(author)).getOrDefault("dial", "");
    }

    private List<String> pulledAuthors() {
        return f.members(Keys.pulledAuthors(Id.shard(author)));
    }

    private String lastJob() {
        List<String> all = new ArrayList<>();
        for (String lane : List.of("low", "normal", "high")) {
            all.addAll(f.jobs(Id.shard(author), lane));
        }
        return all.stream()
                .max(Comparator.comparing(
                        job -> JobCodec.decode("0 0 1 " + job).job(), Comparator.comparingLong(DialTest::statusOf)))
                .orElse("");
    }

    private static long statusOf(Job job) {
        return job instanceof Job.Announce announce
                ? announce.status()
                : job instanceof Job.FanOut fanOut ? fanOut.status() : 0;
    }

    private List<String> jobs(String lane) {
        return f.jobs(Id.shard(author), lane);
    }

    @Test
    void anAuthorWithAsManyFollowersAsTheDialIsPushed() {
        post(3);
        post(3);
        assertThat(dial()).isEmpty();
        assertThat(pulledAuthors()).isEmpty();
        assertThat(lastJob()).startsWith("fan_out.1 ");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000})
    void atEveryValueReadersGetThePostsOfTheLanguagesThatTheyWant(int pushMax) {
        Stores stores = stores(f, pushMax);
        for (long reader : readers) {
            assertThat(ids(f.get(() -> stores.timelines().home(reader, PageRequest.newest(10)))))
                    .as("is built")
                    .isEmpty();
        }
        Graph.Terms english = new Graph.Terms(null, null, List.of("en"));
        assertThat(f.get(() -> stores.graph().follow(readers[0], author, Lane.HIGH, english))
                        .terms())
                .isPositive();
        List<Long> wanted = new ArrayList<>();
        List<Long> all = new ArrayList<>();
        for (String language : Arrays.asList("en", "de", null, "de", "en-GB")) {
            Content content = new Content("hello", "", false, language, List.of(), List.of(), null);
            long id = f.get(() -> stores.statuses().post(Post.of(author, Visibility.PUBLIC, content), null))
                    .status()
                    .id();
            all.add(0, id);
            if (!"de".equals(language)) {
                wanted.add(0, id);
            }
            if (!dial().startsWith("pull")) {
                f.fanOut(author, id);
            }
        }

        Stores fresh = stores(f, pushMax);
        assertThat(ids(f.get(() -> fresh.timelines().home(readers[0], PageRequest.newest(10)))))
                .isEqualTo(wanted);
        assertThat(ids(f.get(() -> fresh.timelines().home(readers[1], PageRequest.newest(10)))))
                .isEqualTo(all);
        assertThat(ids(f.get(() -> fresh.timelines().home(readers[0], PageRequest.justAbove(1, 10)))))
                .isEqualTo(wanted);
    }

    @Test
    void anAuthorAboveTheDialIsAnnouncedWithOnePostAndPulledFromTheNext() {
        long pushed = post(2);
        assertThat(dial()).startsWith("up ");
        assertThat(pulledAuthors()).containsExactly("" + author);
        assertThat(jobs("normal")).contains("fan_out.1 " + author + " " + pushed + " 0");
        long left = post(2);
        assertThat(dial()).isEqualTo("pull " + left);
        assertThat(jobs("high")).contains("announce.1 " + author + " " + left + " 0");
        assertThat(jobs("normal")).noneMatch(job -> job.contains(" " + left + " "));
        long next = post(2);
        assertThat(dial()).isEqualTo("pull " + left);
        assertThat(f.number(
                        Keys.pulledAuthors(Id.shard(author)),
                        "ZSCORE",
                        Keys.pulledAuthors(Id.shard(author)),
                        "" + author))
                .isEqualTo(next);
    }

    @Test
    void noPostIsLeftToReadersBeforeTheLeaseIsOver() {
        Statuses patient = new Statuses(f.link, StoreFixture.settings("feeds.push-max-followers=0"));
        post(patient);
        long second = post(patient);
        assertThat(dial()).startsWith("up ");
        assertThat(lastJob()).contains("" + second).startsWith("fan_out.1 ");
    }

    @Test
    void halfAsManyFollowersBringAnAuthorBack() {
        post(2);
        long from = post(2);
        f.get(() -> f.stores.follows().unfollow(readers[0], author));
        post(2);
        assertThat(dial()).as("two of two").isEqualTo("pull " + from);
        f.get(() -> f.stores.follows().unfollow(readers[1], author));
        long to = post(2);
        assertThat(dial()).isEqualTo("down " + from + " " + to);
        assertThat(pulledAuthors()).as("until all have caught up").containsExactly("" + author);
        assertThat(jobs("low")).contains("catch_up.1 " + author + " " + from + " " + to + " 0");
        assertThat(jobs("high")).contains("fan_out.1 " + author + " " + to + " 0");
        assertThat(f.get(() -> f.stores.statuses().endPull(author, from, to))).isTrue();
        assertThat(dial()).isEmpty();
        assertThat(pulledAuthors()).isEmpty();
        assertThat(f.get(() -> f.stores.statuses().endPull(author, from, to)))
                .as("again")
                .isFalse();
    }

    @Test
    void anAuthorThatWasOnlyAnnouncedIsPushedAgainAtOnce() {
        post(2);
        post(1_000_000);
        assertThat(dial()).isEmpty();
        assertThat(pulledAuthors()).isEmpty();
        assertThat(jobs("low")).isEmpty();
    }

    @Test
    void anAuthorWhoseFollowersCatchUpCanTurnAgain() {
        post(2);
        long from = post(2);
        post(1_000_000);
        long again = post(2);
        assertThat(dial()).as("what was pulled before is not forgotten").isEqualTo("pull " + from);
        assertThat(lastJob()).startsWith("announce.1 " + author + " " + again);
    }

    /** 200 jobs may wait in a lane here, and a page of followers has 2. */
    @Test
    void aBacklogLeavesTheLongListsToReadersUntilItIsGone() {
        String lane = Keys.lane(Id.shard(author), "normal");
        for (int i = 0; i < 101; i++) {
            f.redis.askAt(lane, "LPUSH", lane, "0 0 1 fan_out.1 4 8 0");
        }
        post(1_000_000);
        long left = post(1_000_000);
        assertThat(dial()).isEqualTo("pull " + left);
        for (int i = 0; i < 100; i++) {
            f.redis.askAt(lane, "LPUSH", lane, "0 0 1 fan_out.1 4 8 0");
        }
        assertThat(post(1_000_000))
                .as("a full lane refuses nobody whose job goes elsewhere")
                .isPositive();
        f.redis.askAt(lane, "DEL", lane);
        post(1_000_000);
        assertThat(dial()).startsWith("down " + left);
    }

    @Test
    void commentsAreNobodysToPull() {
        post(2);
        String before = dial();
        Post comment = new Post(
                author,
                Visibility.PUBLIC,
                Post.Kind.COMMENT,
                Post.of(author, "hello").content(),
                new Reference(4711, author),
                null,
                null,
                null);
        f.get(() -> stores(f, 2).statuses().post(comment, null));
        assertThat(dial()).isEqualTo(before);
    }

    @Test
    void pulledPostsAreShownAtOnceAndOnEveryKindOfPage() {
        List<Long> posts = new ArrayList<>();
        f.home(readers[0], 1);
        for (int i = 0; i < 9; i++) {
            posts.add(0, post(0));
            if (i == 0) {
                f.fanOut(author, posts.get(0));
            }
            assertThat(f.home(readers[0], 1)).as("read after it was posted").containsExactly(posts.get(0));
        }
        for (int limit = 1; limit <= 10; limit++) {
            assertThat(f.walkDown(readers[0], limit)).as("limit %d", limit).isEqualTo(posts);
            assertThat(f.walkDown(readers[1], limit)).as("limit %d", limit).isEqualTo(posts);
        }
        List<Long> upward = new ArrayList<>();
        for (long at = 1; at > 0; ) {
            List<Long> page = ids(f.home(readers[0], PageRequest.justAbove(at, 2)));
            upward.addAll(0, page);
            at = page.isEmpty() ? 0 : page.get(0);
        }
        assertThat(upward).isEqualTo(posts);
        List<Long> since = ids(f.home(readers[0], new PageRequest(Id.MAX, posts.get(3), 0, 10)));
        assertThat(since).isEqualTo(posts.subList(0, 3));
    }

    @Test
    void pagesThatPullAreCounted() {
        f.home(readers[0], 1);
        f.home(readers[0], 1);
        assertThat(reads(f)).as("nobody is pulled").isEqualTo("home=1 rebuilt=1");
        long pushed = post(0);
        assertThat(f.home(readers[0], 1)).containsExactly(pushed);
        assertThat(reads(f)).isEqualTo("home=2 rebuilt=1 pulled=1");
    }

    /** The sources of pages of homes, as far as there were any. */
    static String reads(StoreFixture f) {
        HomeMetrics metrics = f.stores.timelines().metrics();
        return Arrays.stream(HomeMetrics.Source.values())
                .filter(source -> metrics.reads(source) > 0)
                .map(source -> source.name().toLowerCase(Locale.ROOT) + "=" + (int) metrics.reads(source))
                .collect(Collectors.joining(" "));
    }

    @Test
    void aHomeTakesWhatWasPulledAndIsTrimmedLikeAnyOther() {
        f.home(readers[0], 1);
        List<Long> posts = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            posts.add(0, post(0));
            f.home(readers[0], 2);
        }
        assertThat(f.list(readers[0]).size())
                .as("four and a slack of one, with repeats")
                .isLessThanOrEqualTo(12);
        List<Long> walk = f.walkDown(readers[0], 3);
        Collections.sort(walk, Collections.reverseOrder());
        assertThat(walk).isEqualTo(posts);
    }
}
