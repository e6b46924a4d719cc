package io.fanfare.web;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The texts of the web client in one language: the same file that the scripts import, which is JSON behind
 * {@code export default}. Immutable.
 */
public final class Messages {
    private static final String PREFIX = "export default ";
    private static final Messages ENGLISH = new Messages("en");
    private static final Messages CHINESE = new Messages("zh");

    /** Most languages of a header that are looked at. */
    private static final int LANGUAGES_MAX = 20;

    private final String language;
    private final JsonObject texts;

    private Messages(String language) {
        this.language = language;
        byte[] body = WebFiles.load().find(language + ".js").orElseThrow().body();
        String script = new String(body, StandardCharsets.UTF_8).strip();
        this.texts = new JsonObject(script.substring(PREFIX.length(), script.lastIndexOf('}') + 1));
    }

    /**
     * The messages in the browser's preferred language: the first one that exists; English when none does.
     *
     * @param accepted the header {@code Accept-Language}, null = not sent
     */
    public static Messages of(String accepted) {
        String[] ranges = accepted == null ? new String[0] : accepted.split(",", LANGUAGES_MAX);
        for (String range : ranges) {
            String name = range.strip().toLowerCase(java.util.Locale.ROOT);
            if (name.startsWith("zh")) {
                return CHINESE;
            }
            if (name.startsWith("en")) {
                return ENGLISH;
            }
        }
        return ENGLISH;
    }

    /** The name of the language: {@code en} or {@code zh}. */
    public String language() {
        return language;
    }

    /** Every language that there is. */
    public static List<Messages> all() {
        return List.of(ENGLISH, CHINESE);
    }

    JsonObject texts() {
        return texts.copy();
    }

    /** The module with these texts. */
    String file() {
        return language + ".js";
    }

    /** As the attribute {@code lang} has it. */
    String tag() {
        return language.equals("zh") ? "zh-Hans" : language;
    }

    /** The text of a key, with {@code {name}} replaced; plain text. */
    String text(String key, String... replacements) {
        String text = texts.getString(key);
        if (text == null) {
            throw new IllegalArgumentException(key);
        }
        for (int i = 0; i < replacements.length; i += 2) {
            text = text.replace("{" + replacements[i] + "}", replacements[i + 1]);
        }
        return text;
    }

    /** A text with a number: of the forms {@code one|other}, or of the only one that a language has. */
    String count(String key, long number) {
        String[] forms = text(key).split("\\|", 2);
        String form = number == 1 || forms.length == 1 ? forms[0] : forms[1];
        return form.replace("{n}", Long.toString(number));
    }
}
