package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Redis that is nearly full, or full, with a long queue. The long form: {@code mvn verify -Pfaults -pl app -am
 * -Dtest=FullMemoryTest -Dfanfare.tests.jobs=100000}.
 */
@Tag("faults")
class FullMemoryTest {
    private static final int JOBS = Integer.getInteger("fanfare.tests.jobs", 20_000);
    private static final int AUTHORS = 16;
    private static final int FOLLOWEES = 5;

    /** The used share of the memory at which posts must be refused, a little above the bound. */
    private static final double NEARLY_FULL = 0.86;

    /** Longer than the lease of a batch. */
    private static final Duration FULL = Duration.ofSeconds(15);

    @TempDir
    Path dir;

    private final List<Client> authors = new ArrayList<>();
    private TestRedis redis;
    private SplitDeployment deployment;

    @BeforeEach
    void start() throws Exception {
        redis = TestRedis.freshStandalone(AppendSync.EVERYSEC);
        deployment = new SplitDeployment(dir, TestSettings.redis(redis.options()));
        deployment.start("api");
        for (int i = 0; i < AUTHORS; i++) {
            authors.add(Client.signUp(deployment.url(), "author" + i));
        }
        Random random = new Random(16);
        for (Client author : authors) {
            for (int i = 0; i < FOLLOWEES; i++) {
                Client other = authors.get(random.nextInt(AUTHORS));
                if (other != author) {
                    author.follow(deployment.url(), other);
                }
            }
        }
    }

    @AfterEach
    void stop() {
        deployment.close();
        redis.close();
    }

    @Test
    void aQueueDrainsWhilePostsAreRefusedAndThenTheyWorkAgain() throws Exception {
        post(JOBS);
        long used = usedMemory();
        setMaxMemory((long) (used / NEARLY_FULL));
        awaitUntil("posts are refused", () -> tryToPost() == 503);
        assertThat(Client.get(
                                deployment.url() + "/api/v1/timelines/home",
                                authors.get(0).token())
                        .statusCode())
                .isEqualTo(200);
        JsonObject before = deployment.queue();
        long begun = System.nanoTime();

        deployment.start("worker");
        deployment.awaitIdleQueue();

        double seconds = (System.nanoTime() - begun) / 1e9;
        JsonObject after = deployment.queue();
        System.out.printf(
                "%d waiting jobs drained in %.0f s, memory %d -> %d of %.0f bytes, retried %d, dead %d%n",
                before.getLong("waiting"),
                seconds,
                used,
                usedMemory(),
                used / NEARLY_FULL,
                after.getLong("retried"),
                after.getLong("dead"));
        assertThat(before.getLong("waiting")).isGreaterThanOrEqualTo(JOBS);
        assertThat(after.getLong("retried")).isZero();
        awaitUntil("posts are taken again, since the jobs have made room", () -> tryToPost() == 200);
        verify();
    }

    @Test
    void jobsAreHeldWhileNothingCanBeWrittenAndDoneWhenThereIsRoom() throws Exception {
        post(JOBS / 5);
        setMaxMemory(usedMemory());
        long waiting = deployment.queue().getLong("waiting");

        deployment.start("worker");
        Thread.sleep(FULL.toMillis()); // The length of the fault is the input, not a wait for something.

        JsonObject full = deployment.queue();
        System.out.println("while full: " + full.encode());
        assertThat(full.getLong("enqueued") - full.getLong("done"))
                .as("jobs that are left of %d", waiting)
                .isPositive();
        assertThat(full.getLong("retried") + full.getLong("dead") + full.getLong("reaped"))
                .as("no attempt counts")
                .isZero();
        assertThat(tryToPost()).isEqualTo(503);
        setMaxMemory(0);
        deployment.awaitIdleQueue();
        awaitUntil("posts are taken again", () -> tryToPost() == 200);
        verify();
    }

    private void verify() throws Exception {
        deployment.awaitIdleQueue();
        System.out.println(deployment.run("admin", "verify"));
    }

    /** Each author posts as fast as answers come. */
    private void post(int posts) {
        List<CompletableFuture<Void>> all = authors.stream()
                .map(author -> CompletableFuture.runAsync(
                        () -> IntStream.range(0, posts / AUTHORS).forEach(i -> post(author, "post " + i)),
                        task -> new Thread(task).start()))
                .toList();
        all.forEach(CompletableFuture::join);
    }

    private void post(Client author, String text) {
        try {
            String unused = author.post(deployment.url(), text);
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    private int tryToPost() {
        try {
            HttpResponse<String> answer =
                    authors.get(0).send("POST", deployment.url() + "/api/v1/statuses", "is there room", "");
            return answer.statusCode();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private long usedMemory() {
        RedisProcess server = redis.server();
        return ask(server, "INFO", "memory")
                .asString()
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length())))
                .findFirst()
                .orElseThrow();
    }

    private void setMaxMemory(long bytes) {
        ask(redis.server(), "CONFIG", "SET", "maxmemory", Long.toString(bytes));
    }
}
