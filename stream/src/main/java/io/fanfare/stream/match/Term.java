package io.fanfare.stream.match;

/** One keyword of a phrase, folded. */
sealed interface Term {
    boolean matches(TokenizedText forms);

    /** The text that is shown. Longer texts are rarer. */
    String text();

    /** Equals one form of the text, whole: no prefix, no stem. */
    record Token(String text) implements Term {
        @Override
        public boolean matches(TokenizedText forms) {
            return forms.words().has(text);
        }
    }

    /**
     * Occurs in the text. Where the keyword begins or ends with a letter or digit of a spaced script, no word of the
     * text may go on there.
     */
    record Part(String text) implements Term {
        /** Texts up to this length are searched through for each keyword. */
        private static final int SEARCHED_CHARS_MAX = 200;

        @Override
        public boolean matches(TokenizedText forms) {
            if (forms.folded().length() > SEARCHED_CHARS_MAX) {
                return forms.substrings().has(text);
            }
            String folded = forms.folded();
            for (int at = folded.indexOf(text); at >= 0; at = folded.indexOf(text, at + 1)) {
                if (isWhole(folded, at)) {
                    return true;
                }
            }
            return false;
        }

        /** The place of its first character of a script without spaces. */
        int core() {
            int at = 0;
            while (!TextNormalizer.isUnspaced(text.codePointAt(at))) {
                at += Character.charCount(text.codePointAt(at));
            }
            return at;
        }

        /** Whether no word goes on around this place, at which it occurs. */
        boolean isWhole(String folded, int at) {
            int end = at + text.length();
            boolean begins = at == 0 || !joins(folded.codePointBefore(at), text.codePointAt(0));
            return begins
                    && (end == folded.length() || !joins(text.codePointBefore(text.length()), folded.codePointAt(end)));
        }

        private static boolean joins(int left, int right) {
            return isSpaced(left) && isSpaced(right);
        }

        static boolean isSpaced(int c) {
            return TextNormalizer.isWord(c) && !TextNormalizer.isUnspaced(c);
        }
    }
}
