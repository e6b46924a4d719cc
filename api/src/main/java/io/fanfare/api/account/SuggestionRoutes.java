package io.fanfare.api.account;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.account.Suggestions.Suggestion;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.util.List;

/** Accounts that the viewer may want to follow. */
public final class SuggestionRoutes {
    private static final int LIMIT = 40;
    private static final int LIMIT_MAX = 80;

    private final Accounts accounts;
    private final Suggestions suggestions;
    private final Views views;

    public SuggestionRoutes(Accounts accounts, Suggestions suggestions, Views views) {
        this.accounts = accounts;
        this.suggestions = suggestions;
        this.views = views;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/suggestions", Access.user("read"), this::accounts),
                get("/api/v2/suggestions", Access.user("read"), this::list),
                // As in Mastodon, whose clients ask for no more than that.
                delete("/api/v1/suggestions/:id", Access.user("read"), this::dismiss));
    }

    private Future<Answer> accounts(Call call) {
        return read(call)
                .map(found -> Answer.array(
                        found, (json, suggestion) -> views.accounts().write(json, suggestion.account())));
    }

    private Future<Answer> list(Call call) {
        return read(call)
                .map(found -> Answer.array(found, (json, suggestion) -> {
                    boolean ofFollowees = suggestion.followees() > 0;
                    json.writeStartObject();
                    json.writeStringField("source", ofFollowees ? "past_interactions" : "global");
                    json.writeArrayFieldStart("sources");
                    json.writeString(ofFollowees ? "friends_of_friends" : "most_followed");
                    json.writeEndArray();
                    json.writeFieldName("account");
                    views.accounts().write(json, suggestion.account());
                    json.writeEndObject();
                }));
    }

    private Future<List<Suggestion>> read(Call call) {
        return suggestions.of(call.viewer(), call.parameters().number("limit", LIMIT, 1, LIMIT_MAX));
    }

    private Future<Answer> dismiss(Call call) {
        return accounts.requireHolder(call.id())
                .compose(there -> suggestions.dismiss(call.viewer(), call.id()))
                .map(Answer.EMPTY_OBJECT);
    }
}
