package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.operate.VerifyRun;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.BackupStamp;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.Command;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.TestCertificate;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.runtime.RuntimeFile;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The alert rules and the dashboard, judged by a real Prometheus. {@link MonitoringTest} compares names without one.
 */
@Tag("prometheus")
@Timeout(300)
class PrometheusTest {
    private static final Path RULES = Path.of("../config/prometheus/fanfare-alerts.yml");
    private static final Path DASHBOARD = Path.of("../config/grafana/fanfare.json");
    private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)\n +expr: (.+)\n");
    private static final Pattern COMPARISON = Pattern.compile("^(.*) (?:>|<|==) [0-9.]+(?: \\* .*)?$");

    @TempDir
    Path dir;

    @Test
    void theRulesAreRules() throws Exception {
        assertThat(TestPrometheus.promtool(dir, "check", "rules", RULES.toString()))
                .contains("SUCCESS: " + rules().size() + " rules found");
    }

    @Test
    void everyExpressionHasDataOnAServerThatIsUsedAndNoAlertFires() throws Exception {
        Map<String, String> expressions = new LinkedHashMap<>();
        rules().forEach((alert, expression) -> {
            if (!expression.startsWith("absent(")) { // Has data when something is wrong.
                expressions.put(alert, COMPARISON.matcher(expression).replaceFirst("$1"));
            }
        });
        expressions.putAll(panels());
        assertThat(expressions).hasSizeGreaterThan(30);
        TestCertificate pair = TestCertificate.in(dir);
        try (FanfareProcess up = FanfareProcess.up(dir.resolve("data"), "--set", "feeds.push-max-followers=0");
                FanfareProcess tls = FanfareProcess.up(
                        dir.resolve("tls"),
                        "--tls",
                        pair.certificate().toString(),
                        pair.key().toString());
                TestPrometheus prometheus = new TestPrometheus(dir, hastyRules(), management(up), management(tls))) {
            for (String data : List.of("data", "tls")) {
                String file = dir.resolve(data + ".backup").toString();
                CommandRun backup = CommandRun.of(
                        List.of("backup", file, "--data", dir.resolve(data).toString()));
                assertThat(backup.status()).as(backup.err()).isZero();
            }
            String url = up.runtime().httpUrl();
            Client ann = Client.signUp(url, "ann");
            Client bob = Client.signUp(url, "bob");
            bob.follow(url, ann);

            Awaitility.await("data of every expression")
                    .atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofMillis(500))
                    .untilAsserted(() -> {
                        String unused = ann.post(url, "a post");
                        assertThat(Client.get(url + "/api/v1/timelines/home", bob.token())
                                        .statusCode())
                                .isEqualTo(200);
                        assertThat(withoutData(prometheus, expressions)).isEmpty();
                    });
            assertThat(ask(prometheus, "fanfare_no_such_metric"))
                    .as("what there is not")
                    .isEmpty();
            // A machine that is busy with other tests may be slow.
            Awaitility.await("no alert").atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(
                            prometheus.alerts().keySet())
                    .isSubsetOf("FanfareStreamsLag", "FanfareRedisSlow"));
        }
    }

    @Test
    void faultsFireTheirAlertsAndRecoveriesEndThem() throws Exception {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.ALWAYS);
                SplitDeployment deployment = new SplitDeployment(
                        dir,
                        TestSettings.redis(redis.options()),
                        "queue.attempts-max=1",
                        "queue.reap=200ms",
                        "queue.retry-base=1ms")) {
            String[] ports = {Integer.toString(FreePort.find()), Integer.toString(FreePort.find())};
            deployment.start("api", "management.port=" + ports[0]);
            FanfareProcess worker = deployment.start("worker", "management.port=" + ports[1]);
            String url = deployment.url();
            Client ann = Client.signUp(url, "ann");
            long author = Long.parseLong(ann.id());
            try (TestPrometheus prometheus =
                    new TestPrometheus(dir, hastyRules(), "127.0.0.1:" + ports[0], "127.0.0.1:" + ports[1])) {
                awaitUntil("both are read", () -> ask(prometheus, "sum(up)").equals(List.of(2.0)));
                Awaitility.await("no alert").atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(
                                prometheus.alerts().keySet())
                        .isSubsetOf("FanfareStreamsLag", "FanfareRedisSlow", "FanfareBackupNever"));

                // A lane that somebody has paused and forgotten: its oldest job is two minutes old.
                CommandRun.admin(redis, "queue", "pause", "high");
                String post = ann.post(url, "nobody hears of this");
                String lane = Keys.lane(Id.shard(author), "high");
                long enqueued = System.currentTimeMillis() - 120_000;
                redis.askAt(lane, "RPUSH", lane, "0 0 " + enqueued + " fan_out.1 " + author + " " + post + " 0");
                prometheus.awaitFiring("FanfareQueueOld");
                prometheus.awaitFiring("FanfareLanePaused");
                CommandRun.admin(redis, "queue", "resume", "high");
                prometheus.awaitOver("FanfareQueueOld");
                prometheus.awaitOver("FanfareLanePaused");

                // A job that cannot be done.
                String followers = Keys.followers(author);
                redis.askAt(followers, "SET", followers, "written over by hand");
                String unused = ann.post(url, "its followers cannot be read");
                prometheus.awaitFiring("FanfareDeadLetters");

                // No worker.
                deployment.kill(worker);
                prometheus.awaitFiring("FanfareDown");
                prometheus.awaitFiring("FanfareNoWorker");
                assertThat(prometheus.alerts()).doesNotContainKey("FanfareRedisAway");

                redis.server().kill();
                prometheus.awaitFiring("FanfareRedisAway");
                redis.restart(redis.server());
                prometheus.awaitOver("FanfareRedisAway");
            }
        }
    }

    @Test
    void aBackupThatIsOldAndARedisThatIsFullFireTheirAlerts() throws Exception {
        Path data = dir.resolve("data");
        try (FanfareProcess up = FanfareProcess.up(data);
                TestPrometheus prometheus = new TestPrometheus(
                        dir,
                        Files.writeString(
                                dir.resolve("faster.yml"),
                                Files.readString(hastyRules()).replace("for: 2d", "for: 1s")),
                        management(up))) {
            prometheus.awaitFiring("FanfareBackupNever");
            Settings settings = redisOf(data);
            note(settings, Instant.now().minus(Duration.ofDays(3)));
            prometheus.awaitFiring("FanfareBackupOld");
            prometheus.awaitOver("FanfareBackupNever");
            note(settings, Instant.now());
            prometheus.awaitOver("FanfareBackupOld");

            Settings administrator = settings.with(
                    settings.redis().at(VerifyRun.administratorOf(data).orElseThrow()));
            String most = limitMemory(administrator, "1mb");
            prometheus.awaitFiring("FanfareRedisFull");
            prometheus.awaitFiring("FanfareRedisMemory");
            String unused = limitMemory(administrator, most);
            prometheus.awaitOver("FanfareRedisMemory");
        }
    }

    private static Settings redisOf(Path data) {
        return SettingsLoader.defaultsWith(
                "redis.url=" + RuntimeFile.read(data).orElseThrow().settings().get("redis.url"));
    }

    private static void note(Settings settings, Instant moment) {
        Void unused = RemoteStores.askRedis(settings, redis -> new BackupStamp(redis).write(moment));
    }

    /** The bound that was there before. */
    private static String limitMemory(Settings settings, String bytes) {
        return RemoteStores.askRedis(settings, redis -> redis.sendTo(
                        redis.nodes().get(0), Command.routed("CONFIG", null, "GET", "maxmemory"))
                .compose(before -> redis.sendTo(
                                redis.nodes().get(0), Command.routed("CONFIG", null, "SET", "maxmemory", bytes))
                        .map(set -> before.items().get(1).asString())));
    }

    private static List<String> withoutData(TestPrometheus prometheus, Map<String, String> expressions) {
        List<String> without = new ArrayList<>();
        expressions.forEach((name, expression) -> {
            if (ask(prometheus, expression).isEmpty()) {
                without.add(name + ": " + expression);
            }
        });
        return without;
    }

    private static List<Double> ask(TestPrometheus prometheus, String expression) {
        try {
            return prometheus.ask(expression);
        } catch (Exception e) {
            throw new AssertionError(expression, e);
        }
    }

    private static String management(FanfareProcess up) {
        return URI.create(up.runtime().managementUrl()).getAuthority();
    }

    /** The rules, which wait a second where they wait for minutes. */
    private Path hastyRules() throws IOException {
        return Files.writeString(
                dir.resolve("rules.yml"),
                Files.readString(RULES)
                        .replaceAll("for: \\d+m", "for: 1s")
                        .replace("fanfare_redis_away_seconds_max) > 30", "fanfare_redis_away_seconds_max) > 2"));
    }

    /** Expressions by alert. */
    private static Map<String, String> rules() throws IOException {
        Map<String, String> rules = new LinkedHashMap<>();
        String text = Files.readString(RULES);
        for (MatchResult rule : ALERT.matcher(text).results().toList()) {
            rules.put(rule.group(1), rule.group(2));
        }
        assertThat(rules).hasSize(text.split("- alert:", -1).length - 1);
        return rules;
    }

    /** Expressions of the dashboard by panel. */
    private static Map<String, String> panels() throws IOException {
        Map<String, String> panels = new LinkedHashMap<>();
        for (Object each : new JsonObject(Files.readString(DASHBOARD)).getJsonArray("panels")) {
            JsonObject panel = (JsonObject) each;
            for (Object target : panel.getJsonArray("targets")) {
                String name = panel.getString("title") + ", " + ((JsonObject) target).getString("refId");
                panels.put(name, ((JsonObject) target).getString("expr"));
            }
        }
        return panels;
    }
}
