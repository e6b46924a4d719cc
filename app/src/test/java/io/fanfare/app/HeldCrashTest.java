package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.JobType;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills api and worker with kill -9 at random moments while posts begin to wait for a moderator, are approved, rejected
 * and withdrawn, and expire. Each post then has the one end that was acknowledged.
 */
@Tag("programs")
@Timeout(300)
class HeldCrashTest {
    private static final long SEED = Long.getLong("fanfare.tests.seed", System.nanoTime());
    private static final int AUTHORS = 4;
    private static final int MODERATORS = 2;

    /** Posts of an author between two kills; one of them waits to the end. */
    private static final int ROUND = 8;

    /** Posts that expire between two kills. */
    private static final int EXPIRING = 3;

    /** Far beyond what anything takes, since test machines may be busy. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final Duration IDLE_PACE = Duration.ofMillis(200);
    private static final Pattern TEXT = Pattern.compile("post (\\d+) ");

    /** The end of a post, by its number. */
    private enum Fate {
        APPROVED,
        REJECTED,
        WITHDRAWN,
        WAITING;

        static Fate of(int number) {
            return switch (number % ROUND) {
                case 0, 3, 5 -> APPROVED;
                case 1, 4 -> REJECTED;
                case 2, 6 -> WITHDRAWN;
                default -> WAITING;
            };
        }

        /** The places in which a post with this fate is found in the end. */
        List<String> places() {
            return switch (this) {
                case APPROVED -> List.of("published");
                case REJECTED -> List.of("warned");
                case WITHDRAWN -> List.of();
                case WAITING -> List.of("held");
            };
        }
    }

    private final AtomicInteger attempted = new AtomicInteger();
    private final AtomicInteger expired = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Throwable failed;
    private TestRedis redis;
    private SplitDeployment deployment;
    private FanfareProcess api;
    private FanfareProcess worker;
    private Client moderator;
    private Client sleeper;

    @TempDir
    Path dir;

    @Test
    void everyHeldPostHasOneEndThoughApiAndWorkerAreKilledMeanwhile() throws Exception {
        killDuringDecisions(TestRedis.standalone(), 1);
    }

    @RepeatedTest(3)
    @Tag("faults")
    void everyHeldPostOnAClusterHasOneEndThoughApiAndWorkerAreKilledMeanwhile() throws Exception {
        killDuringDecisions(TestRedis.cluster(), 8);
    }

