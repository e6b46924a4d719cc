package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The door of the operator's console, and its figures, on a process as it runs. */
@Timeout(240)
class ConsoleTest {
    private static final String OPERATOR = "an-operator-of-this-test";
    private static final String VIEWER = "a-viewer-of-this-test";
    private static final String BASIC = "Basic b3BzOnNlY3JldA==";
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    @TempDir
    static Path dir;

    private static FanfareProcess up;
    private static String management;

    @BeforeAll
    static void start() {
        up = FanfareProcess.up(
                dir.resolve("data"),
                "--set",
                "console.operator-token=" + OPERATOR,
                "--set",
                "console.viewer-token=" + VIEWER,
                "--set",
                "signals.mentions=hold",
                "--set",
                "signals.mentions-max=1");
        management = up.runtime().managementUrl();
    }

    @AfterAll
    static void stop() {
        up.close();
    }

    @Test
    void thePageIsTheSameForEverybodyAndRunsItsOwnScriptsOnly() {
        ConsoleBrowser stranger = new ConsoleBrowser(management);
        HttpResponse<String> page = stranger.send("GET", "", "");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "trusted-types")
                .doesNotContain("unsafe");
        assertThat(page.headers().firstValue("X-Frame-Options")).contains("DENY");
        String tag = page.headers().firstValue("ETag").orElseThrow();
        assertThat(stranger.send("GET", "", "", "If-None-Match", tag).statusCode())
                .isEqualTo(304);

