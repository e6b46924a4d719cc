package io.fanfare.bench.load;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Meta;
import io.fanfare.core.LoopStores;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.QueueStats;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Fills an empty data set through the stores, in memory that does not grow with it but for 8 bytes an account: follows
 * are drawn as they are made, and nothing is kept of posts and homes. Posts come before the follows, so that their jobs
 * deliver to nobody, and homes are built from the profiles by a reading, as those of readers who come back. A worker
 * must run. For the main thread.
 */
public final class SiteFill {
    private static final int PER_CALL = 500;
    private static final int FOLLOWS_PER_CALL = 1000;
    private static final int HOMES_PER_CALL = 20;

    /** Calls under way at most, so that neither Redis nor this process waits for the other. */
    private static final int CALLS_AT_ONCE = 4;

    /** Jobs that may wait before posts wait for the worker. */
    private static final long BACKLOG_MAX = 100_000;

    private static final long BACKLOG_POLL_MILLIS = 50;
    private static final long BACKLOG_MAX_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Homes whose entries are counted. */
    private static final int COUNTED_HOMES = 1000;

    private static final String READER = "reader";
    private static final int WORDS_MIN = 10;
    private static final int WORDS_MAX = 40;
    private static final int TEXT_MAX = 200;
    private static final String[] WORDS =
            ("the be to of and a in that have it for not on with he as you do at this but his by from they we say her she or"
                            + " an will my one all would there their what so up out if about who get which go me when make can like time no"
                            + " just him know take people into year your good some could them see other than then now look only come its"
                            + " over think also back after use two how our work first well way even new want because any these give day most")
                    .split(" ");

    private final EventLoop loop;
    private final Shape shape;
    private final Shards shards;
    private final LoopStores stores;
    private final Timelines timelines;
    private final JobQueue queue;
    private final RandomGenerator random;
    private final long[] ids;

    /**
     * The size of a site.
     *
     * @param follows of each account
     * @param posts of each account
     * @param homesPercent how many of a hundred accounts have a home
     */
    public record Shape(int accounts, int follows, int posts, int homesPercent, long seed) {
        /** How many of the accounts before this one have a home. */
        private int homesBefore(int account) {
            return (int) ((long) account * homesPercent / 100);
        }

        private boolean hasHome(int account) {
            return homesBefore(account + 1) > homesBefore(account);
        }

        public int homes() {
            return homesBefore(accounts);
        }

        /** Readers have numbers of their own, so that others find them. */
        private String username(int account) {
            return hasHome(account) ? reader(homesBefore(account)) : "writer" + (account - homesBefore(account));
        }
    }

    /** Joins the data set. */
    public SiteFill(EventLoop loop, RedisLink link, Settings settings, Shape shape) {
        this.loop = loop;
        this.shape = shape;
        SecureRandom secure = new SecureRandom();
        shards = loop.await(() -> new Meta(link, secure).join(settings.redis().shards()));
        stores = LoopStores.of(LoopStores.Parts.uncached(link, settings, shards, Clock.systemUTC(), secure));
        timelines = stores.timelines(System::nanoTime);
        queue = new JobQueue(link, shards, settings.queue());
        random = new SplittableRandom(shape.seed());
        ids = new long[shape.accounts()];
    }

    /** The user name of an account with a home, from 0 on. */
    public static String reader(int number) {
        return READER + number;
    }

    /** Makes the accounts, without passwords. */
    public void accounts() {
        each("accounts", shape.accounts(), PER_CALL, (from, until) -> stores.accounts()
                .signUpAll(
                        IntStream.range(from, until).mapToObj(shape::username).toList())
                .onSuccess(made -> {
                    for (int i = 0; i < made.size(); i++) {
                        ids[from + i] = made.get(i);
                    }
                }));
    }

    /** Lets everybody post, in turn, and waits until no job is left. */
    public void posts() {
        for (int turn = 1; turn <= shape.posts(); turn++) {
            each("posts, turn " + turn, shape.accounts(), PER_CALL, this::postOnce, () -> awaitBacklog(BACKLOG_MAX));
        }
        awaitBacklog(0);
    }

