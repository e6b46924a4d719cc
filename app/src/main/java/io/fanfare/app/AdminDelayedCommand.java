package io.fanfare.app;

import io.fanfare.app.operate.DelayedReport;
import io.fanfare.app.operate.DelayedReport.Delayed;
import io.fanfare.app.operate.Terminal;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fanfare admin queue delayed}: jobs that wait for their time, such as the next attempt of one that failed. */
@Command(
        name = "delayed",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows delayed jobs, such as those that are tried again later, and makes them due at once.")
final class AdminDelayedCommand {
    /** How many jobs. */
    static final class Most {
        @Spec(Spec.Target.MIXEE)
        private CommandSpec command;

        @Option(
                names = "--max",
                paramLabel = "N",
                defaultValue = "100",
                description = "At most so many, 1 to " + DelayedReport.LIST_MAX + ". Default: ${DEFAULT-VALUE}.")
        private int max;

        int checked() {
            if (max < 1 || max > DelayedReport.LIST_MAX) {
                throw new ParameterException(command.commandLine(), "--max must be 1 to " + DelayedReport.LIST_MAX);
            }
            return max;
        }
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows delayed jobs, those due first: when they are due, shard, job.")
    int list(
            @Mixin SettingsOptions options,
            @Mixin Most most,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        int max = most.checked();
        try (RemoteStores.Session session = RemoteStores.open(options.joining())) {
            List<Delayed> first = new DelayedReport(session).first(max);
            System.out.println(json ? DelayedReport.json(first).encodePrettily() : text(first));
        }
        return 0;
    }

    @Command(
            name = "now",
            mixinStandardHelpOptions = true,
            description =
                    "Makes delayed jobs due at once, those due first, or one by its line. Handlers are idempotent: this is safe. A job that fails again is delayed again.")
    int now(
            @Mixin SettingsOptions options,
            @Option(
                            names = "--job",
                            paramLabel = "LINE",
                            defaultValue = "",
                            description = "Only the job of this line, as `list` shows it between brackets.")
                    String job,
            @Mixin Most most,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        int max = most.checked();
        try (RemoteStores.Session session = RemoteStores.open(options.joining())) {
            DelayedReport report = new DelayedReport(session);
            int hurried = job.isEmpty() ? report.hurry(max) : report.hurry(job);
            String sentence = hurried == 1 ? "1 delayed job is due now" : hurried + " delayed jobs are due now";
            System.out.println(json ? DelayedReport.hurried(hurried).encode() : sentence);
        }
        return 0;
    }

    private static String text(List<Delayed> jobs) {
        if (jobs.isEmpty()) {
            return "no delayed jobs";
        }
        return jobs.stream()
                .map(delayed -> Terminal.time(delayed.dueMillis()) + "  shard " + delayed.shard() + "  ["
                        + Terminal.printable(delayed.job()) + ']')
                .collect(Collectors.joining(System.lineSeparator()));
    }
}
