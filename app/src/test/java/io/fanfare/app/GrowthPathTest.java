package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The way of docs/operate/move.md: one machine with {@code up}, then a Redis apart, then processes of their own, then a
 * cluster. Sessions, posts and homes come along.
 */
@Tag("programs")
@Timeout(300)
class GrowthPathTest {
    private static final Duration STOP_MAX = Duration.ofSeconds(60);
    private static final List<String> CHEAP = List.of(
            "--set", "auth.argon-memory-kib=64", "--set", "auth.argon-passes=1", "--set", "limits.enabled=false");

    @TempDir
    Path dir;

    @Test
    void aSiteGrowsFromOneMachineToAClusterWithItsSessionsPostsAndHomes() throws Exception {
        Path data = dir.resolve("data");
        Path password = Files.writeString(
                dir.resolve("password"), TestRedis.standalone().password().reveal());
        List<String> posts = new ArrayList<>();
        Client author;
        Client reader;
        try (TestRedis apart = TestRedis.freshStandalone(AppendSync.ALWAYS);
                TestRedis cluster = TestRedis.freshCluster(AppendSync.ALWAYS)) {
            try (FanfareProcess up = FanfareProcess.up(data, with())) {
                String url = up.runtime().httpUrl();
                author = Client.signUp(url, "author");
                reader = Client.signUp(url, "reader");
                reader.follow(url, author);
                posts.add(author.post(url, "on one machine"));

                CommandRun moved = CommandRun.of(List.of(
                        "migrate",
                        "--data",
                        data.toString(),
                        "--to",
                        plain(apart),
                        "--to-password-file",
                        password.toString()));
                assertThat(moved.status()).as(moved.out() + moved.err()).isZero();
                assertThat(author.send("POST", url + "/api/v1/statuses", "refused", "")
                                .statusCode())
                        .isEqualTo(503);
                assertThat(up.stop(STOP_MAX)).as(up.output()).isZero();
            }
            try (FanfareProcess left = FanfareProcess.start(data, "up", with("http.port=0"))) {
                assertThat(left.awaitExit(STOP_MAX)).as(left.output()).isEqualTo(1);
                assertThat(left.output()).contains("the data moved to " + plain(apart));
            }

            CommandRun reopened = CommandRun.of(List.of("migrate", "--reopen", "--data", data.toString()));
            assertThat(reopened.status()).as(reopened.err()).isZero();
            assertThat(reopened.out()).contains("takes writes again");
            try (FanfareProcess back = FanfareProcess.up(data, with())) {
                String url = back.runtime().httpUrl();
                posts.add(author.post(url, "on one machine again"));
                CommandRun again = CommandRun.of(List.of(
                        "migrate",
                        "--data",
                        data.toString(),
                        "--replace",
                        "--to",
                        plain(apart),
                        "--to-password-file",
                        password.toString()));
                assertThat(again.status()).as(again.out() + again.err()).isZero();
                assertThat(back.stop(STOP_MAX)).as(back.output()).isZero();
            }

            String redis = "redis.url=" + apart.server().url().reveal();
            try (FanfareProcess up = FanfareProcess.up(data, with(redis))) {
                String url = up.runtime().httpUrl();
                posts.add(author.post(url, "with a Redis apart"));
                awaitHome(reader, url, posts);
                try (FanfareProcess worker = FanfareProcess.start(data, "worker", with());
                        FanfareProcess api = FanfareProcess.start(data, "api", with("http.port=0"))) {
                    worker.awaitOutput("ready role=worker");
                    api.awaitOutput("ready role=api");
                    posts.add(
                            author.post(api.output().replaceFirst("(?s).* url=(\\S+) .*", "$1"), "by another process"));
                    awaitHome(reader, url, posts);

                    CommandRun moved = CommandRun.of(List.of(
                            "migrate",
                            "--data",
                            data.toString(),
                            "--to",
                            plain(cluster),
                            "--to-password-file",
                            password.toString(),
                            "--json"));
                    assertThat(moved.status()).as(moved.out() + moved.err()).isZero();
                    assertThat(new JsonObject(moved.out()).getLong("keys")).isPositive();
                    assertThat(api.stop(STOP_MAX)).as(api.output()).isZero();
                    assertThat(worker.stop(STOP_MAX)).as(worker.output()).isZero();
                }
                assertThat(up.stop(STOP_MAX)).as(up.output()).isZero();
            }

            String nodes = "redis.url=" + cluster.server().url().reveal();
            try (FanfareProcess up = FanfareProcess.up(data, with(nodes, "redis.mode=cluster"))) {
                String url = up.runtime().httpUrl();
                posts.add(author.post(url, "on a cluster"));
                awaitHome(reader, url, posts);
                CommandRun verify = CommandRun.of(List.of("admin", "verify", "--data", data.toString()));
                assertThat(verify.status()).as(verify.out() + verify.err()).isZero();
            }
        }
    }

    private static void awaitHome(Client reader, String url, List<String> posts) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(reader.home(url))
                .containsAll(posts));
    }

    private static String plain(TestRedis redis) {
        return "redis://127.0.0.1:" + redis.server().port();
    }

    private static String[] with(String... settings) {
        List<String> all = new ArrayList<>(CHEAP);
        for (String setting : settings) {
            all.addAll(List.of("--set", setting));
        }
        return all.toArray(String[]::new);
    }
}
