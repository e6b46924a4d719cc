package io.fanfare.bench.scenario;

import io.fanfare.bench.load.StageProfile;
import io.fanfare.bench.report.Report;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import picocli.CommandLine.Option;

/** The option of scenarios that can say in which stages of a request a process spends its time. */
final class StageOption {
    private static final int ROUNDS = 5;

    @Option(
            names = "--stages",
            description =
                    "Also profile the event loops of the processes in further rounds, and print the processor time of"
                            + " each stage of a unit.")
    private boolean stages;

    boolean isSet() {
        return stages;
    }

    /**
     * Profiles further rounds of a contestant, which no other figure contains.
     *
     * @param processes see {@link StageProfile#during}
     * @param round does one round of work, and answers how many units
     * @param unit their name, such as "a post"
     */
    void profile(Report report, Map<String, UnaryOperator<String>> processes, LongSupplier round, String unit) {
        if (stages) {
            times(processes, round).forEach((process, spent) -> spent.report(report, "", process, unit));
        }
    }

    /**
     * The same at a rate that leaves the processes idle for most of the time.
     *
     * @param prefix of the names of figures
     * @param idle waits as long, and answers how many units; what it costs is subtracted
     */
    void profile(
            Report report,
            String prefix,
            Map<String, UnaryOperator<String>> processes,
            LongSupplier idle,
            LongSupplier round,
            String unit) {
        if (stages) {
            Map<String, StageProfile.Times> without = times(processes, idle);
            times(processes, round).forEach((process, spent) -> spent.minus(without.get(process))
                    .report(report, prefix, process, unit));
        }
    }

    private static Map<String, StageProfile.Times> times(
            Map<String, UnaryOperator<String>> processes, LongSupplier round) {
        System.err.println("profiling ...");
        return StageProfile.during(
                processes, () -> LongStream.generate(round).limit(ROUNDS).sum());
    }
}
