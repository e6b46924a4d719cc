package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** The load on Redis of a process with two event loops while there is nothing to do in 256 shards. */
@ParameterizedClass
@KindsOfRedis
class IdleCostTest {
    private static final Shards SHARDS = new Shards(256);
    private static final int LOOPS = 2;

    /** The commands that workers send; no script calls one of these while the queue is empty. */
    private static final List<String> SENT = List.of("eval", "evalsha", "exists", "blmpop", "zrange", "lpush", "mget");

    private final Vertx vertx = Vertx.vertx();
    private final TestRedis redis;

    IdleCostTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void anIdleProcessSendsFewCommandsHoweverManyShardsThereAre() {
        redis.flush();
        // Ten times as often as by default, for a tenth of the wait.
        start("queue.poll=100ms", "queue.reap=200ms");
        // Each asks for four lanes; the scripts of the first look are sent twice, since the server does not know them.
        awaitUntil("the first look at all shards", () -> sent().getOrDefault("lindex", 0L) >= 4L * SHARDS.count());
        // Several seconds: where an event loop stalls, another takes the lead, and looks at all shards once more.
        List<Double> rates = new ArrayList<>();
        while (rates.size() < 8 && rates.stream().noneMatch(rate -> rate <= 20)) {
            rates.add(commandsPerSecond());
        }
        assertThat(rates).as("commands a second").anyMatch(rate -> rate <= 20);
    }

    /** The commands sent in a second, in which as much is to be done as in ten by default. */
    private double commandsPerSecond() {
        Map<String, Long> before = sent();
        long began = System.nanoTime();
        // The first second may begin before the first look for jobs, and a busy machine may hold up the looks of
        // another.
        awaitUntil(
                "a second has passed in which it looked at all",
                () -> System.nanoTime() - began > 1_000_000_000L
                        && sent().getOrDefault("exists", 0L) > before.getOrDefault("exists", 0L));
        Map<String, Long> after = sent();
        double tenSeconds = (System.nanoTime() - began) / 1e8;
        return SENT.stream()
                        .mapToLong(name -> after.getOrDefault(name, 0L) - before.getOrDefault(name, 0L))
                        .sum()
                / tenSeconds;
    }

    @Test
    void jobsOfAllShardsAreFoundWithoutATokenAndDelayedOnesToo() {
        redis.flush();
        start("queue.poll=50ms", "queue.reap=200ms");
        RedisLink link = redis.link(vertx);
        JobQueue queue = new JobQueue(link, SHARDS, settings().queue());
        List<Integer> shards = List.of(0, 1, 63, 64, 130, 255);
        await(Future.join(shards.stream()
                        .map(shard -> queue.enqueue(job(shard), shard % 2 == 0 ? Lane.HIGH : Lane.LOW))
                        .toList())
                .<Void>mapEmpty());
        String delayed = Keys.delayed(77);
        redis.askAt(
                delayed,
                "ZADD",
                delayed,
                Long.toString(System.currentTimeMillis() + 500),
                "0 1 1 mute.1 " + Id.of(Id.EPOCH_MILLIS, 77, 1) + " 5 6");
        awaitUntil("all are done", () -> IntStream.concat(shards.stream().mapToInt(i -> i), IntStream.of(77))
                .allMatch(shard -> await(queue.stats(List.of(shard))).get(0).done() == 1));
        await(link.close());
    }

    @Test
    void anotherLoopLooksWhenThoseOfTheLeadAreNotAnswered() {
        redis.flush();
        Settings settings = settings("queue.poll=50ms", "queue.reap=50ms");
        RedisLink link = redis.link(vertx);
        JobQueue queue = new JobQueue(link, SHARDS, settings.queue());
        TestWorker first = worker(settings);
        await(vertx.deployVerticle(first));
        await(queue.enqueue(job(7), Lane.HIGH));
        awaitUntil(
                "the first looks", () -> await(queue.stats(List.of(7))).get(0).done() == 1);
        await(vertx.deployVerticle(worker(settings)));
        await(first.cutOff());
        await(queue.enqueue(job(9), Lane.HIGH));
        awaitUntil(
                "the second looks", () -> await(queue.stats(List.of(9))).get(0).done() == 1);
        await(link.close());
    }

    private static TestWorker worker(Settings settings) {
        return TestWorker.oneByOne(settings, SHARDS, (job, lease) -> Future.succeededFuture(Outcome.DONE));
    }

    private static Job job(int shard) {
        return new Job.FanOut(Id.of(Id.EPOCH_MILLIS, shard, 1), Id.of(Id.EPOCH_MILLIS, shard, 2), 0);
    }

    private void start(String... assignments) {
        Settings settings = settings(assignments);
        await(vertx.deployVerticle(
                () -> TestWorker.oneByOne(settings, SHARDS, (job, lease) -> Future.succeededFuture(Outcome.DONE)),
                new DeploymentOptions().setInstances(LOOPS)));
    }

    private Settings settings(String... assignments) {
        String[] all = Arrays.copyOf(assignments, assignments.length + 1);
        all[assignments.length] = "worker.loops=" + LOOPS;
        return WorkerSettings.of(redis, all);
    }

    /** Calls by command, of all servers. */
    private Map<String, Long> sent() {
        Map<String, Long> calls = new TreeMap<>();
        for (RedisProcess server : redis.servers()) {
            String stats = TestRedis.ask(server, "INFO", "commandstats").asString();
            Matcher line = Pattern.compile("cmdstat_(\\w+):calls=(\\d+)").matcher(stats);
            while (line.find()) {
                calls.merge(line.group(1), Long.parseLong(line.group(2)), Long::sum);
            }
        }
        return calls;
    }
}
