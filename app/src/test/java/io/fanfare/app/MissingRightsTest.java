package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Rights of the user of Redis are taken away and given back while people post to a process of its own. */
@Tag("programs")
class MissingRightsTest {
    private static final int PEOPLE = 4;

    /** Commands of the script of a post, at its beginning, in its middle and behind its idempotency record. */
    private static final List<String> RIGHTS =
            List.of("hmget", "hset", "zadd", "zremrangebyrank", "hincrby", "set", "rpush", "spublish", "xadd");

    /** A client that does not hurry. */
    private static final int REPEAT_MILLIS = 10;

    @TempDir
    Path dir;

    private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> statuses = new ConcurrentHashMap<>();
    /** How many posts of each person were refused. */
    private final Map<String, Integer> refused = new ConcurrentHashMap<>();

    @ParameterizedTest
    @KindsOfRedis
    void anIdempotencyKeyMakesOneStatusWhicheverRightIsTakenAwayMeanwhile(TestRedis.Kind kind) throws Exception {
        TestRedis redis = kind.redis();
        redis.flush();
        AtomicBoolean ended = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(PEOPLE);
        try (SplitDeployment deployment = new SplitDeployment(dir, TestSettings.redis(redis.options()))) {
            int port = FreePort.find();
            deployment.start("api", "management.port=" + port);
            deployment.start("worker");
            List<Client> people = new ArrayList<>();
            for (int i = 0; i < PEOPLE; i++) {
                people.add(Client.signUp(deployment.url(), "person" + i));
            }
            people.forEach(person -> threads.execute(() -> post(person, deployment.url(), ended)));
            for (String right : RIGHTS) {
                int before = acknowledged.size();
                awaitUntil("posts", () -> acknowledged.size() > before + PEOPLE);
                everywhere(redis, "-" + right);
                awaitUntil("not ready without " + right, () -> readiness(port).contains("+" + right + " (all of its"));
                // Each person sends one request at a time: what was on its way when the right went is answered.
                Map<String, Integer> then = Map.copyOf(refused);
                awaitUntil("everybody is refused without " + right, () -> people.stream()
                        .map(Client::id)
                        .allMatch(id -> refused.getOrDefault(id, 0) > then.getOrDefault(id, 0)));
                int held = acknowledged.size();
                assertThat(readiness(port)).startsWith("503 ").contains("ACL SETUSER default ");
                assertThat(acknowledged.size()).as("without %s", right).isEqualTo(held);
                everywhere(redis, "+" + right);
                awaitUntil("ready with " + right, () -> readiness(port).startsWith("200 "));
            }
            ended.set(true);
            threads.shutdown();
            assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
            deployment.awaitIdleQueue();

            assertThat(statuses.keySet()).containsOnly(200, 503);
            Map<String, List<String>> shown = new TreeMap<>();
            for (Client person : people) {
                shown.putAll(shown(deployment.url(), person));
            }
            assertThat(shown.keySet()).isEqualTo(acknowledged.keySet());
            shown.forEach((text, ids) -> assertThat(ids).as(text).containsExactly(acknowledged.get(text)));
            System.out.println(kind + ": answers " + statuses + ", posts " + shown.size());
        } finally {
            ended.set(true);
            threads.shutdownNow();
            everywhere(redis, "+@all");
        }
    }

    /** Each post again and again, under one key, until it is acknowledged. */
    private void post(Client person, String url, AtomicBoolean ended) {
        try {
            for (int i = 0; !ended.get(); i++) {
                String text = "post " + i + " of " + person.id();
                while (!acknowledged.containsKey(text)) {
                    HttpResponse<String> answer = person.send("POST", url + "/api/v1/statuses", text, text);
                    statuses.merge(answer.statusCode(), 1, Integer::sum);
                    if (answer.statusCode() == 200) {
                        acknowledged.put(text, new JsonObject(answer.body()).getString("id"));
                    } else {
                        refused.merge(person.id(), 1, Integer::sum);
                        Thread.sleep(REPEAT_MILLIS); // The rate of the load.
                    }
                }
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The ids of each text on the author's own profile. */
    private static Map<String, List<String>> shown(String url, Client person) throws Exception {
        List<JsonObject> all = new ArrayList<>();
        String after = "";
        while (true) {
            JsonArray page = new JsonArray(
                    Client.get(url + "/api/v1/accounts/" + person.id() + "/statuses?limit=40" + after, person.token())
                            .body());
            if (page.isEmpty()) {
                return all.stream()
                        .collect(Collectors.groupingBy(
                                status -> status.getString("content").replaceAll("<[^>]*>", ""),
                                Collectors.mapping(status -> status.getString("id"), Collectors.toList())));
            }
            page.forEach(status -> all.add((JsonObject) status));
            after = "&max_id=" + all.get(all.size() - 1).getString("id");
        }
    }

    private static String readiness(int port) {
        try {
            HttpResponse<String> answer = Client.get("http://127.0.0.1:" + port + "/readyz", "");
            return answer.statusCode() + " " + answer.body();
        } catch (Exception e) {
            return e.toString();
        }
    }

    private static void everywhere(TestRedis redis, String right) {
        redis.servers().forEach(server -> assertThat(
                        ask(server, "ACL", "SETUSER", "default", right).isFailure())
                .isFalse());
    }
}
