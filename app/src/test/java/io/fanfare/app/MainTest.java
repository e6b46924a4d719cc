package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command line of the product; run in this process, since nothing gets as far as starting. */
class MainTest extends ProgramCases {
    MainTest() {
        super(60);
    }

    @Override
    protected CommandLine commandLine(String... args) {
        return Main.commandLine(args);
    }

    @Override
    protected int execute(String... args) {
        return Main.execute(args);
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
                "listen --url http://127.0.0.1?x=1     | 2 | \"http://127.0.0.1?x=1\" is no address of a server",
                "listen --url ftp://127.0.0.1          | 2 | --url ftp://127.0.0.1 is no address",
                "listen --url http://127.0.0.1:1 --token caf\u00e9 | 2 | the access token has a character that no token has",
                "listen --track \ufffd\ufffd          | 2 | --track holds what this locale cannot write: start with LC_ALL=C.UTF-8",
                "admin streams --data NONE             | 1 | no service runs on NONE",
                "admin streams --management http://127.0.0.1:1 | 1 | no management server answers at http://127.0.0.1:1",
                "admin streams --management http://127.0.0.1:1/ | 1 | no management server answers at http://127.0.0.1:1/streams",
                "admin streams --management 127.0.0.1:1 | 2 | --management 127.0.0.1:1 is no address: write http://HOST:PORT",
                "worker --set redis.url=localhost      | 2 | redis.url must read redis://",
                "up --data NONE/file                   | 1 | the data folder NONE/file cannot be used",
                "up --set http.public-url=https://social.example --data NONE/data | 1 | http.trusted-proxies names none, so that all visitors would share the limits of one",
                "up --set management.host=0.0.0.0      | 2 | management.token must be set when management.host is not the machine itself",
                "up --set management.token=short       | 2 | management.token must be empty or at least 16 characters long",
                "up --set http.connections-max=15000   | 2 | http.connections-max must be larger than stream.connections-max",
                "size                                  | 2 | --users must be 1 to 4 numbers of accounts, with commas between",
                "size --users 1,2,3,4,5                | 2 | --users must be 1 to 4 numbers of accounts",
                "size --users 0                        | 2 | --users must be a number from 1 to 10,000,000,000",
                "size --users many                     | 2 | Invalid value for option '--users'",
                "size --users 9 --follows -1           | 2 | --follows must be a number from 0 to 1,000,000",
                "size --users 9 --online-share 1.5     | 2 | --online-share must be a number from 0 to 1",
                "size --users 9 --peak-factor NaN      | 2 | --peak-factor must be a number from 1 to 1,000",
                "size --users 9,10 --simulate          | 2 | --simulate takes one number of --users",
                "size --users 9 --set feeds.home-max=0 | 2 | feeds.home-max",
                "sing                                  | 2 | Unmatched argument",
                "up --colour red                       | 2 | Unknown options: '--colour', 'red'",
            })
    void mistakesAreSentencesWithoutStackTraces(String line, int status, String sentence) throws Exception {
        expectSentence(line, status, sentence);
    }

    @Test
    void onlyTheCommandOfAdminThatIsNamedIsDescribed() {
        assertThat(below("admin", "queue", "stats")).containsExactly("queue");
        assertThat(below("admin")).hasSizeGreaterThan(20);
        assertThat(below("admin", "queu")).as("to be suggested").hasSizeGreaterThan(20);
        expectUnmatched("admin", "queu");
    }

    private static Set<String> below(String... args) {
        return Main.commandLine(args)
                .getSubcommands()
                .get(args[0])
                .getSubcommands()
                .keySet();
    }

    private static void expectUnmatched(String... args) {
        CommandRun run = CommandRun.of(List.of(args));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("Did you mean", "admin queue");
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
    void theOutputOfConfigPrintIsAFileOfSettings() throws Exception {
        CommandRun printed = CommandRun.of(List.of("config", "print"));
        Path copy = Files.writeString(dir.resolve("copy.yaml"), printed.out());

        assertThat(CommandRun.of(List.of("config", "print", "--config", copy.toString()))
                        .status())
                .isZero();
    }

    @Test
    void theHelpOfAServiceSaysWhyItMayEnd() {
        for (String service : List.of("up", "api", "worker", "stream")) {
            assertThat(CommandRun.of(List.of(service, "--help")).out())
                    .containsPattern("3 +the memory was full")
                    .containsPattern("4 +an event loop hung")
                    .containsPattern("5 +not ready after");
        }
    }

    /** A jar that is downloaded has no folder beside it in which the other program would be. */
    @ParameterizedTest
    @ValueSource(strings = {"bench", "replay"})
    void theCommandsThatMeasureAreInTheJarThatTheSentenceNames(String command) throws Exception {
        expectSentence(command + " --help", 2, "start java -jar fanfare-bench.jar " + command);

        assertThat(CommandRun.of(List.of("--help")).out())
                .contains("  doctor ")
                .doesNotContainPattern("(?m)^ +" + command);
    }

    /** fanfare.jar is made of the class path of this module. */
    @Test
    void noClassOfTheBenchmarksIsInTheProduct() {
        ClassFileImporter importer = new ClassFileImporter();
        assertThat(importer.importPackages("io.fanfare.app.backup")).isNotEmpty();
        assertThat(importer.importPackages("io.fanfare.bench")).isEmpty();
    }

    @Test
    void theVersionIsPrinted() {
        assertThat(CommandRun.of(List.of("version")).out()).startsWith("fanfare ");
        assertThat(CommandRun.of(List.of("--version")).out()).startsWith("fanfare ");
    }
}
