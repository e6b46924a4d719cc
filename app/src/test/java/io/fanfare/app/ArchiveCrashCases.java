package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills processes with kill -9 at random moments while authors post, delete and like, and most posts move into the
 * archive. Every acknowledged post is then there once, every deleted one is gone, and every like is counted. The
 * subclasses say which database it is.
 */
abstract class ArchiveCrashCases {
    private static final int KILLS = Integer.getInteger("fanfare.tests.kills", 12);
    private static final long SEED = Long.getLong("fanfare.tests.seed", System.nanoTime());

    /** Requests between two kills. */
    private static final int ROUND = 60;

    private static final int AUTHORS = 3;

    /** Far beyond what anything takes, since test machines may be busy. */
    private static final Duration WAIT_MAX = Duration.ofMinutes(2);

    private static final String[] SETTINGS = {
        "--set", "limits.enabled=false",
        "--set", "queue.lease=1s",
        "--set", "queue.beat=250ms",
        "--set", "queue.reap=200ms",
        "--set", "feeds.outbox-max=5",
        "--set", "archive.profile-max=5",
        "--set", "archive.poll=10ms",
        "--set", "archive.thaw-for=200ms"
    };

    /** The process that a case kills. */
    private enum Victim {
        WORKER,
        API,
        REDIS,
        /** With the redis-server of its own, and a worker. */
        UP,
        /** The database server, if there is one; SQLite dies with the other processes. */
        DATABASE
    }

    /** The address of the archive, or empty for a file in the data folder. */
    abstract String databaseUrl();

    /** Kills the server of the database and starts it again; false = there is none. */
    abstract boolean killDatabase();

    @TempDir
    Path dir;

    /** The addresses of the processes that take requests now. */
    private final Map<Victim, String> urls = new ConcurrentHashMap<>();

    private final Semaphore budget = new Semaphore(0);
    private final AtomicInteger answered = new AtomicInteger();
    private volatile boolean ended;
    private volatile Throwable failed;

    @Test
    void everyPostIsInOnePlaceWhateverIsKilledWhileItMoves() throws Exception {
        System.out.println("seed " + SEED + ", kills " + KILLS);
        Random random = new Random(SEED);
        Path data = dir.resolve("data");
        List<String> all = new ArrayList<>(List.of(SETTINGS));
        all.addAll(List.of("--set", "archive.jdbc-url=" + databaseUrl()));
        String[] settings = all.toArray(String[]::new);
        FanfareProcess up = FanfareProcess.up(data, settings);
        FanfareProcess worker = joined(data, "worker");
        FanfareProcess api = joined(data, "api");
        try {
            urls.put(Victim.UP, up.runtime().httpUrl());
            urls.put(Victim.API, url(api));
            List<Author> authors = new ArrayList<>();
            for (int i = 0; i < AUTHORS; i++) {
                authors.add(new Author(Client.signUp(url(api), "author" + i), random.nextLong()));
            }
            List<Thread> threads = authors.stream().map(Thread::new).toList();
            threads.forEach(Thread::start);
            for (int kill = 1; kill <= KILLS; kill++) {
                budget.release(ROUND);
                awaitAnswered((kill - 1) * ROUND + random.nextInt(ROUND));
                Victim victim = Victim.values()[kill % Victim.values().length];
                switch (victim == Victim.DATABASE && !killDatabase() ? Victim.WORKER : victim) {
                    case DATABASE -> {
                        // Is done.
                    }
                    case WORKER -> {
                        worker.kill();
                        worker = joined(data, "worker");
                    }
                    case API -> {
                        api.kill();
                        api = joined(data, "api");
                        urls.put(Victim.API, url(api));
                    }
                    case REDIS -> {
                        FanfareProcess owner = up;
                        Awaitility.await().atMost(WAIT_MAX).until(() -> owner.redis()
                                .map(ProcessHandle::destroyForcibly)
                                .orElse(false));
                    }
                    case UP -> {
                        up.kill();
                        up.close();
                        up = FanfareProcess.up(data, settings);
                        urls.put(Victim.UP, up.runtime().httpUrl());
                    }
                }
                awaitAnswered(kill * ROUND);
            }
            ended = true;
            budget.release(AUTHORS);
            for (Thread thread : threads) {
                thread.join(WAIT_MAX.toMillis());
                assertThat(thread.isAlive()).as("an author still waits").isFalse();
            }
            awaitRest(data);
            int posts = 0;
            for (Author author : authors) {
                assertThat(author.walk(up.runtime().httpUrl()))
                        .as("seed %d", SEED)
                        .containsExactlyInAnyOrderElementsOf(author.expected());
                posts += author.expected().size();
            }
            assertThat(archived(data))
                    .as("archived posts")
                    .isGreaterThanOrEqualTo(posts - AUTHORS * 7L)
                    .isPositive();
            System.out.println("seed " + SEED + ": " + posts + " posts, " + archived(data) + " of them archived");
            verify(data, "admin", "verify");
            verify(data, "admin", "archive", "verify");
        } finally {
            ended = true;
            budget.release(AUTHORS);
            api.close();
            worker.close();
            up.close();
        }
    }

