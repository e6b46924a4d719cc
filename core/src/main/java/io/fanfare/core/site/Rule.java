package io.fanfare.core.site;

import static io.fanfare.core.site.Validity.invalid;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A rule of the site, as in Mastodon. The constructor refuses ({@code INVALID}) texts that are too long.
 *
 * @param id unique for good; reports name it
 * @param hint explains the rule; may be empty
 * @param translations by language, such as {@code zh} or {@code pt-BR}
 */
public record Rule(long id, String text, String hint, Map<String, Wording> translations) {
    /** Characters of a rule, as in Mastodon. */
    public static final int TEXT_MAX = 300;

    /** Characters of an explanation. */
    public static final int HINT_MAX = 1000;

    static final int TRANSLATIONS_MAX = 20;

    private static final Pattern LANGUAGE = Pattern.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}");

    /** A rule in another language. */
    public record Wording(String text, String hint) {
        public Wording {
            text = Validity.line("The rule", text, TEXT_MAX);
            hint = Validity.lineOrEmpty("The hint", hint, HINT_MAX);
        }
    }

    public Rule {
        Wording own = new Wording(text, hint);
        text = own.text();
        hint = own.hint();
        translations = new TreeMap<>(translations);
        if (translations.size() > TRANSLATIONS_MAX) {
            throw invalid("A rule has at most " + TRANSLATIONS_MAX + " translations: remove one first.");
        }
        for (String language : translations.keySet()) {
            if (!LANGUAGE.matcher(language).matches()) {
                throw invalid("The language must be a tag such as zh or pt-BR.");
            }
        }
    }

    /** The same rule in other words; null = as before. */
    public Rule with(String otherText, String otherHint) {
        return new Rule(id, otherText == null ? text : otherText, otherHint == null ? hint : otherHint, translations);
    }

    /** The same rule with a translation, or without one in this language if that is empty. */
    public Rule translated(String language, Optional<Wording> wording) {
        Map<String, Wording> all = new TreeMap<>(translations);
        if (wording.isPresent()) {
            all.put(language, wording.get());
        } else if (all.remove(language) == null) {
            throw Validity.unknown("Rule " + id + " has no translation in this language.");
        }
        return new Rule(id, text, hint, all);
    }
}
