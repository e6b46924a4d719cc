package io.fanfare.core.testing;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.feed.Stores;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Stores on an emptied Redis with small limits (home 4, slack 1, outbox 2), an event loop to call them on, and short
 * words for what tests do over and over.
 */
public final class StoreFixture implements AutoCloseable {
    private static final String[] SMALL = {
        "feeds.home-max=4",
        "feeds.home-slack=1",
        "feeds.outbox-max=2",
        "feeds.fan-out-page=2",
        "limits.following-max=5",
        "limits.blocks-max=3",
        "limits.mutes-max=3",
        "queue.depth-max=200"
    };

    /** More than it takes to give out ids of later milliseconds, and less than tests move a clock by. */
    private static final long NEAR_MILLIS = 1000;

    public final TestRedis redis;
    public final Settings settings;
    public final RedisLink link;
    public final Stores stores;
    private final Vertx vertx;
    private final Context loop;
    private long lastAuthor;
    private long lastPost;

    private StoreFixture(TestRedis redis, Vertx vertx, Context loop, RedisLink link) {
        this.redis = redis;
        this.vertx = vertx;
        this.loop = loop;
        this.link = link;
        this.settings = settings();
        this.stores = Stores.on(link, settings, 1);
    }

    /** The small limits, and more. */
    public static Settings settings(String... more) {
        return SettingsLoader.defaultsWith(
                Stream.concat(Stream.of(SMALL), Stream.of(more)).toArray(String[]::new));
    }

    public static StoreFixture on(TestRedis redis) {
        redis.flush();
        Vertx vertx = Vertx.vertx();
        AtomicReference<Context> loop = new AtomicReference<>();
        Promise<RedisLink> opened = Promise.promise();
        vertx.runOnContext(v -> {
            loop.set(vertx.getOrCreateContext());
            RedisLink.open(vertx, redis.options()).onComplete(opened);
        });
        RedisLink link = TestRedis.await(opened.future());
        return new StoreFixture(redis, vertx, loop.get(), link);
    }

    public Vertx vertx() {
        return vertx;
    }

    /** Calls a store on its event loop and waits for the answer; a failure is thrown as it is. */
    @CanIgnoreReturnValue
    public <T> T get(Supplier<Future<T>> call) {
        Promise<T> promise = Promise.promise();
        loop.runOnContext(v -> call.get().onComplete(promise));
        return TestRedis.await(promise.future());
    }

    /** New accounts, named a, b, c and so on. */
    @CanIgnoreReturnValue
    public long[] users(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add("user" + i);
        }
        return get(() -> stores.accounts().signUpAll(names)).stream()
                .mapToLong(id -> id)
                .toArray();
    }

    /**
     * A new post, whose id is higher than that of the post before: ids that two shards give in one millisecond are in
     * any order. One that a test has put far into the future is not waited for.
     */
    @CanIgnoreReturnValue
    public long post(long author) {
        long ended = Id.epochMillis(lastPost);
        boolean isNear = ended - System.currentTimeMillis() < NEAR_MILLIS;
        while (author != lastAuthor && isNear && System.currentTimeMillis() <= ended) {
            Thread.onSpinWait();
        }
        lastAuthor = author;
        lastPost = get(() -> stores.statuses().post(Post.of(author, "hello"), null))
                .status()
                .id();
        return lastPost;
    }

    public void delete(long author, long id) {
        get(() -> stores.statuses().delete(author, id));
    }

    /** All steps of a follow; the edge. */
    @CanIgnoreReturnValue
    public long follow(long follower, long followee) {
        return get(() -> stores.follows().follow(follower, followee)).edge();
    }

    /** Runs the fan-out job of a status as a worker does. */
    public void fanOut(long author, long id) {
        List<Homes.Delivery> deliveries = new ArrayList<>();
        get(() -> stores.graph().followersAfter(author, 0, 1000))
                .forEach(edge -> deliveries.add(new Homes.Delivery(edge.accountId(), List.of(id))));
        get(() -> stores.homes().push(deliveries));
    }

    public Page<Status> home(long reader, PageRequest page) {
        return get(() -> stores.timelines().home(reader, page));
    }

    /** The ids of the newest page. */
    @CanIgnoreReturnValue
    public List<Long> home(long reader, int limit) {
        return ids(home(reader, PageRequest.newest(limit)));
    }

    /** The whole home timeline, walked down page by page. */
    public List<Long> walkDown(long reader, int limit) {
        List<Long> walk = new ArrayList<>();
        Page<Status> page = home(reader, PageRequest.newest(limit));
        walk.addAll(ids(page));
        while (page.next() > 0) {
            page = home(reader, PageRequest.olderThan(page.next(), limit));
            walk.addAll(ids(page));
        }
        return walk;
    }

    public static List<Long> ids(Page<Status> page) {
        return page.items().stream().map(Status::id).toList();
    }

    public Account account(long id) {
        return get(() -> stores.accounts().find(id)).orElseThrow();
    }

    /** The elements of a home as they lie in Redis, head first. */
    public List<String> list(long reader) {
        return strings(redis.askAt(Keys.home(reader), "LRANGE", Keys.home(reader), "0", "-1"));
    }

    /** Puts a home into Redis as it is spelled. */
    public void arrangeHome(long reader, String... elements) {
        List<String> command = new ArrayList<>(List.of("RPUSH", Keys.home(reader)));
        command.addAll(List.of(elements));
        redis.askAt(Keys.home(reader), command.toArray(String[]::new));
        redis.askAt(Keys.home(reader), "EXPIRE", Keys.home(reader), "1000");
    }

    /** Lists statuses that are gone, whose ids are those that follow one. */
    public void arrangeGone(String key, long after, int count) {
        List<String> command = new ArrayList<>(List.of("ZADD", key));
        for (long gone = after + 1; gone <= after + count; gone++) {
            command.addAll(List.of("" + gone, "" + gone));
        }
        redis.askAt(key, command.toArray(String[]::new));
    }

    public long number(String key, String... command) {
        return redis.askAt(key, command).asLong();
    }

    /** A sorted set's members in the order of their scores. */
    public List<String> members(String key) {
        return strings(redis.askAt(key, "ZRANGE", key, "0", "-1"));
    }

    public Map<String, String> hash(String key) {
        List<String> flat = strings(redis.askAt(key, "HGETALL", key));
        Map<String, String> hash = new TreeMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            hash.put(flat.get(i), flat.get(i + 1));
        }
        return hash;
    }

    /** The jobs that wait in a lane, oldest first, without their envelope: type and fields. */
    public List<String> jobs(int shard, String lane) {
        List<String> jobs = new ArrayList<>();
        for (String line : strings(redis.askAt(Keys.lane(shard, lane), "LRANGE", Keys.lane(shard, lane), "0", "-1"))) {
            jobs.add(0, line.split(" ", 4)[3]);
        }
        return jobs;
    }

    static List<String> strings(Reply reply) {
        return reply.items().stream().map(Reply::asString).toList();
    }

    @Override
    public void close() {
        TestRedis.await(link.close());
        TestRedis.await(vertx.close());
    }
}
