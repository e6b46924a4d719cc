package io.fanfare.bench;

import io.fanfare.bench.compare.AllCommand;
import io.fanfare.bench.compare.CompareCommand;
import io.fanfare.bench.scenario.ArchiveBench;
import io.fanfare.bench.scenario.ArticlesBench;
import io.fanfare.bench.scenario.DialBench;
import io.fanfare.bench.scenario.FailoverBench;
import io.fanfare.bench.scenario.FanOutBench;
import io.fanfare.bench.scenario.FanOutLatencyBench;
import io.fanfare.bench.scenario.HomeBench;
import io.fanfare.bench.scenario.LoadBench;
import io.fanfare.bench.scenario.MixBench;
import io.fanfare.bench.scenario.PostBench;
import io.fanfare.bench.scenario.QueueBench;
import io.fanfare.bench.scenario.ScaleBench;
import io.fanfare.bench.scenario.SlotsBench;
import io.fanfare.bench.scenario.StreamDenseBench;
import io.fanfare.bench.scenario.StreamFilterBench;
import io.fanfare.bench.scenario.StreamIdleBench;
import io.fanfare.bench.scenario.StreamLatencyBench;
import io.fanfare.bench.scenario.StreamSlowBench;
import io.fanfare.bench.scenario.StreamSparseBench;
import io.fanfare.bench.scenario.VisitBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code fanfare bench}: one sub-command per scenario, {@code compare} and {@code all}. To add a scenario: a class
 * beside {@link FanOutBench}, named here.
 */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures against a limit, side by side in one run, and says what bounds the figures.",
        subcommands = {
            FanOutBench.class,
            FanOutLatencyBench.class,
            HomeBench.class,
            MixBench.class,
            DialBench.class,
            PostBench.class,
            ArchiveBench.class,
            ArticlesBench.class,
            QueueBench.class,
            ScaleBench.class,
            FailoverBench.class,
            LoadBench.class,
            VisitBench.class,
            SlotsBench.class,
            StreamDenseBench.class,
            StreamSparseBench.class,
            StreamIdleBench.class,
            StreamLatencyBench.class,
            StreamFilterBench.class,
            StreamSlowBench.class,
            CompareCommand.class,
            AllCommand.class
        })
public final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "which scenario?");
    }
}
