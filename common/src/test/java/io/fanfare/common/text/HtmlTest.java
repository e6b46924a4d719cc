package io.fanfare.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.view.ViewsTest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Links for names and tags; paragraphs and web addresses are in {@link ViewsTest}. */
class HtmlTest {
    private static final String URL = "https://social.example";
    private static final String ANN =
            "<span class=\"h-card\"><a href=\"https://social.example/@ann\" class=\"u-url mention\">@<span>";
    private static final String TAG =
            "<a href=\"https://social.example/tags/tag\" class=\"mention hashtag\" rel=\"tag\">#<span>";
    private static final Pattern MARKUP = Pattern.compile("<(/?)(p|br|a|span)((?: [a-z]+=\"[^\"<>]*\")*)>");

    @ParameterizedTest
    @CsvSource(
            value = {
                "@ann | {ANN}ann</span></a></span>",
                "Hi @Ann! | Hi {ANN}Ann</span></a></span>!",
                "@ann@social.example | {ANN}ann@social.example</span></a></span>",
                "@ann@other.example | @ann@other.example",
                "@bob | @bob",
                "#tag #Tag | {TAG}tag</span></a> {TAG}Tag</span></a>",
                "#tag# | {TAG}tag</span>#</a>",
                "#other | #other",
                "<#tag> | &lt;{TAG}tag</span></a>&gt;",
                "#编程 | <a href=\"https://social.example/tags/%E7%BC%96%E7%A8%8B\" class=\"mention hashtag\" rel=\"tag\">#<span>编程</span></a>"
            },
            delimiter = '|',
            quoteCharacter = '`')
    void namesAndTagsThatWereFoundAreLinks(String text, String html) {
        assertThat(Html.of(content(text), URL))
                .isEqualTo("<p>" + html.replace("{ANN}", ANN).replace("{TAG}", TAG) + "</p>");
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "Bows and #Tag | Bows and {TAG}Tag</span></a>",
                "@ann grows <#tag> | @ann grows &lt;{TAG}tag</span></a>&gt;",
                "none | none"
            },
            delimiter = '|')
    void tagsOfANoteAreLinksAndNamesAreNone(String note, String html) {
        assertThat(Html.ofNote(note, URL)).isEqualTo("<p>" + html.replace("{TAG}", TAG) + "</p>");
    }

    @ParameterizedTest
    @CsvSource({
        "http://☺.example/, true",
        "http://[::1]/, true",
        "http://a.example/@b.example, true",
        "http://bank.example@evil.example/, false",
        "http://user:pw@evil.example, false"
    })
    void anAddressThatNamesAUserIsNoLink(String address, boolean isLink) {
        String shown = Html.of(address);

        assertThat(shown.contains("<a href=\"" + address + "\"")).isEqualTo(isLink);
        assertThat(read(shown)).isEqualTo(address);
    }

    @Tag("slow")
    @Test
    void theHtmlOfAnyTextIsWellFormedAndReadsAsTheText() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 50_000; i++) {
            String text = TextEntitiesTest.randomText(random);
            String html = Html.of(content(text), URL);
            assertThat(read(html))
                    .as("seed %d text %s html %s", seed, text, html)
                    .isEqualTo(plain(text));
        }
    }

    /** The text that a browser shows: fails when a tag is not one of ours, or is not closed where it should be. */
    private static String read(String html) {
        StringBuilder shown = new StringBuilder();
        Deque<String> open = new ArrayDeque<>();
        Matcher markup = MARKUP.matcher(html);
        int from = 0;
        boolean first = true;
        while (markup.find()) {
            shown.append(unescaped(html.substring(from, markup.start())));
            from = markup.end();
            String name = markup.group(2);
            if (!markup.group(1).isEmpty()) {
                assertThat(open.pop()).as(html).isEqualTo(name);
            } else if (name.equals("br")) {
                shown.append('\n');
            } else {
                shown.append(name.equals("p") && !first ? "\n\n" : "");
                open.push(name);
                first = false;
            }
        }
        assertThat(open).as(html).isEmpty();
        return shown.append(unescaped(html.substring(from))).toString();
    }

    private static String unescaped(String text) {
        assertThat(text).doesNotContain("<").doesNotContain(">").doesNotContain("\"");
        return text.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&");
    }

    private static String plain(String text) {
        return text.replace("\r\n", "\n").replaceAll("\n{2,}", "\n\n");
    }

    private static Content content(String text) {
        return new Content(text, "", false, null, List.of(new Mention(1, "ann")), List.of("tag", "话题", "编程"), null);
    }
}
