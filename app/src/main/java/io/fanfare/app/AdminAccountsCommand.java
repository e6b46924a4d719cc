package io.fanfare.app;

import io.fanfare.app.operate.AccountReport;
import io.fanfare.app.operate.AccountSearch;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Restrictions.Kind;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare admin accounts}: who there is, and who gets in. */
@Command(
        name = "accounts",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Shows, approves, limits, suspends, deletes and exports accounts, ends their sessions, and changes passwords and addresses.",
        subcommands = {
            AdminAccountsExportCommand.class,
            AdminAccountsFactorCommand.class,
            AdminAccountsMailCommand.class,
            AdminAccountsNotesCommand.class,
            AdminAccountsSelectionCommand.class,
        })
final class AdminAccountsCommand {
    /** The longest account name in the audit log. */
    static final int NAME_CHARS_MAX = 60;

    @Spec
    private CommandSpec spec;

    @Command(name = "find", mixinStandardHelpOptions = true, description = "Shows accounts by name, state and figures.")
    int find(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME", arity = "0..1", defaultValue = "", description = "How the names begin.")
                    String name,
            @Option(names = "--anywhere", description = "The text may stand anywhere in a name or display name.")
                    boolean anywhere,
            @Option(
                            names = "--state",
                            paramLabel = "STATE",
                            defaultValue = "any",
                            description = "any, active, suspended or deleted. Default: ${DEFAULT-VALUE}.")
                    AccountSearch.State state,
            @Option(
                            names = "--sort",
                            paramLabel = "ORDER",
                            defaultValue = "name",
                            description =
                                    "name, newest, last_post, posts or followers: the highest first. Default: ${DEFAULT-VALUE}.")
                    AccountSearch.Order order,
            @Option(
                            names = "--max",
                            paramLabel = "N",
                            defaultValue = "20",
                            description =
                                    "At most so many, 1 to " + AccountSearch.PAGE_MAX + ". Default: ${DEFAULT-VALUE}.")
                    int max,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        if (max < 1 || max > AccountSearch.PAGE_MAX) {
            throw new ParameterException(spec.commandLine(), "--max must be 1 to " + AccountSearch.PAGE_MAX);
        }
        if (name.length() > AccountSearch.TEXT_MAX) {
            throw new ParameterException(
                    spec.commandLine(), "NAME must have at most " + AccountSearch.TEXT_MAX + " characters");
        }
        JsonArray found = find(options, new AccountSearch.Query(name, anywhere, state, order, /* offset= */ 0, max));
        System.out.println(Terminal.list(found, json, "no accounts", AdminAccountsCommand::line));
        return 0;
    }

    private static JsonArray find(SettingsOptions options, AccountSearch.Query query) {
        try (RemoteStores.Session session = RemoteStores.open(options.joining())) {
            JsonObject found = new AccountSearch(
                            (member, prefix, limit) ->
                                    session.askAccounts(accounts -> accounts.after(member, prefix, limit)),
                            session::isOver)
                    .page(query);
            if (!found.getBoolean("saw_all")) {
                System.err.println("There are more accounts than one search looks at: give the beginning of a name.");
            }
            return found.getJsonArray("accounts");
        }
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description =
                    "Shows an account, its e-mail address and its sessions: when each began, by which app, with which scopes.")
    int show(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        JsonObject found = ask(options, accounts -> accounts.id(account).compose(accounts::show));
        String sessions = found.getJsonArray("sessions").stream()
                .map(JsonObject.class::cast)
                .map(session -> System.lineSeparator() + session.getString("issued_at") + "  "
                        + session.getString("client_id", "-") + "  "
                        + Terminal.printable(session.getString("scopes")))
                .collect(Collectors.joining());
        String address = found.getString("email").isEmpty() ? "" : "  " + Terminal.printable(found.getString("email"));
        System.out.println(json ? found.encodePrettily() : line(found) + address + sessions);
        return 0;
    }

    @Command(
            name = "pending",
            mixinStandardHelpOptions = true,
            description = "Shows the accounts that wait for approval, the earliest first, with their reasons.")
    int pending(
            @Mixin SettingsOptions options,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        JsonArray found = ask(options, AccountReport::pending);
        System.out.println(
                Terminal.list(found, json, "no account waits for approval", AdminAccountsCommand::applicant));
        return 0;
    }

