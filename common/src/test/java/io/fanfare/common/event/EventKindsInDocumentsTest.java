package io.fanfare.common.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Documents and the web client name each kind of event where their readers look for it. */
class EventKindsInDocumentsTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void theTableOfTheLogHasTheLetterOfEachKind() throws IOException {
        assertThat(all("`([a-z])`", line("docs/wire.md", "| kind |"))).hasSameElementsAs(letters());
    }

    @Test
    void theHeaderOfTheScriptThatAppendsHasTheLetterOfEachKind() throws IOException {
        String header = line("common/src/main/resources/lua/append.lua", "  ARGV[8]  kinds");
        assertThat(all("[:,] ([a-z]) [a-z]", header)).hasSameElementsAs(letters());
    }

    @Test
    void theGlossaryHasTheNameOfEachKind() throws IOException {
        String row = line("docs/glossary.md", "| event |");
        for (Kind kind : Kind.values()) {
            assertThat(row).containsPattern("\\b" + Pattern.quote(kind.wire()) + "\\b");
        }
    }

    /** An EventSource receives only the events whose names it was given. */
    @Test
    void thePagesOfTheWebClientNameEachKindThatNativeStreamsSend() throws IOException {
        Set<String> named = new HashSet<>();
        for (String script : List.of("live.js", "streams.js")) {
            named.addAll(
                    all("\"([a-z.]+)\"", line("web/src/main/resources/io/fanfare/web/" + script, "const KINDS = ")));
        }
        assertThat(named)
                .containsAll(Arrays.stream(Kind.values())
                        .filter(Kind::isNative)
                        .map(Kind::wire)
                        .toList());
    }

    private static List<String> letters() {
        return Arrays.stream(Kind.values())
                .map(kind -> String.valueOf(kind.letter()))
                .toList();
    }

    private static List<String> all(String pattern, String text) {
        return new ArrayList<>(Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList());
    }

    private static String line(String file, String start) throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve(file)).stream()
                .filter(line -> line.startsWith(start))
                .toList();
        assertThat(lines).as("the line '%s' of %s", start, file).hasSize(1);
        return lines.get(0);
    }
}
