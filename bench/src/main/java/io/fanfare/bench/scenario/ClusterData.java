package io.fanfare.bench.scenario;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.PowerLaw;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import java.util.Random;
import picocli.CommandLine.Option;

/** Options for the data of a scenario on a cluster: the graph of its users, their homes, and the shards. */
final class ClusterData {
    private static final double LARGEST_SHARE = 0.22;

    @Option(
            names = "--users",
            paramLabel = "N",
            converter = Count.class,
            description = "Users, each with a home; 22 %% of them follow the first one. Default: ${DEFAULT-VALUE}.")
    private int users;

    @Option(
            names = "--fan-out",
            paramLabel = "N",
            converter = Count.class,
            description = "Deliveries of a post on average, where authors post in proportion to their followers."
                    + " Default: ${DEFAULT-VALUE}.")
    private int fanOut;

    @Option(
            names = "--entries",
            paramLabel = "N",
            converter = Count.class,
            description = "Length of a full home. Default: ${DEFAULT-VALUE}.")
    private int entries;

    @Option(
            names = "--shards",
            paramLabel = "N",
            converter = Count.class,
            description = "The setting redis.shards. Default: ${DEFAULT-VALUE}.")
    private int shards;

    /** With these defaults. */
    ClusterData(int users, int fanOut, int entries, int shards) {
        this.users = users;
        this.fanOut = fanOut;
        this.entries = entries;
        this.shards = shards;
    }

    int users() {
        return users;
    }

    int entries() {
        return entries;
    }

    int shards() {
        return shards;
    }

    SocialGraph graph(long seed) {
        return PowerLaw.graphOfFanOut(users, (int) (users * LARGEST_SHARE), fanOut, new Random(seed));
    }

    /** Describes the graph at the head of a report. */
    void describe(Report report, SocialGraph graph, long seed) {
        report.setting(
                "graph",
                users + " users, " + graph.edges() + " edges, the first has " + graph.followerCount(0) + " followers; "
                        + fanOut + " deliveries a post, seed " + seed);
    }
}
