package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service as an operator has it: processes, signals, files. */
class UpTest {
    /** The time between SIGTERM and SIGKILL of a service manager. */
    private static final Duration STOP_MAX = Duration.ofSeconds(30);

    /** Far beyond what anything takes, since test machines may be busy. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private static final String KEY = "a signing key of the \"operator\", long enough";

    @TempDir
    private static Path shared;

    /** For the tests that neither stop it nor need other settings. */
    private static FanfareProcess running;

    @TempDir
    Path dir;

    @BeforeAll
    static void start() {
        running = FanfareProcess.up(
                shared.resolve("data"),
                "--set",
                "http.event-loops=1",
                "--set",
                "auth.signing-key=" + KEY,
                "--set",
                "queue.lease=1m");
    }

    @AfterAll
    static void stop() {
        running.close();
    }

    @Test
    void upServesStopsCleanlyAndFindsItsDataAgain() throws Exception {
        Path data = dir.resolve("data");
        String posted;
        // The default, with which passwords are hashed as slowly as on a real server.
        try (FanfareProcess up = FanfareProcess.up(data, "--set", "auth.argon-passes=2")) {
            String url = up.runtime().httpUrl();
            assertThat(up.output()).contains(url, " admin queue stats --data " + data, " worker --data " + data);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("runtime.yaml"))))
                    .isEqualTo("rw-------");
            assertThat(Client.get(up.runtime().managementUrl() + "/readyz", "").statusCode())
                    .isEqualTo(200);
            assertThat(Client.get(up.runtime().managementUrl() + "/metrics", "").body())
                    .contains("jvm_memory_used_bytes");

            posted = Client.signUp(url, "alice").post(url, "still here tomorrow");
            ProcessHandle redis = up.redis().orElseThrow();

            assertThat(up.stop(STOP_MAX)).as(up.output()).isZero();
            assertThat(redis.isAlive()).isFalse();
            assertThat(data.resolve("runtime.yaml")).doesNotExist();
            assertThat(up.output()).doesNotContain("ERROR", "Exception");
        }
        try (FanfareProcess again = FanfareProcess.up(data)) {
            assertThat(Client.get(again.runtime().httpUrl() + "/api/v1/statuses/" + posted, "")
                            .body())
                    .contains("still here tomorrow");
        }
    }

    @Test
    void aTokenRevokedThroughTheApiOpensNoStreamOnTheSameEventLoop() throws Exception {
        String url = running.runtime().httpUrl();
        Client alice = Client.signUp(url, "alice");
        String stream = url + "/api/v1/streaming/firehose";
        // The answer to HEAD shows what the answer to GET would be, without a stream.
        assertThat(Client.head(stream, alice.token())).isEqualTo(200);

        alice.revoke(url);

        assertThat(Client.head(stream, alice.token())).isEqualTo(401);
    }

    @Test
    @Tag("programs")
    void theLanguageOfAPostIsGuessedOnlyIfTheSettingIsOn() throws Exception {
        // The one without the setting has had more time to load the languages.
        try (FanfareProcess guessing =
                FanfareProcess.up(dir.resolve("other"), "--set", "instance.detect-languages=true")) {
            Client bob = Client.signUp(guessing.runtime().httpUrl(), "bob");
            Awaitility.await("the languages are loaded").atMost(WAIT_MAX).until(() -> "en"
                    .equals(languageOfEnglish(guessing, bob)));

            Client ann = Client.signUp(running.runtime().httpUrl(), "ann");
            assertThat(languageOfEnglish(running, ann)).isNull();
        }
    }

    private static String languageOfEnglish(FanfareProcess up, Client author) throws Exception {
        String url = up.runtime().httpUrl();
        String id = author.post(url, "The trains were late again this morning, so I walked along the river instead.");
        return new JsonObject(Client.get(url + "/api/v1/statuses/" + id, "").body()).getString("language");
    }

    @Test
    void theFirstRequestToTryWorksAsItIsPasted() throws Exception {
        Matcher line = Pattern.compile("try +(curl .*)").matcher(running.output());
        assertThat(line.find()).as(running.output()).isTrue();
        Path answer = dir.resolve("answer");
        Process shell = new ProcessBuilder("sh", "-c", line.group(1))
                .redirectOutput(answer.toFile())
                .start();
        int status = shell.waitFor();
        assumeThat(status).as("curl is not there").isNotEqualTo(127);
        assertThat(Files.readString(answer)).contains("access_token");
    }

    @Test
    void aSecondUpOnTheSameDataEndsWithASentence() throws Exception {
        Path data = shared.resolve("data");
        try (FanfareProcess second = FanfareProcess.start(data, "up", "--port", "0")) {
            assertThat(second.awaitExit(WAIT_MAX)).isEqualTo(1);
            assertThat(second.output())
                    .contains(
                            "another fanfare runs on " + data, running.runtime().httpUrl())
                    .doesNotContain("Exception");
            assertThat(Client.get(running.runtime().managementUrl() + "/readyz", "")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aTakenPortIsReportedInASentence() throws Exception {
        int port = URI.create(running.runtime().httpUrl()).getPort();
        try (FanfareProcess other =
                FanfareProcess.start(dir.resolve("other"), "up", "--port", Integer.toString(port))) {
            assertThat(other.awaitExit(WAIT_MAX)).isEqualTo(1);
            assertThat(other.output())
                    .contains("port " + port + " of 127.0.0.1 is taken")
                    .doesNotContain("Exception");
        }
    }

    @Test
    void joinedProcessesHaveTheSettingsThatTheyMustShare() throws Exception {
        try (FanfareProcess api =
                FanfareProcess.start(shared.resolve("data"), "api", "--port", "0", "--set", "queue.beat=20s")) {
            Client joe = Client.signUp(running.runtime().httpUrl(), "joe");
            assertThat(joe.post(readyUrl(api), "the other process knows my token"))
                    .isNotEmpty();
            assertThat(running.output() + api.output()).doesNotContain(KEY);
        }
    }

    @Test
    @Tag("programs")
    void aNewKeyEndsNoSessionWhileTheOneBeforeIsListed() throws Exception {
        Path data = dir.resolve("data");
        String key = "auth.signing-key=the key of today and tomorrow, long enough";
        try (FanfareProcess up = FanfareProcess.up(data);
                FanfareProcess api = FanfareProcess.start(
                        data, "api", "--port", "0", "--set", key, "--set", "auth.previous-signing-keys=stored");
                FanfareProcess without = FanfareProcess.start(data, "api", "--port", "0", "--set", key)) {
            Client alice = Client.signUp(up.runtime().httpUrl(), "alice");
            assertThat(alice.post(readyUrl(api), "still who I was")).isNotEmpty();
            String verify = readyUrl(without) + "/api/v1/accounts/verify_credentials";
            assertThat(Client.get(verify, alice.token()).statusCode()).isEqualTo(401);
        }
    }

    /** The address at which a process that has joined listens. */
    private static String readyUrl(FanfareProcess process) {
        process.awaitOutput("ready role=");
        Matcher listening = Pattern.compile("ready role=\\w+ url=(\\S+) ").matcher(process.output());
        assertThat(listening.find()).as(process.output()).isTrue();
        return listening.group(1);
    }
}
