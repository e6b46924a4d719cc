package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code fanfare listen} against servers as they run, that go and come back: each event once, in order. */
@Timeout(240)
class ListenTest {
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    @TempDir
    Path dir;

    @Test
    @Tag("programs")
    void aRestartInTheMiddleLosesNothingAndRepeatsNothing() throws Exception {
        Path data = dir.resolve("data");
        String port = freePort();
        List<String> posted = new ArrayList<>();
        FanfareProcess up = up(data, port);
        try {
            String url = up.runtime().httpUrl();
            Client alice = Client.signUp(url, "alice");
            try (FanfareProcess listen = listen(data, "--json", "--token", alice.token(), "--url", url)) {
                awaitOpen(up, 1);
                post(alice, url, posted, 20);
                assertThat(up.stop(WAIT_MAX)).as(up.output()).isZero();
                up.close();
                up = up(data, port);
                post(alice, url, posted, 20);
                awaitAll(listen, posted);
                up.kill();
                up.redis().ifPresent(ProcessHandle::destroyForcibly);
                up.close();
                up = up(data, port);
                post(alice, url, posted, 20);
                awaitAll(listen, posted);

                assertThat(listen.output())
                        .contains("going down", "coming back in")
                        .doesNotContain("gap:");
                assertThat(listen.stop(WAIT_MAX)).as(listen.output()).isZero();
            }
            try (FanfareProcess last = listen(data, "--token", alice.token(), "--count=-3")) {
                assertThat(last.awaitExit(WAIT_MAX)).as(last.output()).isZero();
                assertThat(last.output().lines()).hasSize(3).allMatch(line -> line.contains("@alice: post "));
            }
        } finally {
            up.close();
        }
    }

    /** As after a failover that has lost the end of the log. */
    @Test
    void aNewLogIsReportedAsAGapAndTheStreamContinues() throws Exception {
        Path data = dir.resolve("data");
        try (FanfareProcess up = FanfareProcess.up(data, "--set", "limits.enabled=false")) {
            String url = up.runtime().httpUrl();
            Client alice = Client.signUp(url, "alice");
            try (FanfareProcess listen = listen(data, "--json", "--token", alice.token())) {
                awaitOpen(up, 1);
                List<String> posted = new ArrayList<>();
                post(alice, url, posted, 3);
                awaitAll(listen, posted);

                TestRedis.askIn(RedisProcess.running(data.resolve("redis")).orElseThrow(), "DEL", Keys.BUS_EPOCH);
                post(alice, url, posted, 1);
                listen.awaitOutput("gap:");

                List<String> later = new ArrayList<>();
                post(alice, url, later, 3);
                awaitAll(listen, later);
                assertThat(listen.stop(WAIT_MAX)).as(listen.output()).isZero();
            }
        }
    }

    /** Two processes in front of one Redis, replaced one after the other while somebody posts. */
    @Test
    @Tag("programs")
    void aRollingRestartOfTwoStreamProcessesLosesNothingAndRepeatsNothing() throws Exception {
        Path data = dir.resolve("data");
        List<String> ports = List.of(freePort(), freePort());
        List<String> posted = new ArrayList<>();
        try (FanfareProcess up = FanfareProcess.up(data, "--set", "limits.enabled=false")) {
            String url = up.runtime().httpUrl();
            Client alice = Client.signUp(url, "alice");
            List<FanfareProcess> nodes = new ArrayList<>();
            List<FanfareProcess> listeners = new ArrayList<>();
            try {
                for (String port : ports) {
                    nodes.add(node(data, port));
                }
                String one = "http://127.0.0.1:" + ports.get(0);
                String two = "http://127.0.0.1:" + ports.get(1);
                listeners.add(listen(data, "firehose", "--json", "--token", alice.token(), "--url", one, "--url", two));
                listeners.add(listen(
                        data, "--track", "post", "--json", "--token", alice.token(), "--url", two, "--url", one));
                for (FanfareProcess listener : listeners) {
                    Awaitility.await().atMost(WAIT_MAX).until(() -> {
                        post(alice, url, posted, 1);
                        return listener.output().contains("\"status\"");
                    });
                }
                String first = posted.get(posted.size() - 1);
                for (int i = 0; i < 2; i++) {
                    post(alice, url, posted, 20);
                    assertThat(nodes.get(i).stop(WAIT_MAX))
                            .as(nodes.get(i).output())
                            .isZero();
                    nodes.get(i).close();
                    post(alice, url, posted, 20);
                    nodes.set(i, node(data, ports.get(i)));
                    post(alice, url, posted, 20);
                    List<String> due = posted.subList(posted.indexOf(first), posted.size());
                    listeners.forEach(listener -> awaitAll(listener, due));
                }
                for (FanfareProcess listener : listeners) {
                    assertThat(listener.output()).contains("going down").doesNotContain("gap:");
                    assertThat(listener.stop(WAIT_MAX)).as(listener.output()).isZero();
                }
            } finally {
                listeners.forEach(FanfareProcess::close);
                nodes.forEach(FanfareProcess::close);
            }
        }
    }

