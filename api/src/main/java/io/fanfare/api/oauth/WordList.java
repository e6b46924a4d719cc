package io.fanfare.api.oauth;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;

/** Files of words beside this class, one word a line; lines that begin with # are comments. */
final class WordList {
    private WordList() {}

    /** The words of a file. Blocks; for constants. */
    static Set<String> read(String file) {
        try (InputStream in = WordList.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
