package io.fanfare.api.filter;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.UserFilter.Action;
import io.fanfare.common.model.UserFilter.Context;
import io.fanfare.common.store.UserFilters.FilterChange;
import io.fanfare.common.store.UserFilters.KeywordChange;
import io.fanfare.common.text.ControlCharacters;
import io.fanfare.common.text.StreamSafeText;
import io.fanfare.server.http.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A filter, or a keyword of one, as somebody wants it: the bodies of {@code /api/v2/filters} and
 * {@code /api/v1/filters}. What these methods answer holds acceptable values; else they refuse ({@code INVALID}) with
 * all that is wrong, in the words of Mastodon.
 */
public final class NewFilter {
    static final int TITLE_MAX = 256;
    static final int KEYWORD_MAX = 512;

    /** 50 years. */
    private static final int SECONDS_MAX = 50 * 366 * 86_400;

    private final Parameters given;
    private final long now;
    private final List<String> faults = new ArrayList<>();

    private NewFilter(Parameters given, long now) {
        this.given = given;
        this.now = now;
    }

    /**
     * A filter that there is not yet.
     *
     * @param now Unix milliseconds
     */
    public static FilterChange of(Parameters given, long now) {
        return new NewFilter(given, now).filter(/* fresh= */ true);
    }

    /** The change of an existing filter. */
    public static FilterChange change(Parameters given, long now) {
        return new NewFilter(given, now).filter(/* fresh= */ false);
    }

    /** A keyword, in whole. */
    public static KeywordChange keyword(Parameters given) {
        return new NewFilter(given, 0).one(0);
    }

    /** The change of an existing keyword. */
    public static KeywordChange keyword(Parameters given, long id) {
        return new NewFilter(given, 0).one(id);
    }

    /** A filter with one keyword, which is its title as well: what version 1 of the API knows. */
    public static FilterChange ofPhrase(Parameters given, long now) {
        return new NewFilter(given, now).phrase(0);
    }

    /** The change of an existing filter of version 1, by the id of its keyword. */
    public static FilterChange ofPhrase(Parameters given, long now, long keyword) {
        return new NewFilter(given, now).phrase(keyword);
    }

    private FilterChange filter(boolean fresh) {
        String title = fresh || given.has("title") ? title("Title", given.text("title", "")) : null;
        List<Context> contexts = contexts(fresh);
        Action action = action();
        List<KeywordChange> keywords = keywords(fresh);
        refuseIfAny();
        return new FilterChange(title, contexts, action, expiresAt(), /* alone= */ false, keywords);
    }

    private FilterChange phrase(long keyword) {
        boolean fresh = keyword == 0;
        String phrase = fresh || given.has("phrase") ? checked("Phrase", given.text("phrase", "")) : null;
        List<Context> contexts = contexts(fresh);
        refuseIfAny();
        Boolean whole = given.text("whole_word", "").isEmpty() ? null : Boolean.valueOf(given.flag("whole_word", true));
        if (fresh && whole == null) {
            whole = false;
        }
        Action action = given.text("irreversible", "").isEmpty()
                ? null
                : given.flag("irreversible", false) ? Action.HIDE : Action.WARN;
        return new FilterChange(
                phrase == null ? null : titleOf(phrase),
                contexts,
                action,
                expiresAt(),
                /* alone= */ true,
                List.of(new KeywordChange(keyword, phrase, whole, /* gone= */ false)));
    }

    private KeywordChange one(long id) {
        boolean present = id == 0 || given.has("keyword");
        String keyword = present ? checked("Keyword", given.text("keyword", "")) : null;
        refuseIfAny();
        Boolean whole = given.text("whole_word", "").isEmpty() ? null : Boolean.valueOf(given.flag("whole_word", true));
        return new KeywordChange(id, keyword, whole, /* gone= */ false);
    }

