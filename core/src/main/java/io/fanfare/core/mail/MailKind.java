package io.fanfare.core.mail;

import io.fanfare.common.store.AddressChanges;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The kinds of mail, by the name that they have in jobs and links. */
public enum MailKind {
    /** A link by which an account gets another password. */
    RESET(Duration.ofHours(1)),
    /** A link by which the owner of an address confirms it. */
    CONFIRM(Duration.ofDays(1)),
    /** A link by which the owner of an address gives it to an account instead of the former one. */
    NEW_ADDRESS(AddressChanges.WANTED),
    /** The notice to the former address of an account, with a link that restores it. */
    ADDRESS_CHANGED(AddressChanges.RESTORABLE),
    /** The notice of a log-in from a new place; its subject is the time of the log-in. */
    SIGN_IN(Duration.ofDays(1)),
    /** The notice that an account has another password. */
    PASSWORD_CHANGED(Duration.ofDays(1)),
    /** A warning of a moderator, which is the subject; also to a suspended account. */
    WARNING(Duration.ofDays(1)),
    /** The same about an act on a selection of accounts: many at once, which leave room for other mails. */
    SELECTION_WARNING(Duration.ofDays(1)),
    /** The decision about the appeal against a warning, which is the subject; also to a suspended account. */
    APPEAL(Duration.ofDays(1));

    /** The kinds that a suspended account gets as well. */
    private static final Set<MailKind> ALSO_SUSPENDED = EnumSet.of(ADDRESS_CHANGED, WARNING, SELECTION_WARNING, APPEAL);

    private final String wire = name().toLowerCase(Locale.ROOT);
    private final Duration life;

    MailKind(Duration life) {
        this.life = life;
    }

    /** Whether a suspended account gets it as well. */
    public boolean isForSuspended() {
        return ALSO_SUSPENDED.contains(this);
    }

    /** For how long a mail is tried, and for how long its link is good. */
    public Duration life() {
        return life;
    }

    public String wire() {
        return wire;
    }

    /** The kind of that name; null if there is none. */
    public static MailKind of(String wire) {
        for (MailKind kind : values()) {
            if (kind.wire.equals(wire)) {
                return kind;
            }
        }
        return null;
    }
}
