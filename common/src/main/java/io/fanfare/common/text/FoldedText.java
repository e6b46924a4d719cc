package io.fanfare.common.text;

import java.text.Normalizer;
import java.util.Locale;

/** Makes spellings of the same sentence equal, so that a small variation of letters or spaces makes no other text. */
public final class FoldedText {
    private FoldedText() {}

    /**
     * The text in compatibility form (NFKC) and lower case, without characters that show nothing, with one space in
     * place of each run of spaces and line breaks, and none at its ends. A character may become up to 18.
     */
    public static String of(String text) {
        String plain = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        StringBuilder folded = new StringBuilder(plain.length());
        boolean space = false;
        for (int i = 0; i < plain.length(); ) {
            int c = plain.codePointAt(i);
            i += Character.charCount(c);
            if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
                space = true;
            } else if (isSeen(c)) {
                if (space && folded.length() > 0) {
                    folded.append(' ');
                }
                space = false;
                folded.appendCodePoint(c);
            }
        }
        return folded.toString();
    }

    /** Joiners, marks of direction, variation selectors and control characters show nothing by themselves. */
    private static boolean isSeen(int c) {
        int type = Character.getType(c);
        boolean selector = (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
        return type != Character.FORMAT && type != Character.CONTROL && !selector;
    }
}
