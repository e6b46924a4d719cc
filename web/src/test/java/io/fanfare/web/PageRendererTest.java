package io.fanfare.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.text.Html;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

/**
 * Entities here are those of the API: {@code content} and {@code note} are escaped HTML, the rest is as it was typed.
 */
class PageRendererTest {
    private static final Messages ENGLISH = Messages.of("en");

    private final PageRenderer pages = renderer("http://127.0.0.1:8080");

    private static PageRenderer renderer(String url) {
        return new PageRenderer(WebFiles.load(), url, "Fan<fare>", "For \"friends\" & family", "", true);
    }

    @Test
    void theServiceWorkerDiffersWithTheVersionOfTheFilesAndKeepsOnlyFilesThatThereAre() {
        String script = renderer("https://example.org/social").worker();

        assertThat(script)
                .startsWith("const SERVED = {\"on\":true,")
                .contains("\"cache\":\"fanfare:/social:" + WebFiles.load().version() + "\"")
                .contains("\"offline\":\"/social/offline\"", "\"home\":\"/social/\"");
        JsonObject served = new JsonObject(script.substring(script.indexOf('{'), script.indexOf(";\n")));
        String folder = "/social/web/" + WebFiles.load().version() + "/";
        assertThat(served.getJsonArray("files")).hasSize(4).allSatisfy(path -> {
            assertThat(path.toString()).startsWith(folder);
            assertThat(WebFiles.load().find(path.toString().substring(folder.length())))
                    .isPresent();
        });
    }

    @Test
    void aServerWithoutAServiceWorkerEndsThoseThatBrowsersHaveAndNamesNoneInItsPages() {
        PageRenderer without = new PageRenderer(WebFiles.load(), "http://127.0.0.1:8080", "Fanfare", "", "", false);

        assertThat(without.worker()).startsWith("const SERVED = {\"on\":false,");
        assertThat(without.shell(ENGLISH)).doesNotContain("data-worker");
        assertThat(pages.shell(ENGLISH)).contains(" data-worker=\"/sw.js\"");
        assertThat(pages.policy()).contains("worker-src 'self'");
    }

