package io.fanfare.core.language;

import com.optimaize.langdetect.DetectedLanguage;
import com.optimaize.langdetect.LanguageDetector;
import com.optimaize.langdetect.LanguageDetectorBuilder;
import com.optimaize.langdetect.ngram.NgramExtractors;
import io.fanfare.common.text.TextEntities;
import io.fanfare.common.text.TextEntities.Entity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.Character.UnicodeScript;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The language of a text, as far as it is beyond doubt. Looks at the first {@value #CHARS_MAX} characters, without
 * addresses, mentions and tags: some 50 to 300 microseconds, whatever the text. Safe for every thread.
 *
 * <p>The profiles of the languages take a moment to load, on a thread of its own; nothing is guessed before that.
 */
public final class LanguageGuess {
    /** The most that is looked at. */
    static final int CHARS_MAX = 300;

    /** Letters of an alphabet below which everything is doubtful: a word or two could be of many languages. */
    private static final int LETTERS_MIN = 16;

    /** Characters of Chinese, Japanese, Korean and Thai below which nothing is guessed; each says as much as a word. */
    private static final int WORD_SIGNS_MIN = 4;

    private static final double SURE = 0.95;

    /** Texts up to this length are looked at as a whole rather than in samples: all of ours. */
    private static final int WHOLE_MAX = 1000;

    private static final Set<UnicodeScript> WORD_SIGNS = Set.of(
            UnicodeScript.HAN,
            UnicodeScript.HIRAGANA,
            UnicodeScript.KATAKANA,
            UnicodeScript.HANGUL,
            UnicodeScript.THAI);

    /** Languages with many speakers. Small ones that resemble these would be guessed too often. */
    static final List<String> LANGUAGES = List.of(
            "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu",
            "id", "it", "lt", "lv", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "ta", "th", "tr", "uk", "ur",
            "vi", "zh-CN");

    /** Null = not used yet; never changes once it is there. */
    private static volatile CompletableFuture<LanguageDetector> detector;

    /** The profiles of the process: the JVM initialises this class at its first use. */
    private static final class Profiles {
        static final CompletableFuture<LanguageDetector> LOADING = begin();

        private static CompletableFuture<LanguageDetector> begin() {
            CompletableFuture<LanguageDetector> loading = new CompletableFuture<>();
            Thread thread = new Thread(() -> load(loading), "languages");
            thread.setDaemon(true);
            thread.start();
            return loading;
        }
    }

    private LanguageGuess() {}

    /**
     * Has the profiles loaded, once per process.
     *
     * @param wanted false = nothing is done, and no language guessed
     */
    public static void loadIf(boolean wanted) {
        if (wanted) {
            detector = Profiles.LOADING;
        }
    }

    /** Completes when languages are guessed; null = not used yet. */
    static CompletableFuture<?> loading() {
        return detector;
    }

    private static void load(CompletableFuture<LanguageDetector> loading) {
        try {
            boolean unused = loading.complete(LanguageDetectorBuilder.create(NgramExtractors.standard())
                    .shortTextAlgorithm(WHOLE_MAX)
                    .withProfiles(LanguageProfiles.of(LANGUAGES))
                    .build());
        } catch (IOException e) {
            boolean unused = loading.completeExceptionally(new UncheckedIOException(e));
        } catch (RuntimeException e) {
            boolean unused = loading.completeExceptionally(e);
        }
    }

    /**
     * The ISO 639-1 code of the language; null = it is in doubt, or nothing is guessed (yet).
     *
     * @param entities of the text, as {@link TextEntities#in} finds them
     */
    public static String of(String text, List<Entity> entities) {
        CompletableFuture<LanguageDetector> loading = detector;
        boolean none = loading == null || !loading.isDone() || loading.isCompletedExceptionally();
        return none ? null : of(words(text, entities), loading.join());
    }

    /** The text without names: the part in the author's language. */
    private static String words(String text, List<Entity> entities) {
        StringBuilder words = new StringBuilder(Math.min(text.length(), CHARS_MAX));
        int done = 0;
        for (Entity entity : entities) {
            append(words, text, done, entity.from());
            words.append(' ');
            done = entity.to();
        }
        append(words, text, done, text.length());
        return words.toString();
    }

    private static void append(StringBuilder words, String text, int from, int to) {
        int room = CHARS_MAX - words.length();
        if (room > 0) {
            words.append(text, from, Math.min(to, from + room));
        }
    }

    private static String of(String words, LanguageDetector loaded) {
        int letters = 0;
        int signs = 0;
        int kana = 0;
        int hangul = 0;
        for (int i = 0; i < words.length(); i += Character.charCount(words.codePointAt(i))) {
            int c = words.codePointAt(i);
            if (Character.isLetter(c)) {
                letters++;
                UnicodeScript script = UnicodeScript.of(c);
                signs += WORD_SIGNS.contains(script) ? 1 : 0;
                kana += script == UnicodeScript.HIRAGANA || script == UnicodeScript.KATAKANA ? 1 : 0;
                hangul += script == UnicodeScript.HANGUL ? 1 : 0;
            }
        }
        // Nothing else is written with these; most of a Japanese text may be Chinese characters.
        if (signs >= WORD_SIGNS_MIN && kana * 8 >= letters) {
            return "ja";
        }
        if (signs >= WORD_SIGNS_MIN && hangul * 2 >= letters) {
            return "ko";
        }
        if (letters < LETTERS_MIN && (signs < WORD_SIGNS_MIN || signs * 2 < letters)) {
            return null;
        }
        List<DetectedLanguage> likely = loaded.getProbabilities(words);
        boolean sure = !likely.isEmpty() && likely.get(0).getProbability() >= SURE;
        return sure ? likely.get(0).getLocale().getLanguage() : null;
    }
}
