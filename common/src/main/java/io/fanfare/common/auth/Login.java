package io.fanfare.common.auth;

/**
 * The result of a password check. It is worth a token as long as the account has that password, and only with a code
 * where the account has a second factor: see {@link Tokens#issue(Login, String, String, java.util.Set)}.
 *
 * @param userId 0 = nobody: there is no such account, or the password is wrong
 * @param passwordRev the revision of the account's password: goes up with every change of the password, and when a
 *     second factor is enabled or removed
 */
public record Login(long userId, long passwordRev, Factor factor) {
    public static final Login REFUSED = new Login(0, 0);

    /** The second factor of a log-in. */
    public enum Factor {
        /** The account has none. */
        NONE,
        /** The account has one, of which no code was checked. */
        NEEDED,
        /** A code was right. */
        PROVEN
    }

    /** One of an account without a second factor. */
    public Login(long userId, long passwordRev) {
        this(userId, passwordRev, Factor.NONE);
    }

    /** Whether the log-in is complete. */
    public boolean isGood() {
        return isPasswordRight() && !needsCode();
    }

    /** Whether the password was right, be the log-in complete or not. */
    public boolean isPasswordRight() {
        return userId != 0;
    }

    /** Whether a code of the second factor is still missing. */
    public boolean needsCode() {
        return factor == Factor.NEEDED;
    }

    /** The same with a code that was right. */
    public Login proven() {
        return new Login(userId, passwordRev, Factor.PROVEN);
    }
}
