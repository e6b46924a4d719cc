package io.fanfare.client;

import io.fanfare.client.http.Arguments;
import io.fanfare.client.model.Account;
import io.fanfare.client.model.Filter;
import io.fanfare.client.model.FilterKeyword;
import io.fanfare.client.model.UserList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Lists of accounts, and the filters of words, of the account of the token. */
public final class Lists {
    private static final String LISTS = "/api/v1/lists";
    private static final String FILTERS = "/api/v2/filters";

    private final Api api;

    Lists(Api api) {
        this.api = api;
    }

    public List<UserList> all() {
        return api.list(LISTS, UserList.class);
    }

    public UserList get(String id) {
        return api.get(LISTS + "/" + Arguments.id(id), UserList.class);
    }

    public UserList create(String title) {
        return api.once(LISTS, Fields.NONE.withText("title", title), UserList.class);
    }

    public UserList rename(String id, String title) {
        return api.put(LISTS + "/" + Arguments.id(id), Fields.NONE.withText("title", title), UserList.class);
    }

    public void delete(String id) {
        api.delete(LISTS + "/" + Arguments.id(id));
    }

    public Pages<Account> accounts(String id) {
        return api.pages(LISTS + "/" + Arguments.id(id) + "/accounts", Account.class);
    }

    /** Adds all or none; the account of the token must follow them. */
    public void add(String id, Collection<String> accountIds) {
        api.run("POST", LISTS + "/" + Arguments.id(id) + "/accounts", accounts(accountIds), false);
    }

    public void remove(String id, Collection<String> accountIds) {
        api.run("DELETE", LISTS + "/" + Arguments.id(id) + "/accounts", accounts(accountIds), true);
    }

    public List<Filter> filters() {
        return api.list(FILTERS, Filter.class);
    }

    /**
     * Creates a filter of words.
     *
     * @param contexts such as {@code home}, {@code notifications}, {@code public}, {@code thread}, {@code account}
     * @param action {@code warn}, {@code hide} or {@code blur}
     */
    public Filter createFilter(String title, Collection<String> contexts, String action, Collection<String> keywords) {
        Fields fields = Fields.NONE
                .withText("title", title)
                .with("context", List.copyOf(Arguments.notEmpty(contexts, "contexts")))
                .with("filter_action", Arguments.text(action, "the action", 20))
                .with(
                        "keywords_attributes",
                        Arguments.notEmpty(keywords, "keywords").stream()
                                .map(keyword -> Map.of("keyword", Arguments.text(keyword, "a keyword", 1000)))
                                .toList());
        return api.once(FILTERS, fields, Filter.class);
    }

    public FilterKeyword addKeyword(String filterId, String keyword) {
        return api.once(
                FILTERS + "/" + Arguments.id(filterId) + "/keywords",
                Fields.NONE.withText("keyword", keyword),
                FilterKeyword.class);
    }

    public void deleteFilter(String id) {
        api.delete(FILTERS + "/" + Arguments.id(id));
    }

    private static Fields accounts(Collection<String> ids) {
        return Fields.NONE.with(
                "account_ids",
                Arguments.notEmpty(ids, "account_ids").stream()
                        .map(Arguments::id)
                        .toList());
    }
}
