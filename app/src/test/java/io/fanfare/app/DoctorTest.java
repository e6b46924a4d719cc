package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.Finding.Level;
import io.fanfare.app.operate.Concern;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.media.FakeBucket;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Slots;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestCertificate;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code fanfare doctor}: what it finds in each state of Redis, machine and settings. */
@Timeout(240)
class DoctorTest {
    private static final long GIB = 1L << 30;

    @TempDir
    Path dir;

    @Test
    void beforeTheFirstStartThereIsNoRedisToLookAt() {
        CommandRun run = doctor();
        assertThat(run.out())
                .contains("`fanfare up` starts a redis-server of its own")
                .contains("ulimit -n")
                .containsPattern("settings +no settings work against each other");
        assertThat(run.status()).isLessThan(2);
    }

    @Test
    @Tag("programs")
    void besideUpItLooksAsTheAdministrator() throws Exception {
        Path data = dir.resolve("data");
        try (FanfareProcess up = FanfareProcess.up(data)) {
            assertThat(up.runtime().pid()).isPositive();
            CommandRun run = CommandRun.of(List.of("doctor", "--data", data.toString()));
            assertThat(run.status()).as(run.out()).isLessThan(2);
            assertThat(run.out())
                    .contains("appendfsync always")
                    .containsPattern("warning +backup +`fanfare backup` has made no backup of this service")
                    .containsPattern("ok +queue +no lane is paused")
                    .containsPattern("ok +reports +no report of a user is open")
                    .containsPattern("ok +archive +the database of old statuses answers")
                    .contains("buffers a burst of events")
                    .contains("the user of redis.url has the rights that it needs")
                    .contains("writes its append-only file")
                    .contains("agrees with that of this machine")
                    .containsPattern("answers a PING in \\d+\\.\\d\\d ms");
            assertThat(up.stop(Duration.ofSeconds(60))).isZero();
        }
    }

    @Test
    void theWorkThatWaitsForTheOperatorIsNamed() {
        Instant now = Instant.parse("2026-11-28T12:00:00Z");
        assertThat(ServiceExam.waiting(List.of(), 0, 0, Optional.of(now.plus(Duration.ofDays(8))), now))
                .extracting(Finding::level)
                .containsExactly(Level.OK, Level.OK);
        Concern dead = new Concern("dead", new JsonObject(), "3 dead letters", "read their errors");
        assertThat(ServiceExam.waiting(List.of(dead), 2, 5, Optional.of(now.plus(Duration.ofDays(6))), now))
                .extracting(Finding::line)
                .satisfiesExactly(
                        queue -> assertThat(queue)
                                .startsWith("warning")
                                .contains("queue", "3 dead letters. To do: read their errors"),
                        reports -> assertThat(reports)
                                .startsWith("warning")
                                .contains("2 reports of users are open", "fanfare admin reports"),
                        held -> assertThat(held)
                                .startsWith("warning")
                                .contains("5 posts wait for a moderator", "fanfare admin held"),
                        disk -> assertThat(disk)
                                .startsWith("warning")
                                .contains("machine", "2026-12-04T12:00:00Z", "make room"));
    }

