package io.fanfare.app;

import io.fanfare.app.operate.HeldReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.id.Id;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.moderation.Act;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare admin held}: posts that wait for a moderator. */
@Command(
        name = "held",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows, approves and rejects posts that wait for a moderator.")
final class AdminHeldCommand {
    @Spec
    private CommandSpec spec;

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows them: id, time, author, signal, the beginning of the text. The newest first.")
    int list(
            @Mixin SettingsOptions options,
            @Option(
                            names = "--max",
                            paramLabel = "N",
                            defaultValue = "100",
                            description =
                                    "At most so many, 1 to " + HeldStatuses.SITE_MAX + ". Default: ${DEFAULT-VALUE}.")
                    int max,
            @Option(names = "--json", description = "For programs: an array of objects, with whole texts.")
                    boolean json) {
        Logging.ofCommand();
        if (max < 1 || max > HeldStatuses.SITE_MAX) {
            throw new ParameterException(spec.commandLine(), "--max must be 1 to " + HeldStatuses.SITE_MAX);
        }
        JsonArray all = RemoteStores.askStores(
                        options.joining(), (stores, queue) -> new HeldReport(stores).page(Id.MAX, max))
                .getJsonArray("held");
        System.out.println(Terminal.list(all, json, "no post waits", HeldReport::line));
        return 0;
    }

    @Command(
            name = "approve",
            mixinStandardHelpOptions = true,
            description = "Has a post published by a worker, or at the time for which its author has scheduled it.")
    int approve(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As the list shows it.") long id,
            @Option(names = "--trust", description = "No later post of the account waits.") boolean trust,
            @Mixin WhyOption why) {
        String reason = why.text();
        return decide(options, "approve", id, report -> report.approve(CommandAudit.actor(), id, trust, reason));
    }

    @Command(
            name = "reject",
            mixinStandardHelpOptions = true,
            description = "Ends a post without publishing it. Its author gets a warning.")
    int reject(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As the list shows it.") long id,
            @Option(
                            names = "--notice",
                            paramLabel = "TEXT",
                            defaultValue = "",
                            description = "The message to the author, at most " + Act.TEXT_CHARS_MAX + " characters.")
                    String notice,
            @Mixin WhyOption why) {
        if (notice.length() > Act.TEXT_CHARS_MAX) {
            throw new StartFailed("--notice must have at most " + Act.TEXT_CHARS_MAX + " characters: nothing is done");
        }
        String reason = why.text();
        return decide(options, "reject", id, report -> report.reject(CommandAudit.actor(), id, notice.strip(), reason));
    }

    private static int decide(
            SettingsOptions options, String verb, long id, Function<HeldReport, Future<JsonObject>> work) {
        Logging.ofCommand();
        Settings settings = options.joining();
        JsonObject decided = new CommandAudit("held/" + verb, "post=" + id)
                .of(() -> RemoteStores.askStores(settings, (stores, queue) -> work.apply(new HeldReport(stores))));
        System.out.println((verb.equals("approve") ? "approved" : "rejected") + " post " + id + " of account "
                + decided.getString("account"));
        return 0;
    }
}
