package io.fanfare.api.request;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The passwords that everybody tries first, by {@code common-passwords.txt}. About 1 MB for the whole process, read
 * when the class is loaded.
 */
public final class CommonPasswords {
    private static final Set<String> WORDS = read();

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

    private static Set<String> read() {
        try (InputStream in = CommonPasswords.class.getResourceAsStream("common-passwords.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
