package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The PNG pictures of the README and of {@code docs}, made in Chromium of the pages as they are. Needs what
 * {@link ClientsTest} needs; {@code -Dfanfare.tests.write-docs=true} copies them to {@code docs/pictures}. The WebP
 * pictures there compare with an old version, which this build does not have.
 */
@Tag("clients")
class DocumentPicturesTest {
    private static final Path DOCUMENTED = Path.of("../docs/pictures");
    private static final Path MADE = Path.of("target/pictures").toAbsolutePath();
    private static final String OPERATOR = "an-operator-of-this-test";

    @TempDir
    Path dir;

    @Test
    void everyPictureOfADocumentIsMadeOfThePages() throws Exception {
        Files.createDirectories(MADE);
        for (String old : names(MADE)) {
            Files.delete(MADE.resolve(old));
        }
        Path node = ClientScripts.node(dir);
        try (FanfareProcess up = up("people")) {
            ClientScripts.run(dir, "pictures", node, "node", "pictures.mjs", host(up), MADE.toString());
            String management = URI.create(up.runtime().managementUrl()).getAuthority();
            ClientScripts.run(
                    dir, "console", node, "node", "console-picture.mjs", management, OPERATOR, MADE.toString());
        }
        try (FanfareProcess up = up("first")) {
            ClientScripts.run(dir, "first", node, "node", "first-minute.mjs", host(up), MADE.toString());
        }

        // The first minute has more steps than its page shows.
        assertThat(names(MADE)).containsAll(names(DOCUMENTED));
        if (Boolean.getBoolean("fanfare.tests.write-docs")) {
            for (String name : names(DOCUMENTED)) {
                Files.copy(MADE.resolve(name), DOCUMENTED.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private FanfareProcess up(String name) throws Exception {
        return FanfareProcess.up(
                dir.resolve(name), "--set", "limits.enabled=false", "--set", "console.operator-token=" + OPERATOR);
    }

    private static String host(FanfareProcess up) {
        return URI.create(up.runtime().httpUrl()).getAuthority();
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".png"))
                    .sorted()
                    .toList();
        }
    }
}