        List<String> files = Pattern.compile("/console(/files/[^\"]+)")
                .matcher(page.body())
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(files).hasSize(4).allSatisfy(file -> {
            HttpResponse<String> answer = stranger.send("GET", file, "");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Cache-Control").orElseThrow())
                    .contains("immutable");
        });
        assertThat(stranger.send("GET", "/files/000000000000/main.js", "")
                        .headers()
                        .firstValue("Cache-Control"))
                .contains("no-store");
        assertThat(stranger.send("GET", "/files/x/../secret", "").statusCode()).isEqualTo(404);
        assertThat(stranger.send("POST", "", "{}").statusCode()).isEqualTo(405);
    }

    @Test
    void aStrangerReceivesNoData() {
        ConsoleBrowser stranger = new ConsoleBrowser(management);
        assertThat(stranger.look("session").fieldNames()).containsExactly("role");
        assertThat(stranger.look("session").getString("role")).isNull();
        assertThat(stranger.get("overview").statusCode()).isEqualTo(401);
        assertThat(stranger.get("nothing").statusCode()).isEqualTo(404);
        assertThat(stranger.post("login", new JsonObject().put("token", OPERATOR.substring(1)))
                        .statusCode())
                .isEqualTo(401);
        assertThat(stranger.send("POST", "/api/login", "[]", "X-Fanfare-Page", "1")
                        .statusCode())
                .isEqualTo(400);
        assertThat(stranger.send("POST", "/api/login", "x".repeat(100_000), "X-Fanfare-Page", "1")
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void theSessionIsACookieThatNoScriptReadsAndThatCountsForOurPagesOnly() {
        ConsoleBrowser operator = ConsoleBrowser.loggedIn(management, OPERATOR);
        HttpResponse<String> login = new ConsoleBrowser(management)
                .send(
                        "POST",
                        "/api/login",
                        new JsonObject().put("token", VIEWER).encode(),
                        "X-Fanfare-Page",
                        "1",
                        "Origin",
                        management.replace("http:", "https:"));
        assertThat(login.headers().firstValue("Set-Cookie").orElseThrow())
                .matches("fanfare_console_" + URI.create(management).getPort()
                        + "=[\\w-]{43}; Max-Age=43200; Path=/console; HttpOnly; SameSite=Strict; Secure");
        assertThat(login.body()).contains("\"role\":\"viewer\"");
        assertThat(operator.look("session").getString("role")).isEqualTo("operator");

        // As a page of another port of this host would send it, to which SameSite does not apply.
        assertThat(operator.send("GET", "/api/overview", "").statusCode()).isEqualTo(401);
        assertThat(operator.send("GET", "/api/overview", "", "X-Fanfare-Page", "1", "Origin", "http://127.0.0.1:8080")
                        .statusCode())
                .isEqualTo(401);
        assertThat(operator.send("GET", "/api/overview", "", "X-Fanfare-Page", "1", "Sec-Fetch-Site", "same-site")
                        .statusCode())
                .isEqualTo(401);
        assertThat(operator.send("POST", "/api/logout", "{}").statusCode()).isEqualTo(403);
        assertThat(operator.get("overview").statusCode()).isEqualTo(200);

        assertThat(operator.post("logout", new JsonObject()).statusCode()).isEqualTo(200);
        assertThat(operator.get("overview").statusCode()).isEqualTo(401);
    }

    @Test
    void aProgramSendsTheTokenItself() {
        ConsoleBrowser program = new ConsoleBrowser(management);
        assertThat(program.send("GET", "/api/overview", "", "Authorization", "Bearer " + VIEWER)
                        .statusCode())
                .isEqualTo(200);
        assertThat(program.send("GET", "/api/overview", "", "Authorization", "bearer " + VIEWER)
                        .statusCode())
                .isEqualTo(200);
    }

    /** A browser adds it to each request, once a proxy has asked for it. */
    @Test
    void anotherSchemeIsNotAboutTheConsoleAndMakesNoPageOurs() {
        ConsoleBrowser operator = ConsoleBrowser.loggedIn(management, OPERATOR);
        for (int i = 0; i < 20; i++) {
            assertThat(operator.send("GET", "/api/overview", "", "Authorization", BASIC, "X-Fanfare-Page", "1")
                            .statusCode())
                    .isEqualTo(200);
        }
        String low = new JsonObject().put("lane", "low").encode();
        assertThat(operator.send("POST", "/api/queue/pause", low, "Authorization", BASIC)
                        .statusCode())
                .isEqualTo(401);
        assertThat(operator.send("POST", "/api/logout", "{}", "Authorization", BASIC)
                        .statusCode())
                .isEqualTo(403);
        ConsoleBrowser stranger = new ConsoleBrowser(management);
        assertThat(stranger.send("GET", "/api/overview", "", "Authorization", BASIC)
                        .statusCode())
                .isEqualTo(401);
        // None of these was a wrong token.
        assertThat(stranger.send("GET", "/api/overview", "", "Authorization", "Bearer wrong")
                        .statusCode())
                .isEqualTo(401);
    }

    /** Tunnels to two hosts end at two ports of one machine, and both hosts listen to the same port. */
    @Test
    void theCookieIsNamedAfterThePortInTheHostHeader() throws IOException {
        String body = new JsonObject().put("token", VIEWER).encode();
        String rest = "X-Fanfare-Page: 1\r\nConnection: close\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        String post = "POST /console/api/login HTTP/1.1\r\nHost: ";
        assertThat(raw(post + "127.0.0.1:19091\r\n" + rest)).containsIgnoringCase("set-cookie: fanfare_console_19091=");
        assertThat(raw(post + "localhost\r\n" + rest)).containsIgnoringCase("set-cookie: fanfare_console=");
    }

    @Test
    void aRefusalEndsAConnectionWhoseBodyIsStillToCome() throws IOException {
        String head = " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n";
        for (String request : List.of(
                "POST /console/api/queue/pause",
                "POST /console/api/nothing",
                "POST /console",
                "GET /console/nothing")) {
            try (Socket socket = connect()) {
                socket.getOutputStream().write((request + head).getBytes(StandardCharsets.US_ASCII));
                BufferedReader answer =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                assertThat(answer.readLine()).matches("HTTP/1.1 40[145] .*");
                socket.getOutputStream().write("{}".getBytes(StandardCharsets.US_ASCII));
                assertThat(answer.lines()).anyMatch(line -> line.equalsIgnoreCase("connection: close"));
            }
        }
    }

    @Test
    void aBodyThatBreaksOffIsNoErrorOfThisProcess() throws IOException {
        String head = "POST /console/api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Fanfare-Page: 1\r\n";
        for (int sent = 1; sent <= 2; sent++) {
            String unused = raw(head + "Transfer-Encoding: chunked\r\n\r\nno size\r\n");
            // The line of the first one is written before the second one is sent.
            awaitMalformed(sent);
        }
        for (int sent = 3; sent <= 4; sent++) {
            try (Socket socket = connect()) {
                socket.getOutputStream()
                        .write((head + "Content-Length: 9\r\n\r\n{").getBytes(StandardCharsets.US_ASCII));
            }
            awaitMalformed(sent);
        }
        assertThat(up.output()).doesNotContain("console request failed");
    }

    private static void awaitMalformed(int count) {
        Awaitility.await()
                .atMost(WAIT_MAX)
                .until(() -> up.output().split("event=console-login-failed reason=malformed", -1).length > count);
    }

    private static Socket connect() throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(management).getPort());
        socket.setSoTimeout((int) WAIT_MAX.toMillis());
        return socket;
    }

    /** All that is answered until the connection is closed. */
    private static String raw(String request) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theFiguresAreThoseOfTheMetrics() throws Exception {
        String url = up.runtime().httpUrl();
        Client ada = Client.signUp(url, "ada");
        ConsoleBrowser viewer = ConsoleBrowser.loggedIn(management, VIEWER);
        for (int i = 0; i < 3; i++) {
            assertThat(ada.post(url, "post " + i)).isNotEmpty();
        }
        // A point is taken every 10 s; this test is over long before the first one leaves the hour.
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
            JsonArray points = viewer.look("overview").getJsonArray("points");
            String metrics = Client.get(management + "/metrics", "").body();
            assertThat(sum(points, "posts"))
                    .isGreaterThanOrEqualTo(3)
                    .isEqualTo(
                            sum(
                                    metrics,
                                    "fanfare_http_requests_seconds_count\\{method=\"POST\",route=\"/api/v1/statuses\",status=\"2xx\"}"));
            assertThat(sum(points, "requests")).isEqualTo(sum(metrics, "fanfare_http_requests_seconds_count\\{.*}"));
            assertThat(sum(points, "jobs")).isPositive().isEqualTo(sum(metrics, "fanfare_jobs_executed_total\\{.*}"));
        });
    }

    @Test
    void everyPageCountsOpenReportsWhichShowTheBeginningsOfTheirPosts() throws Exception {
        String url = up.runtime().httpUrl();
        Client bea = Client.signUp(url, "bea");
        Client cal = Client.signUp(url, "cal");
        // Its 300th character is the first half of an emoji.
        String post = cal.post(url, "x".repeat(299) + "\uD83D\uDE00" + "y".repeat(50));
        bea.report(url, cal, post);
        ConsoleBrowser operator = ConsoleBrowser.loggedIn(management, OPERATOR);
        JsonObject report = operator.look("reports").getJsonArray("reports").getJsonObject(0);
        JsonObject shown = report.getJsonArray("statuses").getJsonObject(0);
        assertThat(shown.getString("id")).isEqualTo(post);
        assertThat(shown.getString("text")).isEqualTo("x".repeat(299) + "…");
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
            JsonObject state = operator.look("state");
            assertThat(state.getInteger("reports")).isEqualTo(1);
            assertThat(state.getInteger("dead")).isZero();
            assertThat(state.getJsonArray("concerns"))
                    .as("nothing else needs an operator of a new service")
                    .containsExactly(
                            new JsonObject().put("kind", "reports").put("n", 1),
                            new JsonObject().put("kind", "backup").putNull("last"));
            assertThat(state.getValue("certificate_ends_at")).isNull();
            assertThat(state.getValue("disk_full_at")).isNull();
        });
        Client dan = Client.signUp(url, "dan");
        assertThat(dan.send("POST", url + "/api/v1/statuses", "hello @bea @cal", "")
                        .body())
                .contains("ERR_HELD");
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> assertThat(
                        operator.look("state").getJsonArray("concerns"))
                .contains(new JsonObject().put("kind", "held").put("n", 1)));

        JsonObject deleted = operator.act("post/delete", new JsonObject().put("status", post));
        assertThat(deleted.getBoolean("changed")).isTrue();
        assertThat(operator.look("reports")
                        .getJsonArray("reports")
                        .getJsonObject(0)
                        .getJsonArray("statuses")
                        .getJsonObject(0)
                        .getString("text"))
                .isNull();
        JsonObject closed = operator.act("reports/close", new JsonObject().put("report", report.getInteger("id")));
        assertThat(closed.getInteger("closed")).isEqualTo(report.getInteger("id"));
    }

    @Test
    void theDiskWithTheLeastRoomIsShownAsTheMetricsSay() throws Exception {
        ConsoleBrowser viewer = ConsoleBrowser.loggedIn(management, VIEWER);
        // Others write to the same disk.
        Awaitility.await().atMost(WAIT_MAX).untilAsserted(() -> {
            JsonObject disk = viewer.look("overview").getJsonObject("disk");
            String metrics = Client.get(management + "/metrics", "").body();
            double free = sum(metrics, "fanfare_disk_free_bytes");
            assertThat(disk.getDouble("free_bytes")).isPositive().isEqualTo(free);
            assertThat(disk.getDouble("reserve_bytes"))
                    .isPositive()
                    .isEqualTo(sum(metrics, "fanfare_disk_reserve_bytes"));
            assertThat(disk.getLong("room_bytes"))
                    .isEqualTo(disk.getLong("free_bytes") - disk.getLong("reserve_bytes"));
            assertThat(disk.getBoolean("refuses")).isEqualTo(sum(metrics, "fanfare_disk_short") > 0);
            assertThat(disk.getValue("refused_since") != null)
                    .isEqualTo(sum(metrics, "fanfare_disk_short_since_seconds") > 0);
        });
    }

    private static double sum(JsonArray points, String figure) {
        return points.stream()
                .mapToDouble(point -> ((JsonObject) point).getDouble(figure))
                .sum();
    }

    @Test
    void redisIsShownWithItsMemoryAndSettingsWithoutTheirSecrets() {
        ConsoleBrowser viewer = ConsoleBrowser.loggedIn(management, VIEWER);
        JsonObject redis = viewer.look("redis");
        JsonObject node = redis.getJsonArray("nodes").getJsonObject(0);
        assertThat(node.getString("role")).isEqualTo("master");
        assertThat(node.getString("aof_enabled")).isEqualTo("1");
        assertThat(redis.containsKey("slow_error")).isFalse();
        JsonObject memory = viewer.look("redis/memory");
        assertThat(memory.getLong("used_bytes")).isPositive();
        assertThat(memory.getJsonArray("families")).isNotEmpty();
        assertThat(viewer.look("redis/memory").getLong("at")).isEqualTo(memory.getLong("at"));

        String settings = viewer.look("settings").encode();
        assertThat(settings)
                .contains("console.operator-token", "\"***\"", "\"fanfare\"", "\"vertx\"")
                .doesNotContain(OPERATOR, VIEWER);
    }

    @Test
    @Tag("programs")
    void whereNoTokenIsSetTheConsoleSaysWhichSettingToSet() {
        try (FanfareProcess closed = FanfareProcess.up(dir.resolve("closed"))) {
            ConsoleBrowser stranger = new ConsoleBrowser(closed.runtime().managementUrl());
            for (String path : List.of("", "/", "/api/session", "/api/overview", "/files/x/main.js")) {
                HttpResponse<String> answer = stranger.send("GET", path, "");
                assertThat(answer.statusCode()).isEqualTo(403);
                assertThat(answer.body()).contains("console.operator-token");
            }
            assertThat(closed.output()).doesNotContain("/console");
        }
    }

    /** On a server of its own, since its address has to wait afterwards. */
    @Test
    void wrongTokensAreBoundedAndLoggedAndKeepNoOperatorOut() throws Exception {
        try (FanfareProcess own =
                FanfareProcess.up(dir.resolve("own"), "--set", "console.operator-token=" + OPERATOR)) {
            String url = own.runtime().managementUrl();
            String cookie = ConsoleBrowser.loggedIn(url, OPERATOR).cookie();
            ConsoleBrowser stranger = new ConsoleBrowser(url);
            int looked = 0;
            HttpResponse<String> answer = stranger.post("login", new JsonObject().put("token", "guess-number-0000"));
            while (answer.statusCode() == 401 && looked < 100) {
                looked++;
                answer = stranger.post("login", new JsonObject().put("token", "guess-number-" + looked));
            }
            assertThat(looked).isEqualTo(10);
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(stranger.send("GET", "/api/overview", "", "Authorization", "Bearer guess-number-x")
                            .statusCode())
                    .isEqualTo(429);
            assertThat(stranger.post("login", new JsonObject().put("token", OPERATOR))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(stranger.send("GET", "/api/overview", "", "Authorization", "Bearer " + OPERATOR)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(own.output())
                    .contains("event=console-login role=operator session=")
                    .containsPattern("event=console-login-failed reason=wrong-token address=[0-9a-f]{16}")
                    .containsPattern("event=console-login-failed reason=rate address=[0-9a-f]{16}")
                    .doesNotContain(OPERATOR, "guess-number", "address=127.0.0.1", cookie.replaceFirst(".*=", ""));
            assertThat(sum(
                            Client.get(url + "/metrics", "").body(),
                            "fanfare_audit_events_total\\{event=\"console-login-failed\"}"))
                    .isEqualTo(12);
        }
    }

    /** The sum of the metrics that match. */
    static double sum(String metrics, String name) {
        Pattern pattern = Pattern.compile(name + " ([0-9.E+-]+)");
        return metrics.lines()
                .map(pattern::matcher)
                .filter(matcher -> matcher.matches())
                .mapToDouble(matcher -> Double.parseDouble(matcher.group(1)))
                .sum();
    }
}
