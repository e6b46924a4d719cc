package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The help texts and the mistakes that every {@link Program} treats alike; run in this process. */
public abstract class ProgramCases {
    @TempDir
    protected Path dir;

    private final int commands;

    /** @param commands at every depth, at least */
    protected ProgramCases(int commands) {
        this.commands = commands;
    }

    protected abstract CommandLine commandLine(String... args);

    protected abstract int execute(String... args);

    /** Runs a line, in which NONE stands for a folder without anything but a file "file". */
    protected final void expectSentence(String line, int status, String sentence) throws IOException {
        Path none = Files.createDirectory(dir.resolve("none"));
        Files.writeString(none.resolve("file"), "no folder");

        CommandRun result = run(Stream.of(line.split(" ", -1))
                .map(argument -> argument.replace("NONE", none.toString()))
                .toList());

        assertThat(result.err())
                .contains(sentence.replace("NONE", none.toString()))
                .doesNotContain("\tat ");
        assertThat(result.status()).isEqualTo(status);
        // A watch that stays would halt this JVM minutes later.
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("start-deadline")));
    }

    private CommandRun run(List<String> line) {
        return CommandRun.of(this::execute, line);
    }

    /** A percent sign that is not doubled is one of picocli's formats, of which it complains on stderr. */
    @Test
    void theHelpOfNoCommandHoldsABrokenFormat() {
        PrintStream err = System.err;
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        System.setErr(new PrintStream(complaints, true, StandardCharsets.UTF_8));
        List<CommandLine> all = new ArrayList<>(List.of(commandLine()));
        try {
            for (int i = 0; i < all.size(); i++) {
                all.addAll(all.get(i).getSubcommands().values());
                assertThat(all.get(i).getUsageMessage())
                        .as(all.get(i).getCommandName())
                        .doesNotContain("%%");
            }
        } finally {
            System.setErr(err);
        }
        assertThat(complaints.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(all).hasSizeGreaterThanOrEqualTo(commands);
    }

    /** A command that is asked for by another name would not be found alone. */
    @Test
    void eachCommandAloneHasTheNameAndTheHelpThatItHasAmongAll() {
        commandLine().getSubcommands().forEach((name, among) -> {
            var alone = commandLine(name).getSubcommands();
            assertThat(alone).containsOnlyKeys(name);
            assertThat(alone.get(name).getUsageMessage()).isEqualTo(among.getUsageMessage());
            among.getSubcommands().forEach((below, amongAll) -> assertThat(commandLine(name, below)
                            .getSubcommands()
                            .get(name)
                            .getSubcommands()
                            .get(below)
                            .getUsageMessage())
                    .isEqualTo(amongAll.getUsageMessage()));
        });
    }

    /** {@code --help} of every command at every depth works, and says how the command ends. */
    @Test
    void everyCommandHasHelpAVersionAndItsExitStatuses() {
        CommandLine program = commandLine();
        for (CommandLine command : everyCommand(program)) {
            List<String> path = path(command);
            assertThat(printed(program, with(path, "--help")))
                    .as("%s --help", path)
                    .startsWith("Usage: " + command.getCommandSpec().qualifiedName())
                    .contains("Exit status:")
                    .containsPattern("(?m)^ +0 {3,}\\S")
                    .containsPattern("(?m)^ +1 {3,}\\S")
                    .containsPattern("(?m)^ +2 {3,}\\S");
            assertThat(printed(program, with(path, "--version")))
                    .as("%s --version", path)
                    .startsWith("fanfare ");
        }
    }

    /** By one command line for all: to describe a program again for each of its commands takes most of the time. */
    private static String printed(CommandLine program, List<String> line) {
        StringWriter out = new StringWriter();
        program.setOut(new PrintWriter(out));
        assertThat(program.execute(line.toArray(String[]::new))).as("%s", line).isZero();
        return out.toString();
    }

    /** A command does something, in the third person; an option ends with a full stop. */
    @Test
    void helpTextsHaveOneVoice() {
        for (CommandLine command : everyCommand(commandLine())) {
            String name = command.getCommandSpec().qualifiedName();
            String text =
                    String.join(" ", command.getCommandSpec().usageMessage().description());
            assertThat(text).as(name).matches("(?s)[A-Z][a-z]+s,? .*\\.");
            for (CommandLine.Model.ArgSpec argument : command.getCommandSpec().args()) {
                if (argument instanceof CommandLine.Model.OptionSpec option
                        && (option.usageHelp() || option.versionHelp())) {
                    continue; // Picocli's own, in another voice.
                }
                String described = String.join(" ", argument.description());
                assertThat(described).as("%s %s", name, argument.paramLabel()).endsWith(".");
                assertThat(described)
                        .as("%s %s", name, argument.paramLabel())
                        .doesNotMatch(
                                "(Ask|Drop|Give|Keep|Look|Measure|Mend|Print|Repair|Run|Show|Speak|Start|Take|Use|Write)"
                                        + " .*");
            }
            CommandLine.Model.OptionSpec json = command.getCommandSpec().findOption("--json");
            if (json != null && json.arity().max() == 0) {
                assertThat(json.description()[0]).as(name).matches("For programs: (one|an) .*");
            }
        }
    }

    private List<CommandLine> everyCommand(CommandLine program) {
        List<CommandLine> all = new ArrayList<>(List.of(program));
        for (int i = 0; i < all.size(); i++) {
            all.addAll(all.get(i).getSubcommands().values());
        }
        assertThat(all).hasSizeGreaterThanOrEqualTo(commands);
        return all;
    }

    /** The words that ask for a command. */
    private static List<String> path(CommandLine command) {
        List<String> words = List.of(command.getCommandSpec().qualifiedName().split(" ", -1));
        return words.subList(1, words.size());
    }

    private static List<String> with(List<String> path, String option) {
        return Stream.concat(path.stream(), Stream.of(option)).toList();
    }
}
