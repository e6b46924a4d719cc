package io.fanfare.bench.scenario;

import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.load.StageProfile;
import io.fanfare.bench.report.Report;
import java.util.function.LongSupplier;
import picocli.CommandLine.Option;

/** The option of scenarios that can say in which stages of a request a server spends its time. */
final class StageOption {
    private static final int ROUNDS = 10;

    @Option(
            names = "--stages",
            description =
                    "Also profile the server for ten rounds, and print the processor time of each stage of a request.")
    private boolean stages;

    boolean isSet() {
        return stages;
    }

    /**
     * Profiles further rounds of a contestant, which no other figure contains.
     *
     * @param round does one round of work, and answers how many units
     * @param micros processor microseconds of the server a unit
     */
    void profile(Report report, ServerProcess server, LongSupplier round, double micros) {
        if (!stages) {
            return;
        }
        System.err.println("profiling ...");
        report.setting("profile", ROUNDS + " rounds, " + server.ask(StageProfile.BEGIN));
        for (int i = 0; i < ROUNDS; i++) {
            long unused = round.getAsLong();
        }
        StageProfile.report(report, server.ask(StageProfile.END), micros);
    }
}
