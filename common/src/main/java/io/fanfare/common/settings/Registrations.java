package io.fanfare.common.settings;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The modes of sign-up, {@code auth.registrations}. */
public enum Registrations implements Setting.Renamed {
    /** Anybody may sign up. */
    OPEN("true"),
    /** Anybody may apply with a reason; a moderator decides about each account. */
    APPROVAL(""),
    /** Somebody may sign up who has an invitation. */
    INVITATION(""),
    /** Nobody may sign up. */
    CLOSED("false");

    private final String former;

    Registrations(String former) {
        this.former = former;
    }

    @Override
    public String former() {
        return former;
    }

    /** Its spelling in settings, commands and {@code {meta}}. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The mode of a {@link #spelling}. */
    public static Optional<Registrations> of(String spelling) {
        return Stream.of(values())
                .filter(mode -> mode.spelling().equals(spelling))
                .findFirst();
    }

    /** Whether anybody may ask for an account. */
    public boolean isOpen() {
        return this == OPEN || this == APPROVAL;
    }
}
