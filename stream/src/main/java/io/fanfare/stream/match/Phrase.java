package io.fanfare.stream.match;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Keywords that must all be in a text, in any order: one element of {@code track}. Two phrases are equal when they match the same for their spelling is folded.
 *
 * @param terms at least one
 * @param simplified whether traditional Chinese characters are taken for simplified ones, here and in texts
 */
record Phrase(List<Term> terms, boolean simplified) {
    static final int CODE_POINTS_MAX = 60;
    static final int BYTES_MAX = 240;

    Phrase {
        terms = List.copyOf(terms);
    }

    /** @param forms folded as this is */
    boolean matches(TextForms forms) {
        for (Term term : terms) {
            if (!term.matches(forms)) {
                return false;
            }
        }
        return true;
    }

    /** The term that the fewest texts have, as far as its length tells: the one to look a text up by. */
    Term anchor() {
        Term anchor = terms.get(0);
        for (Term term : terms) {
            if (term.text().length() > anchor.text().length()) {
                anchor = term;
            }
        }
        return anchor;
    }

    /** The terms beside the {@link #anchor}. */
    List<Term> others() {
        Term anchor = anchor();
        return terms.stream().filter(term -> !term.equals(anchor)).toList();
    }

    /** Equal for equal phrases, and different for others but by rare accident. */
    long hash() {
        long hash = simplified ? 1 : 0;
        for (Term term : terms) {
            hash = 31 * hash + term.hash();
        }
        return hash;
    }

    /** As it is told to a client. */
    String text() {
        StringBuilder text = new StringBuilder();
        terms.forEach(term -> text.append(text.isEmpty() ? "" : " ").append(term.text()));
        return text.toString();
    }

    /**
     * The phrases of a {@code track} or {@code exclude} parameter: separated by commas (also the full-width one), empty ones left out, each once. Throws {@link BadFilter} for one
     * that is longer than {@value #CODE_POINTS_MAX} characters or {@value #BYTES_MAX} bytes.
     */
    static List<Phrase> parse(String param, String values, boolean simplified) {
        Set<Phrase> phrases = new LinkedHashSet<>();
        for (String value : values.split("[,\uFF0C]", -1)) {
            List<Term> terms = terms(value, simplified);
            if (!terms.isEmpty()) {
                checkLength(param, value.strip());
                phrases.add(new Phrase(terms, simplified));
            }
        }
        return List.copyOf(phrases);
    }

    /** The same with traditional and simplified characters apart. */
    static List<Phrase> parse(String param, String values) {
        return parse(param, values, false);
    }

    private static void checkLength(String param, String phrase) {
        String composed = Normalizer.normalize(phrase, Normalizer.Form.NFC);
        int length = composed.codePointCount(0, composed.length());
        if (length > CODE_POINTS_MAX) {
            throw BadFilter.unacceptable(
                    param,
                    "A phrase may have at most " + CODE_POINTS_MAX + " characters; this one has " + length + ".");
        }
        int bytes = composed.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > BYTES_MAX) {
            throw BadFilter.unacceptable(
                    param, "A phrase may have at most " + BYTES_MAX + " bytes of UTF-8; this one has " + bytes + ".");
        }
    }

    private static List<Term> terms(String phrase, boolean simplified) {
        Set<Term> terms = new LinkedHashSet<>();
        Folding.split(
                phrase,
                emoji -> terms.add(new Term.Token(emoji)),
                rest -> addWords(terms, Folding.fold(rest, simplified)));
        return new ArrayList<>(terms);
    }

    private static void addWords(Set<Term> terms, String folded) {
        int i = 0;
        while (i < folded.length()) {
            int from = i;
            while (i < folded.length() && !Folding.isSpace(folded.codePointAt(i))) {
                i += Character.charCount(folded.codePointAt(i));
            }
            if (i > from) {
                terms.add(term(folded.substring(from, i)));
            } else {
                i += Character.charCount(folded.codePointAt(i));
            }
        }
    }

    private static Term term(String word) {
        char sign = word.charAt(0);
        boolean entity = word.length() > 1 && (sign == '#' || sign == '@' || sign == '$');
        if (entity) {
            boolean closed = sign == '#' && word.length() > 2 && word.endsWith("#");
            return new Term.Token(closed ? word.substring(0, word.length() - 1) : word);
        }
        if (word.codePoints().anyMatch(Folding::isUnspaced)) {
            return new Term.Part(word);
        }
        return new Term.Token(isAddress(word) ? TextForms.withoutFrame(word) : word);
    }

    /** A lone slash or {@code www.} at the end of a sentence is none. */
    private static boolean isAddress(String word) {
        boolean framed = word.startsWith("http://") || word.startsWith("https://") || word.startsWith("www.");
        return (framed || word.indexOf('.') > 0)
                && !TextForms.withoutFrame(word).isEmpty();
    }
}