    private Future<?> postOnce(int from, int until) {
        return Future.all(IntStream.range(from, until)
                .mapToObj(account -> stores.statuses().post(Post.of(ids[account], text()), null))
                .toList());
    }

    /** Draws a text of common English words. */
    private String text() {
        int words = random.nextInt(WORDS_MIN, WORDS_MAX + 1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            String drawn = WORDS[random.nextInt(WORDS.length)];
            if (text.length() + drawn.length() >= TEXT_MAX) {
                break;
            }
            text.append(i == 0 ? "" : " ").append(drawn);
        }
        return text.toString();
    }

    /** Lets everybody follow others by {@link PowerLaw#followees}. */
    public void follows() {
        int accountsPerCall = Math.max(1, FOLLOWS_PER_CALL / shape.follows());
        each("follows of accounts", shape.accounts(), accountsPerCall, (from, until) -> {
            List<long[]> edges = new ArrayList<>((until - from) * shape.follows());
            for (int account = from; account < until; account++) {
                for (int followee : PowerLaw.followees(account, shape.accounts(), shape.follows(), shape.seed())) {
                    edges.add(new long[] {ids[account], ids[followee]});
                }
            }
            return stores.graph().followAll(edges);
        });
    }

    /** Builds the homes. */
    public void homes() {
        each(
                "homes of accounts",
                shape.accounts(),
                HOMES_PER_CALL,
                (from, until) -> Future.all(IntStream.range(from, until)
                        .filter(shape::hasHome)
                        .mapToObj(account -> timelines.home(ids[account], PageRequest.newest(1)))
                        .toList()));
    }

    /** Entries of a home, the mean of some; 0 = there are no homes. */
    public double entriesOfHome() {
        return IntStream.range(0, shape.accounts())
                .filter(shape::hasHome)
                .limit(COUNTED_HOMES)
                .mapToLong(account -> loop.await(() -> stores.homes().stored(ids[account]))
                        .map(IdRange::ids)
                        .map(List::size)
                        .orElse(0))
                .average()
                .orElse(0);
    }

    /** Jobs that were given up. */
    public long dead() {
        return loop.await(queue::stats).stream().mapToLong(QueueStats::dead).sum();
    }

    /** Works on some accounts, from one to before another. */
    private interface Part {
        Future<?> work(int from, int until);
    }

    private void each(String kind, int count, int perCall, Part part) {
        each(kind, count, perCall, part, () -> {});
    }

    /** @param between runs after each step, on the main thread */
    private void each(String kind, int count, int perCall, Part part, Runnable between) {
        long reportedNanos = System.nanoTime();
        for (int from = 0; from < count; from += perCall * CALLS_AT_ONCE) {
            int begin = from;
            loop.run(() -> Future.all(IntStream.range(0, CALLS_AT_ONCE)
                    .map(call -> begin + call * perCall)
                    .filter(first -> first < count)
                    .mapToObj(first -> part.work(first, Math.min(count, first + perCall)))
                    .toList()));
            between.run();
            if (System.nanoTime() - reportedNanos > PROGRESS_NANOS) {
                reportedNanos = System.nanoTime();
                System.err.printf("%s: %,d of %,d%n", kind, Math.min(count, from + perCall * CALLS_AT_ONCE), count);
            }
        }
    }

    /** Waits until so few jobs are left. Posts that were made past the API have woken no worker. */
    private void awaitBacklog(long jobs) {
        if (left() <= jobs) {
            return;
        }
        loop.run(() -> Future.all(
                IntStream.range(0, shards.count()).mapToObj(queue::wake).toList()));
        if (!loop.await(() -> queue.stats().map(all -> left(all) <= jobs), BACKLOG_MAX_NANOS, BACKLOG_POLL_MILLIS)) {
            throw new BenchFailed("the worker did not get through its jobs in time");
        }
    }

    private long left() {
        return left(loop.await(queue::stats));
    }

    private static long left(List<QueueStats> stats) {
        return stats.stream()
                .mapToLong(shard -> shard.waiting() + shard.delayed() + shard.inFlight())
                .sum();
    }
}
