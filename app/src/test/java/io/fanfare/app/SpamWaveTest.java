package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.app.ContractServer.Answer;
import io.fanfare.app.People.Person;
import io.fanfare.common.id.Id;
import io.fanfare.redis.testing.TestRedis;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The drill of docs/operate/spam-wave.md: a wave of accounts from one network posts the same text, and a moderator
 * stops it with requests of the web client alone, while the worker that does the work is killed.
 */
@Timeout(300)
class SpamWaveTest {
    private static final int ACCOUNTS = 500;
    private static final int AT_ONCE = 8;
    private static final String TEXT = "Win a FREE phone: answer within the hour";
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    /** Short leases, so that the dead are noticed while the test waits. */
    private static final String[] FAST = {
        "--set", "queue.lease=1s", "--set", "queue.beat=250ms", "--set", "queue.reap=200ms"
    };

    private final TestRedis redis = TestRedis.standalone();

    @TempDir
    Path dir;

    private ContractServer server;
    private People people;
    private Person moderator;

    @BeforeEach
    void open() {
        redis.flush();
        server = new ContractServer(redis);
        people = new People(server);
        moderator = people.signUp("mia");
        CommandRun.admin(redis, "role", "set", "mia", "moderator", "--why", "drill");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aWaveIsStoppedByAModeratorAndWhoWasHitByMistakeComesBack() throws Exception {
        Person ann = people.signUp("ann");
        Set<String> wave = wave();
        // Warns of the wave in its words, and is selected with it.
        String warning = people.publish(ann, "status=" + encode("Beware of this: " + TEXT));

        JsonNode selection = Awaitility.await()
                .atMost(WAIT_MAX)
                .until(
                        () -> select("text=" + encode("win a free phone")),
                        found -> found.path("count").asInt() == ACCOUNTS + 1);
        assertThat(selection.path("accounts")).hasSize(20);
        assertThat(selection.path("more").asBoolean()).isFalse();
        assertThat(selection.path("complete").asBoolean()).isTrue();
        String id = selection.path("id").asText();
        try (FanfareProcess worker = FanfareProcess.ofClient(dir, "worker", joined())) {
            worker.awaitOutput("ready role=worker");
            post(id + "/act", "type=suspend&why=wave");
            JsonNode cut = Awaitility.await()
                    .atMost(WAIT_MAX)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> act(id), act -> act.path("settled").asInt() > 0);
            worker.kill();
            assertThat(cut.path("settled").asInt()).as("killed in the middle").isLessThan(ACCOUNTS);
        }

        server.startWorkers();
        JsonNode acted = await(id, "acted");
        assertThat(acted.path("changed").asInt()).isEqualTo(ACCOUNTS + 1);
        assertThat(acted.path("settled").asInt()).isEqualTo(ACCOUNTS + 1);
        Set<String> all = new TreeSet<>(wave);
        all.add("ann");
        assertThat(suspended()).isEqualTo(all);
        assertThat(logged("accounts.suspend")).as("one line for each account").isEqualTo(ACCOUNTS + 1);

        // Ann was there before the wave: undo, and select again without her.
        post(id + "/undo", "why=" + encode("not ann"));
        assertThat(await(id, "undone").path("restored").asInt()).isEqualTo(ACCOUNTS + 1);
        assertThat(suspended()).isEmpty();
        String since =
                Instant.ofEpochMilli(Id.epochMillis(Id.parse(ann.id())) + 1).toString();
        JsonNode again = select(
                "text=" + encode("win a free phone") + "&signed_up_from=127.0.0.0/24&signed_up_since=" + encode(since));
        assertThat(again.path("count").asInt()).isEqualTo(ACCOUNTS);
        long begin = System.nanoTime();
        post(again.path("id").asText() + "/act", "type=suspend&why=wave");
        await(again.path("id").asText(), "acted");
        System.out.println("spam wave: " + ACCOUNTS + " accounts suspended in "
                + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
        assertThat(suspended()).isEqualTo(wave);
        assertThat(server.send("GET", "/api/v1/statuses/" + warning, moderator.token(), null)
                        .status())
                .isEqualTo(200);
        assertThat(CommandRun.admin(redis, "queue", "stats")).doesNotContain("dead 1");
    }

    private String[] joined() {
        List<String> all = new ArrayList<>(List.of(FAST));
        all.addAll(List.of("--set", "redis.url=" + redis.server().url().reveal(), "--set", "http.port=0"));
        return all.toArray(String[]::new);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Set<String> wave() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<String>> made = IntStream.range(0, ACCOUNTS)
                    .mapToObj(i -> threads.submit(() -> {
                        Person one = people.signUp("wave" + i);
                        String unused = people.publish(one, "status=" + encode(TEXT));
                        return "wave" + i;
                    }))
                    .toList();
            Set<String> names = new TreeSet<>();
            for (Future<String> one : made) {
                names.add(one.get());
            }
            return names;
        } finally {
            threads.shutdownNow();
        }
    }

    private JsonNode select(String form) {
        return post("", form);
    }

    @CanIgnoreReturnValue
    private JsonNode post(String path, String form) {
        String all = "/api/v1/admin/selections";
        Answer answer = server.send("POST", path.isEmpty() ? all : all + "/" + path, moderator.token(), form);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private JsonNode act(String id) {
        return server.send("GET", "/api/v1/admin/selections/" + id, moderator.token(), null)
                .json()
                .path("act");
    }

    @CanIgnoreReturnValue
    private JsonNode await(String id, String state) {
        Predicate<JsonNode> wanted = act -> act.path("state").asText().equals(state);
        return Awaitility.await().atMost(WAIT_MAX).until(() -> act(id), wanted);
    }

    private Set<String> suspended() {
        Set<String> names = new TreeSet<>();
        String next = "/api/v1/admin/accounts?suspended=true&limit=200";
        while (!next.isEmpty()) {
            Answer page = server.send("GET", next, moderator.token(), null);
            page.json().forEach(account -> names.add(account.path("username").asText()));
            next = page.next().orElse("");
        }
        return names;
    }

    private int logged(String action) {
        int count = 0;
        String place = "";
        do {
            JsonNode page = server.send(
                            "GET",
                            "/api/v1/admin/audit_log?limit=200&action=" + action + "&max_id=" + place,
                            moderator.token(),
                            null)
                    .json();
            count += page.path("entries").size();
            place = page.path("next").isNull() ? "" : page.path("next").asText();
        } while (!place.isEmpty());
        return count;
    }
}
