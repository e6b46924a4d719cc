package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.graph.Follows;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.QueueStats;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** The whole role: real stores, real handlers, two event loops. */
@ParameterizedClass
@KindsOfRedis
class WorkerVerticleTest {
    private static final Shards SHARDS = new Shards(16);
    private static final long SEED = 7;

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TestRedis redis;

    WorkerVerticleTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void postsDeletesFollowsAndUnfollowsReachEveryHome() {
        System.out.println("seed=" + SEED);
        redis.flush();
        Settings settings = WorkerSettings.of(redis, "feeds.fan-out-page=3", "queue.poll=100ms");
        RedisLink link = redis.link(vertx);
        Random random = new Random(SEED);
        EventLog events = new EventLog(link, random, settings.stream());
        Graph graph = new Graph(link, settings);
        Homes homes = new Homes(link, settings.feeds());
        Statuses statuses = new Statuses(link, settings);
        Follows follows =
                new Follows(graph, homes, statuses, events, (account, notification) -> Future.succeededFuture());
        JobQueue queue = new JobQueue(link, SHARDS, settings.queue());
        List<Long> users = await(new Accounts(link, SHARDS, random)
                .signUpAll(IntStream.range(0, 12).mapToObj(i -> "user" + i).toList()));
        Map<Long, TreeSet<Long>> wanted = new TreeMap<>();
        for (long user : users) {
            redis.askAt(Keys.home(user), "RPUSH", Keys.home(user), "f0");
            wanted.put(user, new TreeSet<>(Collections.reverseOrder()));
        }
        String workers = await(vertx.deployVerticle(() -> worker(settings), new DeploymentOptions().setInstances(2)));

        // Everybody follows the first six; the sixth is unfollowed at the end, and every fourth post is deleted.
        for (long user : users) {
            for (long author : users.subList(0, 6)) {
                if (user != author) {
                    await(follows.follow(user, author));
                }
            }
        }
        int edges = 12 * 6 - 6;
        for (int i = 0; i < 60; i++) {
            long author = users.get(i % 6);
            long status = await(statuses.post(Post.of(author, "hello " + i), null))
                    .status()
                    .id();
            if (i % 4 == 0) {
                assertThat(await(statuses.delete(author, status)))
                        .as("delete %d", i)
                        .isPresent();
            } else if (i % 6 != 5) {
                wanted.values().forEach(home -> home.add(status));
            } else {
                wanted.get(author).add(status);
            }
        }
        // A push that is under way while its reader unfollows may leave an id behind, which pages then leave out; here
        // the lists themselves are compared.
        awaitUntil("posts are delivered", () -> await(queue.stats()).stream().allMatch(QueueStats::isQuiet));
        for (long user : users) {
            if (user != users.get(5)) {
                assertThat(await(follows.unfollow(user, users.get(5))).changed())
                        .as("unfollow by %d", user)
                        .isTrue();
            }
        }

        awaitUntil("every home is right", () -> wanted.entrySet().stream()
                .allMatch(home -> List.copyOf(home.getValue()).equals(await(homes.raw(home.getKey())))));
        awaitUntil("the queue is quiet", () -> await(queue.stats()).stream().allMatch(QueueStats::isQuiet));
        assertThat(await(queue.stats())).allSatisfy(stats -> {
            assertThat(stats.inFlight()).as("running jobs").isZero();
            assertThat(stats.dead()).as("dead letters").isZero();
        });
        long tip = await(events.state()).tip();
        long words = await(events.read(0, (int) tip)).events().stream()
                .filter(logged -> logged.event().kind() == Event.Kind.NOTIFICATION)
                .count();
        assertThat(tip - words)
                .as("follows, posts, deletes, unfollows, each once")
                .isBetween(edges + 45 + 15L, edges + 60 + 15 + 11L);
        assertThat(registry.find("fanfare.jobs.executed").counters().stream()
                        .mapToDouble(c -> c.count())
                        .sum())
                .as("counted jobs")
                .isPositive();
        assertThat(registry.find("fanfare.jobs.lag").timer().count())
                .as("timed jobs")
                .isPositive();

        await(vertx.undeploy(workers));
        assertThat(redis.keys())
                .as("keys after the workers have stopped")
                .noneMatch(key -> key.contains(":batch:") || key.endsWith(":leases"));
    }

    @Test
    void aScheduledStatusIsPublishedWhenItsTimeHasCome() {
        redis.flush();
        Settings settings = WorkerSettings.of(redis, "queue.poll=100ms");
        RedisLink link = redis.link(vertx);
        long author = await(new Accounts(link, SHARDS, new Random(SEED)).signUpAll(List.of("ann")))
                .get(0);
        ScheduledStatuses scheduled = new ScheduledStatuses(link);
        long hence = System.currentTimeMillis() + 3_600_000;
        ScheduledStatus words = ScheduledStatus.of(hence, "later");
        long first = await(scheduled.schedule(author, words, null)).id();
        long second = await(scheduled.schedule(author, words, null)).id();

        // An hour passes for the first, before the workers keep in mind when it is due.
        long soon = System.currentTimeMillis() + 500;
        String timers = Keys.timers(Id.shard(author));
        redis.askAt(timers, "ZREM", timers, JobCodec.encode(new Job.Publish(author, first, hence)));
        redis.askAt(Keys.scheduled(author), "ZADD", Keys.scheduled(author), "" + soon, "" + first);
        redis.askAt(timers, "ZADD", timers, "" + soon, JobCodec.encode(new Job.Publish(author, first, soon)));
        await(vertx.deployVerticle(() -> worker(settings), new DeploymentOptions().setInstances(2)));

        Statuses statuses = new Statuses(link, settings);
        awaitUntil("it is published", () -> await(statuses.recent(author)).ids().size() == 1);
        assertThat(await(scheduled.find(author, first))).isEmpty();
        assertThat(await(scheduled.find(author, second))).isPresent();
        JobQueue queue = new JobQueue(link, SHARDS, settings.queue());
        awaitUntil("a shard with nothing but timers is quiet", () -> await(queue.stats()).stream()
                .allMatch(QueueStats::isQuiet));
        assertThat(await(statuses.recent(author)).ids()).hasSize(1);
    }

    @Test
    void aWorkerThatCannotBePutTogetherDoesNotStart() {
        RandomGenerator broken = () -> {
            throw new IllegalStateException("no randomness");
        };
        WorkerVerticle worker = new WorkerVerticle(
                WorkerSettings.of(redis), SHARDS, registry, InstantSource.system(), System::nanoTime, broken);

        assertThatThrownBy(() -> await(vertx.deployVerticle(worker))).hasStackTraceContaining("no randomness");
    }

    private WorkerVerticle worker(Settings settings) {
        return new WorkerVerticle(settings, SHARDS, registry, InstantSource.system(), System::nanoTime, new Random());
    }
}
