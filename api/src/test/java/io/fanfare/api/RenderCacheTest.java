package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Two servers on one Redis, of which one remembers nothing: both must answer the same to the byte, whatever was done
 * through either.
 */
class RenderCacheTest {
    private static final String URL = "http.public-url=https://social.example";
    private static final int STEPS = 60;

    @Test
    void cachedStatusesAreShownAsIfTheyWereReadAgain() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (ApiServer remembering = new ApiServer(redis, URL);
                // Room for a few only: entries leave while they are in use.
                ApiServer forgetful = new ApiServer(redis, URL, "feeds.cache-bytes=20000");
                ApiServer plain = new ApiServer(redis, URL, "feeds.cache-bytes=0")) {
            List<ApiServer> servers = List.of(remembering, forgetful, plain);
            List<User> users = List.of(plain.signUp("ann"), plain.signUp("bob"), plain.signUp("eve"));
            plain.follow(users.get(0), users.get(1));
            plain.follow(users.get(0), users.get(2));
            List<String> posted = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                change(redis, servers.get(random.nextInt(3)), users.get(random.nextInt(3)), posted, random);
                for (String path : paths(users, posted, random)) {
                    String token = random.nextInt(4) == 0
                            ? null
                            : users.get(random.nextInt(3)).token();
                    Response expected = plain.get(path, token);
                    assertThat(remembering.get(path, token).body())
                            .as("seed %d, %s", seed, path)
                            .isEqualTo(expected.body());
                    assertThat(forgetful.get(path, token).body())
                            .as("seed %d, %s", seed, path)
                            .isEqualTo(expected.body());
                }
            }
        }
    }

    /** Something that changes what is shown; refusals are as good. What others test is written to Redis as it is. */
    private static void change(TestRedis redis, ApiServer api, User user, List<String> posted, Random random) {
        String picked =
                posted.isEmpty() ? "1" : posted.get(posted.size() - 1 - random.nextInt(Math.min(12, posted.size())));
        switch (random.nextInt(10)) {
            case 0 -> like(redis, user, Long.parseLong(picked));
            case 1 -> keep(posted, api.post("/api/v1/statuses/" + picked + "/reblog", user.token()));
            case 2 -> keep(posted, publish(api, user, "and @bob #so", "quoted_status_id", picked));
            case 3 -> keep(posted, publish(api, user, "yes", "in_reply_to_id", picked));
            case 4 -> keep(posted, api.delete("/api/v1/statuses/" + picked, user.token()));
            case 9 -> edit(api, user, picked, "edited+" + random.nextInt(1000));
            case 5 -> rename(redis, user, user.name() + random.nextInt(100));
            default -> keep(posted, publish(api, user, "hello " + random.nextInt(1000)));
        }
    }

    private static Response publish(ApiServer api, User user, String text, String... more) {
        List<String> form = new ArrayList<>(List.of("status", text));
        form.addAll(List.of(more));
        return api.post("/api/v1/statuses", user.token(), form.toArray(String[]::new));
    }

    private static void edit(ApiServer api, User user, String id, String words) {
        var unused = api.send(
                "PUT", "/api/v1/statuses/" + id, user.token(), "application/x-www-form-urlencoded", "status=" + words);
    }

    private static void keep(List<String> posted, Response answer) {
        if (answer.status() == 200 && !posted.contains(answer.text("/id"))) {
            posted.add(answer.text("/id"));
        }
    }

    private static void like(TestRedis redis, User user, long status) {
        String liked = Keys.status(status);
        if (redis.askAt(liked, "HEXISTS", liked, "text").asLong() == 1) {
            String favourites = Keys.favourites(Long.parseLong(user.id()));
            redis.askAt(liked, "HINCRBY", liked, "likes", "1");
            redis.askAt(favourites, "ZADD", favourites, "1", Long.toString(status));
        }
    }

    private static void rename(TestRedis redis, User user, String name) {
        String account = Keys.user(Long.parseLong(user.id()));
        redis.askAt(account, "HSET", account, "display", name);
        redis.askAt(account, "HINCRBY", account, "rev", "1");
    }

    private static List<String> paths(List<User> users, List<String> posted, Random random) {
        List<String> paths = new ArrayList<>(List.of(
                "/api/v1/timelines/home",
                "/api/v1/accounts/" + users.get(random.nextInt(3)).id() + "/statuses",
                "/api/v1/accounts/" + users.get(random.nextInt(3)).id()));
        if (!posted.isEmpty()) {
            paths.add("/api/v1/statuses/" + posted.get(random.nextInt(posted.size())));
        }
        return paths;
    }
}
