package io.fanfare.common.view;

import io.fanfare.common.model.Account;

/**
 * Absolute URLs of accounts, statuses and files. {@code url} and {@code uri} name an account or a status for good, in
 * the form that Mastodon's have. Immutable.
 *
 * @param base the public URL, without a trailing slash
 */
public record PublicUrls(String base) {
    /** Path of the image of profiles that have no header of their own. */
    public static final String HEADER_PATH = "/headers/default.png";

    /** Path of the picture that all accounts without one shared before each had its own: old events name it. */
    public static final String AVATAR_PATH = "/avatars/default.png";

    /** Below it, as {@code <account id>.png}, the picture of an account that has given none. */
    public static final String AVATARS_PATH = "/avatars/";

    /** Path of uploaded files. */
    public static final String MEDIA_PATH = "/media/";

    /** The web page of an account. */
    public String profile(String username) {
        return base + "/@" + username;
    }

    /** The name of an account that never changes. */
    String accountUri(Account account) {
        return base + "/users/" + account.username();
    }

    /** The web page of a status. */
    String status(long id, Account author) {
        return profile(author.username()) + "/" + id;
    }

    /** The name of a status that never changes. */
    public String statusUri(long id, Account author) {
        return accountUri(author) + "/statuses/" + id;
    }

    /** The avatar of an account. */
    public String avatar(Account account) {
        String name = account.profileSettings().avatar();
        return name.isEmpty() ? base + AVATARS_PATH + account.id() + ".png" : media(name);
    }

    /** The header image of an account. */
    String header(Account account) {
        String name = account.profileSettings().header();
        return name.isEmpty() ? base + HEADER_PATH : media(name);
    }

    /** An uploaded file. */
    String media(String file) {
        return base + MEDIA_PATH + file;
    }
}
