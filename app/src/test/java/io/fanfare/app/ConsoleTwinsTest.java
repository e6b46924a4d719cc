package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Every action of the console has a command that does the same. */
class ConsoleTwinsTest {
    private static final Path SOURCES = Path.of("src/main/java/io/fanfare/app/console");
    private static final Pattern ACTION = Pattern.compile(
            "\\b(?:Operation\\.(?:post|moderation)|\\w*[cC]hange|restriction|decision)\\((?:loop, )?\\s*\"([^\"/]+/[^\"]+)\"");

    @Test
    void everyActionOfTheConsoleHasACommandThatItsPageNames() throws IOException {
        String page = Files.readString(Path.of("../docs/console.md"));
        CommandLine admin = Main.commandLine("admin").getSubcommands().get("admin");
        assertThat(actions()).hasSizeGreaterThanOrEqualTo(40).allSatisfy(action -> {
            String twin = (action.startsWith("dead/") ? "queue/" : "") + action.replaceFirst("/(un)?note$", "/notes");
            CommandLine command = admin;
            for (String name : twin.split("/", -1)) {
                command = command.getSubcommands().get(name);
                assertThat(command).as(name).isNotNull();
            }
            assertThat(page).contains("`" + (action.equals("dead/drop") ? "drop" : "admin " + twin.replace('/', ' ')));
        });
    }

    private static List<String> actions() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            StringBuilder all = new StringBuilder();
            for (Path file : files.toList()) {
                all.append(Files.readString(file));
            }
            return ACTION.matcher(all).results().map(action -> action.group(1)).toList();
        }
    }
}
