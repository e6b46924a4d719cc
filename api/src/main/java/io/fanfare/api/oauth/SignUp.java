package io.fanfare.api.oauth;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.common.model.Account;
import io.fanfare.server.http.Parameters;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Somebody who wants an account: the body of {@code POST /api/v1/accounts}. Name and address are in lower case;
 * {@link #of} makes only acceptable ones.
 *
 * @param reason why somebody wants it, for moderators; empty = none
 */
public record SignUp(String username, String email, String password, String reason) {
    /** The longest reason, characters, as in Mastodon. */
    public static final int REASON_MAX = 420;

    private static final int EMAIL_MAX = 254;

    /**
     * Sane, not more: whether an address works, only a message to it can tell. In a network of one's own a host has one
     * name, as {@code localhost} has.
     */
    private static final Pattern EMAIL = Pattern.compile(
            "[^\\s@<>\"(),:;\\[\\]\\\\\\p{Cntrl}]{1,64}@(?:[\\p{L}\\p{N}][\\p{L}\\p{N}.-]*\\.[\\p{L}\\p{N}-]{2,63}|\\p{L}[\\p{L}\\p{N}-]{0,62})");

    /** Whether this could be an e-mail address, in lower case. */
    public static boolean isEmail(String address) {
        return address.length() <= EMAIL_MAX
                && !address.contains("..")
                && EMAIL.matcher(address).matches();
    }

    /**
     * Throws {@link io.fanfare.common.model.Refusal} ({@code INVALID}), which names each field that is not acceptable.
     *
     * @param reasoned whether it must have a reason
     */
    public static SignUp of(Parameters parameters, PasswordRules rules, boolean reasoned) {
        String username = folded(parameters.text("username", ""));
        String email = folded(parameters.text("email", ""));
        String password = parameters.text("password", "");
        String reason = parameters.text("reason", "").strip();
        ValidationErrors errors = new ValidationErrors();
        checkUsername(errors, username);
        checkEmail(errors, email);
        rules.check(errors, password);
        PasswordRules.checkOwner(errors, password, username, email);
        if (!parameters.flag("agreement", false)) {
            errors.add("agreement", "ERR_ACCEPTED", "must be accepted");
        }
        if (reasoned || reason.length() > REASON_MAX) {
            checkReason(errors, reason);
        }
        errors.refuseIfAny();
        return new SignUp(username, email, password, reason);
    }

    /** Throws {@link io.fanfare.common.model.Refusal} ({@code INVALID}) unless there is a reason. */
    void requireReason() {
        ValidationErrors errors = new ValidationErrors();
        checkReason(errors, reason);
        errors.refuseIfAny();
    }

    private static void checkReason(ValidationErrors errors, String reason) {
        if (reason.isEmpty()) {
            errors.add("reason", "ERR_BLANK", "can't be blank");
        } else if (reason.codePointCount(0, reason.length()) > REASON_MAX) {
            errors.add("reason", "ERR_TOO_LONG", "is too long (at most " + REASON_MAX + " characters)");
        }
    }

    /** As names and addresses are compared. What is longer than any of them is nobody's, whatever its case. */
    public static String folded(String text) {
        String bare = text.strip();
        return bare.length() > EMAIL_MAX ? bare : bare.toLowerCase(Locale.ROOT);
    }

    public static void checkUsername(ValidationErrors errors, String username) {
        if (username.isEmpty()) {
            errors.add("username", "ERR_BLANK", "can't be blank");
        } else if (username.length() > Account.USERNAME_MAX) {
            errors.add("username", "ERR_TOO_LONG", "is too long (at most " + Account.USERNAME_MAX + " characters)");
        } else if (!Account.isUsername(username)) {
            errors.add("username", "ERR_INVALID", "must contain only letters, numbers and underscores");
        }
    }

    public static void checkEmail(ValidationErrors errors, String email) {
        if (email.isEmpty()) {
            // Both, as in Mastodon.
            errors.add("email", "ERR_BLANK", "can't be blank");
            errors.add("email", "ERR_INVALID", "is invalid");
        } else if (!isEmail(email)) {
            errors.add("email", "ERR_INVALID", "is not an e-mail address");
        }
    }

    /** The password stays out of logs, whoever prints the record. */
    @Override
    public String toString() {
        return "SignUp[" + username + "]";
    }
}