    @Test
    void thePageWithoutAConnectionHasEveryLanguageAndShowsThatOfTheReader() {
        assertThat(pages.offline(ENGLISH))
                .contains(
                        "<html lang=\"en\">",
                        "<section lang=\"en\"><h1>No connection",
                        "<section lang=\"zh-Hans\" hidden><h1>没")
                .doesNotContain("main.js");
        assertThat(pages.offline(Messages.of("zh")))
                .contains("<html lang=\"zh-Hans\">", "<section lang=\"en\" hidden>", "<section lang=\"zh-Hans\"><h1>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>ran()</script>",
                "\"><svg onload=ran()>",
                "' autofocus onfocus=ran() x='",
                "</title><svg onload=ran()>",
                "]]><svg onload=ran()>",
                "&lt;svg onload=ran()&gt;",
                "<!--",
                "\u202e<svg onload=ran()>\u0000"
            })
    void textsOfUsersAreEscapedInEveryPlace(String payload) throws Exception {
        JsonObject status = status(payload, payload, payload);
        JsonObject account = account(payload);
        JsonArray list = new JsonArray().add(status).add(article(payload));
        String[] all = {
            pages.status(ENGLISH, status),
            pages.status(ENGLISH, article(payload)),
            pages.profile(ENGLISH, account, list, "?max_id=1"),
            pages.landing(ENGLISH, list),
            pages.articles(ENGLISH, list, ""),
            pages.tag(ENGLISH, payload, list, "")
        };
        for (String html : all) {
            assertThat(html)
                    .doesNotContain("<script>", "<svg", "<!--", "' autofocus", "\" autofocus")
                    .doesNotContainPattern("<[a-z]+[^>\"]*\\son[a-z]+=");
        }
        for (String feed : new String[] {pages.profileFeed(account, list), pages.tagFeed(payload, list)}) {
            Document parsed = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(feed.getBytes(StandardCharsets.UTF_8)));
            assertThat(parsed.getElementsByTagName("item").getLength()).isEqualTo(2);
            assertThat(parsed.getElementsByTagName("svg").getLength()).isZero();
        }
    }

    @Test
    void customEmojisArePicturesInWordsButNotWithinLinksAndTags() {
        JsonArray emojis = new JsonArray()
                .add(new JsonObject().put("shortcode", "party").put("url", "http://127.0.0.1:8080/media/a\"b.png"));
        String picture = "<img class=\"emoji\" loading=\"lazy\" src=\"http://127.0.0.1:8080/media/a&quot;b.png\""
                + " alt=\":party:\" title=\":party:\">";

        assertThat(PostHtml.pictured("<p>:party: x:party: &amp;:party:&lt;br&gt;<br>:other: :party:</p>", emojis))
                .isEqualTo("<p>" + picture + " x:party: &amp;" + picture + "&lt;br&gt;<br>:other: " + picture + "</p>");
        assertThat(PostHtml.pictured("<a href=\":party:\">:party:<span>:party:</span></a> :party:", emojis))
                .isEqualTo("<a href=\":party:\">:party:<span>:party:</span></a> " + picture);
        assertThat(PostHtml.pictured(":party", emojis)).isEqualTo(":party");
        JsonObject status = status("Ada :party:", "Hello :party:", ":party:");
        status.put("emojis", emojis).getJsonObject("account").put("emojis", emojis);
        assertThat(pages.status(ENGLISH, status).split(picture, -1)).hasSize(4);
    }

    @Test
    void aTitleEndsNeitherWithinACharacterNorWithinAnEscape() {
        assertThat(PageRenderer.snippet("<p>abc&amp;def</p>", 5)).isEqualTo("abc…");
        assertThat(PageRenderer.snippet("<p>😀😀😀😀</p>", 2)).isEqualTo("😀…");
        assertThat(PageRenderer.snippet("<p>one<br>two</p><p class=\"quote-inline\">RE: x</p>", 20))
                .isEqualTo("one two");
        assertThat(PageRenderer.snippet("<p>see <a href=\"x\">#<span>tag</span></a>!</p>", 20))
                .isEqualTo("see #tag!");
    }

    @Test
    void aPageSaysWhatItIsAndWhereItIs() {
        String html = renderer("https://example.org/social").status(ENGLISH, status("Ada", "Hello", ""));

        assertThat(html)
                .contains("<title>Ada: Hello</title>")
                .contains("<link rel=\"canonical\" href=\"https://example.org/social/@ada/7\">")
                .contains("<meta property=\"og:description\" content=\"Hello\">")
                .contains("<link rel=\"alternate\" type=\"application/json+oembed\" href=\"https://example.org/social"
                        + "/api/oembed?format=json&amp;url=https%3A%2F%2Fexample.org%2Fsocial%2F%40ada%2F7\">")
                .contains("<meta property=\"og:site_name\" content=\"Fan&lt;fare&gt;\">")
                .contains("src=\"/social/web/" + WebFiles.load().version() + "/main.js\"")
                .doesNotContain("noindex");
        JsonObject hidden = status("Ada", "Hello", "");
        hidden.getJsonObject("account").put("noindex", true);
        assertThat(pages.status(ENGLISH, hidden)).contains("<meta name=\"robots\" content=\"noindex\">");
    }

    @Test
    void thePolicyAllowsFilesOfThisServerAndNothingInline() {
        assertThat(renderer("https://example.org/social").policy())
                .contains(
                        "default-src 'none'",
                        "img-src 'self' data: blob: https://example.org;",
                        "media-src 'self' blob: https://example.org;",
                        "require-trusted-types-for")
                .doesNotContain("unsafe");
    }

    @Test
    void aPollIsThereWithTheNumbersThatMayBeSeen() {
        assertThat(pages.status(ENGLISH, status("Ada", "a & b", "")))
                .contains("src=\"http://127.0.0.1:8080/avatars/7.png\"")
                .contains("<li><bdi>a &amp; b</bdi> · 2 votes</li><li><bdi>other</bdi></li>");
        assertThat(pages.status(ENGLISH, status("Ada", "a", "").putNull("poll")))
                .doesNotContain("class=\"poll\"");
    }

    @Test
    void aLinkToTheLandingPageIsShownWithTheIconOfTheServer() {
        assertThat(pages.landing(ENGLISH, new JsonArray()))
                .containsPattern(
                        "<meta property=\"og:image\" content=\"http://127.0.0.1:8080/web/[0-9a-f]+/icon-512.png\">"
                                + "<meta name=\"twitter:card\" content=\"summary\">");
    }

    @Test
    void aVideoIsPlayedInThePageAndLoadedWhenSomebodyPlaysIt() {
        JsonObject status = status("Ada", "a \"card\"", "");
        JsonObject clip =
                status.getJsonArray("media_attachments").getJsonObject(0).put("type", "video");
        assertThat(pages.status(ENGLISH, status))
                .contains("<video controls preload=\"none\" src=\"http://127.0.0.1:8080/media/x\""
                        + " poster=\"http://127.0.0.1:8080/media/y\" aria-label=\"a &quot;card&quot;\"")
                .contains("<meta property=\"og:image\" content=\"http://127.0.0.1:8080/media/y\">");
        JsonObject silent = clip.put("type", "audio").putNull("preview_url").putNull("description");
        assertThat(silent.getString("preview_url")).isNull();
        assertThat(pages.status(ENGLISH, status))
                .contains("<audio controls preload=\"none\" src=\"http://127.0.0.1:8080/media/x\"></audio>")
                .contains("<meta property=\"og:image\" content=\"http://127.0.0.1:8080/avatars/7.png\">");
    }

    @Test
    void aWarningHidesTheTextOnPagesAndInFeeds() {
        JsonObject status = status("Ada", "the secret", "careful");

        assertThat(pages.status(ENGLISH, status))
                .contains("<summary dir=\"auto\">careful</summary>")
                .contains("<meta name=\"description\" content=\"careful\">");
        assertThat(pages.tagFeed("x", new JsonArray().add(status))).doesNotContain("the secret");
    }

    private static JsonObject account(String text) {
        return new JsonObject()
                .put("username", "ada")
                .put("display_name", text)
                .put("note", Html.of(text))
                .put("avatar", "http://127.0.0.1:8080/avatars/7.png")
                .put("noindex", false)
                .put("emojis", new JsonArray())
                .put("statuses_count", 1)
                .put("followers_count", 2)
                .put("following_count", 0);
    }

    private static JsonObject status(String name, String text, String warning) {
        JsonObject picture = new JsonObject()
                .put("url", "http://127.0.0.1:8080/media/x")
                .put("preview_url", "http://127.0.0.1:8080/media/y")
                .put("description", text);
        JsonArray options = new JsonArray()
                .add(new JsonObject().put("title", text).put("votes_count", 2))
                .add(new JsonObject().put("title", "other").putNull("votes_count"));
        return new JsonObject()
                .put("id", "7")
                .put("poll", new JsonObject().put("options", options).put("emojis", new JsonArray()))
                .put("created_at", "2026-01-02T03:04:05.678Z")
                .put("url", "http://127.0.0.1:8080/@ada/7")
                .put("account", account(name))
                .put("spoiler_text", warning)
                .put("content", Html.of(text))
                .put("language", "en")
                .put("emojis", new JsonArray())
                .put("media_attachments", new JsonArray().add(picture))
                .put("tags", new JsonArray().add(new JsonObject().put("name", name)))
                .put("replies_count", 0)
                .put("reblogs_count", 1)
                .put("favourites_count", 2);
    }

    private static JsonObject article(String text) {
        JsonObject article = new JsonObject().put("title", text).put("link", "https://example.org/?a='\"<");
        return status(text, text, "").put("article", article);
    }
}
