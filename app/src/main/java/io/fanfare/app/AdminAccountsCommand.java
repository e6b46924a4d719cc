package io.fanfare.app;

import io.fanfare.app.operate.AccountReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.runtime.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        description = "Shows, suspends, deletes and exports accounts, ends their sessions, and makes new passwords.")
final class AdminAccountsCommand {
    /** Of a name in the audit log. */
    private static final int NAME_CHARS_MAX = 60;

    @Spec
    private CommandSpec spec;

    @Command(
            name = "find",
            mixinStandardHelpOptions = true,
            description = "Shows accounts whose names begin so, in the order of their names.")
    int find(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME", arity = "0..1", defaultValue = "", description = "How the names begin.")
                    String name,
            @Option(
                            names = "--max",
                            paramLabel = "N",
                            defaultValue = "20",
                            description =
                                    "At most so many, 1 to " + AccountReport.FOUND_MAX + ". Default: ${DEFAULT-VALUE}.")
                    int max,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        if (max < 1 || max > AccountReport.FOUND_MAX) {
            throw new ParameterException(spec.commandLine(), "--max must be 1 to " + AccountReport.FOUND_MAX);
        }
        JsonArray found = ask(options, accounts -> accounts.find(name, max));
        System.out.println(
                json
                        ? found.encodePrettily()
                        : found.isEmpty()
                                ? "no accounts"
                                : found.stream()
                                        .map(account -> line((JsonObject) account))
                                        .collect(Collectors.joining(System.lineSeparator())));
        return 0;
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows an account and its sessions: when each began, by which app, with which scopes.")
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
        System.out.println(json ? found.encodePrettily() : line(found) + sessions);
        return 0;
    }

    @Command(
            name = "sign-out",
            mixinStandardHelpOptions = true,
            description =
                    "Ends all sessions of an account: every token is refused within a second, its streams end. The password stays.")
    int signOut(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change(
                "sign-out",
                options,
                account,
                json,
                AccountReport::signOut,
                done -> done.getLong("ended") + " sessions of " + done.getString("username") + " have ended");
    }

    @Command(
            name = "suspend",
            mixinStandardHelpOptions = true,
            description = "Suspends an account until unsuspend: nobody sees it or what it has written, its password and"
                    + " tokens are refused within a second, its streams end. Nothing is deleted.")
    int suspend(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change(
                "suspend",
                options,
                account,
                json,
                AccountReport::suspend,
                done -> done.getString("username")
                        + (done.getBoolean("changed") ? " is suspended" : " was suspended before"));
    }

    @Command(
            name = "unsuspend",
            mixinStandardHelpOptions = true,
            description = "Lifts the suspension of an account: all is as it was before, with its sessions.")
    int unsuspend(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change(
                "unsuspend",
                options,
                account,
                json,
                AccountReport::unsuspend,
                done -> done.getString("username")
                        + (done.getBoolean("changed") ? " is not suspended any more" : " was not suspended"));
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
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        if (!yes) {
            throw new ParameterException(spec.commandLine(), "--yes must be given: a deleted account is gone for good");
        }
        return change(
                "delete",
                options,
                account,
                json,
                AccountReport::delete,
                done -> done.getString("username")
                        + (done.getBoolean("changed") ? " is deleted" : " was deleted before"));
    }

    @Command(
            name = "export",
            mixinStandardHelpOptions = true,
            description = "Writes all that an account has into a ZIP file, as its user can download it: profile, posts,"
                    + " pictures, lists. Passwords and tokens are not in it. Give the folder or the settings of the"
                    + " service, so that its pictures and its archive are found.")
    int export(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Option(
                            names = "--to",
                            paramLabel = "FILE",
                            description = "The file, which must not be there. Default: NAME.zip in this folder.")
                    Path to,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        Path file = to == null ? Path.of(AccountReport.name(account) + ".zip") : to;
        for (Path taken : List.of(file, ExportRun.part(file))) {
            if (Files.exists(taken)) {
                throw new StartFailed(taken + " is there already: name another file with --to");
            }
        }
        try {
            long bytes = new ExportRun(options.joining()).write(account, file);
            System.out.println(
                    json
                            ? new JsonObject()
                                    .put("file", file.toString())
                                    .put("bytes", bytes)
                                    .encode()
                            : String.format(Locale.ROOT, "%s has all of it, %,d bytes", file, bytes));
            return 0;
        } catch (Refusal refusal) {
            throw new StartFailed(refusal.getMessage());
        }
    }

    @Command(
            name = "reset-password",
            mixinStandardHelpOptions = true,
            description = "Gives an account a new password, which is drawn here and shown once, and ends all of its"
                    + " sessions. Its user should change it after logging in.")
    int resetPassword(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change(
                "reset-password",
                options,
                account,
                json,
                AccountReport::resetPassword,
                done -> "the new password of " + done.getString("username") + " is " + done.getString("password")
                        + " and " + done.getLong("ended") + " sessions have ended");
    }

    /**
     * @param verb of the action, for the audit log
     * @param sentence says to people what has been done
     */
    private static int change(
            String verb,
            SettingsOptions options,
            String account,
            boolean json,
            BiFunction<AccountReport, Long, Future<JsonObject>> change,
            Function<JsonObject, String> sentence) {
        Logging.ofCommand();
        CommandAudit audit =
                new CommandAudit("accounts/" + verb, "account=" + CommandAudit.word(account, NAME_CHARS_MAX));
        JsonObject done = audit.of(() -> RemoteStores.askAccounts(
                options.joining(), accounts -> accounts.id(account).compose(id -> change.apply(accounts, id))));
        System.out.println(json ? done.encode() : sentence.apply(done));
        return 0;
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
                "%-16s  @%-30s  since %s  %,d statuses  %,d followers  %,d following%s",
                account.getString("id"),
                account.getString("username"),
                account.getString("created_at"),
                account.getLong("statuses"),
                account.getLong("followers"),
                account.getLong("following"),
                since("suspended", account) + since("deleted", account));
    }
}
