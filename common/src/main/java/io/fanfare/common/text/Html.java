package io.fanfare.common.text;

import io.fanfare.common.model.Content;
import io.fanfare.common.text.TextEntities.Entity;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

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
     * Paragraphs for blank lines, a br for line breaks, links for web addresses without the name of a user, everything
     * else escaped; text {@code a<b} is a less-than entity between two letters, in a paragraph. Empty text stays empty.
     */
    public static String of(String text) {
        return of(text, (html, entity) -> false);
    }

    /** The same with links for the accounts and the tags that were found in the text when it was published. */
    public static String of(Content content, String publicUrl) {
        boolean plain = content.mentions().isEmpty() && content.tags().isEmpty();
        return plain ? of(content.text()) : of(content.text(), new Links(content, publicUrl));
    }

    /** The note of an account: as {@link #of(String)}, and with links for all its tags, as in Mastodon. */
    public static String ofNote(String note, String publicUrl) {
        return of(note, new Links(note, entity -> entity.kind() == TextEntities.Kind.TAG, publicUrl));
    }

    private static String of(String text, BiPredicate<StringBuilder, Entity> links) {
        if (text.isEmpty()) {
            return "";
        }
        StringBuilder html = new StringBuilder(text.length() + 32).append("<p>");
        int from = 0;
        for (Entity entity : TextEntities.in(text)) {
            lines(html, text, from, entity.from());
            boolean isAddress = entity.kind() == TextEntities.Kind.ADDRESS;
            if (isAddress && !TextEntities.hasUser(text, entity)) {
                link(html, text, entity.from(), entity.to());
            } else if (isAddress || !links.test(html, entity)) {
                escape(html, text, entity.from(), entity.to());
            }
            from = entity.to();
        }
        lines(html, text, from, text.length());
        return html.append("</p>").toString();
    }

    /**
     * The mentions and tags of a text, as links; other entities stay plain. All typed characters stay readable.
     *
     * @param linked which entities are links
     */
    private record Links(String text, Predicate<Entity> linked, String publicUrl)
            implements BiPredicate<StringBuilder, Entity> {
        /** Links the mentions and tags that were found at publication. */
        Links(Content content, String publicUrl) {
            this(content.text(), found(content), publicUrl);
        }

        private static Predicate<Entity> found(Content content) {
            Set<String> names =
                    content.mentions().stream().map(Content.Mention::username).collect(Collectors.toSet());
            Set<String> tags = Set.copyOf(content.tags());
            return entity -> (entity.kind() == TextEntities.Kind.TAG ? tags : names).contains(entity.name());
        }

        @Override
        public boolean test(StringBuilder html, Entity entity) {
            if (!linked.test(entity) || !isHere(entity.host())) {
                return false;
            }
            if (entity.kind() == TextEntities.Kind.TAG) {
                String address = tagUrl(publicUrl, entity.name());
                anchor(html, entity, address, "mention hashtag\" rel=\"tag");
            } else {
                html.append("<span class=\"h-card\">");
                anchor(html, entity, publicUrl + "/@" + entity.name(), "u-url mention");
                html.append("</span>");
            }
            return true;
        }

        private boolean isHere(String host) {
            return host.isEmpty() || LocalDomain.of(publicUrl).is(host);
        }

        private void anchor(StringBuilder html, Entity entity, String address, String kind) {
            int first = entity.from() + 1;
            boolean closed = text.charAt(entity.to() - 1) == '#' || text.charAt(entity.to() - 1) == '＃';
            int last = closed ? entity.to() - 1 : entity.to();
            html.append("<a href=\"");
            escape(html, address, 0, address.length());
            html.append("\" class=\"").append(kind).append("\">");
            html.append(text.charAt(entity.from())).append("<span>");
            escape(html, text, first, last);
            html.append("</span>").append(text, last, entity.to()).append("</a>");
        }
    }

    /** The address of a tag's statuses. */
    public static String tagUrl(String publicUrl, String tag) {
        return publicUrl + "/tags/" + URLEncoder.encode(tag, StandardCharsets.UTF_8);
    }

    private static void lines(StringBuilder html, String text, int from, int to) {
        int begin = from;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c == '\r' || c == '\n') {
                escape(html, text, begin, i);
                begin = endOfLineBreaks(text, i);
                html.append(isBlankLine(text, i, begin) ? "</p><p>" : "<br>");
                i = begin - 1;
            }
        }
        escape(html, text, begin, to);
    }

    /**
     * The line that stands for a quoted status, by whose address clients that know quotes recognise it; they leave out
     * everything of its class.
     */
    public static String quoteLine(String address) {
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

    /**
     * Escapes a part of the text. Long pieces without special characters, which is nearly everything, are appended
     * whole.
     */
    private static void escape(StringBuilder html, String text, int from, int to) {
        int begin = from;
        for (int i = from; i < to; i++) {
            String escape = escape(text.charAt(i));
            if (escape != null) {
                html.append(text, begin, i).append(escape);
                begin = i + 1;
            }
        }
        html.append(text, begin, to);
    }

    /** Null for what stands for itself. */
    private static String escape(char c) {
        return switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\'' -> "&#39;";
            default -> null;
        };
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