    /** A full server says so in-band: it is there, and has room in a while. */
    @Test
    @Tag("programs")
    void aListenerReconnectsAfterAFullServerHasRefusedIt() throws Exception {
        Path data = dir.resolve("data");
        String[] room = {"--set", "http.event-loops=1", "--set", "stream.connections-max=1"};
        try (FanfareProcess up = FanfareProcess.up(data, room)) {
            String url = up.runtime().httpUrl();
            Client alice = Client.signUp(url, "alice");
            try (FanfareProcess first = listen(data, "--token", alice.token());
                    FanfareProcess second = fullAt(data, up, alice)) {
                assertThat(first.stop(WAIT_MAX)).as(first.output()).isZero();
                // The server may not have noticed yet that the first is gone: the second is there when it hears.
                List<String> posted = new ArrayList<>();
                Awaitility.await().atMost(WAIT_MAX).until(() -> {
                    posted.add(alice.post(url, "heard"));
                    return printed(second).stream().anyMatch(posted::contains);
                });
                assertThat(second.stop(WAIT_MAX)).as(second.output()).isZero();
            }
        }
    }

    private static FanfareProcess fullAt(Path data, FanfareProcess up, Client listener) {
        awaitOpen(up, 1);
        FanfareProcess second = listen(data, "--json", "--token", listener.token());
        second.awaitOutput("coming back in");
        return second;
    }

    @Test
    void aRefusedStreamEndsWithASentenceAndAStatus() throws Exception {
        Path data = dir.resolve("data");
        try (FanfareProcess up = FanfareProcess.up(data)) {
            String token = Client.signUp(up.runtime().httpUrl(), "alice").token();
            refused(data, 1, "the server answers 401: ", "--token", "rubbish");
            refused(data, 1, "Show an access token with --token or in FANFARE_TOKEN");
            refused(data, 2, "the server answers 406: ", "filter", "--token", token);
            refused(data, 2, "the server answers 406: ", "--track", "x".repeat(70), "--token", token);
        }
    }

    /** In this process: nothing is left to see of how it ends. */
    private static void refused(Path data, int status, String sentence, String... arguments) {
        List<String> line = new ArrayList<>(List.of("listen"));
        line.addAll(List.of(arguments));
        line.addAll(List.of("--data", data.toString()));
        CommandRun listen = CommandRun.of(line);
        assertThat(listen.status()).as(listen.err()).isEqualTo(status);
        assertThat(listen.out() + listen.err()).contains(sentence).doesNotContain("Exception");
    }

    private static FanfareProcess listen(Path data, String... arguments) {
        return FanfareProcess.start(data, "listen", arguments);
    }

    private static FanfareProcess up(Path data, String port) {
        FanfareProcess up = FanfareProcess.start(data, "up", "--port", port, "--set", "limits.enabled=false");
        up.awaitOutput("Fanfare is ready");
        return up;
    }

    private static FanfareProcess node(Path data, String port) {
        FanfareProcess node = FanfareProcess.start(data, "stream", "--port", port);
        node.awaitOutput("ready role=stream");
        return node;
    }

    private static void post(Client author, String url, List<String> posted, int posts) throws Exception {
        for (int i = 0; i < posts; i++) {
            posted.add(author.post(url, "post " + posted.size()));
        }
    }

    private static void awaitOpen(FanfareProcess up, int streams) {
        Awaitility.await()
                .atMost(WAIT_MAX)
                .ignoreExceptions()
                .until(() -> new JsonObject(Client.get(up.runtime().managementUrl() + "/streams", "")
                                        .body())
                                .getInteger("open")
                        == streams);
    }

    /** The listener has printed these, each once and in order; perhaps others before. */
    private static void awaitAll(FanfareProcess listener, List<String> posted) {
        String last = posted.get(posted.size() - 1);
        Awaitility.await().atMost(WAIT_MAX).until(() -> printed(listener).contains(last));
        List<String> printed = printed(listener);
        assertThat(printed).doesNotHaveDuplicates();
        assertThat(printed.subList(printed.indexOf(posted.get(0)), printed.size()))
                .isEqualTo(posted);
    }

    private static List<String> printed(FanfareProcess listener) {
        String output = listener.output();
        return output.substring(0, output.lastIndexOf('\n') + 1)
                .lines()
                .filter(line -> line.startsWith("{"))
                .map(JsonObject::new)
                .filter(line -> line.getString("event").equals("status"))
                .map(line -> line.getJsonObject("data").getString("id"))
                .toList();
    }

    private static String freePort() {
        return Integer.toString(FreePort.find());
    }
}