    private static String applicant(JsonObject account) {
        return String.format(
                Locale.ROOT,
                "%-16s  @%-30s  %s  since %s  %s",
                account.getString("id"),
                account.getString("username"),
                account.getString("email"),
                account.getString("created_at"),
                Terminal.printable(account.getString("reason")));
    }

    @Command(
            name = "approve",
            mixinStandardHelpOptions = true,
            description = "Approves an account that waits for it: from then on it is an ordinary account.")
    int approve(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change(
                "approve",
                options,
                account,
                why,
                json,
                AccountReport::approve,
                done -> done.getString("username") + " is approved");
    }

    @Command(
            name = "reject",
            mixinStandardHelpOptions = true,
            description =
                    "Rejects an account that waits for approval: it is erased, and its name and address are free.")
    int reject(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change(
                "reject",
                options,
                account,
                why,
                json,
                AccountReport::reject,
                done -> done.getString("username") + " is rejected and erased");
    }

    @Command(
            name = "sign-out",
            mixinStandardHelpOptions = true,
            description =
                    "Ends all sessions of an account: every token is refused within a second, its streams end. The password stays.")
    int signOut(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change(
                "sign-out",
                options,
                account,
                why,
                json,
                AccountReport::signOut,
                done -> done.getLong("ended") + " sessions of " + done.getString("username") + " have ended");
    }

