package io.fanfare.api.graph;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.post.NewStatus;
import io.fanfare.common.model.FollowLanguages;
import io.fanfare.common.store.Graph;
import io.fanfare.server.http.Parameters;
import java.util.List;

/** The terms of a follow: the body of {@code POST /api/v1/accounts/:id/follow}. */
public final class NewFollow {
    private NewFollow() {}

    /** Refuses languages that are too many, or cannot be any. As in Mastodon: what is not said stays as it is. */
    public static Graph.Terms of(Parameters given) {
        return new Graph.Terms(choice(given, "reblogs"), choice(given, "notify"), languages(given, "languages"));
    }

    private static Boolean choice(Parameters given, String name) {
        boolean present = !given.text(name, "").isEmpty();
        return present ? Boolean.valueOf(given.flag(name, true)) : null;
    }

    /** Codes of languages that a list has, each once; null = the list is not there. */
    private static List<String> languages(Parameters given, String name) {
        if (!given.hasList(name)) {
            return null;
        }
        List<String> codes = given.all(name).stream().distinct().toList();
        ValidationErrors errors = new ValidationErrors();
        if (codes.size() > FollowLanguages.MAX) {
            errors.add(name, "ERR_TOO_MANY", "are too many (at most " + FollowLanguages.MAX + ")");
        } else if (!codes.stream().allMatch(NewStatus::isLanguage)) {
            errors.add(name, "ERR_INVALID", "must be ISO 639 codes such as en");
        }
        errors.refuseIfAny();
        return codes;
    }
}
