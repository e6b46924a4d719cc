package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.app.ContractServer.Answer;
import io.fanfare.app.People.Person;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.held.HeldStatuses;
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
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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

    /** Held posts of each account of the wave: one more than there is room for. */
    private static final int HELD_EACH = HeldStatuses.SITE_MAX / ACCOUNTS + 1;

    /** Posts that the web client shows at once. */
    private static final int PAGE = 40;

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
    @Tag("programs")
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
        String since = signUpOf(ann).plusMillis(1).toString();
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

    /** The server of the test holds posts of new accounts that name two strangers. */
    @Test
    @Tag("programs")
    void aWaveOfHeldPostsFillsItsRoomAndLeavesItWhenItsAccountsAreSuspended() throws Exception {
        assertThat(people.signUp("bob").id()).isNotEmpty();
        Person hana = people.signUp("hana");
        hold(hana, "hello @mia @bob");
        Set<String> wave = eachOfTheWave(one -> {
            for (int post = 0; post < HELD_EACH; post++) {
                Answer answer = tryToPost(one, "@mia @bob " + TEXT + " " + post);
                assertThat(answer.status()).as(answer.body()).isEqualTo(422);
            }
        });
        assertThat(waitingInAll()).isBetween(HeldStatuses.SITE_MAX, HeldStatuses.SITE_MAX + AT_ONCE);
        Person ivan = people.signUp("ivan");
        Answer full = tryToPost(ivan, "hello @mia @bob");
        assertThat(full.text("error")).contains("as many posts wait as this server keeps");

        // The tab of waiting posts, and from one of them the accounts like its author.
        Answer page = tab();
        assertThat(page.json()).hasSize(PAGE);
        JsonNode spam = page.json().get(0);
        JsonNode selection = select("signed_up_like=" + spam.at("/account/id").asText() + "&signed_up_since="
                + encode(signUpOf(hana).plusMillis(1).toString()) + "&signed_up_until="
                + encode(signUpOf(ivan).minusMillis(1).toString()));
        assertThat(selection.path("count").asInt()).isEqualTo(ACCOUNTS);
        server.startWorkers();
        post(selection.path("id").asText() + "/act", "type=suspend&why=wave");
        await(selection.path("id").asText(), "acted");
        assertThat(suspended()).isEqualTo(wave);

        long begin = System.nanoTime();
        Answer rest = tab();
        System.out.println("held posts: a page beside " + HeldStatuses.SITE_MAX + " of suspended accounts in "
                + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
        assertThat(rest.status())
                .as("a request that takes longer than it may ends")
                .isEqualTo(200);
        assertThat(rest.json()).singleElement().satisfies(one -> assertThat(
                        one.at("/account/username").asText())
                .isEqualTo("hana"));
        assertThat(waitingInAll()).isEqualTo(1);

        hold(ivan, "hello @mia @bob");
        for (JsonNode one : tab().json()) {
            String path = "/api/v1/admin/accounts/" + one.at("/account/id").asText() + "/held_statuses/"
                    + one.path("id").asText() + "/approve";
            assertThat(server.send("POST", path, moderator.token(), "").status())
                    .isEqualTo(200);
        }
        for (Person honest : List.of(hana, ivan)) {
            Awaitility.await()
                    .atMost(WAIT_MAX)
                    .until(() ->
                            server.send("GET", "/api/v1/accounts/" + honest.id() + "/statuses", honest.token(), null)
                                            .json()
                                            .size()
                                    == 1);
        }
    }

    @Test
    void noAccountFillsTheRoomOfOthers() {
        Person ann = people.signUp("ann");
        assertThat(people.signUp("bob").id()).isNotEmpty();
        for (int post = 0; post < HeldStatuses.MAX; post++) {
            hold(ann, post + " @mia @bob");
        }
        assertThat(tryToPost(ann, "more @mia @bob").text("error")).contains("10 posts of yours wait");
        assertThat(tab().json()).hasSize(HeldStatuses.MAX);
    }

    private Answer tryToPost(Person author, String text) {
        return server.send("POST", "/api/v1/statuses", author.token(), "status=" + encode(text));
    }

    private void hold(Person author, String text) {
        assertThat(tryToPost(author, text).text("/details/status/0/error")).isEqualTo("ERR_HELD");
    }

    private int waitingInAll() {
        return (int) redis.askAt(Keys.HELD_LIST, "ZCARD", Keys.HELD_LIST).asLong();
    }

    private Answer tab() {
        return server.send("GET", "/api/v1/admin/held_statuses?limit=" + PAGE, moderator.token(), null);
    }

    private static Instant signUpOf(Person person) {
        return Instant.ofEpochMilli(Id.epochMillis(Id.parse(person.id())));
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
        return eachOfTheWave(one -> {
            String unused = people.publish(one, "status=" + encode(TEXT));
        });
    }

    /** Their names. */
    private Set<String> eachOfTheWave(Consumer<Person> act) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<String>> made = IntStream.range(0, ACCOUNTS)
                    .mapToObj(i -> threads.submit(() -> {
                        act.accept(people.signUp("wave" + i));
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
