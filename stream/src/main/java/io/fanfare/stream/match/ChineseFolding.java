package io.fanfare.stream.match;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes traditional Chinese characters equal to the simplified ones that stand for them, one for one: what
 * {@code fold=zh} asks for. Several traditional characters may become one simplified (發 and 髮), and words that differ
 * in more than their characters stay apart. The table is ICU's, written into a file beforehand: ICU takes a second to
 * load its rules, in which an event loop would serve nobody. Read when the first filter asks for it.
 */
final class ChineseFolding {
    private static final String TABLE = "simplified.txt";

    private static final Map<Integer, Integer> BY_TRADITIONAL = read();

    private ChineseFolding() {}

    /** The same text when there is nothing to be folded. Folding twice does nothing more. */
    static String fold(String text) {
        StringBuilder folded = null;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            // Nothing below is Chinese.
            Integer simplified = c < 0x3400 ? null : BY_TRADITIONAL.get(c);
            if (simplified != null && folded == null) {
                folded = new StringBuilder(text.length()).append(text, 0, i);
            }
            if (folded != null) {
                folded.appendCodePoint(simplified == null ? c : simplified);
            }
        }
        return folded == null ? text : folded.toString();
    }

    static Map<Integer, Integer> table() {
        return BY_TRADITIONAL;
    }

    private static Map<Integer, Integer> read() {
        try (InputStream in = ChineseFolding.class.getResourceAsStream(TABLE)) {
            Map<Integer, Integer> table = new HashMap<>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> {
                        for (String pair : line.split(" ", -1)) {
                            int traditional = pair.codePointAt(0);
                            table.put(traditional, pair.codePointAt(Character.charCount(traditional)));
                        }
                    });
            return Map.copyOf(table);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
