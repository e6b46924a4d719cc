package io.fanfare.core.mail;

import java.util.Locale;

/** The languages in which mails and their pages are written. */
public enum MailLanguage {
    EN,
    ZH;

    private final String wire = name().toLowerCase(Locale.ROOT);

    /** As in jobs, and as the attribute {@code lang} of a page. */
    public String wire() {
        return wire;
    }

    /** The language of that name; null if there is none. */
    public static MailLanguage of(String wire) {
        for (MailLanguage language : values()) {
            if (language.wire.equals(wire)) {
                return language;
            }
        }
        return null;
    }
}
