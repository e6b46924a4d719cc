package io.fanfare.stream.match;

import java.util.ArrayList;
import java.util.List;

/**
 * A text as keywords meet it: the set of forms that a keyword of a spaced script may equal, and the folded text in
 * which keywords of other scripts are looked for.
 *
 * <ul>
 *   <li>{@code #tag} and {@code tag}, {@code #话题#} likewise; {@code @name} and {@code name}; {@code $CASH} and
 *       {@code cash};
 *   <li>an address without scheme, {@code www.} and last slash, and its words;
 *   <li>of everything else between spaces: as it stands, without punctuation around it, and its words. Text right
 *       behind a tag, a name, an address or an emoji begins anew, and so it does between a script without spaces and
 *       any other;
 *   <li>each emoji.
 * </ul>
 *
 * Takes time in proportion to the text. Confined to one event loop.
 */
final class TokenizedText {
    private static final int CASH_LETTERS_MAX = 6;

    private final String folded;
    private final long seed;
    private final TokenSet tokens;
    private Substrings substrings; // null = not computed

    private TokenizedText(String text, boolean simplified, long seed) {
        this.seed = seed;
        StringBuilder all = new StringBuilder(text.length() + 8);
        List<String> emoji = new ArrayList<>(0);
        TextNormalizer.split(
                text,
                each -> {
                    emoji.add(each);
                    all.append(TextNormalizer.EMOJI);
                },
                rest -> all.append(TextNormalizer.fold(rest, simplified)));
        this.folded = all.toString();
        this.tokens = words(emoji);
        scan();
    }

    /** Nothing but emoji yet, which stand behind the text for this purpose, because within it they are cut out. */
    private TokenSet words(List<String> emoji) {
        TokenSet all = new TokenSet(emoji.isEmpty() ? folded : folded + String.join("", emoji), seed);
        int begin = folded.length();
        for (String each : emoji) {
            all.add(begin, begin + each.length());
            begin += each.length();
        }
        return all;
    }

    /**
     * Both texts as one; no word reaches from one into the other.
     *
     * @param more empty = nothing
     * @param simplified whether traditional Chinese characters are taken for simplified ones
     * @param seed of hashes
     */
    static TokenizedText of(String text, String more, boolean simplified, long seed) {
        return new TokenizedText(more.isEmpty() ? text : text + "\n\n" + more, simplified, seed);
    }

    /** Every form that a token term may equal. Not to be changed. */
    TokenSet words() {
        return tokens;
    }

    /** The folded text. */
    String folded() {
        return folded;
    }

    /** The folded text, for keywords that are looked for one by one. */
    Substrings substrings() {
        if (substrings == null) {
            substrings = new Substrings(folded, seed);
        }
        return substrings;
    }

    private void scan() {
        int i = 0;
        while (i < folded.length()) {
            int c = folded.codePointAt(i);
            int entity = entityEnd(i, c);
            if (entity > i) {
                i = entity;
            } else if (TextNormalizer.isSpace(c) || c == TextNormalizer.EMOJI) {
                i++;
            } else if (TextNormalizer.isUnspaced(c)) {
                i += Character.charCount(c);
            } else {
                i = run(i);
            }
        }
    }

    /** Emits the tag, name, sum or address that begins here and answers where it ends; {@code at} when none does. */
    private int entityEnd(int at, int c) {
        boolean candidate = c == '#' || c == '@' || c == '$' || c == 'h' || c == 'w';
        if (!candidate || isInWord(at)) {
            return at;
        }
        return switch (c) {
            case '#' -> tag(at);
            case '@' -> name(at);
            case '$' -> cash(at);
            default -> address(at);
        };
    }

    private boolean isInWord(int at) {
        if (at == 0) {
            return false;
        }
        int before = folded.codePointBefore(at);
        return TextNormalizer.isWord(before) && !TextNormalizer.isUnspaced(before);
    }

    private int tag(int at) {
        int end = wordEnd(at + 1);
        if (end == at + 1) {
            return at;
        }
        emit(at, end, at + 1);
        return end < folded.length() && folded.charAt(end) == '#' ? end + 1 : end;
    }

    private int name(int at) {
        int end = at + 1;
        while (end < folded.length() && folded.charAt(end) < 128 && TextNormalizer.isWord(folded.charAt(end))) {
            end++;
        }
        if (end == at + 1) {
            return at;
        }
        emit(at, end, at + 1);
        return end;
    }

