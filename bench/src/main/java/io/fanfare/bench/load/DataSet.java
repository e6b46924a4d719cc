package io.fanfare.bench.load;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Meta;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.LoopStores;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.QueueStats;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Accounts, follows and full homes for a scenario, made through the stores on the command's event loop. For the main
 * thread.
 */
public final class DataSet {
    private static final int PER_CALL = 500;
    private static final int EDGES_PER_CALL = 1000;
    private static final int HOMES_PER_CALL = 20;

    /** Each look costs Redis a millisecond: more often, it would take a quarter of what is measured. */
    private static final long QUIET_POLL_MILLIS = 50;

    private final EventLoop loop;
    private final Settings settings;
    private final SocialGraph graph;
    private final Shards shards;
    private final SigningKeys keys;
    private final Homes homes;
    private final Statuses statuses;
    private final Timelines timelines;
    private final Tokens tokens;
    private final JobQueue queue;
    private final List<Long> ids = new ArrayList<>();

    /** All of each user, oldest first. */
    private final Map<Long, List<Long>> posted = new HashMap<>();

    /** Joins the empty data set, makes an account for each user of the graph, and all follows. */
    public DataSet(EventLoop loop, RedisLink link, Settings settings, SocialGraph graph) {
        this.loop = loop;
        this.settings = settings;
        this.graph = graph;
        SecureRandom random = new SecureRandom();
        Meta meta = new Meta(link, random);
        shards = loop.await(() -> meta.join(settings.redis().shards()));
        keys = loop.await(() -> meta.signingKeys(settings.auth()));
        LoopStores stores = LoopStores.of(LoopStores.Parts.uncached(link, settings, shards, Clock.systemUTC(), random));
        homes = stores.homes();
        statuses = stores.statuses();
        timelines = stores.timelines(System::nanoTime);
        tokens = new Tokens(link, keys, Clock.systemUTC(), System::nanoTime, random);
        queue = new JobQueue(link, shards, settings.queue());
        List<String> names = IntStream.range(0, graph.users())
                .mapToObj(user -> "bench" + user)
                .toList();
        each(names, PER_CALL, part -> stores.accounts().signUpAll(part).onSuccess(ids::addAll));
        List<long[]> edges = new ArrayList<>();
        for (int user = 0; user < graph.users(); user++) {
            for (int followee : graph.followees(user)) {
                edges.add(new long[] {id(user), id(followee)});
            }
        }
        each(edges, EDGES_PER_CALL, stores.graph()::followAll);
    }

    public Shards shards() {
        return shards;
    }

    public SigningKeys keys() {
        return keys;
    }

    /** The account of a user of the graph. */
    public long id(int user) {
        return ids.get(user);
    }

    /** A token for each user, in their order. */
    public List<String> tokens(List<Integer> users) {
        List<String> issued = new ArrayList<>();
        each(users, PER_CALL, part -> Future.all(part.stream()
                        .map(user -> tokens.issue(id(user), "bench", "bench", Set.of("read", "write")))
                        .toList())
                .map(all -> all.<Tokens.Issued>list())
                .onSuccess(all -> all.forEach(one -> issued.add(one.token()))));
        return issued;
    }

    /**
     * Makes every home exist, by reading it, and fills it with ids of long ago: full and up to its slack more, so that
     * trims come evenly. All of them are sorted, as after a read or a trim; else each first trim would sort its home.
     */
    public void fillHomes(RandomGenerator random) {
        int full = settings.feeds().homeMax();
        int slack = settings.feeds().homeSlack();
        long old = Id.of(System.currentTimeMillis(), 0, 0) - (1L << 40);
        buildHomes();
        each(ids, HOMES_PER_CALL, part -> homes.push(part.stream()
                        .map(reader -> new Homes.Delivery(reader, idsFrom(old, full + random.nextInt(slack + 1))))
                        .toList())
                .compose(pushed -> Future.all(
                        part.stream().map(reader -> homes.sort(reader, full)).toList())));
    }

    private Future<?> readHome(long reader) {
        return timelines.home(reader, PageRequest.newest(1));
    }

    /**
     * Lets every user post so often, of usual length, and builds every home by reading it; answers everybody's last. No
     * worker runs meanwhile: homes come from the profiles.
     */
    public List<Long> postAndBuildHomes(int postsEach) {
        List<Long> last = post(postsEach);
        buildHomes();
        return last;
    }

    /** Lets every user post so often, of usual length; answers everybody's last. */
    public List<Long> post(int postsEach) {
        List<Long> last = List.of();
        for (int post = 0; post < postsEach; post++) {
            String text = "post " + post
                    + ": the quick brown fox jumps over the lazy dog, and everybody who follows it reads of it";
            last = post(ids, text);
        }
        return last;
    }

    /** Lets each of these users post once. */
    public void postOnce(List<Integer> users, String text) {
        post(users.stream().map(this::id).toList(), text);
    }

    /** Lets one user post once more; answers the post. */
    public long postOf(int author) {
        return post(List.of(id(author)), "one more").get(0);
    }