    private void killDuringDecisions(TestRedis on, int kills) throws Exception {
        System.out.println("seed " + SEED + ", kills " + kills);
        Random random = new Random(SEED);
        redis = on;
        redis.flush();
        String[] settings = {"signals.links=hold", "queue.lease=1s", "queue.beat=250ms", "queue.reap=200ms"};
        try (SplitDeployment started = new SplitDeployment(dir, TestSettings.redis(redis.options()), settings)) {
            deployment = started;
            startBoth();
            moderator = Client.signUp(url(""), "mia", "read write admin:read admin:write");
            assertThat(admin("role", "set", "mia", "moderator", "--why", "test"))
                    .contains("moderator");
            sleeper = Client.signUp(url(""), "sleeper");
            List<Author> authors = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < AUTHORS; i++) {
                Author author = new Author(Client.signUp(url(""), "author" + i));
                authors.add(author);
                threads.add(new Thread(() -> run(author::post)));
            }
            IntStream.range(0, MODERATORS).forEach(i -> threads.add(new Thread(() -> run(this::decide))));
            threads.forEach(thread -> thread.setDaemon(true));
            threads.forEach(Thread::start);
            try {
                kill(kills, authors, random);
            } finally {
                ended.countDown();
                authors.forEach(author -> author.budget.release());
            }
            for (Thread thread : threads) {
                thread.join(WAIT_MAX.toMillis());
                assertThat(thread.isAlive()).as("a thread still waits").isFalse();
            }
            assertThat(failed).isNull();
            awaitIdleQueue();
            check(authors);
            checkExpired();
            assertThat(admin("verify")).contains("no differences");
            approveTheRest(authors);
        }
    }

    /** Kills both processes so many times at random moments, and waits until the moderators have decided about all. */
    private void kill(int kills, List<Author> authors, Random random) throws Exception {
        for (int kill = 0; kill < kills; kill++) {
            int before = kill * AUTHORS * ROUND;
            List<String> waiting = beginToExpire();
            authors.forEach(author -> author.budget.release(ROUND));
            awaitAttempted(before + random.nextInt(AUTHORS * ROUND));
            waiting.forEach(id -> startJob(sleeper, id));
            deployment.kill(worker);
            deployment.kill(api);
            startBoth();
            awaitAttempted(before + AUTHORS * ROUND);
        }
        // Moderators see a post whose process died before the list was written after its job has run.
        for (Author author : authors) {
            all(author.client, "/api/v1/held_statuses").forEach(one -> startJob(author.client, one.getString("id")));
        }
        awaitIdleQueue();
        awaiting()
                .until(() ->
                        failed != null || moderators().stream().allMatch(one -> Fate.of(number(one)) == Fate.WAITING));
    }

    private void startBoth() {
        CompletableFuture<FanfareProcess> starting = CompletableFuture.supplyAsync(() -> deployment.start("worker"));
        api = deployment.start("api");
        worker = starting.join();
    }

    /** The output of a command in this process, which is ready at once. */
    private String admin(String area, String... command) {
        String mode = "redis.mode=" + redis.options().mode().name().toLowerCase(Locale.ROOT);
        return CommandRun.admin(
                redis,
                area,
                Stream.of(command, new String[] {"--set", mode})
                        .flatMap(Stream::of)
                        .toArray(String[]::new));
    }

    private void awaitIdleQueue() {
        awaiting().pollInterval(IDLE_PACE).untilAsserted(() -> {
            JsonObject queue = new JsonObject(admin("queue", "stats", "--json"));
            assertThat(queue.getLong("dead")).isZero();
            assertThat(queue.getLong("done")).isEqualTo(queue.getLong("enqueued"));
        });
    }

    private void awaitAttempted(int posts) {
        awaiting().until(() -> failed != null || attempted.get() >= posts);
        assertThat(failed).as("seed %d", SEED).isNull();
    }

    private static ConditionFactory awaiting() {
        return Awaitility.await().atMost(WAIT_MAX).pollDelay(Duration.ZERO).pollInterval(PAUSE);
    }

    private interface Work {
        void run() throws Exception;
    }

    private void run(Work work) {
        try {
            work.run();
        } catch (Throwable e) {
            failed = e;
        }
    }

    private String url(String path) {
        return deployment.url() + path;
    }

    private static int number(JsonObject held) {
        return number(held.getJsonObject("params").getString("text"));
    }

    private static int number(String text) {
        Matcher found = TEXT.matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return Integer.parseInt(found.group(1));
    }

    /** All posts of all accounts that wait, as a moderator sees them. */
    private List<JsonObject> moderators() throws Exception {
        return all(moderator, "/api/v1/admin/held_statuses");
    }

    private List<JsonObject> all(Client reader, String path) throws Exception {
        List<JsonObject> all = new ArrayList<>();
        String after = "";
        while (true) {
            HttpResponse<String> answer = Client.get(url(path) + "?limit=40" + after, reader.token());
            if (answer.statusCode() != 200) {
                throw new IOException(answer.statusCode() + " " + answer.body());
            }
            JsonArray page = new JsonArray(answer.body());
            page.forEach(one -> all.add((JsonObject) one));
            if (page.size() < 40) {
                return all;
            }
            after = "&max_id=" + all.get(all.size() - 1).getString("id");
        }
    }

    /** Decides about what waits until the end, again where an answer was lost. */
    private void decide() throws Exception {
        while (!ended.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
            try {
                for (JsonObject one : moderators()) {
                    Fate fate = Fate.of(number(one));
                    if (fate == Fate.APPROVED || fate == Fate.REJECTED) {
                        decide(one, fate == Fate.APPROVED ? "approve" : "reject");
                    }
                }
            } catch (IOException killed) {
                // The next round finds what still waits.
            }
        }
    }

    private void decide(JsonObject one, String decision) throws Exception {
        String author = one.getJsonObject("account").getString("id");
        String path = "/api/v1/admin/accounts/" + author + "/held_statuses/" + one.getString("id") + "/" + decision;
        HttpResponse<String> answer = moderator.send("POST", url(path), "", "");
        // 404: the other moderator was faster, or the answer of an earlier request was lost.
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 404, 502, 503);
    }

    /** Posts and withdraws as fast as answers come. */
    private final class Author {
        private final Client client;
        private final Semaphore budget = new Semaphore(0);
        private final Set<Integer> acknowledged = new ConcurrentSkipListSet<>();
        private final Set<Integer> uncertain = new ConcurrentSkipListSet<>();

        Author(Client client) {
            this.client = client;
        }

        void post() throws Exception {
            for (int number = 0; ; number++) {
                budget.acquire();
                if (ended.getCount() == 0) {
                    return;
                }
                int post = number;
                awaiting().until(() -> isAnswered(post));
                attempted.incrementAndGet();
                if (Fate.of(post) == Fate.WITHDRAWN) {
                    awaiting().ignoreExceptionsInstanceOf(IOException.class).until(() -> isWithdrawn(post));
                }
            }
        }

        /** A post whose answer is lost is not sent again: the first one may be published already, and both would be. */
        private boolean isAnswered(int post) throws Exception {
            String text = "post " + post + " https://other.example/" + post;
            try {
                HttpResponse<String> answer = client.send("POST", url("/api/v1/statuses"), text, "");
                if (answer.statusCode() == 422 && answer.body().contains("posts of yours wait")) {
                    return false;
                }
                if (answer.statusCode() == 502 || answer.statusCode() == 503) {
                    uncertain.add(post);
                    awaiting().ignoreExceptions().until(() -> Client.head(url("/api/v1/instance"), "") == 200);
                } else {
                    assertThat(answer.body()).contains("ERR_HELD");
                    acknowledged.add(post);
                }
            } catch (IOException killed) {
                uncertain.add(post);
            }
            return true;
        }

        private boolean isWithdrawn(int post) throws Exception {
            for (JsonObject one : all(client, "/api/v1/held_statuses")) {
                if (number(one) == post) {
                    String path = "/api/v1/held_statuses/" + one.getString("id");
                    int status = client.send("DELETE", url(path), "", "").statusCode();
                    assertThat(status).isIn(200, 404, 502, 503);
                    return status == 200 || status == 404;
                }
            }
            return true;
        }

        /** Each place in which a post is found, by its number. */
        Map<Integer, List<String>> places() throws Exception {
            Map<Integer, List<String>> places = new TreeMap<>();
            add(places, "published", "/api/v1/accounts/" + client.id() + "/statuses", one -> one.getString("content"));
            add(places, "warned", "/api/v1/warnings", one -> one.getString("text"));
            add(places, "held", "/api/v1/held_statuses", one -> one.getJsonObject("params")
                    .getString("text"));
            return places;
        }

        private void add(
                Map<Integer, List<String>> places, String place, String path, Function<JsonObject, String> text)
                throws Exception {
            for (JsonObject one : all(client, path)) {
                places.computeIfAbsent(number(text.apply(one)), number -> new ArrayList<>())
                        .add(place);
            }
        }
    }

    private void check(List<Author> authors) throws Exception {
        Set<String> waiting = new TreeSet<>();
        for (Author author : authors) {
            Map<Integer, List<String>> places = author.places();
            for (int post : author.acknowledged) {
                assertThat(places.getOrDefault(post, List.of()))
                        .as("post %d, seed %d", post, SEED)
                        .isEqualTo(Fate.of(post).places());
            }
            for (int post : author.uncertain) {
                assertThat(places.getOrDefault(post, List.of()))
                        .as("post %d without an answer, seed %d", post, SEED)
                        .isIn(List.of(), Fate.of(post).places());
            }
            assertThat(author.acknowledged).isNotEmpty();
            assertThat(all(author.client, "/api/v1/scheduled_statuses")).isEmpty();
            for (JsonObject one : all(author.client, "/api/v1/held_statuses")) {
                waiting.add(one.getString("id"));
                String path = "/api/v1/held_statuses/" + one.getString("id");
                assertThat(Client.get(url(path), author.client.token()).statusCode())
                        .isEqualTo(200);
            }
        }
        assertThat(moderators().stream().map(one -> one.getString("id")))
                .as("seed %d", SEED)
                .containsExactlyInAnyOrderElementsOf(waiting);
    }

    /** The rest can still be approved, and nothing is left then. */
    private void approveTheRest(List<Author> authors) throws Exception {
        List<JsonObject> rest = moderators();
        assertThat(rest).isNotEmpty();
        for (JsonObject one : rest) {
            decide(one, "approve");
        }
        for (Author author : authors) {
            awaiting().untilAsserted(() -> assertThat(author.places().values())
                    .doesNotContain(Fate.WAITING.places())
                    .allMatch(places -> places.size() == 1));
        }
        assertThat(moderators()).isEmpty();
    }

    /** Posts of the sleeper, which have waited longer than a post waits: their ids. Those of before have ended. */
    private List<String> beginToExpire() throws Exception {
        awaiting().until(() -> all(sleeper, "/api/v1/held_statuses").isEmpty());
        long life = HeldStatuses.LIFE.plusDays(1).toMillis();
        long author = Id.parse(sleeper.id());
        String held = Keys.held(author);
        String words = Keys.heldWords(author);
        String timers = Keys.timers(Id.shard(author));
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < EXPIRING; i++) {
            int number = unattended(expired.getAndIncrement());
            HttpResponse<String> answer = sleeper.send(
                    "POST", url("/api/v1/statuses"), "post " + number + " https://other.example/" + number, "");
            assertThat(answer.body()).contains("ERR_HELD");
            long young = Id.parse(all(sleeper, "/api/v1/held_statuses").get(0).getString("id"));
            long old = Id.of(Id.epochMillis(young) - life, Id.shard(young), i % 4);
            String line = redis.askAt(words, "HGET", words, "" + young).asString();
            redis.askAt(words, "HDEL", words, "" + young);
            redis.askAt(words, "HSET", words, "" + old, line, "=" + line.split(" ", 3)[1], "" + old);
            redis.askAt(held, "ZREM", held, "" + young);
            redis.askAt(held, "ZADD", held, "" + old, "" + old);
            redis.askAt(timers, "ZREM", timers, job(author, young));
            redis.askAt(timers, "ZADD", timers, "" + (Id.epochMillis(young) + life), job(author, old));
            redis.askAt(Keys.HELD_LIST, "ZREM", Keys.HELD_LIST, author + " " + young);
            redis.askAt(Keys.HELD_LIST, "ZADD", Keys.HELD_LIST, "" + old, author + " " + old);
            ids.add("" + old);
        }
        return ids;
    }

    /** The number of a post about which no moderator decides. */
    private static int unattended(int n) {
        return n * ROUND + ROUND - 1;
    }

    private static String job(long author, long id) {
        return JobCodec.encode(new Job.Repair(JobType.HELD, author, author, id));
    }

    /** Starts the job of a post, as start_due.lua does when its time has come. */
    private void startJob(Client client, String id) {
        long author = Id.parse(client.id());
        int shard = Id.shard(author);
        String timers = Keys.timers(shard);
        String lane = Keys.lane(shard, Lane.NORMAL.key());
        String stats = Keys.queueStats(shard);
        String job = job(author, Id.parse(id));
        redis.askAt(timers, "ZREM", timers, job);
        redis.askAt(lane, "LPUSH", lane, "0 0 " + System.currentTimeMillis() + " " + job);
        redis.askAt(stats, "HINCRBY", stats, "enqueued", "1");
    }

    /** Each is gone, and its author got one warning about it. */
    private void checkExpired() throws Exception {
        assertThat(all(sleeper, "/api/v1/held_statuses")).isEmpty();
        assertThat(all(sleeper, "/api/v1/accounts/" + sleeper.id() + "/statuses"))
                .isEmpty();
        assertThat(all(sleeper, "/api/v1/warnings").stream().map(one -> number(one.getString("text"))))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, expired.get())
                        .mapToObj(HeldCrashTest::unattended)
                        .toList());
    }
}
