package io.fanfare.api.oauth;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.common.settings.Settings;
import java.util.List;
import java.util.Locale;

/**
 * The rules for a new password. They require no composition (NIST SP 800-63B, 5.1.1.2): only a length, no password that
 * attackers try first, and neither the name nor the email address of the account. Passwords from before these rules
 * stay valid.
 */
public final class PasswordRules {
    /** Characters that can be seen. */
    private static final int CHARS_MIN = 10;

    private static final int WEAK_CHARS_MIN = 8;

    private final boolean weak;

    /** @param settings say whether weak passwords are accepted */
    public PasswordRules(Settings.Auth settings) {
        this.weak = settings.weakPasswords();
    }

    /** Adds what is wrong with the password by itself. */
    public void check(ValidationErrors errors, String password) {
        if (password.isEmpty()) {
            errors.add("password", "ERR_BLANK", "can't be blank");
        } else if (Passwords.isTooLong(password)) {
            errors.add("password", "ERR_TOO_LONG", "is too long (at most " + Passwords.CHARS_MAX + " characters)");
        } else {
            errors.addUnlessStreamSafe("password", password);
            checkNormal(errors, Passwords.normal(password));
        }
    }

    private void checkNormal(ValidationErrors errors, String normal) {
        String unit = unit(normal.toLowerCase(Locale.ROOT));
        int charsMin = weak ? WEAK_CHARS_MIN : CHARS_MIN;
        if (normal.codePoints().filter(PasswordRules::counts).count() < charsMin) {
            errors.add("password", "ERR_TOO_SHORT", "is too short (at least " + charsMin + " characters)");
        } else if (!weak && CommonPasswords.contains(unit)) {
            errors.add("password", "ERR_INVALID", "is one of the most common passwords: choose another");
        }
    }

    /**
     * Adds the fault of a password that is the user's name, or e-mail address, or the part of it before the {@code @}.
     *
     * @param email in lower case; empty = none
     */
    public static void checkOwner(ValidationErrors errors, String password, String username, String email) {
        if (password.isEmpty() || Passwords.isTooLong(password)) {
            return; // Said already.
        }
        String unit = unit(Passwords.normal(password).toLowerCase(Locale.ROOT));
        // One that cannot be an address is refused as such, and may be of any length.
        String address = SignUp.isEmail(email) ? Passwords.normal(email).toLowerCase(Locale.ROOT) : "";
        String mailbox = address.substring(0, Math.max(0, address.indexOf('@')));
        if (List.of(username, "@" + username, address, mailbox).contains(unit)) {
            errors.add("password", "ERR_INVALID", "is your user name or e-mail address: choose another");
        }
    }

    /** Characters that a reader sees as one: marks on a letter, and what has no shape, are none. */
    private static boolean counts(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.FORMAT,
                    Character.CONTROL,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    /** The repeated part of a text that repeats one ({@code abcabc} is {@code abc}); else the text. */
    private static String unit(String text) {
        int period = (text + text).indexOf(text, 1);
        return text.substring(0, period);
    }
}
