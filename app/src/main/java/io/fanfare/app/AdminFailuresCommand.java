package io.fanfare.app;

import io.fanfare.app.operate.FailuresReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.LastFailure;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fanfare admin queue failures}: why jobs are tried again. */
@Command(
        name = "failures",
        mixinStandardHelpOptions = true,
        description =
                "Shows the last failure of each type of job since the data set began, newest first: when, in which"
                        + " shard, why, which job. Failures of jobs that are tried again count.")
final class AdminFailuresCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options;

    @Mixin
    private Watch watch;

    @Override
    public Integer call() {
        return watch.show(options, JobQueue::lastFailures, FailuresReport::json, AdminFailuresCommand::table);
    }

    private static String table(List<LastFailure> all) {
        if (all.isEmpty()) {
            return "no job has failed";
        }
        return FailuresReport.newest(all).stream()
                .map(failure -> Terminal.time(failure.millis()) + "  " + failure.type() + "  shard " + failure.shard()
                        + others(FailuresReport.shards(all, failure.type())) + "  "
                        + Terminal.printable(failure.reason()) + "  [" + Terminal.printable(failure.job()) + ']')
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static String others(long shards) {
        return shards == 1 ? "" : " (in " + shards + " shards)";
    }
}
