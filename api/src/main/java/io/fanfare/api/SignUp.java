package io.fanfare.api;

import io.fanfare.common.http.Parameters;
import io.fanfare.common.model.Account;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Somebody who wants an account: the body of {@code POST /api/v1/accounts}. Name and address are in lower case; whoever holds one holds acceptable values. */
record SignUp(String username, String email, String password, boolean agreement) {
    private static final int EMAIL_MAX = 254;
    private static final int PASSWORD_MIN = 8;
    private static final int PASSWORD_MAX = 128;

    /** Sane, not more: whether an address works, only a message to it can tell. */
    private static final Pattern EMAIL = Pattern.compile(
            "[^\\s@<>\"(),:;\\[\\]\\\\\\p{Cntrl}]{1,64}@[\\p{L}\\p{N}][\\p{L}\\p{N}.-]*\\.[\\p{L}\\p{N}-]{2,63}");

    private static final Set<String> COMMON_PASSWORDS = commonPasswords();

    SignUp {
        Faults faults = new Faults();
        checkUsername(faults, username);
        checkEmail(faults, email);
        checkPassword(faults, password);
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

    /** As names and addresses are compared. */
    static String folded(String text) {
        return text.strip().toLowerCase(Locale.ROOT);
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

    /** No rules of composition: length, and not one of those that everybody tries first. */
    static void checkPassword(Faults faults, String password) {
        String normal = Normalizer.normalize(password, Normalizer.Form.NFC);
        int length = normal.codePointCount(0, normal.length());
        if (length == 0) {
            faults.add("password", "ERR_BLANK", "can't be blank");
        } else if (length < PASSWORD_MIN) {
            faults.add("password", "ERR_TOO_SHORT", "is too short (at least " + PASSWORD_MIN + " characters)");
        } else if (length > PASSWORD_MAX) {
            faults.add("password", "ERR_TOO_LONG", "is too long (at most " + PASSWORD_MAX + " characters)");
        } else if (COMMON_PASSWORDS.contains(normal.toLowerCase(Locale.ROOT))) {
            faults.add("password", "ERR_INVALID", "is one of the most common passwords: choose another");
        }
    }

    private static Set<String> commonPasswords() {
        try (InputStream in = SignUp.class.getResourceAsStream("common-passwords.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
