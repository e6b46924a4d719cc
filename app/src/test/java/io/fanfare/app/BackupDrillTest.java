package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.media.DiskMediaStore;
import io.fanfare.redis.testing.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The restore drill in short: a backup of a service under load, restored elsewhere, with the clients of before. */
@Tag("programs")
@Timeout(240)
class BackupDrillTest {
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    /** Most posts of an author are in the archive, which changes all the time. */
    private static final List<String> SETTINGS =
            List.of("--set", "limits.enabled=false", "--set", "archive.profile-max=20", "--set", "archive.poll=10ms");

    @TempDir
    Path dir;

    private final List<String> posted = new CopyOnWriteArrayList<>();
    private volatile boolean ended;

    @Test
    void aRestoreHasAllThatWasAcknowledgedBeforeTheBackupAndListenersReceiveAGap() throws Exception {
        Path data = dir.resolve("data");
        Path file = dir.resolve("backup");
        Path restored = dir.resolve("restored");
        String port = Integer.toString(FreePort.find());
        List<String> before;
        Client ada;
        Client bob;
        try (FanfareProcess up = up(data, port)) {
            String url = up.runtime().httpUrl();
            ada = Client.signUp(url, "ada");
            bob = Client.signUp(url, "bob");
            bob.follow(url, ada);
            assertThat(bob.home(url)).isEmpty();
            String picture = "0123456789abcdef0123456789abcdef.jpg";
            store(data.resolve("media"), picture);
            try (FanfareProcess listen =
                    FanfareProcess.start(data, "listen", "--json", "--token", bob.token(), "--url", url)) {
                Thread load = load(url, ada);
                await(() -> posted.size() > 60 && listen.output().contains("\"status\""));
                before = List.copyOf(posted);

                CommandRun backup =
                        CommandRun.of(List.of("backup", file.toString(), "--data", data.toString(), "--json"));
                assertThat(backup.status()).as(backup.err()).isZero();
                JsonObject manifest = new JsonObject(backup.out()).getJsonObject("manifest");
                assertThat(manifest.getString("archive")).isEqualTo("sqlite");
                assertThat(manifest.getJsonObject("media").getInteger("files")).isEqualTo(1);
                assertThat(new JsonObject(backup.out()).getJsonArray("remarks")).isEmpty();

                int then = posted.size();
                await(() -> posted.size() > then + 20);
                ended = true;
                load.join();
                up.kill();
                up.redis().ifPresent(ProcessHandle::destroyForcibly);

                CommandRun restore =
                        CommandRun.of(List.of("restore", file.toString(), "--data", restored.toString(), "--json"));
                assertThat(restore.status()).as(restore.err()).isZero();
                assertThat(restored.resolve("media/01/23").resolve(picture)).hasContent("a picture");
                assertThat(modes(restored)).containsOnly("rw-------", "rwx------");
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");

                try (FanfareProcess again = up(restored, port)) {
                    listen.awaitOutput("gap:");
                    checkData(again, restored, before, ada, bob);
                    List<String> after = List.of(ada.post(url, "after the restore"), ada.post(url, "and once more"));
                    Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(listen.output())
                            .contains(after));
                    assertThat(again.stop(WAIT_MAX)).as(again.output()).isZero();
                }
                assertThat(listen.stop(WAIT_MAX)).as(listen.output()).isZero();
            }
        }
    }

    /** With the tokens of before. */
    private void checkData(FanfareProcess up, Path data, List<String> before, Client ada, Client bob) throws Exception {
        String url = up.runtime().httpUrl();
        List<String> profile = profile(url, ada);
        assertThat(posted).containsSubsequence(reversed(profile));
        assertThat(profile).containsAll(before).hasSizeLessThan(posted.size());
        // Jobs that were in hand at the moment of the backup run again when their leases have ended.
        await(() -> bob.home(url).equals(profile));
        for (List<String> command : List.of(List.of("admin", "verify"), List.of("admin", "archive", "verify"))) {
            List<String> line = new ArrayList<>(command);
            line.addAll(List.of("--data", data.toString()));
            CommandRun verify = CommandRun.of(line);
            assertThat(verify.status()).as(verify.out() + verify.err()).isZero();
        }
    }

    private static FanfareProcess up(Path data, String port) {
        List<String> arguments = new ArrayList<>(List.of("--port", port));
        arguments.addAll(SETTINGS);
        FanfareProcess up = FanfareProcess.start(data, "up", arguments.toArray(String[]::new));
        up.awaitOutput("Ctrl-C finishes what is under way");
        return up;
    }

    private Thread load(String url, Client author) {
        Thread load = new Thread(() -> {
            try {
                while (!ended) {
                    posted.add(author.post(url, "post " + posted.size()));
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        load.start();
        return load;
    }

    private static List<String> profile(String url, Client author) throws Exception {
        List<String> ids = new ArrayList<>();
        String after = "";
        while (true) {
            JsonArray page = new JsonArray(
                    Client.get(url + "/api/v1/accounts/" + author.id() + "/statuses?limit=40" + after, author.token())
                            .body());
            if (page.isEmpty()) {
                return ids;
            }
            page.forEach(status -> ids.add(((JsonObject) status).getString("id")));
            after = "&max_id=" + ids.get(ids.size() - 1);
        }
    }

    private static List<String> reversed(List<String> ids) {
        List<String> oldestFirst = new ArrayList<>(ids);
        Collections.reverse(oldestFirst);
        return oldestFirst;
    }

    private static void store(Path folder, String name) throws IOException {
        DiskMediaStore store = DiskMediaStore.in(folder, new Random(1));
        Path draft = store.draft();
        Files.writeString(draft, "a picture");
        store.publish(draft, name);
        Files.writeString(store.draft(), "a draft");
    }

    private static List<String> modes(Path folder) throws IOException {
        List<String> modes = new ArrayList<>();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.filter(each -> !Files.isSymbolicLink(each)).toList()) {
                modes.add(
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)));
            }
        }
        return modes;
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(WAIT_MAX).until(condition);
    }
}
