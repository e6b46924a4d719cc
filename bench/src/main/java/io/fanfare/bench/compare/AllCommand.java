package io.fanfare.bench.compare;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.failure.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code bench all}: the main scenarios one after the other, and one table of Fanfare beside its peers. */
@Command(
        name = "all",
        mixinStandardHelpOptions = true,
        description = "Measures the main scenarios and prints one table of Fanfare beside its peers.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:every scenario has its rows",
            "1:a scenario failed, as its row says; the others have theirs",
            "2:the arguments are wrong"
        })
public final class AllCommand implements Callable<Integer> {
    /** The scenarios with a peer. */
    static final List<String> SCENARIOS = List.of("home", "post", "fanout", "queue", "stream-dense", "stream-sparse");

    private static final List<String> QUICK = List.of("--rounds", "1", "--seconds", "1");
    private static final List<String> WHOLE = List.of("--rounds", "5");

    @Option(
            names = "--quick",
            description = "One round of a second each, about five minutes in all. Default: five rounds, an hour.")
    private boolean quick;

    @Option(
            names = "--with",
            paramLabel = "OPTION",
            description = "An option of every scenario, such as --with=--socket; may be repeated.")
    private List<String> options = List.of();

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "A folder for the reports of the scenarios. Default: they are deleted.")
    private Path results;

    private final MeasuredJar measured;

    public AllCommand() {
        this(MeasuredJar.running());
    }

    AllCommand(MeasuredJar measured) {
        this.measured = measured;
    }

    @Override
    public Integer call() {
        List<String> all = new ArrayList<>(quick ? QUICK : WHOLE);
        all.addAll(options);
        PeerTable table = new PeerTable();
        try (ReportFolder folder = ReportFolder.in(results)) {
            for (String scenario : SCENARIOS) {
                System.err.println("measuring " + scenario + " ...");
                Path json = folder.file(scenario + ".json");
                try {
                    measured.measure(scenario, all, json, folder.file(scenario + ".txt"));
                    table.add(json);
                } catch (BenchFailed e) {
                    table.addFailure(scenario, e.getMessage());
                }
            }
        } catch (IOException e) {
            throw new BenchFailed("the reports cannot be written: " + Reason.of(e));
        }
        table.print(System.out);
        return table.isComplete() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
