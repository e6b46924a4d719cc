package io.fanfare.api;

import io.fanfare.common.settings.Settings;
import java.time.Duration;

/** How often something may be done, by whom: the lines of docs/security.md. How much a window allows is a setting. */
enum Limit {
    /** Nothing is counted: answers that cost nothing. */
    NONE(Duration.ZERO, Who.ADDRESS),
    REQUESTS(Duration.ofMinutes(5), Who.TOKEN),
    DELETES(Duration.ofMinutes(30), Who.USER),
    FOLLOWS(Duration.ofHours(1), Who.USER),
    SIGN_UPS(Duration.ofMinutes(30), Who.ADDRESS),
    APPS(Duration.ofMinutes(10), Who.ADDRESS),
    LOGINS(Duration.ofMinutes(5), Who.ADDRESS);

    /** Who shares a window; without the token of a user it is the address. */
    enum Who {
        TOKEN,
        USER,
        ADDRESS
    }

    private final Duration window;
    private final Who who;

    Limit(Duration window, Who who) {
        this.window = window;
        this.who = who;
    }

    Duration window() {
        return window;
    }

    Who who() {
        return who;
    }

    /** What nobody may do uncounted: while Redis cannot count, it is refused. The rest goes on, as far as Redis lets it. */
    boolean closedWithoutRedis() {
        return this == SIGN_UPS || this == LOGINS;
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
        };
    }

    /** Goes on after "Too many". */
    String words() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
