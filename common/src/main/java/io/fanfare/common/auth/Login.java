package io.fanfare.common.auth;

/**
 * The result of a password check. It is worth a token as long as the account has that password: see
 * {@link Tokens#issue(Login, String, String, java.util.Set)}.
 *
 * @param userId 0 = nobody: there is no such account, or the password is wrong
 * @param passwordRev the revision of the account's password: goes up with every change
 */
public record Login(long userId, long passwordRev) {
    public static final Login REFUSED = new Login(0, 0);

    public boolean isGood() {
        return userId != 0;
    }
}
