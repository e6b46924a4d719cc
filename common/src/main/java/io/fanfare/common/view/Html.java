package io.fanfare.common.view;

/** Plain text as the HTML that clients of the Mastodon API show. */
public final class Html {
    private Html() {}

    /** Text that may stand between tags and in quoted attributes, and is only text there. */
    public static String escaped(String text) {
        StringBuilder html = new StringBuilder(text.length() + 16);
        escape(html, text, 0, text.length());
        return html.toString();
    }

    /**
     * Paragraphs for blank lines, a br for line breaks, links for web addresses, everything else escaped; text {@code a<b} is a less-than entity between
     * two letters, in a paragraph. Empty text stays empty.
     */
    static String of(String text) {
        if (text.isEmpty()) {
            return "";
        }
        StringBuilder html = new StringBuilder(text.length() + 32).append("<p>");
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\r', '\n' -> {
                    int end = endOfLineBreaks(text, i);
                    html.append(isBlankLine(text, i, end) ? "</p><p>" : "<br>");
                    i = end - 1;
                }
                case 'h', 'H' -> {
                    int end = WebAddress.end(text, i);
                    if (end > i) {
                        link(html, text, i, end);
                        i = end - 1;
                    } else {
                        html.append(c);
                    }
                }
                default -> escape(html, c);
            }
        }
        return html.append("</p>").toString();
    }

    /** The line that stands for a quoted status, by whose address clients that know quotes recognise it; they leave out everything of its class. */
    static String quoteLine(String address) {
        StringBuilder html = new StringBuilder("<p class=\"quote-inline\">RE: <a class=\"quote-inline\" href=\"");
        escape(html, address, 0, address.length());
        html.append("\">");
        escape(html, address, 0, address.length());
        return html.append("</a></p>").toString();
    }

    /** Shows the whole address, so that nobody is sent elsewhere than the text says. */
    private static void link(StringBuilder html, String text, int from, int to) {
        html.append("<a href=\"");
        escape(html, text, from, to);
        html.append("\" rel=\"nofollow noopener noreferrer\" target=\"_blank\">");
        escape(html, text, from, to);
        html.append("</a>");
    }

    private static void escape(StringBuilder html, String text, int from, int to) {
        for (int i = from; i < to; i++) {
            escape(html, text.charAt(i));
        }
    }

    private static void escape(StringBuilder html, char c) {
        switch (c) {
            case '&' -> html.append("&amp;");
            case '<' -> html.append("&lt;");
            case '>' -> html.append("&gt;");
            case '"' -> html.append("&quot;");
            case '\'' -> html.append("&#39;");
            default -> html.append(c);
        }
    }

    private static int endOfLineBreaks(String text, int from) {
        int end = from;
        while (end < text.length() && (text.charAt(end) == '\r' || text.charAt(end) == '\n')) {
            end++;
        }
        return end;
    }

    /** More than one line break: a CR LF pair is one. */
    private static boolean isBlankLine(String text, int from, int end) {
        int breaks = 0;
        for (int i = from; i < end; i++) {
            boolean pair = text.charAt(i) == '\r' && i + 1 < end && text.charAt(i + 1) == '\n';
            if (!pair) {
                breaks++;
            }
        }
        return breaks > 1;
    }
}
