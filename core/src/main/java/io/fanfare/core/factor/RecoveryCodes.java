package io.fanfare.core.factor;

import io.fanfare.common.auth.Secrets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Codes for users who have lost the authenticator app, each good once: 80 random bits in four groups of letters and
 * digits. Too many to guess, so that their plain digest is stored.
 */
final class RecoveryCodes {
    /** Codes that are drawn together. */
    static final int COUNT = 10;

    private static final int GROUPS = 4;
    private static final int GROUP_CHARS = 4;

    private RecoveryCodes() {}

    static List<String> draw(SecureRandom random) {
        return Stream.generate(() -> code(random)).limit(COUNT).toList();
    }

    private static String code(SecureRandom random) {
        return String.join(
                "-",
                Stream.generate(() -> Base32.draw(random, GROUP_CHARS).toLowerCase(Locale.ROOT))
                        .limit(GROUPS)
                        .toList());
    }

    /** The stored form of a code, however it was typed: letters of both cases, with or without hyphens. */
    static String digest(String code) {
        return Secrets.digest(code.replaceAll("[\\s-]", "").toLowerCase(Locale.ROOT));
    }
}
