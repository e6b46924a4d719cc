package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fanfare size}, its costs, and the page that shows its output. */
class SizeCommandTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path PAGE = ROOT.resolve("docs/scaling.md");
    private static final boolean WRITES = Boolean.getBoolean("fanfare.tests.write-docs");
    private static final Path PYTHON = Path.of("/usr/bin/python3");

    /** A block of the page: a command and its output. */
    private static final Pattern BLOCK = Pattern.compile("(?s)(```console\n\\$ \\./fanfare ([^\n]*)\n)(.*?)(?=```)");

    private static CommandRun run(String line) {
        return CommandRun.of(List.of(line.split(" ", -1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "size --users 1",
                "size --users 1,200,1000000,1000000000",
                "size --users 1000000000 --posts-per-user-day 100 --follows 5000 --pictures-per-post 4 --simulate",
                "size --costs"
            })
    void noLineIsLongerThanATerminal(String line) {
        CommandRun run = run(line);

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out().lines()).hasSizeGreaterThan(15).allSatisfy(printed -> assertThat(printed)
                .hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void theOutputForProgramsHasTheSameSizeAsThatForPeople() {
        JsonObject two = new JsonObject(run("size --users 200,1000000 --json").out());
        JsonObject million = two.getJsonArray("sizes").getJsonObject(1);

        assertThat(million.getLong("users")).isEqualTo(1_000_000);
        assertThat(million.getString("bottleneck")).isEqualTo("memory of Redis");
        assertThat(run("size --users 1000000").out()).contains("bottleneck at 1,000,000 users: memory of Redis");
        assertThat(new JsonObject(run("size --users 1000000 --simulate --json").out()).getDouble("events_ceiling"))
                .isPositive();
        assertThat(new JsonObject(run("size --costs --json").out()).getJsonArray("costs"))
                .isNotEmpty();
    }

    @Test
    void streamsTakeThePlaceOfTheShareThatIsOnline() {
        assertThat(run("size --users 1000 --streams 20").out())
                .isEqualTo(run("size --users 1000 --online-share 0.02").out());
    }

    @Test
    void thePageShowsTheOutputOfItsCommands() throws Exception {
        String page = Files.readString(PAGE);
        StringBuilder now = new StringBuilder();
        Matcher block = BLOCK.matcher(page);
        int blocks = 0;
        while (block.find()) {
            CommandRun run = run(block.group(2));
            assertThat(run.status()).as(run.err()).isZero();
            block.appendReplacement(now, Matcher.quoteReplacement(block.group(1) + run.out()));
            blocks++;
        }
        block.appendTail(now);
        if (WRITES) {
            Files.writeString(PAGE, now);
            return;
        }
        assertThat(blocks).isGreaterThanOrEqualTo(3);
        assertThat(now.toString())
                .as("%s; -Dfanfare.tests.write-docs=true writes the blocks", PAGE)
                .isEqualTo(page);
    }

    @Test
    void theCostsAreThoseOfTheResultsOfTheBenchmarks() throws Exception {
        assumeThat(PYTHON).isExecutable();
        Process check = new ProcessBuilder(
                        PYTHON.toString(),
                        ROOT.resolve("docs/benchmarks/costs.py").toString(),
                        "--check")
                .redirectErrorStream(true)
                .start();
        String output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(check.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(check.exitValue()).as(output).isZero();
    }
}