    @Test
    void aRedisThatEvictsIsAnErrorWithStatusTwo() {
        try (TestRedis own = TestRedis.freshStandalone(AppendSync.OFF)) {
            TestRedis.ask(own.server(), "CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            TestRedis.ask(own.server(), "CONFIG", "SET", "client-output-buffer-limit", "pubsub 1048576 0 0");
            CommandRun run =
                    doctor("--json", "--set", "redis.url=" + own.server().url().reveal());
            assertThat(run.status()).isEqualTo(2);
            JsonObject json = new JsonObject(run.out());
            assertThat(json.getString("status")).isEqualTo("error");
            assertThat(json.getJsonArray("findings").encode())
                    .contains("maxmemory-policy allkeys-lru", "CONFIG SET maxmemory-policy noeviction")
                    .contains("cuts off stream processes");
        }
    }

    @Test
    void missingRightsAreNamedAndAnOrdinaryUserMayNotReadTheSettings() {
        try (TestRedis own = TestRedis.freshStandalone(AppendSync.OFF, "user weak on >pw ~* &* +@all -zadd -config")) {
            String url = own.server().url().reveal().replaceFirst("//[^@]*@", "//weak:pw@");
            CommandRun run = doctor("--set", "redis.url=" + url);
            assertThat(run.out()).contains("+zadd").contains("cannot be read by this user");
            assertThat(run.status()).isEqualTo(2);
        }
    }

    @Test
    void aRedisThatIsAwayAndSettingsThatAreImpossibleAreErrors() {
        CommandRun away = doctor("--set", "redis.url=redis://127.0.0.1:1");
        assertThat(away.out())
                .containsPattern("error +redis +a request to Redis failed")
                .contains("ulimit -n");
        assertThat(away.status()).isEqualTo(2);
        CommandRun impossible = doctor("--set", "queue.beat=9s");
        assertThat(impossible.out()).containsPattern("error +settings +queue.beat must be shorter");
        assertThat(impossible.status()).isEqualTo(2);
    }

    @Test
    void anOldBackupACertificateThatEndsAndAnArchiveThatIsAwayAreNamed() throws Exception {
        Instant now = Instant.parse("2026-11-28T12:00:00Z");
        assertThat(ServiceExam.ofBackup(Optional.of(now.minusSeconds(3 * 3600)), now)
                        .line())
                .startsWith("ok")
                .contains("the last backup is of 2026-11-28T09:00:00Z, 3 hours ago");
        assertThat(ServiceExam.ofBackup(Optional.of(now.minusSeconds(49 * 3600)), now)
                        .line())
                .startsWith("warning")
                .contains("49 hours ago", "run `fanfare backup` each day");
        assertThat(ServiceExam.ofBackup(Optional.of(now.minusSeconds(27 * 3600)), now)
                        .level())
                .isEqualTo(Level.WARNING);
        assertThat(ServiceExam.ofBackup(Optional.empty(), now).level()).isEqualTo(Level.WARNING);

        assertThat(ServiceExam.certificate(SettingsLoader.defaultsWith().http(), now))
                .isEmpty();
        // Of ninety days.
        TestCertificate certificate = TestCertificate.in(dir);
        Settings.Http tls = SettingsLoader.defaultsWith(
                        "http.tls.certificate=" + certificate.certificate(), "http.tls.key=" + certificate.key())
                .http();
        assertThat(ServiceExam.certificate(tls, Instant.now()).orElseThrow().level())
                .isEqualTo(Level.OK);
        assertThat(ServiceExam.certificate(tls, Instant.now().plus(Duration.ofDays(80)))
                        .orElseThrow()
                        .line())
                .startsWith("warning")
                .contains("in less than 14 days");
        assertThat(ServiceExam.certificate(tls, Instant.now().plus(Duration.ofDays(100)))
                        .orElseThrow()
                        .line())
                .startsWith("error")
                .contains("ended at");

        Path archive = dir.resolve("archive.db");
        Settings.Archive settings = SettingsLoader.defaultsWith("archive.jdbc-url=jdbc:sqlite:" + archive)
                .archive();
        assertThat(ServiceExam.archive(settings)).as("before the first start").isEmpty();
        assertThat(archive).doesNotExist();
        Files.writeString(archive, "no database ".repeat(1000));
        assertThat(ServiceExam.archive(settings).orElseThrow().line())
                .startsWith("error")
                .contains("does not answer");
    }

    @Test
    void theInfoOfRedisIsJudged() {
        Map<String, String> good = new HashMap<>(Map.of(
                "redis_version", "7.2.4",
                "maxmemory_policy", "noeviction",
                "maxmemory", Long.toString(4 * GIB),
                "used_memory", Long.toString(GIB),
                "total_system_memory", Long.toString(8 * GIB),
                "aof_enabled", "1",
                "aof_last_write_status", "ok"));
        assertThat(RedisExam.ofInfo("n", good, GIB)).extracting(Finding::level).containsOnly(Level.OK);
        assertBad(good, "redis_version", "6.2.1", Level.ERROR, "7.0 or newer");
        assertBad(good, "maxmemory", "0", Level.WARNING, "has no maxmemory");
        assertBad(good, "maxmemory", Long.toString(GIB), Level.WARNING, "writes are refused when it is full");
        assertBad(good, "maxmemory", Long.toString(8 * GIB), Level.WARNING, "a rewrite of its file needs more");
        assertBad(good, "maxmemory", Long.toString(2 * GIB - 2), Level.WARNING, "stream.log-bytes");
        assertBad(good, "aof_enabled", "0", Level.WARNING, "keeps no append-only file");
        assertBad(good, "aof_last_write_status", "err", Level.ERROR, "could not write its file");
        assertBad(good, "rdb_last_bgsave_status", "err", Level.ERROR, "could not write its file");
    }

    private static void assertBad(Map<String, String> good, String field, String value, Level level, String text) {
        Map<String, String> info = new HashMap<>(good);
        info.put(field, value);
        assertThat(RedisExam.ofInfo("n", info, GIB)).as("%s=%s", field, value).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(level);
            assertThat(finding.line()).contains(text, "To do: ");
        });
    }

    @Test
    void clocksLatencyAndBuffersAreJudged() {
        assertThat(RedisExam.ofClock("n", 1000, 990, 1010).level()).isEqualTo(Level.OK);
        assertThat(RedisExam.ofClock("n", 4000, 990, 1010).line()).contains("3.0 s ahead of");
        assertThat(RedisExam.ofClock("n", 100_000, 990, 1010).level()).isEqualTo(Level.ERROR);
        assertThat(RedisExam.ofClock("n", 0, 90_000, 90_010).line()).contains("90.0 s behind");
        assertThat(RedisExam.ofLatency("n", List.of(100_000L, 90_000_000L, 200_000L))
                        .level())
                .isEqualTo(Level.OK);
        assertThat(RedisExam.ofLatency("n", List.of(6_000_000L, 7_000_000L)).level())
                .isEqualTo(Level.WARNING);
        assertThat(RedisExam.ofBufferLimit("n", "normal 0 0 0 slave 1 1 60 pubsub 33554432 8388608 60")
                        .level())
                .isEqualTo(Level.OK);
        assertThat(RedisExam.ofBufferLimit("n", "normal 0 0 0 slave 1 1 60 pubsub 0 0 0")
                        .level())
                .isEqualTo(Level.OK);
        assertThat(RedisExam.ofBufferLimit("n", "normal 0 0 0 slave 1 1 60 pubsub 33554432 1 60")
                        .level())
                .isEqualTo(Level.WARNING);
        assertThat(RedisExam.ofSync("n", "no").level()).isEqualTo(Level.WARNING);
    }

    /** The shape of the reply is that of Valkey's documentation of CLUSTER SLOT-STATS, with statistics on and off. */
    @Test
    void theBusiestSlotsAreNamedByTheirShards() {
        Map<Integer, String> names = HotSlots.names(16);
        assertThat(names)
                .containsEntry(Slots.of("home:{7}:1"), "shard 7")
                .containsEntry(Slots.of("{bus}:log"), "{bus}");
        assertThat(names.values()).noneMatch(name -> name.contains("{s}"));

        Reply counted = new Reply.Items(List.of(
                slot(Slots.of("{7}"), "key-count", 1200, "cpu-usec", 8_130_000, "network-bytes-in", 5),
                slot(Slots.of("{bus}"), "key-count", 9, "cpu-usec", 1_000, "network-bytes-in", 5),
                slot(1, "key-count", 2, "cpu-usec", 0, "network-bytes-in", 0)));
        assertThat(HotSlots.finding("n", counted, names))
                .isEqualTo(Finding.ok(
                        "redis",
                        "n has as its busiest slots " + Slots.of("{7}")
                                + " (shard 7, 8,130 ms of processor, 1,200 keys); " + Slots.of("{bus}")
                                + " ({bus}, 1 ms of processor, 9 keys); 1 (other keys, 0 ms of processor, 2 keys)"));

        Reply keys = new Reply.Items(List.of(slot(Slots.of("{3}"), "key-count", 40)));
        assertThat(HotSlots.finding("n", keys, names).what())
                .isEqualTo("n has as its busiest slots " + Slots.of("{3}") + " (shard 3, 40 keys)");
    }

    private static Reply slot(int slot, Object... statistics) {
        List<Reply> pairs = Stream.of(statistics)
                .<Reply>map(value -> value instanceof Integer number
                        ? new Reply.Int(number)
                        : new Reply.Bulk(value.toString().getBytes(StandardCharsets.UTF_8)))
                .toList();
        return new Reply.Items(List.of(new Reply.Int(slot), new Reply.Items(pairs)));
    }

    @Test
    void aClusterThatDoesNotCountSlotsHasNoFindingAboutThem() {
        Vertx vertx = Vertx.vertx();
        RedisLink link = TestRedis.cluster().link(vertx);
        assertThat(TestRedis.await(HotSlots.of(link, 16))).isEmpty();
        assertThat(TestRedis.await(link.send(Command.of("EXISTS", "home:{7}:1")))
                        .asLong())
                .as("the link goes on")
                .isZero();
        TestRedis.await(link.close());
        TestRedis.await(vertx.close());
    }

    @Test
    void theProcessIsJudgedByItsLimitsAndOptions() throws IOException {
        Path process = Files.createDirectories(dir.resolve("42"));
        Files.writeString(process.resolve("limits"), "Max open files            1024                 4096     files\n");
        Files.writeString(process.resolve("cmdline"), "java\0-Xmx512m\0-Xmx3g\0-XX:MaxDirectMemorySize=256m\0");
        Files.writeString(dir.resolve("meminfo"), "MemTotal:        4194304 kB\n");
        MachineExam exam = new MachineExam(dir, "42");

        List<Finding> findings = exam.run(SettingsLoader.defaultsWith(), dir, true);

        assertThat(exam.heapBytes()).isEqualTo(3 * GIB);
        assertThat(findings).extracting(Finding::line).anySatisfy(line -> assertThat(line)
                .startsWith("warning")
                .contains("may open 1024 files", "allow 19000 files"));
        assertThat(findings)
                .extracting(Finding::line)
                .anySatisfy(line -> assertThat(line).startsWith("warning").contains("together more than there is"));
        assertThat(ofDisk(GIB)).satisfies(found -> {
            assertThat(found.level()).isEqualTo(Level.WARNING);
            assertThat(found.line()).contains("has 1024 MiB left", "2048 MiB are kept", "uploads are refused");
        });
        assertThat(ofDisk(3 * GIB).level()).isEqualTo(Level.OK);
        assertThat(ofDisk(GIB / 8).level()).isEqualTo(Level.ERROR);
    }

    private Finding ofDisk(long free) {
        return MachineExam.ofDisk(dir, new DiskReserve.State(free, 40 * GIB, 2 * GIB, 0));
    }

    @Test
    void settingsThatWorkAgainstEachOtherAreNamed() {
        assertThat(settings()).extracting(Finding::level).containsOnly(Level.OK);
        assertThat(settings("stream.connections-max=17900"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("leaves few of http.connections-max"));
        assertThat(settings("http.unsent-max-bytes=" + GIB)).hasSize(1);
        assertThat(settings("stream.ring-bytes=" + GIB)).hasSize(1);
        assertThat(settings("http.host=0.0.0.0", "limits.enabled=false")).hasSize(2);
        assertThat(settings("redis.url=redis://:secret@10.0.0.5:6379"))
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.line()).contains("without TLS").doesNotContain("secret"));
        assertThat(settings("redis.url=redis://:secret@127.0.0.1:6379").get(0).level())
                .isEqualTo(Level.OK);
    }

    private static List<Finding> settings(String... assignments) {
        Settings settings = SettingsLoader.defaultsWith(assignments);
        return SettingsExam.run(settings, GIB / 2, GIB / 4);
    }

    @Test
    void aBucketOfPicturesIsTried() {
        try (FakeBucket bucket = new FakeBucket()) {
            String[] settings = Stream.of(bucket.settings())
                    .flatMap(setting -> Stream.of("--set", setting))
                    .toArray(String[]::new);
            assertThat(doctor(settings).out()).contains("files can be stored in the bucket " + FakeBucket.NAME);

            bucket.refuse(403, "SignatureDoesNotMatch");
            CommandRun refused = doctor(settings);

            assertThat(refused.status()).isEqualTo(2);
            assertThat(refused.out()).containsPattern("error +pictures .*To do: correct media.s3.secret-key");
        }
    }

    private CommandRun doctor(String... more) {
        List<String> line = new ArrayList<>(List.of("doctor", "--data", dir.toString()));
        line.addAll(List.of(more));
        return CommandRun.of(line);
    }

    @Test
    void theProgramForVideoPreviewsIsReported() {
        String[] settings = {"media.ffmpeg=", "media.ffmpeg=none", "media.video-bytes-max=0", "media.ffmpeg=/no/ffmpeg"
        };
        String[] expected = {
            "video has no previews", "video has no previews", "no video and no sound", "which is no program"
        };
        for (int i = 0; i < settings.length; i++) {
            Finding finding = SettingsExam.previews(
                    SettingsLoader.defaultsWith(settings[i]).media(), "/nowhere");
            assertThat(finding.line()).contains(expected[i]).startsWith(i < 3 ? "ok" : "warning");
        }
    }
}
