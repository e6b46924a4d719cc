package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.FreePort;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** nginx and Caddy with the files under {@code config/proxy}, without TLS and on other ports, before a server. */
@Tag("proxy")
@Timeout(180)
class ProxyTest {
    private static final String TOO_LARGE = "The body is too large: send less.";

    @TempDir
    Path dir;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private enum Proxy {
        NGINX("nginx") {
            @Override
            List<String> command(Path dir, int port, int server) throws IOException {
                String site = ProxyFilesTest.text("nginx.conf")
                        .replaceAll("(?m)^ +listen (80|\\[::]:80|\\[::]:443 ssl http2);\n", "")
                        .replace("listen 443 ssl http2;", "listen 127.0.0.1:" + port + ";")
                        .replaceAll("(?m)^ +ssl_.*\n", "")
                        .replaceAll("(?s)server \\{\n  server_name social.example;\n  return 301.*?}\n", "")
                        .replace("/var/log/nginx/", dir + "/")
                        .replace("127.0.0.1:8080", "127.0.0.1:" + server);
                StringBuilder folders = new StringBuilder();
                for (String name : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
                    folders.append(name).append("_temp_path ").append(dir).append("/t; ");
                }
                Path file = Files.writeString(
                        dir.resolve("all.conf"),
                        "daemon off; pid " + dir + "/pid; events {} http { access_log off; " + folders + site + "}");
                return List.of("-p", dir.toString(), "-e", dir + "/start.log", "-c", file.toString());
            }
        },
        CADDY("caddy") {
            @Override
            List<String> command(Path dir, int port, int server) throws IOException {
                Path file = Files.writeString(
                        dir.resolve("Caddyfile"),
                        ProxyFilesTest.text("Caddyfile")
                                .replaceFirst("(?m)^\\{", "{\n\tadmin off")
                                .replaceFirst(
                                        "(?m)^\\{\\$FANFARE_DOMAIN:social.example} \\{",
                                        "http://127.0.0.1:" + port + " {")
                                .replace("/var/log/caddy/", dir + "/")
                                .replace("127.0.0.1:8080", "127.0.0.1:" + server));
                return List.of("run", "--adapter", "caddyfile", "--config", file.toString());
            }
        };

        private final String program;

        Proxy(String program) {
            this.program = program;
        }

        abstract List<String> command(Path dir, int port, int server) throws IOException;

        Process start(Path dir, int port, int server) throws IOException {
            List<String> line = Stream.concat(Stream.of(program()), command(dir, port, server).stream())
                    .toList();
            ProcessBuilder builder = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(dir.resolve("proxy.log").toFile());
            builder.environment().put("XDG_DATA_HOME", dir.toString());
            builder.environment().put("XDG_CONFIG_HOME", dir.toString());
            return builder.start();
        }

        private String program() {
            return Stream.concat(
                            Stream.of(System.getenv("PATH").split(":", -1)), Stream.of("/usr/sbin", "/usr/local/sbin"))
                    .map(folder -> Path.of(folder, program))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "the tests of -Pproxy need nginx and caddy: apt-get install nginx caddy"))
                    .toString();
        }
    }

    @ParameterizedTest
    @EnumSource(Proxy.class)
    void theProxyRefusesBodiesBeforeTheyAreSentWithErrorsOfOurFormat(Proxy proxy) throws Exception {
        int port = FreePort.find();
        Process process = null;
        try (FanfareProcess up = FanfareProcess.up(dir.resolve("data"), "--set", "http.trusted-proxies=127.0.0.1")) {
            int server = URI.create(up.runtime().httpUrl()).getPort();
            process = proxy.start(dir, port, server);
            Awaitility.await().atMost(Duration.ofSeconds(30)).ignoreExceptions().untilAsserted(() -> assertThat(
                            get(port, "/api/v1/instance").statusCode())
                    .as(Files.readString(dir.resolve("proxy.log")))
                    .isEqualTo(200));

            // Longest first: each is read by Fanfare itself, which has other things to say.
            assertThat(post(port, "/api/v1/statuses", 65_536).body()).doesNotContain(TOO_LARGE);
            assertThat(post(port, "/api/v1/statuses", 65_537)).satisfies(answer -> isError(answer, 413, TOO_LARGE));
            assertThat(declared(port, "PATCH /api/v1/accounts/update_credentials", 33_619_969))
                    .contains(" 413 ", TOO_LARGE, "application/json");
            assertThat(declared(port, "POST /api/v2/media", 58_785_793)).contains(" 413 ", TOO_LARGE);
            assertThat(declared(port, "POST /api/v1/statuses", 65_537)).contains(" 413 ", TOO_LARGE);
            // Of Fanfare itself: the errors of a server that answers pass as they are.
            assertThat(get(port, "/api/v1/nothing").body()).contains("There is nothing at this address");

            assertThat(up.stop(Duration.ofSeconds(60))).isZero();
            assertThat(get(port, "/api/v1/instance"))
                    .satisfies(answer -> isError(answer, 502, "The server is not running"));
        } finally {
            if (process != null) {
                process.destroy();
                assertThat(process.waitFor()).isNotNegative();
            }
        }
    }

    private static void isError(HttpResponse<String> answer, int status, String sentence) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json; charset=utf-8");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(new JsonObject(answer.body()).getString("error")).startsWith(sentence);
    }

    private HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(int port, String path, int bytes) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[bytes]))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The answer to a request that says how long its body is, of which nothing is sent. */
    private static String declared(int port, String request, long bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            String head = request + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nContent-Length: " + bytes
                    + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(4_000), StandardCharsets.UTF_8);
        }
    }
}
