package io.fanfare.worker.handler;

import static io.fanfare.redis.testing.TestRedis.await;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Post;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.view.RenderCache;
import io.fanfare.common.view.Views;
import io.fanfare.core.LoopStores;
import io.fanfare.core.emoji.Emojis;
import io.fanfare.core.emoji.KnownEmojis;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.graph.Follows;
import io.fanfare.core.post.EditSideEffects;
import io.fanfare.core.post.Edits;
import io.fanfare.core.post.PostSideEffects;
import io.fanfare.core.post.StatusEvents;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.Report;
import io.fanfare.verify.testing.Verification;
import io.fanfare.worker.WorkerSettings;
import io.fanfare.worker.feed.CatchUpHandler;
import io.fanfare.worker.feed.DeliverHandler;
import io.fanfare.worker.feed.FanOutHandler;
import io.fanfare.worker.feed.FollowerPages;
import io.fanfare.worker.feed.RetractHandler;
import io.fanfare.worker.post.EditHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Real stores and handlers on an emptied Redis, pages of three followers; counts the pushes and can step in between.
 */
public final class Feeds implements AutoCloseable {
    public final TestRedis redis;
    public final LoopStores stores;
    final Graph graph;
    public final Statuses statuses;
    final Homes homes;
    final Follows follows;
    public final Blocks blocks;
    public final EventLog events;
    public final Timelines timelines;
    public final Notifications notifications;
    public final FanOutHandler fanOut;
    final DeliverHandler deliver;
    final CatchUpHandler catchUp;
    final RetractHandler retract;
    public final Edits edits;
    final EditSideEffects editSideEffects;
    public final EditHandler edit;
    final PublicTimelines publicTimelines;
    public final SubjectEdges subjectEdges;
    public final Views views = new Views("http://localhost");
    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    /** Commands that changed homes, each as its name and key. */
    final List<String> homeWrites = new ArrayList<>();

    /** Profiles that were read. */
    final List<String> profilesRead = new ArrayList<>();

    /** Keys that were read with single commands. */
    final List<String> readKeys = new ArrayList<>();

    /** Homes whose node does not answer. */
    final Set<String> away = new HashSet<>();

    /** Runs once, after the next push has been executed and before its sender gets the answer. */
    Runnable afterPush = () -> {};

    /** Runs once, before the next events are appended; null = nothing. */
    public Runnable beforeAppend;

    /** The log of another process: its appends do not wait for those of this one. */
    public final EventLog eventsElsewhere;

    private final Vertx vertx;
    private final Context loop;
    private final RedisLink link;
    private final Accounts accounts;

    private Feeds(TestRedis redis, Vertx vertx, Context loop, RedisLink link, String... assignments) {
        this.redis = redis;
        this.vertx = vertx;
        this.loop = loop;
        this.link = link;
        List<String> all = new ArrayList<>(List.of(assignments));
        all.add("feeds.fan-out-page=3");
        Settings settings = WorkerSettings.of(redis, all.toArray(String[]::new));
        Random random = new Random(1);
        Redis watched = new Watched();
        stores = LoopStores.of(new LoopStores.Parts(
                watched,
                settings,
                new Shards(16),
                RenderCache.none(),
                new KnownEmojis(new Emojis(watched)),
                views,
                Archive.none(),
                InstantSource.system(),
                random,
                metrics));
        graph = stores.graph();
        statuses = stores.statuses();
        homes = stores.homes();
        events = stores.events();
        eventsElsewhere = new EventLog(link, random, settings.stream());
        notifications = stores.notifications();
        follows = stores.follows();
        blocks = stores.blocks();
        accounts = stores.accounts();
        timelines = stores.timelines(System::nanoTime);
        PostSideEffects sideEffects = stores.sideEffects();
        StatusEvents statusEvents = stores.statusEvents();
        publicTimelines = stores.publicTimelines();
        subjectEdges = stores.subjectEdges();
        FollowerPages pages =
                new FollowerPages(graph, accounts, settings.feeds().fanOutPage());
        fanOut = new FanOutHandler(events, statuses, statusEvents, sideEffects, homes, pages, new Shards(16));
        deliver = new DeliverHandler(statuses, sideEffects, homes, pages);
        catchUp = new CatchUpHandler(statuses, homes, pages);
        retract = new RetractHandler(events, statuses, sideEffects, homes, pages);
        edits = stores.edits();
        editSideEffects = stores.editSideEffects();
        edit = new EditHandler(editSideEffects);
    }

    public static Feeds on(TestRedis redis, String... assignments) {
        redis.flush();
        Vertx vertx = Vertx.vertx();
        AtomicReference<Context> loop = new AtomicReference<>();
        Promise<RedisLink> opened = Promise.promise();
        vertx.runOnContext(v -> {
            loop.set(vertx.getOrCreateContext());
            RedisLink.open(vertx, redis.options()).onComplete(opened);
        });
        RedisLink link = await(opened.future());
        return new Feeds(redis, vertx, loop.get(), link, assignments);
    }

