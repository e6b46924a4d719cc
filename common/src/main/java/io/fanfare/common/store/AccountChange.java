package io.fanfare.common.store;

import io.fanfare.common.model.Preferences;
import io.fanfare.common.model.ProfileSettings;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Visibility;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A user's changes of the account: only fields set here change. Values come validated. Ordinary values are not stored:
 * an empty text takes the field out. Confined to its maker.
 */
public final class AccountChange {
    static final String DOMAINS = "domains";

    private static final String ORDINARY = "";

    private final Map<String, String> fields = new LinkedHashMap<>();

    public void displayName(String name) {
        fields.put("display", name);
    }

    public void note(String note) {
        fields.put("note", note);
    }

    /** See {@link ProfileSettings}. */
    public void bot(boolean bot) {
        fields.put("bot", bot ? "1" : ORDINARY);
    }

    public void discoverable(boolean discoverable) {
        fields.put("disc", discoverable ? ORDINARY : "0");
    }

    public void indexable(boolean indexable) {
        fields.put("index", indexable ? ORDINARY : "0");
    }

    /** See {@link ProfileSettings}. */
    public void locked(boolean locked) {
        fields.put("locked", locked ? "1" : ORDINARY);
    }

    /** See {@link ProfileSettings}. */
    public void hidesFollows(boolean hides) {
        fields.put("hide", hides ? "1" : ORDINARY);
    }

    /** Neither names nor values may hold line breaks or tabs. */
    public void fields(List<ProfileSettings.Field> list) {
        List<String> lines = new ArrayList<>(list.size());
        list.forEach(field -> lines.add(field.name() + "\t" + field.value()));
        fields.put("fields", String.join("\n", lines));
    }

    /**
     * The picture of the account.
     *
     * @param name of its file; empty = none
     */
    public void avatar(String name) {
        fields.put("avatar", name);
    }

    /** The wide picture, as {@link #avatar}. */
    public void header(String name) {
        fields.put("header", name);
    }

    /** See {@link Preferences}. */
    public void visibility(Visibility visibility) {
        fields.put("privacy", visibility == Visibility.PUBLIC ? ORDINARY : visibility.wire());
    }

    public void sensitive(boolean sensitive) {
        fields.put("sensitive", sensitive ? "1" : ORDINARY);
    }

    /** Empty = not said any more. */
    public void language(String language) {
        fields.put("language", language);
    }

    /** Sets the accounts that may quote posts from now on. */
    public void quotePolicy(QuotePolicy policy) {
        fields.put("quoters", policy == QuotePolicy.PUBLIC ? ORDINARY : policy.wire());
    }

    /** See {@link Preferences}. */
    public void foldsReposts(boolean folds) {
        fields.put(Accounts.FOLD, folds ? ORDINARY : Accounts.UNFOLDED);
    }

    /** Websites that may name the account as an author: names of hosts. */
    public void attributionDomains(List<String> domains) {
        fields.put(DOMAINS, String.join(" ", domains));
    }

    public boolean isEmpty() {
        return fields.isEmpty();
    }

    /** Reads the stored form of {@link #fields}. */
    static List<ProfileSettings.Field> fields(String stored) {
        List<ProfileSettings.Field> list = new ArrayList<>();
        stored.lines().forEach(line -> {
            int tab = line.indexOf('\t');
            list.add(new ProfileSettings.Field(line.substring(0, tab), line.substring(tab + 1)));
        });
        return list;
    }

    /** The account, then names and values in turn, as {@code update_account} takes them. */
    Object[] toArguments(long account) {
        List<Object> arguments = new ArrayList<>(fields.size() * 2 + 1);
        arguments.add(account);
        fields.forEach((name, value) -> {
            arguments.add(name);
            arguments.add(value);
        });
        return arguments.toArray();
    }
}
