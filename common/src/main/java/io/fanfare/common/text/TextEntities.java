package io.fanfare.common.text;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds in a text what is more than words: web addresses, {@code @name} and {@code @name@host}, {@code #tag} and
 * Weibo's {@code #话题#}. The rules are Twitter's, but that a script which puts no spaces between words may stand right
 * before a name or a tag: 看@ann 和#编程#吧. An e-mail address holds no name, and neither does the path of a web address.
 * Whether a name is anybody's is for others to know. Takes time in proportion to the text.
 */
public final class TextEntities {
    /** Longest user name. */
    private static final int NAME_MAX = 30;

    private static final int HOST_MAX = 260;

    /** Longest tag, in UTF-16 units, as typed and as folded. */
    private static final int TAG_MAX = 100;

    /** Characters that must not stand right before a name; neither may letters or digits. */
    private static final String BEFORE_NAME = "!#＃$%&*@＠=/";

    /** Characters that must not stand right before a tag; neither may letters or digits. */
    private static final String BEFORE_TAG = "#＃&=/";

    /** Signs of which every entity has one, most texts none. */
    private static final List<String> SIGNS = List.of("://", "@", "＠", "#", "＃");

    private static final String AT = "@＠";
    private static final String HASH = "#＃";

    /**
     * Signs that join two parts of a tag, those of twitter-text: middle dots, the joiners of Persian and Indic scripts,
     * Hebrew maqaf, geresh and gershayim, Tibetan tsheg, and wave dash, double hyphen and ditto mark of Japanese.
     */
    private static final String JOINERS =
            "\u00b7\u30fb\u200c\u200d\u05be\u05f3\u05f4\u0f0b\u0f0c\u301c\uff5e\u30a0\u3003\ua67e";

    /** Stands for a wave dash on many Japanese keyboards. */
    private static final char WIDE_TILDE = '\uff5e';

    private static final char WAVE_DASH = '\u301c';

    /** Small letter i with the dot that the Turkish capital one leaves behind. */
    private static final String DOTTED_I = "i\u0307";

    private final String text;
    private final List<Entity> found = new ArrayList<>();

    private TextEntities(String text) {
        this.text = text;
    }

    /** The kind of an entity. */
    public enum Kind {
        ADDRESS,
        MENTION,
        TAG
    }

    /**
     * One piece of the text.
     *
     * @param from index of its first UTF-16 unit
     * @param to index behind its last one
     * @param name user name in lower case, or the tag folded (see {@link TextEntities#fold}); empty for an address
     * @param host of a mention {@code @name@host}, in lower case, with the port when there is one; else empty
     */
    public record Entity(Kind kind, int from, int to, String name, String host) {}

    /** All of them, in order; no two overlap. */
    public static List<Entity> in(String text) {
        if (hasNoSign(text)) {
            return List.of();
        }
        TextEntities entities = new TextEntities(text);
        entities.scan();
        return entities.found;
    }

    /**
     * Whether a web address of this text has the name of a user before its host. Such an address is shown, and is no
     * link: the user may look like the host.
     */
    public static boolean hasUser(String text, Entity address) {
        return WebAddress.hasUser(text, address.from(), address.to());
    }

    private static boolean hasNoSign(String text) {
        for (String sign : SIGNS) {
            if (text.contains(sign)) {
                return false;
            }
        }
        return true;
    }

    /**
     * A tag as it is compared and kept: compatibility forms and case do not count, nor does the language of the
     * machine. {@code ＡＩ} is {@code ai}, {@code İstanbul} is {@code istanbul}.
     */
    public static String fold(String tag) {
        // As compatibility forms they would become an ASCII tilde, and marks with a space before them.
        String plain =
                tag.replace(WIDE_TILDE, WAVE_DASH).replace('\u309b', '\u3099').replace('\u309c', '\u309a');
        String lower = Normalizer.normalize(plain, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        return Normalizer.normalize(lower.replace(DOTTED_I, "i"), Normalizer.Form.NFKC);
    }

    /** The tag that somebody asks for, with or without its sign, folded; null when no text can have it. */
    public static String tag(String query) {
        boolean signed = !query.isEmpty() && HASH.indexOf(query.charAt(0)) >= 0;
        String bare = signed ? query.substring(1) : query;
        if (bare.length() > TAG_MAX || !isTag(bare)) {
            return null;
        }
        String folded = fold(bare); // Some letters stand for words with spaces between.
        return folded.length() <= TAG_MAX && isTag(folded) ? folded : null;
    }

    /** How a tag begins that somebody asks for, likewise: digits alone may be the beginning of one. */
    public static String tagPrefix(String query) {
        String whole = tag(query);
        if (whole != null) {
            return whole;
        }
        String letter = "a";
        String longer = tag(query + letter);
        return longer == null || !longer.endsWith(letter) || longer.length() == letter.length()
                ? null
                : longer.substring(0, longer.length() - letter.length());
    }

    private void scan() {
        int i = 0;
        while (i < text.length()) {
            int before = found.size();
            switch (text.charAt(i)) {
                case 'h', 'H' -> address(i);
                case '@', '＠' -> mention(i);
                case '#', '＃' -> tag(i);
                default -> {}
            }
            i = found.size() > before ? found.get(before).to() : i + 1;
        }
    }

    private void address(int at) {
        int end = WebAddress.end(text, at);
        if (end > at) {
            found.add(new Entity(Kind.ADDRESS, at, end, "", ""));
        }
    }

    private void mention(int at) {
        int end = at + 1;
        while (end < text.length() && end <= at + 1 + NAME_MAX && isName(text.charAt(end))) {
            end++;
        }
        boolean name = end > at + 1 && end <= at + 1 + NAME_MAX && !isGlued(at, BEFORE_NAME);
        if (!name) {
            return;
        }
        int host = is(end, AT) ? hostEnd(end + 1) : end;
        boolean cutOff = is(host, AT) || (host < text.length() && isSpacedWord(text.codePointAt(host)));
        if (!cutOff && host != end + 1 && !text.startsWith("://", host)) {
            found.add(new Entity(Kind.MENTION, at, host, lower(at + 1, end), host > end ? lower(end + 1, host) : ""));
        }
    }

    /**
     * The end of the host that begins here, without the punctuation of the sentence around it; {@code from} when there
     * is none.
     */
    private int hostEnd(int from) {
        if (is(from, ".-")) {
            return from;
        }
        int end = from;
        while (end < text.length() && end < from + HOST_MAX && isHost(text.charAt(end))) {
            end++;
        }
        while (end > from && (text.charAt(end - 1) == '.' || text.charAt(end - 1) == '-')) {
            end--;
        }
        int port = end + 1;
        while (is(end, ":") && port < text.length() && port <= end + 5 && isDigit(text.charAt(port))) {
            port++;
        }
        return end > from && port > end + 1 ? port : end;
    }

    private void tag(int at) {
        int end = tagEnd(text, at + 1);
        if (end == at + 1 || end > at + 1 + TAG_MAX || isGlued(at, BEFORE_TAG) || text.startsWith("://", end)) {
            return;
        }
        String name = tag(text.substring(at + 1, end));
        if (name != null) {
            found.add(new Entity(Kind.TAG, at, is(end, HASH) ? end + 1 : end, name, ""));
        }
    }

    /** The end of the tag that begins here: words, held together by joiners. */
    private static int tagEnd(String text, int from) {
        int end = from;
        int i = from;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            boolean joins = end > from && end == i && JOINERS.indexOf(c) >= 0;
            boolean word = isWord(c) || ((isMark(c) || isVoicedMark(c)) && end > from);
            if (!joins && !word) {
                break;
            }
            i += Character.charCount(c);
            end = word ? i : end;
        }
        return end;
    }

    /** Whether this can stand behind the sign of a tag: words with a letter among them. */
    private static boolean isTag(String bare) {
        return !bare.isEmpty()
                && tagEnd(bare, 0) == bare.length()
                && bare.codePoints().anyMatch(Character::isLetter);
    }

    private boolean isGlued(int at, String signs) {
        if (at == 0) {
            return false;
        }
        int before = text.codePointBefore(at);
        return signs.indexOf(before) >= 0 || isSpacedWord(before);
    }

    private boolean is(int at, String signs) {
        return at < text.length() && signs.indexOf(text.charAt(at)) >= 0;
    }

    private String lower(int from, int to) {
        return text.substring(from, to).toLowerCase(Locale.ROOT);
    }

    private static boolean isName(char c) {
        return c < 128 && (Character.isLetterOrDigit(c) || c == '_');
    }

    private static boolean isHost(char c) {
        return c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '.');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWord(int c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }

    /** The marks of kana that take a place of their own. */
    private static boolean isVoicedMark(int c) {
        return c == 0x309b || c == 0x309c;
    }

    /** Whether the character belongs to the letter before it; one that only chooses the look of an emoji does not. */
    private static boolean isMark(int c) {
        int type = Character.getType(c);
        boolean selector = (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0100 && c <= 0xe01ef);
        return !selector && (type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK);
    }

    /** Part of a word in a script that puts spaces between words. */
    private static boolean isSpacedWord(int c) {
        return (isWord(c) || isMark(c)) && !isUnspaced(c);
    }

    /** Whether the script of a letter puts no spaces between words, or (Hangul) glues endings to them. */
    static boolean isUnspaced(int c) {
        if (c < 0x0e00) {
            return false; // Every script below Thai has spaces.
        }
        return switch (Character.UnicodeScript.of(c)) {
            case HAN, HIRAGANA, KATAKANA, BOPOMOFO, HANGUL, THAI, LAO, KHMER, MYANMAR -> true;
            // The mark that lengthens a kana is common to both kinds.
            default -> c == 0x30fc || c == 0xff70;
        };
    }
}
