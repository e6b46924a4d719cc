package io.fanfare.bench.compare;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.failure.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench compare}: the cost of a unit of work in two versions of the product, measured in turn. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = "Measures scenarios of two versions in turn, and compares the processor time of a unit of work.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:no cost is above the bound",
            "1:a cost is above the bound with a confidence of 95 %%, or a scenario failed, as the last line says",
            "2:the arguments are wrong"
        })
public final class CompareCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "BEFORE.jar",
            description = "The fanfare.jar of the version to compare with, in a folder with its fanfare-bench.jar.")
    private Path before;

    @Parameters(
            index = "1",
            paramLabel = "AFTER.jar",
            description = "The same of the other version, in a folder of its own.")
    private Path after;

    @Parameters(
            index = "2..*",
            paramLabel = "SCENARIO",
            description =
                    "The scenarios to measure. Default: fanout, home, post, queue, stream-dense and stream-sparse.")
    private List<String> scenarios = List.of("fanout", "home", "post", "queue", "stream-dense", "stream-sparse");

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "9",
            description = "Rounds of each version, from 2 to 31. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--bound",
            paramLabel = "PERCENT",
            defaultValue = "3",
            description = "The growth of a cost that is accepted. Default: ${DEFAULT-VALUE}.")
    private double bound;

    @Option(
            names = "--with",
            paramLabel = "OPTION",
            description = "An option of every scenario, such as --with=--socket; may be repeated.")
    private List<String> options = List.of();

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "A folder for the reports of all rounds. Default: they are deleted.")
    private Path results;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (rounds < CostRatio.PAIRS_MIN || rounds > CostRatio.PAIRS_MAX) {
            throw mistake("--rounds must be from " + CostRatio.PAIRS_MIN + " to " + CostRatio.PAIRS_MAX);
        }
        if (!(bound >= 0 && bound <= 100)) {
            throw mistake("--bound must be from 0 to 100 percent");
        }
        MeasuredJar first = MeasuredJar.of(before);
        MeasuredJar second = MeasuredJar.of(after);
        try (ReportFolder reports = ReportFolder.in(results)) {
            boolean grown = false;
            for (String scenario : scenarios) {
                grown |= print(scenario, measure(scenario, first, second, reports));
            }
            return grown ? ExitCode.SOFTWARE : ExitCode.OK;
        } catch (IOException e) {
            throw new BenchFailed("the reports cannot be written: " + Reason.of(e));
        }
    }

    private CommandLine.ParameterException mistake(String sentence) {
        return new CommandLine.ParameterException(spec.commandLine(), sentence);
    }

    /** The versions take turns, and their order alternates from pair to pair, so that a slow drift cancels out. */
    private List<CostRatio> measure(String scenario, MeasuredJar first, MeasuredJar second, ReportFolder reports) {
        List<RoundCosts> old = new ArrayList<>();
        List<RoundCosts> young = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            System.err.println("measuring " + scenario + ", round " + (i + 1) + " of " + rounds + " ...");
            if (i % 2 == 0) {
                old.add(round(first, "before", scenario, options, i, reports));
                young.add(round(second, "after", scenario, options, i, reports));
            } else {
                young.add(round(second, "after", scenario, options, i, reports));
                old.add(round(first, "before", scenario, options, i, reports));
            }
        }
        return RoundCosts.ratios(old, young);
    }

    /** Prints the table of a scenario; true if a cost has grown beyond the bound. */
    private boolean print(String scenario, List<CostRatio> ratios) {
        boolean grown = false;
        System.out.printf(
                Locale.ROOT, "%-58s %10s %10s %8s  %s%n", scenario, "before us", "after us", "ratio", "95 % interval");
        for (CostRatio cost : ratios) {
            boolean above = cost.isAbove(bound / 100);
            grown |= above;
            System.out.printf(
                    Locale.ROOT,
                    "%-58s %10.2f %10.2f %7.3fx  %.3f to %.3f%s%n",
                    cost.contestant(),
                    cost.before(),
                    cost.after(),
                    cost.ratio(),
                    cost.low(),
                    cost.high(),
                    above ? "  above the bound" : "");
        }
        return grown;
    }

    private static RoundCosts round(
            MeasuredJar jar, String version, String scenario, List<String> options, int number, ReportFolder folder) {
        String name = scenario + "." + version + "." + (number + 1);
        Path json = folder.file(name + ".json");
        List<String> ofRound = new ArrayList<>(options);
        ofRound.addAll(List.of("--rounds", "1"));
        jar.measure(scenario, ofRound, json, folder.file(name + ".txt"));
        return RoundCosts.read(json);
    }
}