    @Command(
            name = "suspend",
            mixinStandardHelpOptions = true,
            description = {
                "Suspends accounts until unsuspend: nobody sees them or what they have written, their passwords and"
                        + " tokens are refused within a second, their streams end. Nothing is deleted.",
                "Of many, one that fails stops no other, and a run that was interrupted is repeated with the same line: those that are suspended already stay so."
            },
            exitCodeListHeading = ExitStatus.HEADING,
            exitCodeList = {
                "0:all of them are suspended, or would be",
                "1:one is unknown or has failed, or Redis is away: standard error says which"
            })
    int suspend(
            @Mixin SettingsOptions options,
            @Mixin AccountSelection selection,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        if (selection.isOne()) {
            return change(
                    "suspend",
                    options,
                    selection.account(),
                    why,
                    json,
                    AccountReport::suspend,
                    done -> done.getString("username")
                            + (done.getBoolean("changed") ? " is suspended" : " was suspended before"));
        }
        Logging.ofCommand();
        selection.check(spec.commandLine().getSubcommands().get("suspend"));
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            Collection<String> accounts = selection.chosen(stores);
            SuspendRun run = new SuspendRun(stores, selection.isDryRun(), why.text());
            run.suspend(accounts);
            System.out.println(json ? run.json(accounts.size()).encodePrettily() : run.text(accounts.size()));
            return run.isComplete() ? 0 : 1;
        }
    }

    @Command(
            name = "unsuspend",
            mixinStandardHelpOptions = true,
            description = "Lifts the suspension of an account: all is as it was before, with its sessions.")
    int unsuspend(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change(
                "unsuspend",
                options,
                account,
                why,
                json,
                AccountReport::unsuspend,
                done -> done.getString("username")
                        + (done.getBoolean("changed") ? " is not suspended any more" : " was not suspended"));
    }

    @Command(
            name = "limit",
            mixinStandardHelpOptions = true,
            description =
                    "Limits an account until unlimit: its posts are for those who follow it or look for it, and it asks before it follows.")
    int limit(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return restrict("limit", options, account, why, json, Kind.LIMITED, true, "is limited");
    }

    @Command(name = "unlimit", mixinStandardHelpOptions = true, description = "Lifts the limit of an account.")
    int unlimit(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return restrict("unlimit", options, account, why, json, Kind.LIMITED, false, "is not limited any more");
    }

    @Command(
            name = "sensitive",
            mixinStandardHelpOptions = true,
            description =
                    "Marks an account as sensitive until unsensitive: each new post of it hides its pictures until a reader wants to see them.")
    int sensitive(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return restrict("sensitive", options, account, why, json, Kind.SENSITIZED, true, "is marked as sensitive");
    }

    @Command(
            name = "unsensitive",
            mixinStandardHelpOptions = true,
            description = "Takes the mark of a sensitive account back.")
    int unsensitive(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return restrict(
                "unsensitive",
                options,
                account,
                why,
                json,
                Kind.SENSITIZED,
                false,
                "is not marked as sensitive any more");
    }

    private static int restrict(
            String verb,
            SettingsOptions options,
            String account,
            WhyOption why,
            boolean json,
            Kind kind,
            boolean on,
            String sentence) {
        Logging.ofCommand();
        CommandAudit audit =
                new CommandAudit("accounts/" + verb, "account=" + CommandAudit.logValue(account, NAME_CHARS_MAX));
        String reason = why.text();
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            JsonObject done = audit.of(() -> stores.askModeration(moderation -> moderation
                    .account(account)
                    .compose(id ->
                            moderation.restrict(CommandAudit.actor(), "accounts." + verb, id, kind, on, reason))));
            System.out.println(
                    json
                            ? done.encode()
                            : done.getString("username") + " " + sentence
                                    + (done.getBoolean("changed") ? "" : ", as before"));
            return 0;
        }
    }

    @Command(
            name = "delete",
            mixinStandardHelpOptions = true,
            description = "Deletes an account for good, with all that it has written. It is gone for everybody within a"
                    + " second; a job erases what it has. Nobody gets its name again. There is no way back.")
    int delete(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Option(names = "--yes", required = true, description = "Without it nothing is deleted.") boolean yes,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        if (!yes) {
            throw new ParameterException(spec.commandLine(), "--yes must be given: a deleted account is gone for good");
        }
        return change(
                "delete",
                options,
                account,
                why,
                json,
                AccountReport::delete,
                done -> done.getString("username")
                        + (done.getBoolean("changed") ? " is deleted" : " was deleted before"));
    }

    @Command(
            name = "reset-password",
            mixinStandardHelpOptions = true,
            description = "Gives an account a new password, which is drawn here and shown once, and ends all of its"
                    + " sessions. Its user should change it after logging in.")
    int resetPassword(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change(
                "reset-password",
                options,
                account,
                why,
                json,
                AccountReport::resetPassword,
                done -> "the new password of " + done.getString("username") + " is " + done.getString("password")
                        + " and " + done.getLong("ended") + " sessions have ended");
    }

    /**
     * @param verb of the action, for the audit log
     * @param sentence says to people what has been done
     */
    static int change(
            String verb,
            SettingsOptions options,
            String account,
            WhyOption why,
            boolean json,
            BiFunction<AccountReport, Long, Future<JsonObject>> change,
            Function<JsonObject, String> sentence) {
        Logging.ofCommand();
        CommandAudit audit =
                new CommandAudit("accounts/" + verb, "account=" + CommandAudit.logValue(account, NAME_CHARS_MAX));
        String reason = why.text();
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            JsonObject done = audit.of(
                    () -> stores.askAccounts(accounts -> accounts.id(account).compose(id -> stores.log()
                            .during(
                                    Act.on(CommandAudit.actor(), "accounts." + verb, id, reason),
                                    () -> change.apply(accounts, id)))));
            System.out.println(json ? done.encode() : sentence.apply(done));
            return 0;
        }
    }

    private static <T> T ask(SettingsOptions options, Function<AccountReport, Future<T>> question) {
        try {
            return RemoteStores.askAccounts(options.joining(), question);
        } catch (Refusal refusal) {
            throw new StartFailed(refusal.getMessage());
        }
    }

    private static String since(String what, JsonObject account) {
        String at = account.getString(what + "_at");
        return at == null ? "" : "  " + what + " since " + at;
    }

    private static String line(JsonObject account) {
        return String.format(
                Locale.ROOT,
                "%-16s  @%-30s  %s  since %s  %,d statuses  %,d followers  %,d following%s",
                account.getString("id"),
                account.getString("username"),
                Terminal.printable(account.getString("display_name")),
                account.getString("created_at"),
                account.getLong("statuses"),
                account.getLong("followers"),
                account.getLong("following"),
                (account.getBoolean("second_factor") ? "  second factor" : "")
                        + since("suspended", account)
                        + since("limited", account)
                        + since("sensitized", account)
                        + since("deleted", account));
    }
}
