package io.fanfare.common.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.CustomEmoji;
import io.fanfare.common.model.CustomEmojis;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.text.Html;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class ViewsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MADE = Instant.parse("2026-01-02T03:04:05.678Z").toEpochMilli();
    private static final Account ANN =
            new Account(Id.of(MADE, 3, 0), "ann", "Ann <3", "I & you", 1, 2, 3, MADE + 86_400_000);

    private final Views views = new Views("https://social.example");

    @Test
    void anAccountLooksAsInTheGoldenFile() throws IOException {
        byte[] bytes = Json.bytes(json -> views.accounts().write(json, ANN));

        assertThat(JSON.readTree(bytes)).isEqualTo(golden("account.json"));
    }

    @Test
    void aStatusLooksAsInTheGoldenFile() throws IOException {
        byte[] bytes = Json.bytes(json ->
                views.statuses().write(json, status("Hello <b>\nworld", Visibility.UNLISTED), RenderContext.of(ANN)));

        assertThat(JSON.readTree(bytes)).isEqualTo(golden("status.json"));
    }

    @Test
    void theAuthorReceivesANewStatusAsTheAuthorSeesIt() {
        Status status = status("Hello <b>\nwörld 💬 \"}\"", Visibility.PRIVATE);
        RenderContext context = RenderContext.of(ANN).seenBy(ANN.id());

        byte[] shown = Json.bytes(json -> views.statuses().uncached(json, status, context));

        assertThat(new String(shown, UTF_8))
                .isEqualTo(new String(Json.bytes(json -> views.statuses().write(json, status, context)), UTF_8))
                .contains("\"favourited\":false");
    }

    @Test
    void cachedStatusesAreRenderedAgainWhenTheEmojisChange() throws IOException {
        AtomicReference<CustomEmojis> now = new AtomicReference<>(CustomEmojis.NONE);
        Views remembering = new Views("https://social.example", RenderCache.of(1 << 20), now::get);
        Account author = new Account(ANN.id(), "ann", "Ann :ab:", "", 0, 0, 0, 0);
        Status status = status("Hello :ab: :x1:", Visibility.PUBLIC);
        for (int version = 1; version < 4; version++) {
            String file = version + ".png";
            now.set(new CustomEmojis(version, List.of(new CustomEmoji("ab", file, "Fun"))));
            for (int again = 0; again < 2; again++) {
                JsonNode shown = JSON.readTree(
                        Json.bytes(json -> remembering.statuses().write(json, status, RenderContext.of(author))));
                JsonNode expected = JSON.readTree("[{\"shortcode\":\"ab\",\"url\":\"https://social.example/media/"
                        + file + "\",\"static_url\":\"https://social.example/media/" + file
                        + "\",\"visible_in_picker\":true}]");
                assertThat(shown.get("emojis")).isEqualTo(expected);
                assertThat(shown.at("/account/emojis")).isEqualTo(expected);
            }
        }
    }

    @Test
    void aRepostHasItsOriginalInside() throws IOException {
        Status original = status("Hello", Visibility.PUBLIC);

        JsonNode repost = show(passingOn(original, Post.Kind.REPOST, ""), context(Map.of(original.id(), original)));

        assertThat(repost.get("reblog")).isEqualTo(show(original, context(Map.of())));
        assertThat(repost.get("content").asText()).isEmpty();
        assertThat(repost.get("quote").isNull()).isTrue();
    }

    @Test
    void aRepostOfWhatIsGoneHasATombstoneInside() throws IOException {
        Status original = status("Hello", Visibility.PUBLIC);

        JsonNode tombstone = show(passingOn(original, Post.Kind.REPOST, ""), context(Map.of()))
                .get("reblog");

        assertThat(tombstone.get("deleted").asBoolean()).isTrue();
        assertThat(tombstone.get("id").asText()).isEqualTo(Long.toString(original.id()));
        assertThat(tombstone.get("account")).isEqualTo(golden("account.json"));
        assertThat(tombstone.toString()).doesNotContain("Hello");
        // Every field of a Status is there, for clients that know nothing of tombstones.
        assertThat(names(tombstone)).containsAll(names(golden("status.json")));
    }

    @Test
    void aQuoteShowsWhatItQuotesAndNamesWhatThatQuotes() throws IOException {
        Status original = status("Hello", Visibility.PUBLIC);
        Status quote = passingOn(original, Post.Kind.POST, "Look");
        Status quoteOfIt = passingOn(quote, Post.Kind.POST, "Look there");

        JsonNode shown = show(quoteOfIt, context(Map.of(original.id(), original, quote.id(), quote)));

        String address = "https://social.example/@ann/" + quote.id();
        assertThat(shown.get("content").asText())
                .isEqualTo("<p class=\"quote-inline\">RE: <a class=\"quote-inline\" href=\"" + address + "\">" + address
                        + "</a></p><p>Look there</p>");
        assertThat(shown.at("/quote/state").asText()).isEqualTo("accepted");
        assertThat(shown.at("/quote/quoted_status/id").asText()).isEqualTo(Long.toString(quote.id()));
        assertThat(shown.at("/quote/quoted_status/quote"))
                .isEqualTo(JSON.readTree("{\"state\":\"accepted\",\"quoted_status_id\":\"" + original.id() + "\"}"));
        assertThat(names(shown.at("/quote/quoted_status"))).isEqualTo(names(golden("status.json")));
        assertThat(show(quoteOfIt, context(Map.of(quote.id(), quote))).at("/quote/quoted_status/quote"))
                .as("what it quotes in turn is gone")
                .isEqualTo(JSON.readTree("{\"state\":\"deleted\",\"quoted_status_id\":null}"));
    }

    @Test
    void aQuoteOfWhatIsGoneOrForbiddenSaysSo() throws IOException {
        Status original = status("Hello", Visibility.PUBLIC);
        Status quote = passingOn(original, Post.Kind.POST, "Look");
        RenderContext forbidden = new RenderContext(
                7,
                Map.of(ANN.id(), ANN),
                Map.of(original.id(), original),
                Map.of(original.id(), RenderContext.Showing.FORBIDDEN),
                Set.of(),
                Set.of(),
                Set.of());

        assertThat(show(quote, context(Map.of())).get("quote"))
                .isEqualTo(JSON.readTree("{\"state\":\"deleted\",\"quoted_status\":null}"));
        assertThat(show(quote, forbidden).get("quote"))
                .isEqualTo(JSON.readTree("{\"state\":\"unauthorized\",\"quoted_status\":null}"));
    }

    @Test
    void aViewersFlagsStandOnARepostAndOnItsOriginal() throws IOException {
        Status original = status("Hello", Visibility.PUBLIC);
        RenderContext context = new RenderContext(
                7,
                Map.of(ANN.id(), ANN),
                Map.of(original.id(), original),
                Map.of(),
                Set.of(original.id()),
                Set.of(),
                Set.of(original.id()));

        JsonNode repost = show(passingOn(original, Post.Kind.REPOST, ""), context);

        for (JsonNode status : List.of(repost, repost.get("reblog"))) {
            assertThat(status.get("favourited").asBoolean()).isTrue();
            assertThat(status.get("reblogged").asBoolean()).isFalse();
            assertThat(status.get("bookmarked").asBoolean()).isTrue();
        }
    }

    private JsonNode show(Status status, RenderContext context) throws IOException {
        return JSON.readTree(Json.bytes(json -> views.statuses().write(json, status, context)));
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** A repost or quote by the same author, made a millisecond later. */
    private static Status passingOn(Status original, Post.Kind kind, String text) {
        Post post =
                new Post(ANN.id(), Visibility.PUBLIC, kind, Content.of(text), null, null, Reference.to(original), null);
        return new Status(Id.of(Id.epochMillis(original.id()) + 1, 3, 2), post, Counters.NONE);
    }

    private static RenderContext context(Map<Long, Status> originals) {
        return new RenderContext(0, Map.of(ANN.id(), ANN), originals, Map.of(), Set.of(), Set.of(), Set.of());
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "'' | ''",
                "a | <p>a</p>",
                "a<b>&\"'c | <p>a&lt;b&gt;&amp;&quot;&#39;c</p>",
                "a~b | <p>a<br>b</p>",
                "a~~b | <p>a</p><p>b</p>",
                "a~~~~b | <p>a</p><p>b</p>",
                "a^~b | <p>a<br>b</p>",
                "a^~^~b | <p>a</p><p>b</p>",
                "a^b | <p>a<br>b</p>",
                "你好~😀 | <p>你好<br>😀</p>"
            },
            delimiter = '|')
    void textBecomesHtml(String text, String html) {
        assertThat(Html.of(text.replace('~', '\n').replace('^', '\r'))).isEqualTo(html);
    }

    /** In the expected HTML {@code [x]} is a link to x that shows x. */
    @ParameterizedTest
    @CsvSource(
            value = {
                "https://x.example | [https://x.example]",
                "HTTP://X.example/A b | [HTTP://X.example/A] b",
                "see http://127.0.0.1:8080/health, then. | see [http://127.0.0.1:8080/health], then.",
                "Is it https://x.example/a? | Is it [https://x.example/a]?",
                "https://x.example/a?b=c&d=%20#e...! | [https://x.example/a?b=c&amp;d=%20#e]...!",
                "(https://x.example/a) | ([https://x.example/a])",
                "(see https://x.example/a_(b).) | (see [https://x.example/a_(b)].)",
                "https://x.example:80: | [https://x.example:80]:",
                "https://x.example. | [https://x.example].",
                "https://x.example/~a'b | [https://x.example/~a&#39;b]",
                "https://münchen.example/straße | [https://münchen.example/straße]",
                "看https://例え.テスト/编程。好 | 看[https://例え.テスト/编程]。好",
                "https://x.example~https://y.example | [https://x.example]<br>[https://y.example]",
                "https://x.example https://y.example | [https://x.example] [https://y.example]",
                "https://user@x.example | https://user@x.example",
                "xhttps://x.example https:// http://. https:/x.example | xhttps://x.example https:// http://. https:/x.example",
                "javascript:alert(1) data:text/html,x ftp://x.example | javascript:alert(1) data:text/html,x ftp://x.example",
                "https://x.example/\"onclick=\"alert(1) | [https://x.example/]&quot;onclick=&quot;alert(1)",
                "https://x.example/<b>a</b> | [https://x.example/]&lt;b&gt;a&lt;/b&gt;",
                "https://x.example/'onclick='a | [https://x.example/&#39;onclick=&#39;a]",
                "https://x.example/\u202efdp.exe | [https://x.example/]\u202efdp.exe"
            },
            delimiter = '|',
            quoteCharacter = '`')
    void webAddressesBecomeLinks(String text, String html) {
        String expected = html.replaceAll(
                "\\[(.*?)]", "<a href=\"$1\" rel=\"nofollow noopener noreferrer\" target=\"_blank\">$1</a>");

        assertThat(Html.of(text.replace('~', text.contains("/~") ? '~' : '\n'))).isEqualTo("<p>" + expected + "</p>");
    }

    @Test
    void invalidCharactersEndAnAddress() {
        assertThat(Html.of("http://x/\u0000a")).contains("href=\"http://x/\"").endsWith("</a>\u0000a</p>");
        assertThat(Html.of("http://x/\ud83da")).contains("href=\"http://x/\"").endsWith("</a>\ud83da</p>");
    }

    @Test
    void manyBracketsTakeNoLongerThanOtherText() {
        String brackets = "https://x.example/" + ")".repeat(200_000);

        assertThat(Html.of(brackets))
                .startsWith("<p><a href=\"https://x.example/\" ")
                .endsWith("</a>" + ")".repeat(200_000) + "</p>");
    }

    @Test
    void timesLookAsTheJdkWouldFormatThem() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        DateTimeFormatter time =
                DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
        for (int i = 0; i < 10_000; i++) {
            long millis = random.nextLong(-1_000_000_000_000L, 8_000_000_000_000L);
            String expected = time.format(Instant.ofEpochMilli(millis));

            assertThat(Timestamps.time(millis)).as("seed " + seed).isEqualTo(expected);
            assertThat(Timestamps.date(millis)).as("seed " + seed).isEqualTo(expected.substring(0, 10));
        }
    }

    private static Status status(String text, Visibility visibility) {
        Content content = new Content(text, "cw", true, "en", List.of(), List.of(), null);
        Post post =
                new Post(ANN.id(), visibility, Post.Kind.POST, content, new Reference(11, 12), null, null, "Tester");
        return new Status(Id.of(MADE, 3, 2), post, new Counters(4, 5, 0, 6));
    }

    private static JsonNode golden(String name) throws IOException {
        try (InputStream in = ViewsTest.class.getResourceAsStream(name)) {
            return JSON.readTree(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
