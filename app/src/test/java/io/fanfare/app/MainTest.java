package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What an operator reads after a mistake; run in this process, since nothing gets as far as starting. */
class MainTest {
    @TempDir
    Path dir;

    /** A percent sign that is not doubled is one of picocli's formats, of which it complains on stderr. */
    @Test
    void theHelpOfNoCommandHoldsABrokenFormat() {
        PrintStream err = System.err;
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        System.setErr(new PrintStream(complaints, true, StandardCharsets.UTF_8));
        List<CommandLine> all = new ArrayList<>(List.of(Main.commandLine()));
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
        assertThat(all).hasSizeGreaterThan(30);
    }

    /** A command that is asked for by another name would not be found alone. */
    @Test
    void eachCommandAloneHasTheNameAndTheHelpThatItHasAmongAll() {
        Main.commandLine().getSubcommands().forEach((name, among) -> {
            var alone = Main.commandLine(name).getSubcommands();
            assertThat(alone).containsOnlyKeys(name);
            assertThat(alone.get(name).getUsageMessage()).isEqualTo(among.getUsageMessage());
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "up --set feeds.home-mx=5              | 2 | feeds.home-mx (the command line) is no setting; did you mean feeds.home-max?",
                "up --port 70000                       | 2 | http.port: '70000' (the command line) is not possible; possible is a whole number from 0 to 65535",
                "up --config NONE/none.yaml            | 2 | none.yaml does not exist",
                "worker --set queue.beat=9s            | 2 | queue.beat must be shorter than half of queue.lease",
                "worker --data NONE                    | 1 | no service runs on NONE: start one with `fanfare up`",
                "admin queue stats --data NONE         | 1 | no service runs on NONE",
                "listen river                          | 2 | there is no stream 'river': take firehose, sample, filter or home",
                "listen home --track x                 | 2 | --track, --follow and --locations go with filter only",
                "listen --url http://127.0.0.1:1       | 1 | no server answers at http://127.0.0.1:1",
                "listen --url http://127.0.0.1:70000   | 2 | --url http://127.0.0.1:70000 is no address",
                "listen --url ftp://127.0.0.1          | 2 | --url ftp://127.0.0.1 is no address",
                "listen --url http://127.0.0.1:1 --token caf\u00e9 | 2 | the access token has a character that no token has",
                "listen --track \ufffd\ufffd          | 2 | --track holds what this locale cannot write: start with LC_ALL=C.UTF-8",
                "admin streams --data NONE             | 1 | no service runs on NONE",
                "admin streams --management http://127.0.0.1:1 | 1 | no management server answers at http://127.0.0.1:1",
                "admin streams --management http://127.0.0.1:1/ | 1 | no management server answers at http://127.0.0.1:1/streams",
                "admin streams --management 127.0.0.1:1 | 2 | --management 127.0.0.1:1 is no address: write http://HOST:PORT",
                "worker --set redis.url=localhost      | 2 | redis.url must read redis://",
                "up --data NONE/file                   | 1 | the data folder NONE/file cannot be used",
                "replay --graph NONE/g --messages m --posts 0 | 2 | '--posts': '0' is not a whole number from 1",
                "replay --graph NONE/g --messages m --at-once 0 | 2 | '--at-once': '0' is not a whole number from 1",
                "replay --graph NONE/g --messages m --users 0 | 2 | '--users': '0' is not a whole number from 1",
                "replay --graph NONE/g --messages m --rate -1 | 2 | --rate is from 0 to 1000000 posts a second",
                "replay --graph NONE/g --messages m --rate NaN | 2 | --rate is from 0",
                "replay --graph NONE/g --messages m --authors foo | 2 | expected one of [FOLLOWERS, UNIFORM]",
                "replay --graph NONE/g --messages m --run Mine | 2 | --run is 1 to 10 of a-z and 0-9",
                "replay --graph NONE/g --messages m --run abcdefghijk | 2 | --run is 1 to 10 of a-z and 0-9",
                "replay --graph NONE/g --messages m | 2 | the graph file NONE/g does not exist",
                "bench fanout --authors foo | 2 | expected one of [FOLLOWERS, UNIFORM]",
                "bench fanout --appendfsync foo | 2 | expected one of [ALWAYS, EVERYSEC, NO, OFF]",
                "bench fanout --homes 0 | 2 | '--homes': '0' is not a whole number from 1",
                "bench fanout --graph NONE/g | 2 | the graph file NONE/g does not exist",
                "bench fanout --graph NONE/file | 1 | the graph file NONE/file has no edges",
                "bench fanout --redis NONE/no-server | 1 | no redis-server can be started",
                "bench fanout --url redis://127.0.0.1:1 | 1 | 127.0.0.1:1",
                "up --set http.public-url=https://social.example --data NONE/data | 1 | http.trusted-proxies names none, so that all visitors would share the limits of one",
                "up --set management.host=0.0.0.0      | 2 | management.token must be set when management.host is not the machine itself",
                "up --set management.token=short       | 2 | management.token must be empty or at least 16 characters long",
                "up --set http.connections-max=15000   | 2 | http.connections-max must be larger than stream.connections-max",
                "sing                                  | 2 | Unmatched argument",
                "up --colour red                       | 2 | Unknown options: '--colour', 'red'",
            })
    void mistakesAreSentencesWithoutStackTraces(String line, int status, String sentence) throws Exception {
        Path none = Files.createDirectory(dir.resolve("none"));
        Files.writeString(none.resolve("file"), "no folder");

        CommandRun result = CommandRun.of(Stream.of(line.split(" ", -1))
                .map(word -> word.replace("NONE", none.toString()))
                .toList());

        assertThat(result.err())
                .contains(sentence.replace("NONE", none.toString()))
                .doesNotContain("\tat ");
        assertThat(result.status()).isEqualTo(status);
        // A watch that stays would halt this JVM minutes later.
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("start-deadline")));
    }

    @Test
    void configPrintShowsWhatDiffersAndMasksSecrets() throws Exception {
        Path config = Files.writeString(
                dir.resolve("mine.yaml"), "redis:\n  url: redis://:canary@127.0.0.1:1\n  shards: 64\n");

        CommandRun result = CommandRun.of(
                List.of("config", "print", "--config", config.toString(), "--set", "limits.enabled=false"));

        assertThat(result.status()).isZero();
        assertThat(result.out())
                .contains("http:", "  host: 127.0.0.1\n", "  shards: 64   # " + config + ", line 3\n")
                .contains("  enabled: false   # the command line", "  url: \"***\"   # " + config)
                .doesNotContain("canary");
    }

    @Test
    void whatConfigPrintShowsIsAFileOfSettings() throws Exception {
        CommandRun printed = CommandRun.of(List.of("config", "print"));
        Path copy = Files.writeString(dir.resolve("copy.yaml"), printed.out());

        assertThat(CommandRun.of(List.of("config", "print", "--config", copy.toString()))
                        .status())
                .isZero();
    }

    /** {@code --help} of every command at every depth works, and says how the command ends. */
    @Test
    void everyCommandHasHelpAVersionAndItsExitStatuses() {
        for (CommandLine command : everyCommand()) {
            List<String> path = path(command);
            CommandRun help = CommandRun.of(with(path, "--help"));
            assertThat(help.status()).as("%s --help", path).isZero();
            assertThat(help.out())
                    .as("%s --help", path)
                    .startsWith("Usage: " + command.getCommandSpec().qualifiedName())
                    .contains("Exit status:")
                    .containsPattern("(?m)^ +0 {3,}\\S")
                    .containsPattern("(?m)^ +1 {3,}\\S")
                    .containsPattern("(?m)^ +2 {3,}\\S");
            assertThat(CommandRun.of(with(path, "--version")).out())
                    .as("%s --version", path)
                    .startsWith("fanfare ");
        }
        for (String service : List.of("up", "api", "worker", "stream")) {
            assertThat(CommandRun.of(List.of(service, "--help")).out())
                    .containsPattern("3 +the memory was full")
                    .containsPattern("4 +an event loop hung")
                    .containsPattern("5 +not ready after");
        }
    }

    /** A command does something, in the third person; an option ends with a full stop. */
    @Test
    void helpTextsHaveOneVoice() {
        for (CommandLine command : everyCommand()) {
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

    private static List<CommandLine> everyCommand() {
        List<CommandLine> all = new ArrayList<>(List.of(Main.commandLine()));
        for (int i = 0; i < all.size(); i++) {
            all.addAll(all.get(i).getSubcommands().values());
        }
        assertThat(all).hasSizeGreaterThan(60);
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

    @Test
    void theVersionIsPrinted() {
        assertThat(CommandRun.of(List.of("version")).out()).startsWith("fanfare ");
        assertThat(CommandRun.of(List.of("--version")).out()).startsWith("fanfare ");
    }
}
