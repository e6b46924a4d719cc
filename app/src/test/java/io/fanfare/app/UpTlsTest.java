package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.redis.testing.TestCertificate;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code up --tls} with certificates of files, and clients over TLS. */
class UpTlsTest {
    private static final Duration STOP_MAX = Duration.ofSeconds(30);

    /** The files are looked at every 10 s, and test machines may be busy. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(90);

    @TempDir
    Path dir;

    private SSLContext trusting;

    @Test
    @Tag("programs")
    void clientsStayWhenTheCertificateChanges() throws Exception {
        Path data = dir.resolve("data");
        TestCertificate first = TestCertificate.in(Files.createDirectory(dir.resolve("first")));
        TestCertificate second = TestCertificate.in(Files.createDirectory(dir.resolve("second")));
        // One file with both, so that the change is one step.
        Path served = serve(first);
        trusting = trust(first, second);
        try (FanfareProcess up = FanfareProcess.up(data, "--tls", served.toString())) {
            String url = up.runtime().httpUrl();
            assertThat(url).startsWith("https://localhost:");
            for (HttpClient.Version version : HttpClient.Version.values()) {
                HttpResponse<String> answer = get(client(version), url + "/api/v2/instance");
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
                assertThat(new JsonObject(answer.body())
                                .getJsonObject("configuration")
                                .getJsonObject("urls")
                                .getString("streaming"))
                        .startsWith("wss://");
            }
            HttpClient client = client(HttpClient.Version.HTTP_2);
            String token = signUp(client, url);
            Queue<String> lines = events(client, url, token);
            Queue<String> frames = frames(client, url, token);
            await("the stream is open", () -> lines.stream().anyMatch(line -> line.contains("hello")));

            post(client, url, token, "over TLS");
            await("an event", () -> lines.stream().anyMatch(line -> line.contains("over TLS")));
            await("a frame", () -> frames.stream().anyMatch(frame -> frame.contains("over TLS")));

            int port = URI.create(url).getPort();
            Certificate before = shown(port, first, second);
            assertThat(serve(second)).isEqualTo(served);
            await("the new certificate is shown", () -> !shown(port, first, second)
                    .equals(before));
            up.awaitOutput("new TLS certificate end=");

            post(client, url, token, "after the change");
            await("the stream goes on", () -> lines.stream().anyMatch(line -> line.contains("after the change")));
            await("the WebSocket goes on", () -> frames.stream().anyMatch(frame -> frame.contains("after the change")));
            try (FanfareProcess listen =
                    FanfareProcess.start(data, "listen", "firehose", "--count=-1", "--token", token)) {
                assertThat(listen.awaitExit(WAIT_MAX)).as(listen.output()).isZero();
                assertThat(listen.output()).contains("after the change");
            }
            assertThat(up.output()).doesNotContain("ERROR", "Exception");
            assertThat(up.stop(STOP_MAX)).as(up.output()).isZero();
        }
    }

    @Test
    void thePublicUrlHasTheNameInTheCertificate() {
        TestCertificate named = TestCertificate.in(dir, "dns:localhost,dns:kitchen.example,ip:127.0.0.1");
        try (FanfareProcess up = FanfareProcess.up(
                dir.resolve("data"),
                "--tls",
                "--set",
                "http.tls.certificate=" + named.certificate(),
                "--set",
                "http.tls.key=" + named.key())) {
            String port = up.runtime().httpUrl().replaceFirst(".*:", "");
            assertThat(up.runtime().settings())
                    .containsEntry("http.public-url", "https://kitchen.example:" + port)
                    .containsEntry("http.tls.key", named.key().toString());
            assertThat(up.output())
                    .contains(
                            "curl https://kitchen.example:" + port + "/api/v1/accounts", "everybody on it can sign up");
        }
    }

    @Test
    void filesThatCannotBeServedEndTheStartWithASentence() throws Exception {
        Path missing = dir.resolve("missing.pem");
        String sentence = "the file of the TLS certificate, " + missing + ", does not exist";
        refuses(sentence, "--set", "http.tls.certificate=" + missing, "--set", "http.tls.key=" + missing);
        refuses(sentence, "--tls", missing.toString());
    }

    @Test
    @Tag("programs")
    void withoutFilesTheStartEndsWithASentenceThatNamesThoseOfAnEarlierVersion() throws Exception {
        String sentence = "--tls needs the files of a certificate: --tls CERTIFICATE KEY";
        assertThat(refuses(sentence, "--tls")).doesNotContain("earlier version");

        Path former = Files.createDirectories(dir.resolve("data/tls")).resolve("server.pem");
        TestCertificate made = TestCertificate.in(dir);
        Files.writeString(former, Files.readString(made.certificate()) + Files.readString(made.key()));
        refuses("the one of an earlier version serves until it ends: --tls " + former, "--tls");
        try (FanfareProcess up = FanfareProcess.up(dir.resolve("data"), "--tls", former.toString())) {
            assertThat(up.runtime().settings()).containsEntry("http.tls.certificate", former.toString());
        }
    }

    /** The output of a start that ends with this sentence. */
    @CanIgnoreReturnValue
    private String refuses(String sentence, String... arguments) throws Exception {
        try (FanfareProcess up = FanfareProcess.start(dir.resolve("data"), "up", arguments)) {
            assertThat(up.awaitExit(WAIT_MAX)).isEqualTo(1);
            assertThat(up.output()).contains(sentence).doesNotContain("Exception");
            return up.output();
        }
    }

