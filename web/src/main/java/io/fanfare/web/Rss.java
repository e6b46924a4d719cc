package io.fanfare.web;

import io.fanfare.common.text.Html;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** RSS 2.0 of public statuses. */
final class Rss {
    private static final int TITLE_CHARS = 80;

    /** RFC 822, as the RSS specification asks for. */
    private static final DateTimeFormatter DATES = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private Rss() {}

    /**
     * A feed.
     *
     * @param title plain text
     * @param description HTML
     */
    static String of(String title, String url, String description, JsonArray statuses) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
                .append("<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel>");
        element(xml, "title", title);
        element(xml, "link", url);
        element(xml, "description", description);
        xml.append("<atom:link rel=\"self\" type=\"application/rss+xml\" href=\"")
                .append(escaped(url + ".rss"))
                .append("\"/>");
        for (int i = 0; i < statuses.size(); i++) {
            item(xml, statuses.getJsonObject(i));
        }
        return xml.append("</channel></rss>\n").toString();
    }

    private static void item(StringBuilder xml, JsonObject status) {
        String warning = status.getString("spoiler_text");
        String content = status.getString("content");
        JsonObject article = status.getJsonObject("article");
        xml.append("<item>");
        if (article != null) {
            element(xml, "title", article.getString("title"));
        } else if (!warning.isEmpty()) {
            element(xml, "title", warning);
        } else {
            // Escaped once by the API: plain text, as a title is, once XML is read.
            xml.append("<title>")
                    .append(legal(PageRenderer.snippet(content, TITLE_CHARS)))
                    .append("</title>");
        }
        element(xml, "link", status.getString("url"));
        xml.append("<guid isPermaLink=\"true\">")
                .append(escaped(status.getString("url")))
                .append("</guid>");
        element(xml, "pubDate", DATES.format(Instant.parse(status.getString("created_at"))));
        element(xml, "description", warning.isEmpty() ? content : "<p><b>" + Html.escaped(warning) + "</b></p>");
        JsonArray tags = status.getJsonArray("tags");
        for (int i = 0; i < tags.size(); i++) {
            element(xml, "category", tags.getJsonObject(i).getString("name"));
        }
        xml.append("</item>");
    }

    private static void element(StringBuilder xml, String name, String text) {
        xml.append('<')
                .append(name)
                .append('>')
                .append(escaped(text))
                .append("</")
                .append(name)
                .append('>');
    }

    private static String escaped(String text) {
        return Html.escaped(legal(text));
    }

    /** XML has no characters of control, not even escaped. */
    private static String legal(String text) {
        StringBuilder legal = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c == '\t'
                                || c == '\n'
                                || c == '\r'
                                || (c >= 0x20 && c <= 0xd7ff)
                                || (c >= 0xe000 && c <= 0xfffd)
                                || c >= 0x10000
                        ? c
                        : 0xfffd)
                .forEach(legal::appendCodePoint);
        return legal.toString();
    }
}
