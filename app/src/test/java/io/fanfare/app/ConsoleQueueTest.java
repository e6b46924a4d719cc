package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The queue and its dead letters in the console, which must say and do what the commands say and do. */
@Timeout(240)
class ConsoleQueueTest {
    private static final String OPERATOR = "an-operator-of-this-test";
    private static final String VIEWER = "a-viewer-of-this-test";

    /** Recent, since letters are dropped by their age. */
    private final long died = Instant.now().minusSeconds(600).toEpochMilli();

    private static final TestRedis REDIS = TestRedis.standalone();

    @TempDir
    static Path dir;

    private static FanfareProcess up;
    private static ConsoleBrowser operator;
    private static ConsoleBrowser viewer;

    @BeforeAll
    static void start() {
        REDIS.flush();
        up = FanfareProcess.up(
                dir.resolve("data"),
                "--set",
                "redis.url=" + REDIS.server().url().reveal(),
                "--set",
                "console.operator-token=" + OPERATOR,
                "--set",
                "console.viewer-token=" + VIEWER);
        operator = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), OPERATOR);
        viewer = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), VIEWER);
    }

    @AfterAll
    static void stop() {
        up.close();
    }

    @Test
    void aPausedLaneIsShownAndWhoOnlyLooksCannotPauseOne() {
        JsonObject low = new JsonObject().put("lane", "low");
        assertThat(viewer.post("queue/pause", low).statusCode()).isEqualTo(403);
        assertThat(lane("low").getBoolean("paused")).isFalse();

        JsonObject done = operator.act("queue/pause", low);
        assertThat(done.getBoolean("paused")).isTrue();
        assertThat(done.getInteger("changed")).isEqualTo(done.getInteger("shards"));
        assertThat(lane("low").getBoolean("paused")).isTrue();
        assertThat(new JsonObject(admin("lanes", "--json")).getJsonArray("lanes"))
                .contains(lane("low"));

        assertThat(operator.act("queue/resume", low).getInteger("changed")).isEqualTo(done.getInteger("shards"));
        assertThat(lane("low").getBoolean("paused")).isFalse();
        assertThat(operator.post("queue/pause", new JsonObject().put("lane", "lo\nw"))
                        .statusCode())
                .isEqualTo(400);
        assertThat(operator.get("queue/pause?lane=low").statusCode()).isEqualTo(405);
        assertThat(up.output())
                .containsPattern(
                        "event=console-action action=queue/pause role=operator session=[\\w-]+ address=[0-9a-f]{16} outcome=done given=\"lane=low\"")
                .contains("outcome=refused given=\"lane=lo?w\"");
    }

    @Test
    void delayedJobsAreShownThoseDueFirstAndRunNowOnDemand() {
        String key = Keys.delayed(5);
        String later = "0 0 1795251980000 mute.1 8201 14 0";
        String sooner = "0 1 1795251980000 mute.1 8201 15 0";
        REDIS.askAt(key, "ZADD", key, "4000000002000", later);
        REDIS.askAt(key, "ZADD", key, "4000000001000", sooner);
        JsonArray delayed = viewer.look("queue/delayed?max=1").getJsonArray("delayed");
        assertThat(delayed)
                .containsExactly(new JsonObject()
                        .put("shard", 5)
                        .put("due_at", "2096-10-02T07:06:41Z")
                        .put("job", sooner));
        assertThat(admin("delayed", "list", "--max", "1")).contains("2096-10-02T07:06:41Z  shard 5  [" + sooner + ']');
        assertThat(viewer.post("queue/delayed/now", new JsonObject().put("job", sooner))
                        .statusCode())
                .isEqualTo(403);

        JsonObject one = operator.act("queue/delayed/now", new JsonObject().put("job", sooner));
        assertThat(one.getInteger("hurried")).isEqualTo(1);
        JsonObject none = operator.act("queue/delayed/now", new JsonObject().put("job", "0 0 1 mute.1 1 1 0"));
        assertThat(none.getInteger("hurried")).isZero();
        assertThat(admin("delayed", "now", "--job", later)).contains("1 delayed job is due now");
        // A worker takes both at its next look at the shard.
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(
                        viewer.look("queue/delayed").encode())
                .doesNotContain(sooner)
                .doesNotContain(later));
    }

    @Test
    void everyAttemptAtAnActionIsLoggedEvenIfItIsRefused() {
        assertThat(viewer.post("queue/pause", new JsonObject().put("lane", "high"))
                        .statusCode())
                .isEqualTo(403);
        ConsoleBrowser stranger = new ConsoleBrowser(up.runtime().managementUrl());
        assertThat(stranger.post("queue/pause", new JsonObject().put("lane", "high"))
                        .statusCode())
                .isEqualTo(401);
        // As another page would send it.
        assertThat(operator.send("POST", "/api/queue/resume", "{\"lane\":\"high\"}")
                        .statusCode())
                .isEqualTo(401);
        assertThat(operator.send("POST", "/api/queue/resume", "[1]", "X-Fanfare-Page", "1")
                        .statusCode())
                .isEqualTo(400);
        JsonObject hidden = new JsonObject().put("x", "y".repeat(300)).put("conn", "0123456789abcdef");
        assertThat(operator.post("streams/close", hidden).statusCode()).isEqualTo(400);

        String at = " address=[0-9a-f]{16} outcome=";
        assertThat(up.output())
                .containsPattern("action=queue/pause role=viewer session=[\\w-]+" + at + "forbidden given=\"\"")
                .containsPattern("action=queue/pause role=- session=-" + at + "forbidden given=\"\"")
                .containsPattern("action=queue/resume role=- session=-" + at + "forbidden given=\"\"")
                .containsPattern("action=queue/resume role=operator session=[\\w-]+" + at + "refused given=\"\"")
                .containsPattern("action=streams/close role=operator session=[\\w-]+" + at
                        + "refused given=\"conn=0123456789abcdef\"");
    }

    @Test
    void aFilterThatIsMisspelledOrWithoutABoundDropsNothing() {
        letter(7, died, "misspelled\trubbish of the seventh shard");
        for (String body : new String[] {
            "{}",
            "{\"eror\":\"timed out\",\"max\":10}",
            "{\"error\":null,\"max\":10}",
            "{\"error\":\"misspelled\"}",
            "{\"error\":\"misspelled\",\"max\":0}",
            "{\"error\":\"misspelled\",\"max\":10001}"
        }) {
            assertThat(operator.send("POST", "/api/dead/drop", body, "X-Fanfare-Page", "1")
                            .statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(operator.get("dead?eror=misspelled").statusCode()).isEqualTo(400);
        assertThat(letters("error=misspelled")).hasSize(1);
        JsonObject one = new JsonObject().put("error", "misspelled").put("max", 1);
        assertThat(operator.act("dead/drop", one).getInteger("dropped")).isEqualTo(1);
    }

    @Test
    void deadLettersAreFoundReplayedAndDroppedByTypeErrorAndLine() {
        letter(2, died + 123, "no route\t0 11 1795251980000 retract.1 8200 12 0");
        letter(2, died + 200, "timed out\t0 11 1795251980000 mute.1 8200 13 0");
        letter(5, died + 1000, "malformed\trubbish");
        letter(5, died + 2000, "timed out\tother rubbish");

        assertThat(letters("")).hasSize(4).isEqualTo(new JsonArray(admin("dead", "list", "--json")));
        assertThat(letters("type=mute")).hasSize(1);
        assertThat(letters("error=timed%20out"))
                .hasSize(2)
                .isEqualTo(new JsonArray(admin("dead", "list", "--json", "--error", "timed out")));
        assertThat(letters("error=timed&author=8200")).hasSize(1);
        assertThat(viewer.get("dead?author=nobody_has_this").statusCode()).isEqualTo(404);
        assertThat(viewer.get("dead?type=Mute").statusCode()).isEqualTo(400);
        assertThat(viewer.post("dead/drop", new JsonObject()).statusCode()).isEqualTo(403);

        // One letter, whatever the others are.
        JsonObject rubbish = new JsonObject().put("job", "rubbish");
        assertThat(operator.act("dead/replay", rubbish).getInteger("replayed")).isZero();
        assertThat(operator.act("dead/drop", rubbish.put("max", 1)).getInteger("dropped"))
                .isEqualTo(1);
        // All of a filter: what does not decode stays where it is to run again.
        JsonObject timedOut = new JsonObject().put("error", "timed out");
        assertThat(operator.act("dead/replay", timedOut).getInteger("replayed")).isEqualTo(1);
        assertThat(letters("")).hasSize(2);
        awaitUntil(
                "the job runs",
                () -> viewer.look("queue").getJsonObject("stats").getInteger("waiting") == 0);
        JsonObject bounded = operator.act("dead/drop", new JsonObject().put("max", 1));
        assertThat(bounded.getInteger("dropped")).isEqualTo(1);
        assertThat(bounded.getInteger("more")).isEqualTo(1);
        assertThat(admin("dead", "drop", "--error", "timed", "--max", "9", "--json"))
                .contains("\"dropped\":1");
    }

    @Test
    void theQueueIsThatOfTheCommandsAndJobsAreFoundInIt() {
        String key = Keys.delayed(4);
        REDIS.askAt(key, "ZADD", key, "4000000000000", "0 1 1795251980000 retract.1 8200 777 0");

        JsonObject queue = viewer.look("queue");
        JsonObject stats = new JsonObject(admin("stats", "--json"));
        assertThat(queue.getJsonObject("stats").getInteger("delayed"))
                .isEqualTo(1)
                .isEqualTo(stats.getInteger("delayed"));
        assertThat(queue.getJsonObject("stats").fieldNames()).isEqualTo(stats.fieldNames());
        assertThat(queue.getJsonArray("lanes")).hasSize(3);
        assertThat(queue.getJsonObject("in_flight").fieldNames()).contains("workers", "jobs");

        JsonObject place = viewer.look("queue/job?id=777").getJsonArray("found").getJsonObject(0);
        assertThat(place.getString("where")).isEqualTo("delayed");
        assertThat(viewer.get("queue/job?id=ada").statusCode()).isEqualTo(400);
        REDIS.askAt(key, "DEL", key);
    }

    @Test
    void waitingAuthorsAndFailuresEqualTheOutputOfTheCommands() {
        assertThat(viewer.look("queue/authors")).isEqualTo(new JsonObject(admin("authors", "--json")));
        String delayed = Keys.delayed(4);
        String stats = Keys.queueStats(4);
        String job = "0 1 1795251980000 retract.1 8200 777 0";
        REDIS.askAt(delayed, "ZADD", delayed, "4000000000000", job);
        REDIS.askAt(delayed, "ZADD", delayed, "4000000000000", "0 0 1795251980000 mute.1 8200 12 0");
        REDIS.askAt(delayed, "ZADD", delayed, "4000000000000", "0 0 1795251980000 mute.1 8300 13 0");
        REDIS.askAt(stats, "HSET", stats, "failed:retract", died + "\ttimed <b>out</b>\t" + job);

        JsonObject authors = viewer.look("queue/authors?max=1");
        assertThat(authors).isEqualTo(new JsonObject(admin("authors", "--max", "1", "--json")));
        assertThat(authors.getJsonArray("authors")).hasSize(1);
        JsonObject most = authors.getJsonArray("authors").getJsonObject(0);
        assertThat(most.getString("id")).isEqualTo("8200");
        assertThat(most.getJsonObject("types").getMap()).isEqualTo(Map.of("mute", 1, "retract", 1));
        JsonObject failures = viewer.look("queue/failures");
        assertThat(failures).isEqualTo(new JsonObject(admin("failures", "--json")));
        assertThat(failures.getJsonArray("failures").getJsonObject(0).getString("reason"))
                .isEqualTo("timed <b>out</b>");

        assertThat(viewer.get("queue/authors?max=101").statusCode()).isEqualTo(400);
        assertThat(viewer.get("queue/failures?type=mute").statusCode()).isEqualTo(400);
        ConsoleBrowser stranger = new ConsoleBrowser(up.runtime().managementUrl());
        assertThat(stranger.get("queue/authors").statusCode()).isEqualTo(401);
        assertThat(stranger.get("queue/failures").statusCode()).isEqualTo(401);
        assertThat(operator.post("queue/failures", new JsonObject()).statusCode())
                .isEqualTo(405);
        REDIS.askAt(delayed, "DEL", delayed);
        REDIS.askAt(stats, "HDEL", stats, "failed:retract");
    }

    @Test
    void slowCommandsAreReadOnceForEverybodyWhoLooks() {
        long before = slowLogReads();
        for (int i = 0; i < 40; i++) {
            assertThat(viewer.look("redis").getJsonArray("slow")).isNotNull();
        }
        // Once every 8 s, on a machine that others use too.
        assertThat(slowLogReads() - before).isBetween(1L, 20L);
    }

    private static long slowLogReads() {
        return Pattern.compile("cmdstat_slowlog\\|get:calls=(\\d+)")
                .matcher(REDIS.askAt("a", "INFO", "commandstats").asString())
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    private static JsonArray letters(String filter) {
        return viewer.look("dead?" + filter).getJsonArray("letters");
    }

    private static JsonObject lane(String name) {
        return viewer.look("queue").getJsonArray("lanes").stream()
                .map(JsonObject.class::cast)
                .filter(lane -> lane.getString("lane").equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void letter(int shard, long died, String letter) {
        String key = Keys.dead(shard);
        REDIS.askAt(key, "ZADD", key, Long.toString(died), letter);
    }

    private static String admin(String... command) {
        return CommandRun.admin(REDIS, "queue", command);
    }
}
