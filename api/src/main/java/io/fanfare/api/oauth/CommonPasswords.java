package io.fanfare.api.oauth;

import java.util.Set;

/**
 * The passwords that everybody tries first, by {@code common-passwords.txt}. About 1 MB for the whole process, read
 * when the class is loaded.
 */
public final class CommonPasswords {
    private static final Set<String> WORDS = WordList.read("common-passwords.txt");

    private CommonPasswords() {}

    /** Has the list read now, at the start of the server, rather than by the first sign-up. */
    public static void load() {
        if (WORDS.isEmpty()) {
            throw new IllegalStateException("common-passwords.txt has no words");
        }
    }

    /** @param password in lower case */
    static boolean contains(String password) {
        return WORDS.contains(password);
    }
}
