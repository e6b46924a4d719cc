package io.fanfare.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs scenarios as briefly as they can be run, or for the seconds that the options say. */
abstract class ScenarioRun {
    private static final String[] ONCE = {"--rounds", "1"};
    private static final String[] BRIEFLY = {"--seconds", "0.1"};

    @TempDir
    Path dir;

    /** The report of a scenario that ends well. */
    final JsonObject bench(String scenario, String... options) throws IOException {
        assertThat(exit(scenario, options)).isZero();
        return new JsonObject(Files.readString(report(scenario)));
    }

    /** The exit status of a scenario. */
    final int exit(String scenario, String... options) {
        String[] seconds = List.of(options).contains("--seconds") ? new String[0] : BRIEFLY;
        String[] arguments = Stream.of(
                        new String[] {scenario, "--json", report(scenario).toString()}, options, ONCE, seconds)
                .flatMap(Stream::of)
                .toArray(String[]::new);
        return new CommandLine(new BenchCommand()).execute(arguments);
    }

    private Path report(String scenario) {
        return dir.resolve(scenario + ".json");
    }
}
