package io.fanfare.api.endpoint;

/**
 * Text of strangers for a line on a page that people decide by. Characters that show nothing or reorder others are
 * removed, so that no name can look like another one or hide what stands beside it: format characters (bidi controls,
 * zero-width characters, tags), fillers, unassigned and private ones. A run of white space or control characters
 * becomes one space.
 */
public final class VisibleText {
    private static final int COMBINING_GRAPHEME_JOINER = 0x034F;
    private static final int BRAILLE_BLANK = 0x2800;

    private VisibleText() {}

    /** The visible part of a text, without white space at its ends. */
    public static String of(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        boolean gap = false;
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            if (isGap(character)) {
                gap = true;
            } else if (isVisible(character)) {
                visible.append(gap && !visible.isEmpty() ? " " : "").appendCodePoint(character);
                gap = false;
            }
        }
        return visible.toString();
    }

    private static boolean isGap(int character) {
        return Character.isSpaceChar(character) || Character.isISOControl(character);
    }

    private static boolean isVisible(int character) {
        return switch (Character.getType(character)) {
            case Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED -> false;
            default -> !isFiller(character);
        };
    }

    /**
     * Letters and marks by their category that show nothing: those of Unicode's Default_Ignorable_Code_Point, and the
     * empty braille pattern.
     */
    private static boolean isFiller(int character) {
        return switch (character) {
            case COMBINING_GRAPHEME_JOINER, BRAILLE_BLANK, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0 -> true;
            default -> (character >= 0x180B && character <= 0x180F) || (character >= 0xE0000 && character <= 0xE0FFF);
        };
    }
}
