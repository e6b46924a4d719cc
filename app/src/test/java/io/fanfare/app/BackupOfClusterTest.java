package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.store.Meta;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A backup of three masters while people post, follow and unfollow, restored on one server. */
@Timeout(300)
class BackupOfClusterTest {
    private static final Duration WAIT_MAX = Duration.ofSeconds(90);

    @TempDir
    Path dir;

    private final List<String> posted = new CopyOnWriteArrayList<>();
    private volatile boolean ended;

    @Test
    void aClusterBackupKeepsAcknowledgedPostsOnOneServerAndVerifyRepairsItsDifferences() throws Exception {
        Path file = dir.resolve("backup");
        Path restored = dir.resolve("restored");
        List<Client> people = new ArrayList<>();
        List<String> before;
        TestRedis cluster = TestRedis.cluster();
        join(cluster);
        try (InProcessServer server = new InProcessServer(cluster, false)) {
            String url = "http://127.0.0.1:" + server.port();
            for (int i = 0; i < 6; i++) {
                people.add(Client.signUp(url, "person" + i));
            }
            for (Client follower : people.subList(1, 6)) {
                follower.follow(url, people.get(0));
            }
            List<Thread> load = List.of(
                    load(() -> posted.add(people.get(0).post(url, "post " + posted.size()))),
                    load(new Follows(url, people)),
                    load(() -> people.get(3).post(url, "another one")));
            await(() -> posted.size() > 60);
            before = List.copyOf(posted);

            CommandRun backup = CommandRun.of(List.of(
                    "backup",
                    file.toString(),
                    "--data",
                    dir.resolve("none").toString(),
                    "--set",
                    "redis.mode=cluster",
                    "--set",
                    "redis.url=" + cluster.server().url().reveal()));
            assertThat(backup.status()).as(backup.err()).isZero();

            int then = posted.size();
            await(() -> posted.size() > then + 20);
            ended = true;
            for (Thread thread : load) {
                thread.join();
            }
        }

        CommandRun restore = CommandRun.of(List.of("restore", file.toString(), "--data", restored.toString()));
        assertThat(restore.status()).as(restore.err()).isZero();
        try (RedisProcess redis = RedisProcess.start(RedisProcess.Options.in(restored.resolve("redis")));
                InProcessServer again =
                        new InProcessServer(TestRedis.standalone().options().at(redis.url()), "limits.enabled=false")) {
            again.startWorker();
            String url = "http://127.0.0.1:" + again.port();
            assertThat(verify(redis, "--repair").out()).as("repair").contains("looked at");
            CommandRun verify = verify(redis);
            assertThat(verify.status()).as(verify.out() + verify.err()).isZero();

            Set<String> profile =
                    ids(url, "/api/v1/accounts/" + people.get(0).id() + "/statuses?limit=40", people.get(0));
            assertThat(profile)
                    .as("posts from before the backup")
                    .containsAll(before)
                    .hasSizeLessThan(posted.size());
            assertThat(posted).as("acknowledged posts").containsAll(profile);
            // Who followed throughout.
            await(() -> people.get(5).home(url).containsAll(before));
            String after = people.get(0).post(url, "after the restore");
            await(() -> people.get(5).home(url).get(0).equals(after));
        }
    }

    /** Turns edges between shards on and off. */
    private record Follows(String url, List<Client> people) implements Callable<Object> {
        @Override
        public Object call() throws Exception {
            for (Client follower : people.subList(1, 4)) {
                follower.follow(url, people.get(4));
                String unfollow = url + "/api/v1/accounts/" + people.get(4).id() + "/unfollow";
                assertThat(follower.send("POST", unfollow, "", "").statusCode()).isEqualTo(200);
            }
            return "";
        }
    }

    private static void join(TestRedis redis) {
        redis.flush();
        Vertx vertx = Vertx.vertx();
        RedisLink link = redis.link(vertx);
        TestRedis.await(new Meta(link, new SecureRandom()).join(TestSettings.SHARDS));
        TestRedis.await(link.close());
        TestRedis.await(vertx.close());
    }

    private Thread load(Callable<?> step) {
        Thread load = new Thread(() -> {
            try {
                while (!ended) {
                    Object unused = step.call();
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        load.start();
        return load;
    }

    private static CommandRun verify(RedisProcess redis, String... options) {
        List<String> line = new ArrayList<>(
                List.of("admin", "verify", "--set", "redis.url=" + redis.url().reveal()));
        line.addAll(List.of(options));
        return CommandRun.of(line);
    }

    private static Set<String> ids(String url, String path, Client reader) throws Exception {
        Set<String> ids = new HashSet<>();
        String after = "";
        while (true) {
            JsonArray page =
                    new JsonArray(Client.get(url + path + after, reader.token()).body());
            if (page.isEmpty()) {
                return ids;
            }
            for (Object status : page) {
                String id = ((JsonObject) status).getString("id");
                ids.add(id);
                after = "&max_id=" + id;
            }
        }
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(WAIT_MAX).until(condition);
    }
}
