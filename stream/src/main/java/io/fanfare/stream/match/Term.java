package io.fanfare.stream.match;

/** One keyword of a phrase, folded. */
sealed interface Term {
    boolean matches(TextForms forms);

    /** What is shown of it, and what makes it rare: the longer the rarer. */
    String text();

    /** {@link Words#hash(String)} of its text. */
    default long hash() {
        return Words.hash(text());
    }

    /**
     * Equals one form of the text, whole: no prefix, no stem.
     *
     * @param hash of the text, so that it need not be read to be asked about
     */
    record Token(String text, long hash) implements Term {
        Token(String text) {
            this(text, Words.hash(text));
        }

        @Override
        public boolean matches(TextForms forms) {
            return forms.words().has(text, hash);
        }
    }

    /** Occurs in the text. Where the keyword begins or ends with a letter or digit of a spaced script, no word of the text may go on there. */
    record Part(String text) implements Term {
        @Override
        public boolean matches(TextForms forms) {
            String folded = forms.folded();
            for (int at = folded.indexOf(text); at >= 0; at = folded.indexOf(text, at + 1)) {
                if (isWhole(folded, at)) {
                    return true;
                }
            }
            return false;
        }

        /** Whether it occurs at this place, which may lie outside. */
        boolean standsAt(String folded, int at) {
            return folded.startsWith(text, at) && isWhole(folded, at);
        }

        /** Where its first character of a script without spaces is. */
        int core() {
            int at = 0;
            while (!Folding.isUnspaced(text.codePointAt(at))) {
                at += Character.charCount(text.codePointAt(at));
            }
            return at;
        }

        private boolean isWhole(String folded, int at) {
            int end = at + text.length();
            boolean begins = at == 0 || !joins(folded.codePointBefore(at), text.codePointAt(0));
            return begins
                    && (end == folded.length() || !joins(text.codePointBefore(text.length()), folded.codePointAt(end)));
        }

        private static boolean joins(int left, int right) {
            return isSpaced(left) && isSpaced(right);
        }

        private static boolean isSpaced(int c) {
            return Folding.isWord(c) && !Folding.isUnspaced(c);
        }
    }
}
