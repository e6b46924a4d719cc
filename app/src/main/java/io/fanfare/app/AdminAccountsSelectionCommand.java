package io.fanfare.app;

import io.fanfare.app.operate.SelectionReport;
import io.fanfare.app.operate.SelectionReport.Kind;
import io.fanfare.app.operate.SelectionReport.Wanted;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Selection;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare admin accounts selection}: many accounts in one act, and its undo. */
@Command(
        name = "selection",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Selects many accounts, shows them, acts on all of them by a job of the workers, and undoes that within 24"
                    + " hours.",
            "An act that was interrupted goes on by itself. Owners, and accounts that are deleted, are left out."
        })
final class AdminAccountsSelectionCommand {
    @Spec
    private CommandSpec spec;

    @Command(
            name = "make",
            mixinStandardHelpOptions = true,
            description = "Selects the accounts that meet all that is given, and changes nothing. At most "
                    + Selection.MAX + ", the earliest sign-ups. Kept for an hour.")
    int make(
            @Mixin SettingsOptions options,
            @Parameters(
                            paramLabel = "NAME|ID",
                            arity = "0..*",
                            description = "Among these accounts, at most " + SelectionReport.NAMES_MAX + ".")
                    List<String> names,
            @Option(
                            names = "--signed-up-from",
                            paramLabel = "ADDRESS[/BITS]",
                            description =
                                    "Signed up from this network: IPv4 from /16 on, IPv6 from /40 to /64. Kept for auth.sign-up-address-days.")
                    String from,
            @Option(
                            names = "--signed-up-like",
                            paramLabel = "NAME|ID",
                            description = "Signed up from the address of this account.")
                    String like,
            @Option(names = "--wide", description = "With --signed-up-like: from its IPv4 /24 or IPv6 /48.")
                    boolean wide,
            @Option(
                            names = "--since",
                            paramLabel = "TIME",
                            description =
                                    "Signed up from a moment on, such as 2026-01-02T03:04:05Z, or for so long, such as 90m, 24h or 7d.")
                    String since,
            @Option(names = "--until", paramLabel = "TIME", description = "Signed up until then; likewise.")
                    String until,
            @Option(
                            names = "--text",
                            paramLabel = "TEXT",
                            description =
                                    "Has written this in a public or unlisted post of the last 24 hours, in any case and spacing.")
                    String text,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        Wanted wanted = wanted(names, text(from), text(like), wide, text(since), text(until), text(text));
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            print(
                    new CommandAudit("accounts/selection/make", "")
                            .of(() -> stores.askSelections(report -> report.make(wanted))),
                    json);
            return 0;
        }
    }

    private static String text(String given) {
        return given == null ? "" : given;
    }

    private Wanted wanted(
            List<String> names, String from, String like, boolean wide, String since, String until, String text) {
        try {
            return new Wanted(names == null ? List.of() : names, from, like, wide, since, until, text);
        } catch (Refusal refusal) {
            throw new ParameterException(spec.commandLine(), refusal.getMessage());
        }
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows a selection with its first accounts, and how far the act on it is.")
    int show(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NUMBER", description = "The selection.") long number,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            print(stores.askSelections(report -> report.show(number)), json);
            return 0;
        } catch (Refusal refusal) {
            throw new StartFailed(refusal.getMessage());
        }
    }

    @Command(
            name = "act",
            mixinStandardHelpOptions = true,
            description = "Begins an act on all accounts of a selection, and does not wait for its end. The same act"
                    + " again changes nothing.")
    int act(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NUMBER", description = "The selection.") long number,
            @Parameters(paramLabel = "ACT", description = "limit, sensitive or suspend.") Kind kind,
            @Option(
                            names = "--text",
                            paramLabel = "TEXT",
                            defaultValue = "",
                            description = "The message to each account.")
                    String text,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        String reason = why.text();
        if (text.length() > Act.TEXT_CHARS_MAX) {
            throw new StartFailed("--text must have at most " + Act.TEXT_CHARS_MAX + " characters: nothing is done");
        }
        return begin(
                options, "act", number, json, report -> report.act(CommandAudit.actor(), number, kind, text, reason));
    }

    @Command(
            name = "undo",
            mixinStandardHelpOptions = true,
            description = "Begins to lift what the act on a selection has restricted, within 24 hours of its begin."
                    + " Accounts on which somebody has acted since stay as they are.")
    int undo(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NUMBER", description = "The selection.") long number,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        String reason = why.text();
        return begin(options, "undo", number, json, report -> report.undo(CommandAudit.actor(), number, reason));
    }

    private static int begin(
            SettingsOptions options,
            String verb,
            long number,
            boolean json,
            Function<SelectionReport, Future<JsonObject>> begin) {
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            JsonObject begun = new CommandAudit("accounts/selection/" + verb, "selection=" + number)
                    .of(() -> stores.askSelections(begin));
            System.out.println(json ? begun.encodePrettily() : text(begun));
            return 0;
        }
    }

    private static void print(JsonObject selection, boolean json) {
        if (json) {
            System.out.println(selection.encodePrettily());
            return;
        }
        List<String> lines = new ArrayList<>(List.of(text(selection)));
        JsonArray accounts = selection.getJsonArray("accounts");
        accounts.forEach(account -> lines.add("  " + account));
        if (selection.getInteger("count") > accounts.size()) {
            lines.add(String.format(Locale.ROOT, "  and %,d more", selection.getInteger("count") - accounts.size()));
        }
        System.out.println(String.join(System.lineSeparator(), lines));
    }

    private static String text(JsonObject selection) {
        String text = String.format(
                Locale.ROOT,
                "selection %d: %,d accounts, %s%s%s",
                selection.getLong("number"),
                selection.getInteger("count"),
                Terminal.printable(selection.getString("criteria")),
                selection.getBoolean("more") ? "; more accounts meet this" : "",
                selection.getBoolean("complete") ? "" : "; the search ran out of time");
        JsonObject act = selection.getJsonObject("act");
        return act == null
                ? text
                : text
                        + String.format(
                                Locale.ROOT,
                                "%n%s%s: %s, %,d of %,d settled, %,d changed, %,d deleted, %,d left out, %,d restored",
                                act.getBoolean("undo") ? "undo of " : "",
                                act.getString("kind"),
                                act.getString("phase"),
                                act.getInteger("settled"),
                                selection.getInteger("count"),
                                act.getInteger("changed"),
                                act.getInteger("gone"),
                                act.getInteger("skipped"),
                                act.getInteger("restored"));
    }
}