    private int cash(int at) {
        int end = at + 1;
        while (end < folded.length() && folded.charAt(end) >= 'a' && folded.charAt(end) <= 'z') {
            end++;
        }
        boolean letters = end > at + 1 && end <= at + 1 + CASH_LETTERS_MAX;
        if (!letters || (end < folded.length() && isPlainWord(folded.codePointAt(end)))) {
            return at;
        }
        emit(at, end, at + 1);
        return end;
    }

    private void emit(int from, int to, int bare) {
        tokens.add(from, to);
        tokens.add(bare, to);
    }

    private int address(int at) {
        int host = addressHost(at);
        if (host == at) {
            return at;
        }
        int end = host;
        while (end < folded.length() && isAddressPart(folded.codePointAt(end))) {
            end += Character.charCount(folded.codePointAt(end));
        }
        while (end > host && ".,:;!?'*)]".indexOf(folded.charAt(end - 1)) >= 0) {
            end--;
        }
        if (end == host) {
            return at;
        }
        tokens.add(host, folded.charAt(end - 1) == '/' ? end - 1 : end);
        pieces(host, end);
        return end;
    }

    /** The start of the host behind a scheme or {@code www.}; {@code at} when there is neither. */
    private int addressHost(int at) {
        int scheme = folded.startsWith("http://", at) ? 7 : folded.startsWith("https://", at) ? 8 : 0;
        int www = folded.startsWith("www.", at + scheme) ? 4 : 0;
        return at + scheme + www;
    }

    private static boolean isAddressPart(int c) {
        return TextNormalizer.isWord(c) || "-._~:/?#[]@!$&'()*+,;=%".indexOf(c) >= 0;
    }

    /** An address without scheme, {@code www.} and the last slash. */
    static String withoutFrame(String address) {
        String bare = address.startsWith("http://")
                ? address.substring(7)
                : address.startsWith("https://") ? address.substring(8) : address;
        String host = bare.startsWith("www.") ? bare.substring(4) : bare;
        return host.endsWith("/") ? host.substring(0, host.length() - 1) : host;
    }

    /** Emits what stands between spaces from here on and answers where it ends. */
    private int run(int from) {
        int end = from;
        while (end < folded.length()) {
            int c = folded.codePointAt(end);
            if (TextNormalizer.isSpace(c)
                    || c == TextNormalizer.EMOJI
                    || TextNormalizer.isUnspaced(c)
                    || (end > from && beginsEntity(end, c))) {
                break;
            }
            end += Character.charCount(c);
        }
        tokens.add(from, end);
        int first = from;
        while (first < end && !TextNormalizer.isWord(folded.codePointAt(first))) {
            first += Character.charCount(folded.codePointAt(first));
        }
        int last = end;
        while (last > first && !TextNormalizer.isWord(folded.codePointBefore(last))) {
            last -= Character.charCount(folded.codePointBefore(last));
        }
        if (first < last) {
            tokens.add(first, last);
            pieces(first, last);
        }
        return end;
    }

    private boolean beginsEntity(int at, int c) {
        if (isInWord(at)) {
            return false;
        }
        return switch (c) {
            case '#' -> wordEnd(at + 1) > at + 1;
            case '@' ->
                at + 1 < folded.length() && folded.charAt(at + 1) < 128 && TextNormalizer.isWord(folded.charAt(at + 1));
            case '$' -> at + 1 < folded.length() && folded.charAt(at + 1) >= 'a' && folded.charAt(at + 1) <= 'z';
            case 'h', 'w' -> addressHost(at) > at;
            default -> false;
        };
    }

    private void pieces(int from, int to) {
        int i = from;
        while (i < to) {
            int c = folded.codePointAt(i);
            if (isPlainWord(c)) {
                int end = i;
                while (end < to && isPlainWord(folded.codePointAt(end))) {
                    end += Character.charCount(folded.codePointAt(end));
                }
                tokens.add(i, end);
                i = end;
            } else {
                i += Character.charCount(c);
            }
        }
    }

    private static boolean isPlainWord(int c) {
        return TextNormalizer.isWord(c) && !TextNormalizer.isUnspaced(c);
    }

    private int wordEnd(int from) {
        int end = from;
        while (end < folded.length() && TextNormalizer.isWord(folded.codePointAt(end))) {
            end += Character.charCount(folded.codePointAt(end));
        }
        return end;
    }
}
