package io.fanfare.api.article;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.endpoint.VisibleCharacters;
import io.fanfare.api.post.NewStatus;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.text.TextEntities;
import io.fanfare.server.http.Parameters;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The body of {@code POST /api/v1/articles}.
 *
 * @param status its status, whose text begins with title and link
 */
public record NewArticle(Article article, NewStatus status) {
    /** Most UTF-16 units of a title. */
    public static final int TITLE_CHARS_MAX = 300;

    /** Most UTF-16 units of a link. */
    public static final int LINK_CHARS_MAX = 2000;

    /** The request as a validated record; refuses ({@code Refusal(INVALID)}) what is not valid. */
    public static NewArticle of(Parameters parameters, int textMax) {
        ValidationErrors errors = new ValidationErrors();
        String title = parameters.text("title", "").strip();
        String link = parameters.text("link", "").strip();
        checkTitle(title, errors);
        checkLink(link, errors);
        List<String> groups = groups(parameters.all("groups"), errors);
        Visibility visibility = NewStatus.visibility(parameters);
        if (visibility != null && visibility != Visibility.PUBLIC) {
            errors.add("visibility", "ERR_INCLUSION", "must be public: everybody may vote on an article");
        }
        errors.refuseIfAny();
        Article article = new Article(title, link.isEmpty() ? null : link, groups);
        QuotePolicy policy = NewStatus.quotePolicy(parameters);
        if (policy != null && policy != QuotePolicy.PUBLIC) {
            throw new Refusal(
                    Refusal.Reason.INVALID, "Everybody may quote an article: send it without quote_approval_policy.");
        }
        String text = article.text(parameters.text("text", "").strip());
        return new NewArticle(article, NewStatus.of(parameters, text, textMax).inPublic());
    }

    private static void checkTitle(String title, ValidationErrors errors) {
        if (title.length() > TITLE_CHARS_MAX) {
            errors.add("title", "ERR_TOO_LONG", "is too long: at most " + TITLE_CHARS_MAX + " characters");
        } else if (VisibleCharacters.isBlank(title)) {
            errors.add("title", "ERR_BLANK", "can't be blank");
        } else if (title.codePoints().anyMatch(NewArticle::endsLine)) {
            errors.add("title", "ERR_INVALID", "must be on one line");
        }
    }

    private static boolean endsLine(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL || type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR;
    }

    private static void checkLink(String link, ValidationErrors errors) {
        if (link.length() > LINK_CHARS_MAX) {
            errors.add("link", "ERR_TOO_LONG", "is too long: at most " + LINK_CHARS_MAX + " characters");
        } else if (!link.isEmpty() && !isAddress(link)) {
            errors.add("link", "ERR_INVALID", "must be the address of a web page, such as https://example.org/page");
        }
    }

    /** As texts have them, so that it is one in the status, too. */
    private static boolean isAddress(String link) {
        List<TextEntities.Entity> entities = TextEntities.in(link);
        return entities.size() == 1
                && entities.get(0).kind() == TextEntities.Kind.ADDRESS
                && entities.get(0).from() == 0
                && entities.get(0).to() == link.length()
                && !TextEntities.hasUser(link, entities.get(0));
    }

    private static List<String> groups(List<String> names, ValidationErrors errors) {
        Set<String> groups = new LinkedHashSet<>();
        for (String name : names) {
            String group = GroupName.folded(name);
            if (group == null) {
                errors.add("groups", "ERR_INVALID", GroupName.RULE);
                return List.of();
            }
            groups.add(group);
        }
        if (groups.size() > Article.GROUPS_MAX) {
            errors.add("groups", "ERR_TOO_LONG", "are too many: at most " + Article.GROUPS_MAX);
        }
        return new ArrayList<>(groups);
    }

    /** The request that says this; null without a key. */
    public IdempotentRequest once(String key) {
        return status.once(key, "article", article);
    }
}
