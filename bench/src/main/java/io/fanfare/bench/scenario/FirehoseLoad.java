package io.fanfare.bench.scenario;

import io.fanfare.bench.load.StampedEvent;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Count;
import picocli.CommandLine.Option;

/** Options of the scenarios in which every stream gets every event, and what they ask of each contestant. */
final class FirehoseLoad {
    @Option(
            names = "--streams",
            paramLabel = "N",
            converter = Count.class,
            description = "Firehoses that are open, of each contestant. Default: ${DEFAULT-VALUE}.")
    private int streams;

    @Option(
            names = "--rate",
            paramLabel = "N",
            converter = Count.class,
            description = "Events a second. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--sample",
            paramLabel = "N",
            converter = Count.class,
            description =
                    "One stream of so many is read at once and shows how long events take, the others twice a second; 1 = all are read at once. Default: ${DEFAULT-VALUE}.")
    private int oneIn;

    @Option(
            names = "--gzip",
            description = "Our streams come as gzip, as browsers ask for them; those of the others as they are.")
    private boolean gzip;

    /** With the scenario's defaults. */
    FirehoseLoad(int streams, int rate, int oneIn) {
        this.streams = streams;
        this.rate = rate;
        this.oneIn = oneIn;
    }

    /** The load of a round for a contestant that gets this part of the events. */
    StreamContestant.Load load(BenchOptions options, double part) {
        return StreamContestant.Load.of(options, streams, rate * part, streams, oneIn);
    }

    /** The load of a round for our own server. */
    StreamContestant.Load ours(BenchOptions options) {
        StreamContestant.Load load = load(options, 1);
        return gzip ? load.compressed() : load;
    }

    /** For the report. */
    String description() {
        return streams + " firehoses, " + rate + " events/s of " + StampedEvent.BYTES
                + " bytes and their frame, open loop"
                + (gzip ? "; ours compressed with gzip" : "")
                + (oneIn == 1 ? "" : "; latencies of one stream in " + oneIn + ", drawn for each round");
    }
}
