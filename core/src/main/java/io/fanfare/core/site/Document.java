package io.fanfare.core.site;

/**
 * A text of the operator in Markdown. The constructor refuses ({@code INVALID}) one that is empty or too long.
 *
 * @param changedMillis Unix time
 */
public record Document(long changedMillis, String text) {
    /** Characters of a text. */
    public static final int TEXT_MAX = 30_000;

    public Document {
        text = Validity.lines("The text", text, TEXT_MAX);
    }

    /** A new text; refuses one that is nested too deeply, too. */
    public static Document of(long nowMillis, String text) {
        Document document = new Document(nowMillis, text);
        Markdown.requireShallow(document.text());
        return document;
    }

    /** The text as HTML. */
    public String html() {
        return Markdown.html(text);
    }
}
