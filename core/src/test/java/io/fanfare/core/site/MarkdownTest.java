package io.fanfare.core.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.Refusal;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of operators become HTML that cannot run anything. */
class MarkdownTest {
    /** All the tags that may be written: links lead to the web, to mail or to this site. */
    private static final Pattern SAFE = Pattern.compile(
            "</?(?:p|h[2-6]|ul|li|em|strong|code)>|<br>|<br />|<hr />"
                    + "|<ol(?: start=\"\\d+\")?>|</ol>|</a>|<a rel=\"nofollow\" href=\"(?:(?:https?|mailto):[^\"]*|[^\":/#?]*(?:[/#?][^\"]*)?)\""
                    + "(?: title=\"[^\"]*\")?>",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern TAG = Pattern.compile("<[^>]*>?");

    private static void assertSafe(String description, String html) {
        assertThat(TAG.matcher(html).results().map(MatchResult::group))
                .as(description)
                .allMatch(tag -> SAFE.matcher(tag).matches());
    }

    @Test
    void headingsListsAndLinksAreShown() {
        assertThat(Markdown.html("# One\n\nA *b* **c**\nd\n\n- e\n- [f](https://example.org/?a=1&b=2)\n\n1. g"))
                .isEqualTo("<h2>One</h2>\n<p>A <em>b</em> <strong>c</strong><br>d</p>\n<ul>\n<li>e</li>\n<li>"
                        + "<a rel=\"nofollow\" href=\"https://example.org/?a=1&amp;b=2\">f</a></li>\n</ul>\n"
                        + "<ol>\n<li>g</li>\n</ol>\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "a <img src=x onerror=alert(1)> b",
                "<a href=\"javascript:alert(1)\">x</a>",
                "[x](javascript:alert(1))",
                "[x](JaVaScRiPt:alert(1))",
                "[x](&#106;avascript:alert(1))",
                "[x](data:text/html,<script>alert(1)</script>)",
                "[x](vbscript:a)",
                "![x](javascript:alert(1))",
                "![x](https://example.org/y.png \"t\")",
                "[x]: javascript:alert(1)\n\n[x]",
                "<javascript:alert(1)>",
                "[x](https://example.org/\"onmouseover=alert(1))",
                "[x](https://example.org '\"onclick=alert(1)')",
                "<!-- a --> <?php ?> <![CDATA[x]]>",
                "<svg/onload=alert(1)>",
                "```\n<script>\n```",
                "    <script>",
                "> <script>",
            })
    void hostileTextsAreShownAsTextOrLeadNowhere(String text) {
        String html = Markdown.html(text);
        assertSafe(text, html);
        assertThat(html)
                .doesNotContain("<script", "<img", "<svg", "<!--")
                .doesNotContainPattern("(?i)(href|src)=\"\\s*(javascript|vbscript|data):");
    }

    @Test
    void aPictureBecomesALinkToIt() {
        assertThat(Markdown.html("![A *map*](https://example.org/map.png)"))
                .isEqualTo("<p><a rel=\"nofollow\" href=\"https://example.org/map.png\">A <em>map</em></a></p>\n");
    }

    @Test
    @Timeout(20)
    void aTextThatIsNestedTooDeeplyIsRefusedAndDoesNotUseUpTheStack() {
        for (String deep : new String[] {
            "*a **a ".repeat(4000),
            "- ".repeat(15_000) + "a",
            "[".repeat(30_000),
            "*a ".repeat(9_000) + "a*".repeat(3_000)
        }) {
            assertSafe(deep.substring(0, 20), Markdown.html(deep));
        }
        String nested = "*a **b ".repeat(2000) + "b** a*".repeat(2000);
        assertThatThrownBy(() -> Document.of(1, nested))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("within each other");
        assertThat(Markdown.html(nested)).startsWith("<p>*a **b");
        assertThatThrownBy(() -> Document.of(1, "- ".repeat(10_000) + "a")).isInstanceOf(Refusal.class);
    }

    @Test
    @Timeout(60)
    void randomTextsOfMarksAreSafe() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String marks = "<>[]()!*_`#-+\n\n \"'&:/ax1.\\~";
        for (int i = 0; i < 2000; i++) {
            String text = "javascript:"
                    + IntStream.range(0, 200)
                            .mapToObj(n -> String.valueOf(marks.charAt(random.nextInt(marks.length()))))
                            .collect(Collectors.joining());
            assertSafe("seed " + seed + ": " + text, Markdown.html(text));
        }
    }
}
