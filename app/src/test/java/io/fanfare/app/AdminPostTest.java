package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code fanfare admin post} and {@code home}, beside a server with a writer and a reader. */
@Timeout(120)
class AdminPostTest {
    private final TestRedis redis = TestRedis.standalone();

    private CommandRun run(String... command) {
        List<String> line = new ArrayList<>(List.of("admin"));
        line.addAll(List.of(command));
        line.addAll(List.of("--set", "redis.url=" + redis.server().url().reveal()));
        return CommandRun.of(line);
    }

    private JsonObject json(String... command) {
        List<String> line = new ArrayList<>(List.of(command));
        line.add("--json");
        return new JsonObject(run(line.toArray(String[]::new)).out());
    }

    @Test
    void aPostIsFollowedFromItsJobToTheHomesAndAWrongHomeIsRebuilt() throws Exception {
        redis.flush();
        try (InProcessServer server = new InProcessServer(redis, "limits.enabled=false")) {
            String url = "http://127.0.0.1:" + server.port();
            Client writer = Client.signUp(url, "writer");
            Client reader = Client.signUp(url, "reader");
            reader.follow(url, writer);
            Client.signUp(url, "absent").follow(url, writer);
            assertThat(reader.home(url)).isEmpty();
            String post = writer.post(url, "a secret text");

            JsonObject waiting = json("post", post);
            assertThat(waiting.getString("author_id")).isEqualTo(writer.id());
            assertThat(waiting.getString("state")).isEqualTo("alive");
            assertThat(waiting.getJsonArray("lists")).contains("profile");
            assertThat(waiting.getInteger("homes_having_it")).isZero();
            assertThat(run("post", post).out()).doesNotContain("secret");

            server.startWorker();
            TestRedis.awaitUntil("it is delivered", () -> json("post", post).getInteger("homes_having_it") == 1);
            // The job of the follow may still run, and would add the post again after its removal below.
            TestRedis.awaitUntil("no job waits or runs", () -> {
                JsonObject queue = json("queue", "stats");
                return queue.getLong("waiting") + queue.getLong("delayed") + queue.getLong("batches") == 0;
            });
            JsonObject done = json("post", post);
            assertThat(done.getString("event")).isEqualTo("appended");
            assertThat(done.getInteger("followers")).isEqualTo(2);
            assertThat(done.getInteger("followers_looked_at")).isEqualTo(2);
            assertThat(done.getInteger("homes_existing")).isEqualTo(1);
            assertThat(done.getInteger("homes_having_it")).isEqualTo(1);

            CommandRun good = run("home", "Reader");
            assertThat(good.status()).as(good.out()).isZero();
            assertThat(good.out()).contains("the home is as it should be").containsPattern("follows +1");

            String home = Keys.home(Long.parseLong(reader.id()));
            redis.askAt(home, "LREM", home, "0", post);
            CommandRun wrong = run("home", "reader");
            assertThat(wrong.status()).as(wrong.out()).isEqualTo(1);
            assertThat(wrong.out()).contains("1 statuses are missing, from " + post + " to " + post);
            assertThat(run("home", "reader", "--rebuild").status()).isZero();
            assertThat(json("home", "reader").getString("state")).isEqualTo("absent");
            assertThat(Client.get(url + "/api/v1/timelines/home", reader.token())
                            .body())
                    .contains(post);
            assertThat(run("home", "reader").out()).contains("the home is as it should be");
        }
    }

    @Test
    void missingPostsAndAccountsAreReported() {
        redis.flush();
        assertThat(run("post", "4096").status()).isEqualTo(1);
        assertThat(run("post", "4096").out()).contains("absent");
        assertThat(run("post", "0").status()).isEqualTo(2);
        assertThat(run("home", "nobody").status()).isEqualTo(1);
        assertThat(run("home", "nobody").err()).contains("no account has the name nobody");
    }
}
