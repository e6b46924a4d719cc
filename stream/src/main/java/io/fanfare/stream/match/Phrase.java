package io.fanfare.stream.match;

import io.fanfare.common.text.StreamSafeText;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keywords that must all be in a text, in any order: one element of {@code track}. Two phrases are equal when they
 * match the same for their spelling is folded.
 *
 * @param terms at least one
 * @param simplified whether traditional Chinese characters are taken for simplified ones, here and in texts
 */
record Phrase(List<Term> terms, boolean simplified) implements Comparable<Phrase> {
    static final int CODE_POINTS_MAX = 60;
    static final int BYTES_MAX = 240;

    /** Code points that may become one when they are composed (NFC): a letter and three marks. */
    private static final int PARTS_MAX = 4;

    /** Folded: a few characters stand for several. It bounds what looking for it can cost. */
    private static final int FOLDED_CHARS_MAX = BYTES_MAX;

    /** Values that are looked at of a list, in phrases that it may have: some may be there twice. */
    private static final int REPETITIONS_MAX = 4;

    Phrase {
        terms = List.copyOf(terms);
    }

    /** @param forms folded as this is */
    boolean matches(TokenizedText forms) {
        for (Term term : terms) {
            if (!term.matches(forms)) {
                return false;
            }
        }
        return true;
    }

    /** The term that the fewest texts have, by its length: the one to look a text up by. */
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
    long hash(long seed) {
        long hash = simplified ? 1 : 0;
        for (Term term : terms) {
            hash = 31 * hash + TokenSet.hash(term.text(), seed);
        }
        return hash;
    }

    /** Its form for clients. */
    String text() {
        StringBuilder text = new StringBuilder();
        terms.forEach(term -> text.append(text.isEmpty() ? "" : " ").append(term.text()));
        return text.toString();
    }

    /** By what it means, for order alone: hashes of what strangers write could be made to be the same. */
    @Override
    public int compareTo(Phrase other) {
        int order = Boolean.compare(simplified, other.simplified);
        order = order != 0 ? order : Integer.compare(terms.size(), other.terms.size());
        for (int i = 0; order == 0 && i < terms.size(); i++) {
            Term term = terms.get(i);
            Term others = other.terms.get(i);
            order = Boolean.compare(term instanceof Term.Part, others instanceof Term.Part);
            order = order != 0 ? order : term.text().compareTo(others.text());
        }
        return order;
    }

    /**
     * The phrases of a {@code track} or {@code exclude} parameter: separated by commas (also the full-width one), empty
     * ones left out, each once. Throws {@link InvalidFilter} for more than {@code most} values, and for one that is
     * longer than {@value #CODE_POINTS_MAX} characters or {@value #BYTES_MAX} bytes, or is not
     * {@linkplain StreamSafeText stream-safe}. Values that are written alike count once. Folds no more of them than are
     * allowed.
     */
    static List<Phrase> parse(String param, String values, boolean simplified, int most) {
        Set<Phrase> known = new TreeSet<>();
        List<Phrase> phrases = new ArrayList<>();
        // Folding a value takes a kilobyte, so one that is there again is not folded again.
        Set<String> written = new HashSet<>();
        long given = 0;
        for (int from = 0, to; from <= values.length(); from = to + 1) {
            to = from;
            while (to < values.length() && values.charAt(to) != ',' && values.charAt(to) != '\uFF0C') {
                to++;
            }
            boolean looked =
                    !isBlank(values, from, to) && ++given <= (long) REPETITIONS_MAX * most && written.size() <= most;
            String value = looked ? values.substring(from, to) : "";
            if (looked && written.add(value) && written.size() <= most) {
                add(known, phrases, phrase(param, value, simplified));
            }
        }
        if (written.size() > most || given > (long) REPETITIONS_MAX * most) {
            throw InvalidFilter.tooMany(param, most, given);
        }
        return List.copyOf(phrases);
    }

    private static boolean isBlank(String values, int from, int to) {
        int i = from;
        while (i < to && Character.isWhitespace(values.charAt(i))) {
            i++;
        }
        return i == to;
    }

    private static void add(Set<Phrase> known, List<Phrase> phrases, Phrase phrase) {
        if (!phrase.terms().isEmpty() && known.add(phrase)) {
            phrases.add(phrase);
        }
    }

    private static Phrase phrase(String param, String value, boolean simplified) {
        String stripped = value.strip();
        checkCost(param, stripped);
        Phrase phrase = new Phrase(terms(stripped, simplified), simplified);
        if (!phrase.terms().isEmpty()) {
            checkLength(param, stripped);
            int folded = phrase.terms().stream()
                    .mapToInt(term -> term.text().length())
                    .sum();
            if (folded > FOLDED_CHARS_MAX) {
                throw InvalidFilter.unacceptable(
                        param,
                        "A phrase may have at most " + FOLDED_CHARS_MAX
                                + " characters when those that stand for several are written out; this one has "
                                + folded
                                + ".");
            }
        }
        return phrase;
    }

    /** Before it is folded: a phrase that is too long even if all of its characters compose, or has too many marks. */
    private static void checkCost(String param, String phrase) {
        int length = phrase.codePointCount(0, phrase.length());
        if (length > PARTS_MAX * CODE_POINTS_MAX) {
            throw tooLong(param, length);
        }
        if (!StreamSafeText.isStreamSafe(phrase)) {
            throw InvalidFilter.unacceptable(
                    param,
                    "A phrase may have at most " + StreamSafeText.MARKS_MAX
                            + " combining marks in a row: leave some out.");
        }
    }

    private static void checkLength(String param, String phrase) {
        String composed = Normalizer.normalize(phrase, Normalizer.Form.NFC);
        int length = composed.codePointCount(0, composed.length());
        if (length > CODE_POINTS_MAX) {
            throw tooLong(param, length);
        }
        int bytes = composed.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > BYTES_MAX) {
            throw InvalidFilter.unacceptable(
                    param, "A phrase may have at most " + BYTES_MAX + " bytes of UTF-8; this one has " + bytes + ".");
        }
    }

    private static InvalidFilter tooLong(String param, int length) {
        return InvalidFilter.unacceptable(
                param, "A phrase may have at most " + CODE_POINTS_MAX + " characters; this one has " + length + ".");
    }

    private static List<Term> terms(String phrase, boolean simplified) {
        Set<Term> terms = new LinkedHashSet<>();
        TextNormalizer.split(
                phrase,
                emoji -> terms.add(new Term.Token(emoji)),
                rest -> addWords(terms, TextNormalizer.fold(rest, simplified)));
        return new ArrayList<>(terms);
    }

    private static void addWords(Set<Term> terms, String folded) {
        int i = 0;
        while (i < folded.length()) {
            int from = i;
            while (i < folded.length() && !TextNormalizer.isSpace(folded.codePointAt(i))) {
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
        if (word.codePoints().anyMatch(TextNormalizer::isUnspaced)) {
            return new Term.Part(word);
        }
        return new Term.Token(isAddress(word) ? TokenizedText.withoutFrame(word) : word);
    }

    /** A lone slash or {@code www.} at the end of a sentence is none. */
    private static boolean isAddress(String word) {
        boolean framed = word.startsWith("http://") || word.startsWith("https://") || word.startsWith("www.");
        return (framed || word.indexOf('.') > 0)
                && !TokenizedText.withoutFrame(word).isEmpty();
    }
}
