package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People read sentences about failures, never names of classes. */
class FailureSentencesTest {
    /** A statement for people: a log line that operators see, a line on stderr, a start that fails. */
    private static final Pattern STATEMENT =
            Pattern.compile("(?:(?:LOG|log)\\.(?:info|warn|error)\\(|System\\.err\\.println\\(|err\\.println\\("
                    + "|new (?:StartFailed|BenchFailed|RedisError)\\()[^;]*;");

    private static final String FAILURE = "(?:e|cause|failure|failed|unwritable|ended)";

    private static final Pattern CLASS_NAME = Pattern.compile("\\b" + FAILURE + "\\.toString\\(\\)" + "|\\b" + FAILURE
            + "\\.getClass\\(\\)|\" *\\+ *" + FAILURE + "(?![\\w.(])");

    @TempDir
    Path dir;

    @Test
    void noStatementForPeopleShowsTheNameOfAnExceptionsClass() throws IOException {
        List<String> found = new ArrayList<>();
        int statements = 0;
        try (Stream<Path> sources = Files.walk(Path.of(".."))) {
            for (Path source : sources.filter(FailureSentencesTest::isSource).toList()) {
                for (MatchResult statement :
                        STATEMENT.matcher(Files.readString(source)).results().toList()) {
                    statements++;
                    if (CLASS_NAME.matcher(statement.group()).find()) {
                        found.add(
                                source.getFileName() + ": " + statement.group().replaceAll("\\s+", " "));
                    }
                }
            }
        }
        assertThat(statements).isGreaterThan(300);
        assertThat(found)
                .as("use Reason.of, or Reason.kind where texts of users may be")
                .isEmpty();
    }

    private static boolean isSource(Path path) {
        return path.toString().endsWith(".java")
                && path.toString().contains("/src/main/java/")
                // A mistake of ours in the code of streams, with its stack trace.
                && !path.endsWith("stream/filter/Failures.java");
    }

    @Test
    void commandsSayWhatIsWrongWithFilesAndHosts() throws IOException {
        Path file = Files.writeString(dir.resolve("file"), "text");
        Path none = dir.resolve("none");
        assertThat(run("restore", dir.toString(), "--data", none.toString()).err())
                .contains("fanfare: " + dir + " is no whole backup");
        assertThat(run("up", "--data", file.toString()).err())
                .contains("the data folder " + file + " cannot be used (" + file + ": it exists already)");
        assertThat(run("up", "--config", dir.toString()).err())
                .contains("the settings file " + dir + " cannot be read: ")
                .contains("s a directory");
        assertThat(run("admin", "streams", "--management", "http://127.0.0.1:1").err())
                .contains("no management server answers at http://127.0.0.1:1/streams?limit=100 "
                        + "(the connection was refused)");
        assertThat(run("admin", "streams", "--management", "http://nohost.invalid:1")
                        .err())
                .contains("(the host name has no address)");
        assertThat(run("listen", "--url", "http://nohost.invalid").err()).contains("the host name has no address");
        assertThat(run("admin", "queue", "stats", "--set", "redis.url=redis://127.0.0.1:1")
                        .err())
                .contains("Redis does not answer at 127.0.0.1:1: the connection was refused");
        assertThat(run("admin", "queue", "stats", "--set", "redis.url=redis://nohost.invalid")
                        .err())
                .contains("the host name has no address");
    }

    private static CommandRun run(String... line) {
        CommandRun run = CommandRun.of(List.of(line));
        assertThat(run.status()).as(run.out() + run.err()).isPositive();
        assertThat(run.err())
                .as(String.join(" ", line))
                .doesNotContainPattern("[A-Z]\\w+(Exception|Error)\\b")
                .doesNotContain("\tat ");
        return run;
    }
}
