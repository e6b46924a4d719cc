package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.instance.DocsRoutes;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocsRoutesTest {
    private static final Pattern LOCAL = Pattern.compile("(?:src|href)=\"([^\"]+)\"");

    private static ApiServer api;

    @BeforeAll
    static void start() {
        api = new ApiServer(TestRedis.standalone());
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @Test
    void theContractIsServedAsItIsInTheBuild() {
        Response contract = api.get("/openapi.yaml", null);

        assertThat(contract.header("Content-Type")).contains("application/yaml");
        assertThat(contract.header("Cache-Control"))
                .hasValueSatisfying(value -> assertThat(value).startsWith("public, max-age="));
        assertThat(contract.header("Access-Control-Allow-Origin")).contains("*");
        assertThat(contract.body()).isEqualTo(built("/openapi.yaml"));
    }

    /** A heap's worth of answers that nobody takes lay outside of the heap before, one more with each connection. */
    @Test
    void aLargeFileIsWrittenAsItsReaderTakesIt() throws IOException {
        byte[] whole = theirs("swagger-ui-bundle.js");
        long before = directBytes();
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(4 << 10);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), api.verticle.port()));
                socket.setSoTimeout(60_000);
                sockets.add(socket);
                String get = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n";
                socket.getOutputStream().write(get.getBytes(StandardCharsets.US_ASCII));
            }
            for (Socket socket : sockets) {
                assertThat(head(socket)).startsWith("HTTP/1.1 200").contains("content-length: " + whole.length);
            }
            assertThat(directBytes() - before).isLessThan(50L * whole.length / 4);
            assertThat(sockets.get(7).getInputStream().readNBytes(whole.length)).isEqualTo(whole);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    private static byte[] theirs(String name) throws IOException {
        try (InputStream in =
                DocsRoutes.class.getResourceAsStream("/META-INF/resources/webjars/swagger-ui/5.34.1/" + name)) {
            return in.readAllBytes();
        }
    }

    private static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = socket.getInputStream().read();
            assertThat(c).as("after " + head).isNotNegative();
            head.append((char) c);
        }
        return head.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/docs", "/docs/"})
    void thePageNeedsNothingFromElsewhereAndNothingInline(String path) {
        Response page = api.get(path, null);

        assertThat(page.header("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.header("X-Content-Type-Options")).contains("nosniff");
        assertThat(page.raw().headers().allValues("Content-Security-Policy"))
                .singleElement()
                .satisfies(policy -> assertThat(policy)
                        .contains(
                                "default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'")
                        .doesNotContain("unsafe", "*", "http"));
        assertThat(page.body()).doesNotContainPattern("<script>|<style|style=|\\son[a-z]+=");
    }

    @Test
    void everythingThePageRefersToIsThere() {
        Set<String> wanted = new HashSet<>();
        Matcher local = LOCAL.matcher(api.get("/docs", null).body());
        while (local.find()) {
            wanted.add(local.group(1));
        }

        assertThat(wanted)
                .contains("/openapi.yaml", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css")
                .allSatisfy(path -> {
                    assertThat(path).startsWith("/");
                    Response file = api.get(path, null);
                    assertThat(file.status()).isEqualTo(200);
                    assertThat(file.body()).isNotEmpty();
                });
    }

    @Test
    void belowThePathOfThePublicUrlThePageFindsItsFilesThere() {
        try (ApiServer below =
                new ApiServer(TestRedis.standalone(), "http.public-url=https://example.org/social/a'b")) {
            Matcher local = LOCAL.matcher(below.get("/docs", null).body());
            int found = 0;
            while (local.find()) {
                assertThat(local.group(1)).matches("/social/a&#39;b/(docs/.+|openapi\\.yaml)");
                found++;
            }
            assertThat(found).isEqualTo(6);
            assertThat(below.get("/docs/start.js", null).body())
                    .contains("new URL(\"../openapi.yaml\", document.currentScript.src)");
            assertThat(below.get("/openapi.yaml", null).body()).contains("servers:\n  - {url: .,");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/docs", "/openapi.yaml", "/docs/start.js"})
    void nothingThereCanBeWritten(String path) {
        Response refused = api.post(path, null);

        assertThat(refused.status()).isEqualTo(405);
        assertThat(refused.header("Allow")).contains("GET, HEAD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/docs/index.html", "/docs/%2e%2e/common-passwords.txt", "/docs/nothing.js"})
    void nothingElseIsServed(String path) {
        assertThat(api.get(path, null).status()).isEqualTo(404);
    }

    private static String built(String name) {
        try (InputStream in = DocsRoutesTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
