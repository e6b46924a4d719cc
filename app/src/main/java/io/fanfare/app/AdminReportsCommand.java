package io.fanfare.app;

import io.fanfare.api.report.Reports;
import io.fanfare.api.report.Reports.Report;
import io.fanfare.app.operate.Terminal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare admin reports}: what users have reported. */
@Command(
        name = "reports",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows and closes the open reports of users.")
final class AdminReportsCommand {
    private static final int CHARACTERS = 60;

    @Spec
    private CommandSpec spec;

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows the open ones: id, time, category, who reports whom, statuses, the beginning of the"
                    + " comment. The oldest first.")
    int list(
            @Mixin SettingsOptions options,
            @Option(
                            names = "--max",
                            paramLabel = "N",
                            defaultValue = "100",
                            description = "At most so many, 1 to " + Reports.MAX + ". Default: ${DEFAULT-VALUE}.")
                    int max,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        if (max < 1 || max > Reports.MAX) {
            throw new ParameterException(spec.commandLine(), "--max must be 1 to " + Reports.MAX);
        }
        List<Report> reports = RemoteStores.askRedis(options.joining(), redis -> new Reports(redis).list(max));
        JsonArray all = new JsonArray();
        reports.forEach(report -> all.add(json(report)));
        System.out.println(
                json
                        ? all.encodePrettily()
                        : reports.isEmpty()
                                ? "no open reports"
                                : reports.stream()
                                        .map(AdminReportsCommand::line)
                                        .collect(Collectors.joining(System.lineSeparator())));
        return 0;
    }

    @Command(name = "show", mixinStandardHelpOptions = true, description = "Shows one with its whole comment.")
    int show(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As the list shows it.") long id,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        Report report = RemoteStores.askRedis(options.joining(), redis -> new Reports(redis).find(id))
                .orElseThrow(() -> none(id));
        System.out.println(
                json
                        ? json(report).encodePrettily()
                        : head(report) + System.lineSeparator() + Terminal.printable(report.comment()));
        return 0;
    }

    @Command(name = "close", mixinStandardHelpOptions = true, description = "Resolves one that is dealt with.")
    int close(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As the list shows it.") long id,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        String reason = why.text();
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            JsonObject closed = new CommandAudit("reports/close", "report=" + id)
                    .of(() -> stores.askModeration(
                            moderation -> moderation.closeReport(CommandAudit.actor(), id, reason)));
            System.out.println(json ? closed.encode() : "closed report " + id);
            return 0;
        }
    }

    private ParameterException none(long id) {
        return new ParameterException(spec.commandLine(), "there is no open report " + id);
    }

    private static String head(Report report) {
        String statuses = report.statuses().isEmpty()
                ? ""
                : "  statuses "
                        + report.statuses().stream().map(String::valueOf).collect(Collectors.joining(","));
        List<Long> broken = report.category().rules();
        String rules = broken.isEmpty()
                ? ""
                : " of rules " + broken.stream().map(String::valueOf).collect(Collectors.joining(","));
        return report.id() + "  " + Terminal.time(report.atMillis()) + "  "
                + report.category().name() + rules + "  account "
                + report.reporter() + " reports " + report.account() + statuses;
    }

    private static String line(Report report) {
        return head(report) + "  " + Terminal.beginning(Terminal.printable(report.comment()), CHARACTERS);
    }

    private static JsonObject json(Report report) {
        JsonArray statuses = new JsonArray();
        report.statuses().forEach(status -> statuses.add(Long.toString(status)));
        return new JsonObject()
                .put("id", report.id())
                .put("at", Terminal.time(report.atMillis()))
                .put("category", report.category().name())
                .put("rules", new JsonArray(report.category().rules()))
                .put("reporter", Long.toString(report.reporter()))
                .put("account", Long.toString(report.account()))
                .put("statuses", statuses)
                .put("comment", report.comment());
    }
}
