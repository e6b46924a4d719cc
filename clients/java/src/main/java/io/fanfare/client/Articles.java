package io.fanfare.client;

import io.fanfare.client.http.Arguments;
import io.fanfare.client.model.Account;
import io.fanfare.client.model.ArticleGroup;
import io.fanfare.client.model.Status;
import java.util.Collection;
import java.util.List;

/** Articles with their votes and groups. */
public final class Articles {
    private static final String ARTICLES = "/api/v1/articles";

    private final Api api;

    Articles(Api api) {
        this.api = api;
    }

    /** Highest score first. */
    public Pages<Status> best() {
        return api.pages(ARTICLES, Status.class);
    }

    public Status get(String id) {
        return api.get(ARTICLES + "/" + Arguments.id(id), Status.class);
    }

    /**
     * Publishes an article once.
     *
     * @param groups at most ten names; may be empty
     */
    public Status post(String title, String text, Collection<String> groups) {
        Fields fields = Fields.NONE
                .withText("title", title)
                .withText("text", text)
                .with("groups", List.copyOf(Arguments.present(groups, "groups")));
        return api.keyed(ARTICLES, fields, null, Status.class);
    }

    /** Votes for it; a second vote changes nothing. */
    public Status vote(String id) {
        return api.repeat(ARTICLES + "/" + Arguments.id(id) + "/vote", Status.class);
    }

    public Pages<Account> voters(String id) {
        return api.pages(ARTICLES + "/" + Arguments.id(id) + "/voters", Account.class);
    }

    public List<ArticleGroup> groups() {
        return api.list("/api/v1/groups", ArticleGroup.class);
    }

    public Pages<Status> ofGroup(String name) {
        return api.pages("/api/v1/groups/" + Arguments.id(name) + "/articles", Status.class);
    }
}