    private void awaitAnswered(int requests) {
        Awaitility.await(requests + " requests")
                .atMost(WAIT_MAX)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> failed != null || answered.get() >= requests);
        assertThat(failed).as("seed %d", SEED).isNull();
    }

    private static FanfareProcess joined(Path data, String role) {
        String[] port = role.equals("api") ? new String[] {"--port", "0"} : new String[0];
        FanfareProcess process = FanfareProcess.start(data, role, port);
        process.awaitOutput("ready role=" + role);
        return process;
    }

    private static String url(FanfareProcess api) {
        Matcher listening = Pattern.compile("ready role=\\w+ url=(\\S+) ").matcher(api.output());
        assertThat(listening.find()).as(api.output()).isTrue();
        return listening.group(1);
    }

    /** Until no job and no move waits. */
    private void awaitRest(Path data) {
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
            JsonObject queue = new JsonObject(verify(data, "admin", "queue", "stats", "--json"));
            assertThat(queue.getLong("dead")).isZero();
            assertThat(queue.getLong("done")).isEqualTo(queue.getLong("enqueued"));
            String stats = verify(data, "admin", "archive", "stats");
            assertThat(number(stats, "due")).isZero();
            assertThat(number(stats, "deletes")).isZero();
        });
    }

    private long archived(Path data) throws InterruptedException {
        return number(verify(data, "admin", "archive", "stats"), "live");
    }

    private static long number(String stats, String name) {
        Matcher line =
                Pattern.compile("^" + name + " +([\\d,]+) ", Pattern.MULTILINE).matcher(stats);
        assertThat(line.find()).as(stats).isTrue();
        return Long.parseLong(line.group(1).replace(",", ""));
    }

    /** The output of a command that succeeds. */
    @CanIgnoreReturnValue
    private static String verify(Path data, String command, String... arguments) throws InterruptedException {
        try (FanfareProcess process = FanfareProcess.start(data, command, arguments)) {
            assertThat(process.awaitExit(WAIT_MAX)).as(process.output()).isZero();
            return process.output();
        }
    }

    /** Posts, deletes and likes their own; repeats each request until it is answered. */
    private final class Author implements Runnable {
        private final Client client;
        private final Random random;

        /** Texts of posts that live, by id, and the likes of each. */
        private final Map<String, String> posts = new ConcurrentHashMap<>();

        private final Map<String, Integer> likes = new ConcurrentHashMap<>();
        private int number;

        Author(Client client, long seed) {
            this.client = client;
            this.random = new Random(seed);
        }

        /** Text and number of likes of every post. */
        List<String> expected() {
            return posts.entrySet().stream()
                    .map(post -> post.getValue() + " " + likes.getOrDefault(post.getKey(), 0))
                    .toList();
        }

        @Override
        public void run() {
            try {
                act();
            } catch (Throwable e) {
                failed = e;
            }
        }

        private void act() throws Exception {
            while (!ended) {
                budget.acquireUninterruptibly();
                if (ended) {
                    return;
                }
                List<String> ids = List.copyOf(posts.keySet());
                String id = ids.isEmpty() ? "" : ids.get(random.nextInt(ids.size()));
                int act = ids.isEmpty() ? 0 : random.nextInt(10);
                if (act < 7) {
                    String text = client.id() + " " + number++;
                    posts.put(new JsonObject(send("POST", "", text, text)).getString("id"), text);
                } else if (act == 7) {
                    send("DELETE", "/" + id, "", "");
                    posts.remove(id);
                } else if (act == 8) {
                    send("POST", "/" + id + "/favourite", "", "");
                    likes.put(id, 1);
                } else {
                    send("POST", "/" + id + "/unfavourite", "", "");
                    likes.put(id, 0);
                }
                answered.incrementAndGet();
            }
        }

        @CanIgnoreReturnValue
        private String send(String method, String path, String text, String key) throws Exception {
            while (!ended) {
                List<String> servers = List.copyOf(urls.values());
                String server = servers.get(random.nextInt(servers.size()));
                try {
                    HttpResponse<String> answer = client.send(method, server + "/api/v1/statuses" + path, text, key);
                    // A delete whose answer was lost finds nothing the next time.
                    if (answer.statusCode() == 200 || (method.equals("DELETE") && answer.statusCode() == 404)) {
                        return answer.body();
                    }
                    assertThat(answer.statusCode()).as(answer.body()).isIn(409, 503);
                } catch (IOException killed) {
                    // Another one may answer.
                }
            }
            return "{}";
        }

        /** As {@link #expected}, read page by page. */
        List<String> walk(String url) throws Exception {
            List<String> walk = new ArrayList<>();
            String after = "";
            while (true) {
                HttpResponse<String> answer = Client.get(
                        url + "/api/v1/accounts/" + client.id() + "/statuses?limit=40" + after, client.token());
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                JsonArray page = new JsonArray(answer.body());
                if (page.isEmpty()) {
                    return walk;
                }
                for (Object entry : page) {
                    JsonObject status = (JsonObject) entry;
                    walk.add(status.getString("content").replaceAll("<[^>]*>", "") + " "
                            + status.getInteger("favourites_count"));
                    after = "&max_id=" + status.getString("id");
                }
            }
        }
    }
}
