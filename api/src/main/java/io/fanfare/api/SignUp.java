package io.fanfare.api;

import io.fanfare.common.http.Parameters;
import io.fanfare.common.model.Account;
import java.util.Locale;
import java.util.regex.Pattern;

/** Somebody who wants an account: the body of {@code POST /api/v1/accounts}. Name and address are in lower case; whoever holds one holds acceptable values. */
record SignUp(String username, String email, String password, boolean agreement) {
    private static final int EMAIL_MAX = 254;

    /** Sane, not more: whether an address works, only a message to it can tell. */
    private static final Pattern EMAIL = Pattern.compile(
            "[^\\s@<>\"(),:;\\[\\]\\\\\\p{Cntrl}]{1,64}@[\\p{L}\\p{N}][\\p{L}\\p{N}.-]*\\.[\\p{L}\\p{N}-]{2,63}");

    SignUp {
        Faults faults = new Faults();
        checkUsername(faults, username);
        checkEmail(faults, email);
        NewPassword.check(faults, password);
        NewPassword.checkOwner(faults, password, username, email);
        if (!agreement) {
            faults.add("agreement", "ERR_ACCEPTED", "must be accepted");
        }
        faults.refuseIfAny();
    }

    /** Whether this could be an address of mail, in lower case. */
    static boolean isEmail(String address) {
        return address.length() <= EMAIL_MAX
                && !address.contains("..")
                && EMAIL.matcher(address).matches();
    }

    static SignUp of(Parameters parameters) {
        return new SignUp(
                folded(parameters.text("username", "")),
                folded(parameters.text("email", "")),
                parameters.text("password", ""),
                parameters.flag("agreement", false));
    }

    /** As names and addresses are compared. What is longer than any of them is nobody's, whatever its case. */
    static String folded(String text) {
        String bare = text.strip();
        return bare.length() > EMAIL_MAX ? bare : bare.toLowerCase(Locale.ROOT);
    }

    static void checkUsername(Faults faults, String username) {
        if (username.isEmpty()) {
            faults.add("username", "ERR_BLANK", "can't be blank");
        } else if (username.length() > Account.USERNAME_MAX) {
            faults.add("username", "ERR_TOO_LONG", "is too long (at most " + Account.USERNAME_MAX + " characters)");
        } else if (!Account.isUsername(username)) {
            faults.add("username", "ERR_INVALID", "must contain only letters, numbers and underscores");
        }
    }

    static void checkEmail(Faults faults, String email) {
        if (email.isEmpty()) {
            faults.add("email", "ERR_BLANK", "can't be blank");
        } else if (!isEmail(email)) {
            faults.add("email", "ERR_INVALID", "is not an e-mail address");
        }
    }

    /** The password stays out of logs, whoever prints the record. */
    @Override
    public String toString() {
        return "SignUp[" + username + "]";
    }
}
