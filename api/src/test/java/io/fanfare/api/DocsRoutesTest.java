package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.common.testing.TestRedis;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
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
                    .contains("new URL('../openapi.yaml', document.currentScript.src)");
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