    @CanIgnoreReturnValue
    private List<Long> post(List<Long> authors, String text) {
        List<Long> posts = new ArrayList<>();
        each(authors, PER_CALL, part -> Future.all(part.stream()
                        .map(id -> statuses.post(Post.of(id, text), null))
                        .toList())
                .map(all -> all.<Statuses.Posted>list())
                .onSuccess(all -> all.forEach(one -> {
                    long id = one.status().id();
                    posts.add(id);
                    posted.computeIfAbsent(one.status().authorId(), author -> new ArrayList<>())
                            .add(id);
                })));
        return posts;
    }

    /** Lets one user post so often at once, past the API, and wakes a worker. For the loop itself. */
    public Future<Void> burst(int author, int posts) {
        Post post = Post.of(id(author), "one of many");
        return Future.all(IntStream.range(0, posts)
                        .mapToObj(i -> statuses.post(post, null))
                        .toList())
                .compose(all -> queue.wake(Id.shard(id(author))));
    }

    /** Reads every home: builds it if it is not there, and puts what readers pull into it. */
    public void buildHomes() {
        each(
                ids,
                HOMES_PER_CALL,
                part -> Future.all(part.stream().map(this::readHome).toList()));
    }

    /**
     * Posts once more as this user and waits for quiet: whose home does not hold the post then; empty = figures tell of
     * deliveries that were made.
     */
    public List<Long> lackingLastPost(int author, long quietMaxNanos) {
        long status = loop.await(() -> statuses.post(Post.of(id(author), "the last one"), null))
                .status()
                .id();
        awaitQuiet(quietMaxNanos);
        List<Long> readers =
                IntStream.of(graph.followers(author)).mapToObj(this::id).toList();
        return loop.await(() -> homes.lacking(readers, status));
    }

    /**
     * How homes are at rest, compared with what their readers' sources have posted.
     *
     * @param lacking those that are not exactly what was posted above their floor; none at any time
     * @param leastHeld the least part that a home holds of what it has room for; about three quarters at least
     */
    public record Wholeness(long lacking, double leastHeld) {}

    public Wholeness wholeness() {
        int lacking = 0;
        double leastHeld = 1;
        for (int user = 0; user < graph.users(); user++) {
            long reader = id(user);
            List<Long> expected = IntStream.concat(IntStream.of(user), IntStream.of(graph.followees(user)))
                    .boxed()
                    .flatMap(author -> posted.getOrDefault(id(author), List.of()).stream())
                    .sorted(Comparator.reverseOrder())
                    .toList();
            IdRange home = loop.await(() -> homes.stored(reader)).orElse(new IdRange(List.of(), 0));
            if (!home.ids()
                    .equals(expected.stream().filter(id -> id > home.bound()).toList())) {
                lacking++;
            }
            int room = Math.min(settings.feeds().homeMax(), expected.size());
            leastHeld = Math.min(leastHeld, room == 0 ? 1 : (double) home.ids().size() / room);
        }
        return new Wholeness(lacking, leastHeld);
    }

    /** Reads these statuses; the answer has those that exist, by id. */
    public Map<Long, Status> statuses(List<Long> wanted) {
        Map<Long, Status> found = new HashMap<>();
        each(wanted, PER_CALL, part -> statuses.load(part).onSuccess(found::putAll));
        return found;
    }

    /** The newest statuses on the profile of a user, newest first. */
    public List<Long> profile(int user) {
        return loop.await(() -> statuses.recent(id(user))).ids();
    }

    /** The first page of the home of each user, in their order; builds homes that are not there. */
    public List<List<Long>> firstPages(int limit) {
        List<List<Long>> pages = new ArrayList<>();
        each(ids, HOMES_PER_CALL, part -> Future.all(part.stream()
                        .map(reader -> timelines.home(reader, PageRequest.newest(limit)))
                        .toList())
                .map(all -> all.<Page<Status>>list())
                .onSuccess(all -> all.forEach(
                        page -> pages.add(page.items().stream().map(Status::id).toList()))));
        return pages;
    }

    /**
     * How many ids the homes of the first users hold above their floors, the fewest first: what their readers can see.
     */
    public List<Integer> held(int users) {
        return IntStream.range(0, users)
                .map(user -> loop.await(() -> homes.stored(id(user)))
                        .map(home -> home.ids().size())
                        .orElse(0))
                .sorted()
                .boxed()
                .toList();
    }

    /** Waits until no job waits or runs. Posts that were made past the API have woken no worker. */
    public void awaitQuiet(long maxNanos) {
        loop.run(() -> Future.all(
                IntStream.range(0, shards.count()).mapToObj(queue::wake).toList()));
        if (!loop.await(this::isQuiet, maxNanos, QUIET_POLL_MILLIS)) {
            throw new BenchFailed("the queue did not become quiet");
        }
    }

    private Future<Boolean> isQuiet() {
        return queue.stats().map(all -> all.stream().allMatch(QueueStats::isQuiet));
    }

    /** Jobs that were given up; a measurement with any is worth nothing. */
    public long dead() {
        return loop.await(queue::stats).stream().mapToLong(QueueStats::dead).sum();
    }

    private static List<Long> idsFrom(long first, int count) {
        return IntStream.range(0, count).mapToObj(i -> first + i).toList();
    }

    private <T> void each(List<T> items, int size, Function<List<T>, Future<?>> call) {
        for (int from = 0; from < items.size(); from += size) {
            List<T> part = items.subList(from, Math.min(items.size(), from + size));
            loop.run(() -> call.apply(part));
        }
    }
}
