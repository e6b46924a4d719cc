package io.fanfare.app;

import io.fanfare.app.operate.AppealReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.id.Id;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.moderation.Appeals;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare admin appeals}: appeals against warnings of moderators. */
@Command(
        name = "appeals",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows, approves and rejects appeals against warnings of moderators.")
final class AdminAppealsCommand {
    @Spec
    private CommandSpec spec;

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows those that wait: account, warning, time, name, act, the text of the appeal.")
    int list(
            @Mixin SettingsOptions options,
            @Option(
                            names = "--max",
                            paramLabel = "N",
                            defaultValue = "100",
                            description = "At most so many, 1 to " + Appeals.MAX + ". Default: ${DEFAULT-VALUE}.")
                    int max,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        if (max < 1 || max > Appeals.MAX) {
            throw new ParameterException(spec.commandLine(), "--max must be 1 to " + Appeals.MAX);
        }
        JsonArray all = RemoteStores.askStores(
                        options.joining(), (stores, queue) -> new AppealReport(stores, queue).page(Id.MAX, max))
                .getJsonArray("appeals");
        System.out.println(Terminal.list(all, json, "no appeal waits", AppealReport::line));
        return 0;
    }

    @Command(
            name = "approve",
            mixinStandardHelpOptions = true,
            description = "Approves an appeal: the restriction of the account, or the mark of the post, is taken back.")
    int approve(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Parameters(paramLabel = "WARNING", description = "As the list shows it.") long warning,
            @Mixin WhyOption why) {
        return decide(options, "approve", account, warning, why);
    }

    @Command(
            name = "reject",
            mixinStandardHelpOptions = true,
            description = "Rejects an appeal: the warning stays, and nothing is taken back.")
    int reject(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Parameters(paramLabel = "WARNING", description = "As the list shows it.") long warning,
            @Mixin WhyOption why) {
        return decide(options, "reject", account, warning, why);
    }

    private static int decide(SettingsOptions options, String verb, String account, long warning, WhyOption why) {
        Logging.ofCommand();
        Settings settings = options.joining();
        String reason = why.text();
        boolean approve = verb.equals("approve");
        String given =
                "account=" + CommandAudit.logValue(account, AdminAccountsCommand.NAME_CHARS_MAX) + " appeal=" + warning;
        JsonObject decided = new CommandAudit("appeals/" + verb, given)
                .of(() -> RemoteStores.askStores(settings, (stores, queue) -> new AppealReport(stores, queue)
                        .decide(CommandAudit.actor(), account, warning, approve, reason)));
        System.out.println((approve ? "approved" : "rejected") + " the appeal of account "
                + decided.getString("account") + " against warning " + warning);
        return 0;
    }
}
