package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.redis.testing.TestRedis;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebRoutesTest {
    private static final Pattern FILE = Pattern.compile("(?:src|href)=\"(/web/[^\"]+)\"");

    private static ApiServer api;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        api = new ApiServer(TestRedis.standalone());
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/login", "/streams", "/articles"})
    void aPageNeedsNothingInlineAndItsFilesMayBeKeptForGood(String path) {
        Response page = api.get(path, null);
        assertThat(page.header("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.header("Content-Security-Policy").orElseThrow())
                .contains("script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "trusted-types fanfare")
                .doesNotContain("unsafe");
        assertThat(page.body()).doesNotContainPattern("<script>|<style|style=|\\son[a-z]+=");
        Matcher file = FILE.matcher(page.body());
        int found = 0;
        while (file.find()) {
            Response answer = api.get(file.group(1), null);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("Cache-Control")).contains("public, max-age=31536000, immutable");
            found++;
        }
        assertThat(found).isGreaterThan(3);
    }

    @Test
    void theManifestNamesTheServerAndIconsOfTheSizesThatItSays() throws IOException {
        Response manifest = api.get("/manifest.webmanifest", null);
        assertThat(manifest.header("Content-Type")).contains("application/manifest+json");
        assertThat(manifest.text("/start_url")).isEqualTo("/");
        assertThat(manifest.text("/display")).isEqualTo("standalone");
        for (int i = 0; i < 2; i++) {
            BufferedImage icon = ImageIO.read(URI.create(api.url() + manifest.text("/icons/" + i + "/src"))
                    .toURL());
            assertThat(manifest.text("/icons/" + i + "/sizes")).isEqualTo(icon.getWidth() + "x" + icon.getHeight());
        }
        assertThat(api.get("/login", null).body()).contains("<link rel=\"manifest\" href=\"/manifest.webmanifest\">");
    }

    @Test
    void theServiceWorkerIsComparedAtEachVisitAndItsPageIsTheSameForEverybody() {
        Response worker = api.get("/sw.js", null);
        assertThat(worker.header("Content-Type")).contains("text/javascript; charset=utf-8");
        assertThat(worker.header("Cache-Control")).contains("no-cache");
        assertThat(worker.header("Content-Security-Policy"))
                .contains("default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'");
        String tag = worker.header("ETag").orElseThrow();
        assertThat(api.send("GET", "/sw.js", null, null, null, "If-None-Match", tag)
                        .status())
                .isEqualTo(304);

        String page = api.get("/offline", null).body();
        assertThat(page).contains("No connection");
        assertThat(api.send("GET", "/offline", null, null, null, "Cookie", "fanfare_session=x")
                        .body())
                .isEqualTo(page);
    }

    @Test
    void filesOfTheClientAreCompressedOnceAndMoreThanAnAnswerThatIsSentOnce() throws IOException {
        Matcher file = FILE.matcher(api.get("/login", null).body());
        assertThat(file.results().map(found -> found.group(1)).filter(path -> path.endsWith("main.js")))
                .isNotEmpty()
                .allSatisfy(path -> {
                    Response plain = api.get(path, null);
                    Response packed = api.send("GET", path, null, null, null, "Accept-Encoding", "gzip");
                    long bytes = packed.raw()
                            .headers()
                            .firstValueAsLong("Content-Length")
                            .orElseThrow();
                    assertThat(bytes).isLessThanOrEqualTo(usual(plain.body()));
                });
    }

    /** The length of a text, compressed at the usual level. */
    private static long usual(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.size();
    }

    @Test
    void aFileOfAnotherVersionIsThatOfThisOneAndIsNotKept() {
        Response old = api.get("/web/000000000000/main.js", null);

        assertThat(old.status()).isEqualTo(200);
        assertThat(old.header("Cache-Control")).contains("no-store");
        assertThat(api.get("/web/000000000000/other.js", null).status()).isEqualTo(404);
        assertThat(api.get("/web/x/..%2fWebFiles.class", null).status()).isEqualTo(404);
    }

    @Test
    void aPageIsRevalidatedButSentOnceOnly() {
        Response first = api.get("/login", null);
        String tag = first.header("ETag").orElseThrow();
        assertThat(first.header("Cache-Control")).contains("no-cache");

        Response again = api.send("GET", "/login", null, null, null, "If-None-Match", "\"x\", " + tag);
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(api.send("GET", "/login", null, null, null, "If-None-Match", "\"x\"")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void theLanguageIsTheOneThatTheBrowserAsksFor() {
        Response chinese = api.send("GET", "/", null, null, null, "Accept-Language", "zh-CN");

        assertThat(chinese.body()).contains("<html lang=\"zh-Hans\"", "注册");
        assertThat(chinese.raw().headers().allValues("Vary")).contains("Accept-Language, Cookie");
        assertThat(api.get("/", null).body()).contains("<html lang=\"en\"", "Sign up");
    }

    @Test
    void aLoggedInBrowserGetsTheFrontPageWithoutTheSignUp() {
        Response front = api.send("GET", "/", null, null, null, "Cookie", "fanfare_session=x");

        assertThat(front.body()).contains("main.js").doesNotContain("Sign up");
        assertThat(front.header("Cache-Control")).contains("no-store");
    }
}
