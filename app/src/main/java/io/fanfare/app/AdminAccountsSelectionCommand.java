package io.fanfare.app;

import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.core.account.SignUpNetworks.Network;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Selection;
import io.fanfare.core.moderation.Selection.SelectionAct;
import io.fanfare.core.moderation.SelectionSearch;
import io.fanfare.core.moderation.SelectionSearch.Criteria;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private static final int SHOWN = 20;
    private static final int TEXT_CHARS_MIN = 3;

    /** The acts, by the words of {@code admin accounts}. */
    enum Kind {
        LIMIT(Action.SILENCE),
        SENSITIVE(Action.SENSITIVE),
        SUSPEND(Action.SUSPEND);

        private final Action action;

        Kind(Action action) {
            this.action = action;
        }

        private static String of(Action action) {
            return action == Action.SILENCE ? "limit" : action.wire();
        }
    }

    @Spec
    private CommandSpec spec;

    @Command(
            name = "make",
            mixinStandardHelpOptions = true,
            description = "Selects the accounts that meet all that is given, and changes nothing. At most "
                    + Selection.MAX + ", the earliest sign-ups. Kept for an hour.")
    int make(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", arity = "0..*", description = "Among these accounts.")
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
        Network network = from == null ? null : AccountSelection.network(from);
        if (from != null && network == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--signed-up-from must be an address or a network: IPv4 from /16 to /32, IPv6 from /40 to /64");
        }
        long sinceMillis = moment("--since", since);
        long untilMillis = moment("--until", until);
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            Set<Long> accounts = new HashSet<>();
            for (String name : names == null ? List.<String>of() : names) {
                accounts.add(stores.account(name));
            }
            Criteria criteria = new Criteria(
                    network,
                    like == null ? 0 : stores.account(like),
                    wide,
                    sinceMillis,
                    untilMillis,
                    text == null ? "" : text,
                    accounts);
            if (criteria.isEmpty() || (text != null && criteria.text().length() < TEXT_CHARS_MIN)) {
                throw new ParameterException(
                        spec.commandLine(), "give names or another criterion; --text needs 3 characters or more");
            }
            SelectionSearch.Result found = stores.search(criteria);
            long number = new CommandAudit("accounts/selection/make", "")
                    .of(() -> stores.<Long>askSelections((selections, queue) ->
                            selections.add(0, criteria.words(), found.accounts(), found.found())));
            print(stores, number, json);
            return 0;
        }
    }

    private long moment(String option, String text) {
        long millis = text == null ? 0 : AccountSelection.millis(text);
        if (millis < 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    option + " must be a moment such as 2026-01-02T03:04:05Z, or a time such as 90m, 24h or 7d");
        }
        return millis;
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
            print(stores, number, json);
            return 0;
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
                options,
                "act",
                number,
                json,
                stores -> stores.askSelections((selections, queue) ->
                        selections.act(number, kind.action, CommandAudit.actor(), text, reason, queue)));
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
        return begin(
                options,
                "undo",
                number,
                json,
                stores -> stores.askSelections(
                        (selections, queue) -> selections.undo(number, CommandAudit.actor(), reason, queue)));
    }

    @FunctionalInterface
    private interface Begin {
        Selection on(RemoteStores.Session stores);
    }

    private static int begin(SettingsOptions options, String verb, long number, boolean json, Begin begin) {
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            Selection begun =
                    new CommandAudit("accounts/selection/" + verb, "selection=" + number).of(() -> begin.on(stores));
            System.out.println(json ? json(begun, List.of()).encodePrettily() : text(begun));
            return 0;
        }
    }

    private static void print(RemoteStores.Session stores, long number, boolean json) {
        Selection selection = stores.<Optional<Selection>>askSelections((selections, queue) -> selections.find(number))
                .orElseThrow(() -> new StartFailed("there is no selection " + number));
        List<Long> first = stores.askSelections((selections, queue) -> selections.first(number, SHOWN));
        Map<Long, String> names = stores.names(first);
        List<String> accounts = first.stream()
                .map(id -> id + (names.containsKey(id) ? " @" + Terminal.printable(names.get(id)) : ""))
                .toList();
        if (json) {
            System.out.println(json(selection, accounts).encodePrettily());
            return;
        }
        List<String> lines = new ArrayList<>(List.of(text(selection)));
        accounts.forEach(account -> lines.add("  " + account));
        if (selection.count() > accounts.size()) {
            lines.add(String.format(Locale.ROOT, "  and %,d more", selection.count() - accounts.size()));
        }
        System.out.println(String.join(System.lineSeparator(), lines));
    }

    private static String text(Selection selection) {
        String text = String.format(
                Locale.ROOT,
                "selection %d: %,d accounts, %s%s%s",
                selection.number(),
                selection.count(),
                Terminal.printable(selection.criteria()),
                selection.found().more() ? "; more accounts meet this" : "",
                selection.found().complete() ? "" : "; the search ran out of time");
        SelectionAct act = selection.act();
        return act == null
                ? text
                : text
                        + String.format(
                                Locale.ROOT,
                                "%n%s%s: %s, %,d of %,d settled, %,d changed, %,d deleted, %,d left out, %,d restored",
                                act.undo() ? "undo of " : "",
                                Kind.of(act.action()),
                                act.phase().name().toLowerCase(Locale.ROOT),
                                act.settled(),
                                selection.count(),
                                act.changed(),
                                act.gone(),
                                act.skipped(),
                                act.restored());
    }

    private static JsonObject json(Selection selection, List<String> accounts) {
        JsonObject json = new JsonObject()
                .put("number", selection.number())
                .put("created_at", Terminal.time(selection.madeMillis()))
                .put("criteria", selection.criteria())
                .put("count", selection.count())
                .put("more", selection.found().more())
                .put("complete", selection.found().complete())
                .put("accounts", accounts);
        SelectionAct act = selection.act();
        return act == null
                ? json.putNull("act")
                : json.put(
                        "act",
                        new JsonObject()
                                .put("kind", Kind.of(act.action()))
                                .put("undo", act.undo())
                                .put("phase", act.phase().name().toLowerCase(Locale.ROOT))
                                .put("settled", act.settled())
                                .put("changed", act.changed())
                                .put("gone", act.gone())
                                .put("skipped", act.skipped())
                                .put("restored", act.restored()));
    }
}