    private List<KeywordChange> keywords(boolean fresh) {
        List<KeywordChange> keywords = new ArrayList<>();
        for (Map<String, String> attributes : given.objects("keywords_attributes")) {
            String id = attributes.getOrDefault("id", "");
            boolean gone = Parameters.truth(attributes.getOrDefault("_destroy", ""), /* absent= */ false);
            String keyword = attributes.get("keyword");
            String whole = attributes.getOrDefault("whole_word", "");
            boolean blank = (keyword == null || keyword.isBlank()) && whole.isBlank();
            if (id.isEmpty() && (gone || blank)) {
                continue; // A row of a form that nobody has filled in, or that was taken out again.
            }
            if (!id.isEmpty() && (fresh || Id.parse(id) < 0)) {
                throw Refusal.unknown();
            }
            boolean present = id.isEmpty() || keyword != null;
            keywords.add(new KeywordChange(
                    id.isEmpty() ? 0 : Id.parse(id),
                    present && !gone ? checked("Keywords keyword", keyword == null ? "" : keyword) : null,
                    whole.isBlank() ? null : Boolean.valueOf(Parameters.truth(whole, /* absent= */ true)),
                    gone));
        }
        return keywords;
    }

    private String title(String field, String text) {
        if (text.length() > 4 * TITLE_MAX) {
            tooLong(field, TITLE_MAX);
            return null;
        }
        String title = ControlCharacters.oneLine(text);
        if (title.isEmpty()) {
            faults.add(field + " can't be blank");
        } else if (title.codePointCount(0, title.length()) > TITLE_MAX) {
            tooLong(field, TITLE_MAX);
        } else {
            checkMarks(field, title);
        }
        return title;
    }

    /** The title of a filter made of this phrase. */
    private static String titleOf(String phrase) {
        String title = ControlCharacters.oneLine(phrase);
        return title.codePointCount(0, title.length()) <= TITLE_MAX
                ? title
                : title.substring(0, title.offsetByCodePoints(0, TITLE_MAX));
    }

    private String checked(String field, String text) {
        if (ControlCharacters.oneLine(text.length() > 4 * KEYWORD_MAX ? text.substring(0, 4 * KEYWORD_MAX) : text)
                .isEmpty()) {
            faults.add(field + " can't be blank");
        } else if (text.length() > 4 * KEYWORD_MAX || text.codePointCount(0, text.length()) > KEYWORD_MAX) {
            tooLong(field, KEYWORD_MAX);
        } else {
            checkMarks(field, text);
        }
        return text;
    }

    private void checkMarks(String field, String text) {
        if (!StreamSafeText.isStreamSafe(text)) {
            faults.add(
                    field + " has more than " + StreamSafeText.MARKS_MAX + " combining marks in a row: leave some out");
        }
    }

    private void tooLong(String field, int max) {
        faults.add(field + " is too long (maximum is " + max + " characters)");
    }

    private List<Context> contexts(boolean fresh) {
        if (!fresh && !given.has("context")) {
            return null;
        }
        List<Context> contexts = new ArrayList<>();
        boolean known = true;
        for (String name : given.all("context")) {
            Context context = Context.of(name.strip());
            known &= context != null || name.isBlank();
            if (context != null && !contexts.contains(context)) {
                contexts.add(context);
            }
        }
        if (contexts.isEmpty() && known) {
            faults.add("Context can't be blank");
        }
        if (contexts.isEmpty() || !known) {
            faults.add("Context None or invalid context supplied");
        }
        return contexts;
    }

    /** Both names of the third one are in Mastodon's documentation. */
    private Action action() {
        String name = given.text("filter_action", "");
        Action action = name.equals("blur_media") ? Action.BLUR : Action.of(name);
        if (action == null && !name.isEmpty()) {
            faults.add("Filter action must be warn, hide or blur");
        }
        return action;
    }

    /** Null when nothing is said of it; 0 = never. */
    private Long expiresAt() {
        if (!given.has("expires_in")) {
            return null;
        }
        String seconds = given.text("expires_in", "").strip();
        return seconds.isEmpty() ? 0L : now + 1000L * given.number("expires_in", 0, 0, SECONDS_MAX);
    }

    private void refuseIfAny() {
        if (!faults.isEmpty()) {
            throw new Refusal(Refusal.Reason.INVALID, "Validation failed: " + String.join(", ", faults));
        }
    }
}
