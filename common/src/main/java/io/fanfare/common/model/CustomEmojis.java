package io.fanfare.common.model;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** The custom emojis of the server at one moment, in the order of their shortcodes. Immutable. */
public final class CustomEmojis {
    public static final CustomEmojis NONE = new CustomEmojis(0, List.of());

    /** Emojis of one status, poll or account: each about 200 bytes of every answer that shows it. */
    public static final int SHOWN_MAX = 50;

    private final long version;
    private final Map<String, CustomEmoji> all = new TreeMap<>();

    /** @param version differs from that of any other moment at which they were others; 0 = there have been none yet */
    public CustomEmojis(long version, Collection<CustomEmoji> all) {
        this.version = version;
        all.forEach(emoji -> this.all.put(emoji.shortcode(), emoji));
    }

    public long version() {
        return version;
    }

    public List<CustomEmoji> all() {
        return List.copyOf(all.values());
    }

    /**
     * The first {@link #SHOWN_MAX} that some texts show, each once, in the order in which they come first. Null = no
     * text.
     */
    public List<CustomEmoji> in(Stream<String> texts) {
        if (all.isEmpty()) {
            return List.of();
        }
        Set<CustomEmoji> found = new LinkedHashSet<>(0);
        texts.filter(text -> text != null)
                .forEach(text -> scan(text, (from, to) -> {
                    CustomEmoji emoji = all.get(text.substring(from + 1, to - 1));
                    if (emoji != null && found.size() < SHOWN_MAX) {
                        found.add(emoji);
                    }
                }));
        return List.copyOf(found);
    }

    /**
     * Finds texts like shortcodes between colons, which no letter, digit or colon touches: Mastodon's rule.
     *
     * @param codes takes the place of the first colon, and the one behind the second
     */
    public static void scan(String text, BiConsumer<Integer, Integer> codes) {
        int colon = text.indexOf(':');
        while (colon >= 0) {
            int end = colon + 1;
            while (end < text.length() && isPart(text.charAt(end))) {
                end++;
            }
            boolean isCode = end - colon > 2
                    && end < text.length()
                    && text.charAt(end) == ':'
                    && (colon == 0 || !touches(text.codePointBefore(colon)))
                    && (end + 1 == text.length() || !touches(text.codePointAt(end + 1)));
            if (isCode) {
                codes.accept(colon, end + 1);
            }
            colon = text.indexOf(':', isCode ? end + 1 : end);
        }
    }

    private static boolean isPart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }

    private static boolean touches(int c) {
        return c == ':' || Character.isLetter(c) || Character.isDigit(c) || isMark(Character.getType(c));
    }

    private static boolean isMark(int type) {
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }
}