    /** Replaces the file that is served in one step. */
    private Path serve(TestCertificate pair) throws IOException {
        Path next = dir.resolve("next.pem");
        Files.writeString(next, Files.readString(pair.certificate()) + Files.readString(pair.key()));
        return Files.move(next, dir.resolve("served.pem"), StandardCopyOption.REPLACE_EXISTING);
    }

    static SSLContext trust(TestCertificate... pairs) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        for (TestCertificate pair : pairs) {
            try (InputStream in = Files.newInputStream(pair.certificate())) {
                Certificate own = CertificateFactory.getInstance("X.509").generateCertificate(in);
                trusted.setCertificateEntry(pair.certificate().toString(), own);
            }
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private HttpClient client(HttpClient.Version version) {
        return HttpClient.newBuilder().version(version).sslContext(trusting).build();
    }

    /** The certificate that the server presents in a new TLS session. */
    private static Certificate shown(int port, TestCertificate... trusted) throws Exception {
        SSLContext fresh = trust(trusted);
        try (SSLSocket socket = (SSLSocket) fresh.getSocketFactory().createSocket("localhost", port)) {
            socket.setSoTimeout((int) WAIT_MAX.toMillis());
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    private static String signUp(HttpClient client, String url) throws Exception {
        Map<String, String> account = Map.of(
                "username", "phone",
                "email", "phone@example.org",
                "password", Client.PASSWORD,
                "agreement", "true");
        return form(client, url + "/api/v1/accounts", "", account).getString("access_token");
    }

    private static void post(HttpClient client, String url, String token, String text) throws Exception {
        assertThat(form(client, url + "/api/v1/statuses", token, Map.of("status", text))
                        .getString("id"))
                .isNotEmpty();
    }

    private static JsonObject form(HttpClient client, String url, String token, Map<String, String> fields)
            throws Exception {
        String body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(WAIT_MAX)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private static HttpResponse<String> get(HttpClient client, String url) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(url)).timeout(WAIT_MAX).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Lines of the firehose as they come. */
    private static Queue<String> events(HttpClient client, String url, String token) {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        HttpRequest firehose = HttpRequest.newBuilder(URI.create(url + "/api/v1/streaming/firehose"))
                .header("Authorization", "Bearer " + token)
                .build();
        var unused = client.sendAsync(firehose, HttpResponse.BodyHandlers.ofLines())
                .thenAcceptAsync(answer -> answer.body().forEach(lines::add));
        return lines;
    }

    /** Frames of the public stream over a WebSocket as they come. */
    private static Queue<String> frames(HttpClient client, String url, String token) throws Exception {
        Queue<String> frames = new ConcurrentLinkedQueue<>();
        String address = url.replace("https://", "wss://") + "/api/v1/streaming?stream=public&access_token=" + token;
        WebSocket socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(address), new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
                        frames.add(text.toString());
                        from.request(1);
                        return null;
                    }
                })
                .get(WAIT_MAX.toSeconds(), TimeUnit.SECONDS);
        assertThat(socket.isInputClosed()).isFalse();
        return frames;
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(WAIT_MAX).ignoreExceptions().until(condition);
    }
}
