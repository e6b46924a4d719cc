package io.fanfare.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.CustomEmojis;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.RenderCache;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.RenderContext.Showing;
import io.fanfare.common.view.Views;
import io.fanfare.core.feed.HomeMetrics;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.feed.PulledAuthors;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.poll.Polls;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class HydratorTest {
    @Parameter
    TestRedis.Kind kind;

    private final RenderCache cache = RenderCache.of(1 << 20);
    private final Views views = new Views("http://localhost", cache, () -> CustomEmojis.NONE);
    private StoreFixture fixture;
    private RoundTrips redis;
    private Statuses statuses;
    private Timelines timelines;
    private Hydrator loader;
    private long[] users;

    @BeforeEach
    void start() {
        fixture = StoreFixture.on(kind.redis());
        redis = new RoundTrips(fixture.link);
        statuses = new Statuses(redis, fixture.settings, cache);
        ViewerRelationshipsReader viewerRelationships = new ViewerRelationshipsReader(redis, InstantSource.system());
        Homes homes = new Homes(redis, fixture.settings.feeds());
        timelines = new Timelines(
                redis,
                homes,
                statuses,
                viewerRelationships,
                new PulledAuthors(redis, new Shards(fixture.settings.redis().shards()), () -> 0),
                new Random(1),
                InstantSource.system(),
                fixture.settings.feeds(),
                new HomeMetrics(new SimpleMeterRegistry()));
        loader = new Hydrator(
                redis,
                statuses,
                new Accounts(redis, new Shards(fixture.settings.redis().shards()), new Random(1)),
                viewerRelationships,
                new Articles(redis, fixture.settings, InstantSource.system()),
                new Polls(redis, InstantSource.system()),
                new UserFilters(redis, fixture.settings),
                InstantSource.system());
        users = fixture.users(6);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void aHomeTakesThreeRoundTripsHoweverLongItIs() {
        for (int followed = 1; followed < 5; followed++) {
            fixture.follow(users[0], users[followed]);
        }
        fixture.home(users[0], 1); // Builds it.
        for (int i = 1; i < 5; i++) {
            long post = fixture.post(users[i]);
            fixture.fanOut(users[i], post);
        }
        // Whom to pull is looked at every few seconds, and by no page in between when nobody is.
        fixture.get(() -> timelines.home(users[0], PageRequest.newest(1)));
        for (int limit : List.of(1, 2, 4)) {
            redis.count = 0;
            byte[] page = fixture.get(() -> timelines
                    .home(users[0], PageRequest.newest(limit))
                    .compose(read -> loader.load(read.items(), users[0]).map(context -> show(read.items(), context))));

            assertThat(page).isNotEmpty();
            assertThat(redis.count)
                    .as("home and policy, statuses, render context")
                    .isEqualTo(3);
        }
    }

    @Test
    void aPageOfRepostsAndQuotesTakesOneRoundTrip() {
        List<Status> page = new ArrayList<>();
        for (int i = 1; i < 6; i++) {
            Status original = post(Post.of(users[i], "original"));
            page.add(post(repost(users[1], original)));
            page.add(post(quote(users[2], original)));
        }

        assertThat(roundTrips(page.subList(0, 1))).isEqualTo(1);
        assertThat(roundTrips(page)).isEqualTo(1);
    }

    @Test
    void aRepostedQuoteTakesASecondRoundTripUntilItIsCached() {
        Status original = post(Post.of(users[1], "original"));
        Status quote = post(quote(users[2], original));
        Status repost = post(repost(users[3], quote));

        assertThat(roundTrips(List.of(repost))).isEqualTo(2);
        assertThat(roundTrips(List.of(repost))).isEqualTo(1);
    }

    @Test
    void aRepostedQuoteOfAQuoteTakesAThirdRoundTripUntilItIsCached() {
        Status original = post(Post.of(users[1], "original"));
        Status quote = post(quote(users[2], original));
        Status repost = post(repost(users[4], post(quote(users[3], quote))));

        assertThat(roundTrips(List.of(repost))).isEqualTo(3);
        assertThat(roundTrips(List.of(repost))).isEqualTo(1);
        assertThat(load(List.of(repost), users[0]).originals()).containsKey(original.id());
    }

    @Test
    void aViewerWithManyFavouritesTakesOneMoreOnce() {
        Status status = post(Post.of(users[1], "liked"));
        for (long id = 1; id <= ViewerFlagsReader.WHOLE_MAX; id++) {
            like(id);
        }
        like(status.id());

        assertThat(roundTrips(List.of(status))).isEqualTo(2);
        assertThat(roundTrips(List.of(status))).isEqualTo(1);
        assertThat(load(List.of(status), users[0]).favourited()).containsExactly(status.id());
    }

    private void like(long status) {
        fixture.get(() -> redis.send(Command.of("ZADD", Keys.favourites(users[0]), 1, status)));
    }

    @Test
    void aDeletedOriginalIsGoneThoughItIsRemembered() {
        Status original = post(Post.of(users[1], "original"));
        Status quote = post(quote(users[2], original));
        assertThat(roundTrips(List.of(quote))).isEqualTo(1);
        fixture.delete(users[1], original.id());

        RenderContext context = load(List.of(quote), users[0]);

        assertThat(cache.post(original.id())).isNotNull();
        assertThat(context.originals()).isEmpty();
        assertThat(context.covers(quote)).isTrue();
    }

    @Test
    void aViewersFlagsAreOfWhatARepostPassesOn() {
        Status original = post(Post.of(users[1], "original"));
        Status repost = post(repost(users[0], original));
        long edge = repost.id();
        fixture.get(() -> redis.send(Command.of("ZADD", Keys.favourites(users[0]), edge, original.id())));
        fixture.get(() -> redis.send(Command.of("ZADD", Keys.bookmarks(users[0]), edge, original.id())));

        RenderContext context = load(List.of(repost), users[0]);

        assertThat(context.favourited()).containsExactly(original.id());
        assertThat(context.bookmarked()).containsExactly(original.id());
        assertThat(context.reblogged()).containsExactly(original.id());
        assertThat(load(List.of(repost), 0).favourited()).isEmpty();
    }

    @Test
    void pinsOfTheViewerAreMarkedWithoutAnotherRoundTrip() {
        Status own = post(Post.of(users[0], "own"));
        Status other = post(Post.of(users[1], "other"));
        Status repost = post(repost(users[1], own));
        fixture.get(() -> redis.send(Command.of("ZADD", Keys.pins(users[0]), 1, own.id())));

        assertThat(load(List.of(other, own), users[0]).pinned()).containsExactly(own.id());
        assertThat(load(List.of(repost), users[0]).pinned()).containsExactly(own.id());
        assertThat(load(List.of(own), users[1]).pinned()).isEmpty();
        assertThat(roundTrips(List.of(own, other, repost))).isEqualTo(1);
    }

    @Test
    void aQuotedStatusOfWhomTheViewerDoesNotWantToSeeIsMarked() {
        List<Showing> expected = List.of(Showing.FORBIDDEN, Showing.BLOCKED, Showing.MUTED);
        List<String> keys = List.of(Keys.blockedBy(users[0]), Keys.blocks(users[0]), Keys.mutes(users[0]));
        for (int i = 0; i < keys.size(); i++) {
            String key = keys.get(i);
            long author = users[i + 1];
            fixture.get(() -> redis.send(Command.of("ZADD", key, 1, author)));
            Status original = post(Post.of(author, "original"));

            RenderContext context = load(List.of(post(quote(users[5], original))), users[0]);

            assertThat(context.hidden()).containsOnlyKeys(original.id()).containsValue(expected.get(i));
        }
    }

    @Test
    void aPrivateOriginalIsForItsAuthorAndFollowers() {
        Status original = post(Post.of(users[1], Visibility.PRIVATE, Content.of("original")));
        Status quote = post(quote(users[1], original));
        fixture.follow(users[3], users[1]);

        assertThat(load(List.of(quote), users[1]).hidden()).isEmpty();
        assertThat(load(List.of(quote), users[3]).hidden()).isEmpty();
        assertThat(load(List.of(quote), users[2]).hidden()).containsValue(Showing.FORBIDDEN);
        assertThat(load(List.of(quote), 0).hidden()).containsValue(Showing.FORBIDDEN);
    }

    private int roundTrips(List<Status> page) {
        redis.count = 0;
        byte[] shown = show(page, load(page, users[0]));
        assertThat(shown).isNotEmpty();
        return redis.count;
    }

    private RenderContext load(List<Status> page, long viewer) {
        return fixture.get(() -> loader.load(page, viewer));
    }

    private byte[] show(List<Status> page, RenderContext context) {
        return Json.bytes(json -> {
            json.writeStartArray();
            for (Status status : page) {
                views.statuses().write(json, status, context);
            }
            json.writeEndArray();
        });
    }

    private Status post(Post post) {
        return fixture.get(() -> fixture.stores.statuses().post(post, null)).status();
    }

    private static Post repost(long author, Status original) {
        return new Post(
                author, Visibility.PUBLIC, Post.Kind.REPOST, Content.NONE, null, null, Reference.to(original), null);
    }

    private static Post quote(long author, Status original) {
        return new Post(
                author,
                Visibility.PUBLIC,
                Post.Kind.POST,
                Content.of("a quote"),
                null,
                null,
                Reference.to(original),
                null);
    }

    /**
     * Counts how often commands are sent after an answer has come: what is sent before any answer leaves in one write.
     */
    private static final class RoundTrips implements Redis {
        private final Redis redis;
        private boolean answered = true;
        int count;

        RoundTrips(Redis redis) {
            this.redis = redis;
        }

        @Override
        public Future<Reply> send(Command command) {
            return counted(() -> redis.send(command));
        }

        @Override
        public Future<List<Reply>> pipeline(List<Command> commands) {
            return counted(() -> redis.pipeline(commands));
        }

        private <T> Future<T> counted(Supplier<Future<T>> call) {
            count += answered ? 1 : 0;
            answered = false;
            return call.get().onComplete(done -> answered = true);
        }
    }
}
