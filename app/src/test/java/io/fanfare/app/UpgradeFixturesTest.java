package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.UpgradeFixture.Account;
import io.fanfare.app.UpgradeFixture.Site;
import io.fanfare.common.store.DataFormat;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Data of releases, as this one meets them: the fixtures in {@code app/src/test/upgrade}, which {@code config/fixture}
 * makes. Data of the present format are read as their release showed them, and of another format refused.
 */
@Timeout(300)
class UpgradeFixturesTest {
    private static final Path FIXTURES = Path.of("src/test/upgrade");
    private static final Duration END_MAX = Duration.ofMinutes(1);

    @TempDir
    Path dir;

    /** @param site the accounts and their view, as {@link UpgradeFixture} has written them */
    record Release(String version, JsonObject site) {
        boolean isReadable() {
            return site.getInteger("format") == DataFormat.NOW;
        }

        List<Account> accounts() {
            return site.getJsonArray("accounts").stream()
                    .map(JsonObject.class::cast)
                    .map(Account::of)
                    .toList();
        }

        Account account(String name) {
            return accounts().stream()
                    .filter(account -> account.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public String toString() {
            return version;
        }
    }

    static List<Release> readable() throws IOException {
        return releases(true);
    }

    static List<Release> unreadable() throws IOException {
        return releases(false);
    }

    private static List<Release> releases(boolean readable) throws IOException {
        List<Release> releases = new ArrayList<>();
        try (Stream<Path> files = Files.list(FIXTURES)) {
            for (Path file : files.filter(name -> name.toString().endsWith(".json"))
                    .sorted()
                    .toList()) {
                JsonObject site = new JsonObject(Files.readString(file));
                releases.add(new Release(site.getString("version"), site));
            }
        }
        return releases.stream()
                .filter(release -> release.isReadable() == readable)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void dataOfAnotherFormatIsRefusedWithASentenceAndNotOneByteChanges(Release release) throws Exception {
        Path data = unpacked(release);
        Map<String, String> before = UpgradeFixture.digests(data);
        String refusal = " has format " + release.site().getInteger("format");

        String sentence = "the data folder " + data + refusal + "; this is Fanfare ";
        for (List<String> start :
                List.of(List.of("up", "--port", "0"), List.of("api"), List.of("worker"), List.of("stream"))) {
            String[] arguments = start.subList(1, start.size()).toArray(String[]::new);
            try (FanfareProcess process = FanfareProcess.start(data, start.get(0), arguments)) {
                assertThat(process.awaitExit(END_MAX))
                        .as(start + process.output())
                        .isEqualTo(1);
                assertThat(process.output())
                        .contains(sentence)
                        .contains("nothing converts it")
                        .doesNotContain("\tat ");
            }
        }
        CommandRun doctor = CommandRun.of(List.of("doctor", "--data", data.toString()));
        assertThat(doctor.status()).isEqualTo(2);
        assertThat(doctor.out()).contains(sentence, "nothing converts it");
        Map<String, String> after = UpgradeFixture.digests(data);
        after.remove("lock");
        assertThat(after).isEqualTo(before);

        Path restored = dir.resolve("restored");
        CommandRun restore = CommandRun.of(
                List.of("restore", dir.resolve(UpgradeFixture.BACKUP).toString(), "--data", restored.toString()));
        assertThat(restore.status()).isEqualTo(1);
        assertThat(restore.err())
                .contains("the data of the backup" + refusal + ", made by Fanfare " + release)
                .contains("nothing converts it");
        assertThat(restored).doesNotExist();
    }

    @ParameterizedTest
    @Tag("programs")
    @MethodSource("readable")
    void theDataFolderOfAReleaseIsShownAsBeforeAndPostsGoOn(Release release) throws Exception {
        assertServes(release, unpacked(release));
    }

    @Tag("upgrade")
    @ParameterizedTest
    @MethodSource("readable")
    void theBackupOfAReleaseIsRestoredAndShownAsBeforeAndPostsGoOn(Release release) throws Exception {
        Path unused = unpacked(release);
        Path restored = dir.resolve("restored");
        CommandRun restore = CommandRun.of(
                List.of("restore", dir.resolve(UpgradeFixture.BACKUP).toString(), "--data", restored.toString()));
        assertThat(restore.status()).as(restore.err()).isZero();
        assertServes(release, restored);
    }

    @Tag("upgrade")
    @ParameterizedTest
    @MethodSource("readable")
    void theDataOfAReleaseMoveToAClusterAndAreShownAsBeforeAndPostsGoOn(Release release) throws Exception {
        Path data = unpacked(release);
        Path password = Files.writeString(
                dir.resolve("password"), TestRedis.standalone().password().reveal());
        try (TestRedis cluster = TestRedis.freshCluster(AppendSync.ALWAYS)) {
            try (FanfareProcess up = FanfareProcess.up(data, settings(release))) {
                CommandRun moved = CommandRun.of(List.of(
                        "migrate",
                        "--data",
                        data.toString(),
                        "--to",
                        "redis://127.0.0.1:" + cluster.server().port(),
                        "--to-password-file",
                        password.toString()));
                assertThat(moved.status()).as(moved.out() + moved.err()).isZero();
                assertThat(up.stop(END_MAX)).as(up.output()).isZero();
            }
            String url = "redis.url=" + cluster.server().url().reveal();
            assertServes(release, data, url, "redis.mode=cluster");
        }
    }

    /** A service on the data folder shows the site as the release did, takes posts, and stops. */
    private static void assertServes(Release release, Path data, String... further) throws Exception {
        try (FanfareProcess up = FanfareProcess.up(data, settings(release, further))) {
            verifySite(release, up.runtime().httpUrl(), data);
            assertThat(up.stop(END_MAX)).as(up.output()).isZero();
        }
    }

    /** With the tokens of before. */
    private static void verifySite(Release release, String url, Path data) throws Exception {
        JsonObject expected = release.site().getJsonObject("view");
        JsonObject view = UpgradeFixture.view(url, release.accounts());
        for (Account account : release.accounts()) {
            for (String part : expected.getJsonObject(account.name()).fieldNames()) {
                assertThat(view.getJsonObject(account.name()).getValue(part))
                        .as(part + " of " + account.name())
                        .isEqualTo(expected.getJsonObject(account.name()).getValue(part));
            }
        }
        verifyData(data);

        Site site = new Site(url);
        Account ada = release.account("ada");
        Account bob = release.account("bob");
        String post = site.status(ada, "status=after the upgrade");
        JsonArray archived =
                expected.getJsonObject("ada").getJsonObject("profiles").getJsonArray("ada");
        String old = archived.getJsonObject(archived.size() - 1).getString("id");
        JsonObject liked = site.post("/api/v1/statuses/" + old + "/favourite", bob);
        assertThat(liked.getInteger("favourites_count")).isEqualTo(1);
        String reply = site.status(bob, "status=@ada so it does", "in_reply_to_id=" + post);
        Awaitility.await().atMost(END_MAX).untilAsserted(() -> {
            for (Account reader : List.of(ada, bob)) {
                assertThat(UpgradeFixture.ids(site, "/api/v1/timelines/home", reader)
                                .encode())
                        .contains(post, reply);
            }
        });
        JsonObject counts = (JsonObject) site.get("/api/v1/accounts/verify_credentials", ada);
        assertThat(counts.getInteger("statuses_count"))
                .isEqualTo(1
                        + expected.getJsonObject("ada").getJsonObject("counts").getInteger("statuses_count"));
        verifyData(data);
    }

    private static void verifyData(Path data) {
        for (List<String> command : List.of(List.of("admin", "verify"), List.of("admin", "archive", "verify"))) {
            List<String> line = new ArrayList<>(command);
            line.addAll(List.of("--data", data.toString()));
            CommandRun run = CommandRun.of(line);
            assertThat(run.status()).as(run.out() + run.err()).isZero();
        }
    }

    private Path unpacked(Release release) throws IOException {
        UpgradeFixture.unpack(FIXTURES.resolve(release + ".zip"), dir);
        return dir.resolve("data");
    }

    private static String[] settings(Release release, String... further) {
        List<String> all = new ArrayList<>();
        release.site().getJsonArray("settings").forEach(setting -> all.addAll(List.of("--set", (String) setting)));
        Stream.of(further).forEach(setting -> all.addAll(List.of("--set", setting)));
        return all.toArray(String[]::new);
    }
}
