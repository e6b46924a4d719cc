package io.fanfare.api.endpoint;

import io.fanfare.common.settings.Settings;
import java.time.Duration;
import java.util.Locale;

/** How often something may be done, by whom: the lines of docs/security.md. How much a window allows is a setting. */
public enum RateLimit {
    /** Nothing is counted: answers that cost nothing. */
    NONE(Duration.ZERO, Who.ADDRESS),
    REQUESTS(Duration.ofMinutes(5), Who.TOKEN),
    DELETES(Duration.ofMinutes(30), Who.USER),
    FOLLOWS(Duration.ofHours(1), Who.USER),
    SIGN_UPS(Duration.ofMinutes(30), Who.ADDRESS),
    APPS(Duration.ofMinutes(10), Who.ADDRESS),
    LOGINS(Duration.ofMinutes(5), Who.ADDRESS),
    LOGINS_PER_APP(Duration.ofMinutes(5), Who.APP),
    /** All tokens of an account together, beside {@link #REQUESTS} of each. */
    REQUESTS_OF_ACCOUNT(Duration.ofMinutes(5), Who.USER),
    /** Apps that all addresses register together; beyond it, {@link #APPS_OF_NETWORK} holds. */
    APPS_OF_SERVER(Duration.ofHours(1), Who.EVERYBODY),
    /** Apps that a network registers while {@link #APPS_OF_SERVER} is used up. */
    APPS_OF_NETWORK(Duration.ofHours(1), Who.ADDRESS),
    /** Mails that strangers request, by who requests them. */
    MAILS(Duration.ofHours(1), Who.ADDRESS),
    /** The same by the address that they go to. */
    MAILS_TO_ADDRESS(Duration.ofHours(1), Who.EVERYBODY),
    /** Addresses that an account wants instead of its own. */
    ADDRESS_CHANGES(Duration.ofDays(1), Who.USER),
    /** Statuses of an account, and the bytes of their texts: what is kept for ever. */
    POSTS(Duration.ofDays(1), Who.USER),
    BYTES(Duration.ofDays(1), Who.USER),
    /** Posts of a new account with links, to strangers, or to a few. */
    NEW_ACCOUNT_POSTS(Duration.ofHours(1), Who.USER),
    /** Files of an account, and their bytes as they are sent. */
    UPLOADS(Duration.ofMinutes(30), Who.USER),
    UPLOAD_BYTES(Duration.ofDays(1), Who.USER),
    /** The cost of decoding the pictures of an account, in megapixels. */
    UPLOAD_MEGAPIXELS(Duration.ofHours(1), Who.USER),
    /** Archives of all that an account has. */
    EXPORTS(Duration.ofHours(1), Who.USER);

    /** The callers that share a window; without the token of a user it is the address. */
    enum Who {
        TOKEN,
        USER,
        ADDRESS,
        APP,
        EVERYBODY
    }

    /** A flood from a few networks ends here, and a person elsewhere can still begin with an app or two. */
    private static final int APPS_OF_NETWORK_MAX = 3;

    /** A person who tries several addresses, and a household. */
    private static final int MAILS_MAX = 10;

    /** A mail that got lost, and another try. */
    private static final int MAILS_TO_ADDRESS_MAX = 3;

    /** An address with a mistake in it, and further tries. */
    private static final int ADDRESS_CHANGES_MAX = 10;

    private final Duration window;
    private final Who who;

    RateLimit(Duration window, Who who) {
        this.window = window;
        this.who = who;
    }

    /** The limit of that {@link #key}. */
    static RateLimit of(String key) {
        return valueOf(key.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    Duration window() {
        return window;
    }

    Who who() {
        return who;
    }

    /**
     * Whether requests are refused while Redis cannot count them. The other limits let them pass then, as far as Redis
     * serves them.
     */
    boolean closedWithoutRedis() {
        return this == SIGN_UPS || this == LOGINS || this == LOGINS_PER_APP || this == MAILS;
    }

    int max(Settings.Limits.Rates rates) {
        return switch (this) {
            case NONE -> Integer.MAX_VALUE;
            case REQUESTS -> rates.requests();
            case DELETES -> rates.deletes();
            case FOLLOWS -> rates.follows();
            case SIGN_UPS -> rates.signUps();
            case APPS -> rates.apps();
            case LOGINS -> rates.logins();
            case LOGINS_PER_APP -> rates.loginsPerApp();
            case REQUESTS_OF_ACCOUNT -> rates.requestsPerAccount();
            case APPS_OF_SERVER -> rates.appsPerServer();
            case APPS_OF_NETWORK -> APPS_OF_NETWORK_MAX;
            case MAILS -> MAILS_MAX;
            case MAILS_TO_ADDRESS -> MAILS_TO_ADDRESS_MAX;
            case ADDRESS_CHANGES -> ADDRESS_CHANGES_MAX;
            case POSTS -> rates.postsPerDay();
            case BYTES -> rates.bytesPerDay();
            case NEW_ACCOUNT_POSTS -> rates.newAccountPostsPerHour();
            case UPLOADS -> rates.uploads();
            case UPLOAD_BYTES -> rates.uploadBytesPerDay();
            case UPLOAD_MEGAPIXELS -> rates.uploadMegapixelsPerHour();
            case EXPORTS -> rates.exports();
        };
    }

    /** Names the limit in keys. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Goes on after "Too many". */
    String words() {
        return switch (this) {
            case REQUESTS_OF_ACCOUNT -> "requests of this account";
            case APPS_OF_SERVER -> "apps on this server";
            case APPS_OF_NETWORK -> "apps of your network while this server gets many";
            case MAILS_TO_ADDRESS -> "mails to this address";
            case ADDRESS_CHANGES -> "changes of the e-mail address";
            case BYTES -> "bytes of text";
            case NEW_ACCOUNT_POSTS ->
                "posts of a new account with links, mentions of accounts that do not follow it, or as direct messages";
            case UPLOAD_BYTES -> "bytes of files";
            case UPLOAD_MEGAPIXELS -> "megapixels of pictures";
            default -> key();
        };
    }

    /** Goes on after "at most ... in". */
    String windowWords() {
        return window.toHours() < 2 ? window.toMinutes() + " minutes" : window.toHours() + " hours";
    }
}
