package io.fanfare.bench;

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

    /** With the scenario's defaults. */
    FirehoseLoad(int streams, int rate) {
        this.streams = streams;
        this.rate = rate;
    }

    /** What each round does to a contestant who gets this part of the events. */
    StreamContestant.Load load(BenchOptions options, double part) {
        return StreamContestant.Load.of(options, streams, rate * part, streams);
    }

    /** For the report. */
    String description() {
        return streams + " firehoses, " + rate + " events/s of " + StampedEvent.BYTES
                + " bytes and their frame, open loop";
    }
}