    /** Everything that is in Redis, verified. */
    Report verified() {
        return get(() -> Verification.of(link, stores.settings()));
    }

    public Vertx vertx() {
        return vertx;
    }

    /** Calls on the event loop and waits. */
    @CanIgnoreReturnValue
    public <T> T get(Supplier<Future<T>> call) {
        Promise<T> promise = Promise.promise();
        loop.runOnContext(v -> call.get().onComplete(promise));
        return await(promise.future());
    }

    /** The handler's outcome for each of these jobs; each future is complete. */
    public <J extends Job> List<Future<Outcome>> run(JobHandler<J> handler, TestLease lease, List<J> jobs) {
        AtomicReference<List<Future<Outcome>>> outcomes = new AtomicReference<>();
        get(() -> {
            outcomes.set(handler.run(jobs, lease));
            return Future.join(outcomes.get()).transform(end -> lease.settle(link));
        });
        return outcomes.get();
    }

    /** The same under a lease that lasts; fails when a job fails. */
    @SafeVarargs
    @SuppressWarnings("varargs") // Only read.
    @CanIgnoreReturnValue
    public final <J extends Job> List<Outcome> run(JobHandler<J> handler, J... jobs) {
        return run(handler, TestLease.held(), List.of(jobs)).stream()
                .map(TestRedis::await)
                .toList();
    }

    /** Accounts with homes, all active. */
    public long[] users(int count) {
        List<String> names = IntStream.range(0, count).mapToObj(i -> "user" + i).toList();
        long[] ids = get(() -> accounts.signUpAll(names)).stream()
                .mapToLong(id -> id)
                .toArray();
        for (long id : ids) {
            redis.askAt(Keys.home(id), "RPUSH", Keys.home(id), "f0");
        }
        return ids;
    }

    public void follow(long follower, long followee) {
        get(() -> graph.followAll(List.of(new long[] {follower, followee})));
    }

    public long post(long author) {
        return post(Post.of(author, "hello"));
    }

    public long post(Post post) {
        return get(() -> statuses.post(post, null)).status().id();
    }

    /** The home as it lies in Redis, repeats and all, without its head. */
    public List<Long> home(long reader) {
        List<Long> ids = new ArrayList<>();
        for (Reply id : redis.askAt(Keys.home(reader), "LRANGE", Keys.home(reader), "1", "-1")
                .items()) {
            ids.add(id.asLong());
        }
        return ids;
    }

    /** A sorted set's members in the order of their scores. */
    public List<String> members(String key) {
        return redis.askAt(key, "ZRANGE", key, "0", "-1").items().stream()
                .map(Reply::asString)
                .toList();
    }

    /** Ids of the events in the log. */
    public List<String> log() {
        return get(() -> events.read(0, 100)).events().stream()
                .map(LoggedEvent::event)
                .map(event -> event.id())
                .toList();
    }

    @Override
    public void close() {
        await(link.close());
        await(vertx.close());
    }

    /** The link, watched. */
    private final class Watched implements Redis {
        @Override
        public Future<Reply> send(Command command) {
            readKeys.add(command.key());
            Runnable step = beforeAppend;
            if (step == null || !Keys.BUS_SEQ.equals(command.key())) {
                return link.send(command);
            }
            beforeAppend = null;
            return vertx.executeBlocking(() -> {
                        step.run();
                        return command;
                    })
                    .compose(link::send);
        }

        @Override
        public Future<List<Reply>> pipeline(List<Command> commands) {
            boolean push = false;
            for (Command command : commands) {
                if (command.key() != null && command.key().startsWith("profile:")) {
                    profilesRead.add(command.key());
                }
                if (command.key() != null && command.key().startsWith("home:")) {
                    homeWrites.add(command.name() + ' ' + command.key());
                    push |= command.name().equals("RPUSHX");
                }
            }
            Future<List<Reply>> replies = away.isEmpty() ? link.pipeline(commands) : pipelineButAway(commands);
            if (!push) {
                return replies;
            }
            Runnable step = afterPush;
            afterPush = () -> {};
            return replies.compose(all -> vertx.executeBlocking(() -> {
                step.run();
                return all;
            }));
        }

        private Future<List<Reply>> pipelineButAway(List<Command> commands) {
            List<Command> reached = commands.stream()
                    .filter(command -> !away.contains(command.key()))
                    .toList();
            return link.pipeline(reached).map(answered -> {
                Iterator<Reply> replies = answered.iterator();
                List<Reply> all = new ArrayList<>();
                for (Command command : commands) {
                    RedisError gone = new RedisError(RedisError.Kind.UNAVAILABLE, "not connected");
                    all.add(away.contains(command.key()) ? new Reply.Failure(gone) : replies.next());
                }
                return all;
            });
        }
    }
}
