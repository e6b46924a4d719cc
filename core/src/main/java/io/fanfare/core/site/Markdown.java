package io.fanfare.core.site;

import io.fanfare.common.text.Html;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.ListBlock;
import org.commonmark.node.Node;
import org.commonmark.node.ThematicBreak;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.DefaultUrlSanitizer;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Markdown of operators as HTML: headings, lists, emphasis, code and links to web and mail addresses. HTML in a text is
 * shown as text, other links lead nowhere, and a picture becomes a link to it. Immutable.
 */
final class Markdown {
    /** Nested elements: the renderer calls itself for each, so a deeper text could use up the stack. */
    static final int DEPTH_MAX = 40;

    private static final int HEADING_MAX = 6;

    private static final Parser PARSER = Parser.builder()
            .enabledBlockTypes(Set.of(Heading.class, ListBlock.class, ThematicBreak.class))
            .build();

    private static final HtmlRenderer RENDERER = HtmlRenderer.builder()
            .escapeHtml(true)
            .sanitizeUrls(true)
            .urlSanitizer(new DefaultUrlSanitizer(List.of("http", "https", "mailto")))
            .softbreak("<br>")
            .build();

    private Markdown() {}

    /** The text as HTML; a text that is too deep becomes paragraphs and links. */
    static String html(String text) {
        Node document = PARSER.parse(text);
        if (isTooDeep(document)) {
            return Html.of(text);
        }
        adapt(document);
        return RENDERER.render(document);
    }

    /** Refuses a text whose elements are nested too deeply. */
    static void requireShallow(String text) {
        if (isTooDeep(PARSER.parse(text))) {
            throw Validity.invalid("The text must have at most " + DEPTH_MAX + " lists or emphases within each other.");
        }
    }

    private static boolean isTooDeep(Node document) {
        int depth = 0;
        for (Node at = document; at != null; ) {
            if (at.getFirstChild() != null) {
                at = at.getFirstChild();
                depth++;
            } else {
                while (at != document && at.getNext() == null) {
                    at = at.getParent();
                    depth--;
                }
                at = at == document ? null : at.getNext();
            }
            if (depth > DEPTH_MAX) {
                return true;
            }
        }
        return false;
    }

    /** Leaves the first heading to the page, and makes links of pictures. */
    private static void adapt(Node parent) {
        for (Node node : children(parent)) {
            if (node instanceof Heading heading) {
                heading.setLevel(Math.min(heading.getLevel() + 1, HEADING_MAX));
            }
            if (node instanceof Image image) {
                Link link = new Link(image.getDestination(), image.getTitle());
                children(image).forEach(link::appendChild);
                image.insertBefore(link);
                image.unlink();
                adapt(link);
            } else {
                adapt(node);
            }
        }
    }

    private static List<Node> children(Node parent) {
        List<Node> children = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = child.getNext()) {
            children.add(child);
        }
        return children;
    }
}
