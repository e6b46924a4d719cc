package io.fanfare.app;

import io.fanfare.app.operate.AccountReport;
import io.fanfare.app.operate.AccountSearch;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.account.SignUpNetworks;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Restrictions.Kind;
import io.fanfare.failure.Reason;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
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
                "Shows, limits, suspends, deletes and exports accounts, ends their sessions, and makes new passwords.",
        subcommands = {
            AdminAccountsExportCommand.class,
        })
final class AdminAccountsCommand {
    /** The longest account name in the audit log. */
    private static final int NAME_CHARS_MAX = 60;

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

    private static JsonArray find(SettingsOptions options, AccountSearch.Query query) {
        try (RemoteStores.Session session = RemoteStores.open(options.joining())) {
            JsonObject found = new AccountSearch(
                            (member, limit) -> session.askAccounts(accounts -> accounts.after(member, limit)),
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
            @Mixin Many many,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        if (many.isOne()) {
            return change(
                    "suspend",
                    options,
                    many.accounts.get(0),
                    why,
                    json,
                    AccountReport::suspend,
                    done -> done.getString("username")
                            + (done.getBoolean("changed") ? " is suspended" : " was suspended before"));
        }
        Logging.ofCommand();
        many.check(spec.commandLine().getSubcommands().get("suspend"));
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            Collection<String> accounts = many.chosen(stores);
            SuspendRun run = new SuspendRun(stores, many.dryRun, why.text());
            run.suspend(accounts);
            System.out.println(json ? run.json(accounts.size()).encodePrettily() : run.text(accounts.size()));
            return run.isComplete() ? 0 : 1;
        }
    }

    /** Which accounts are meant. */
    static final class Many {
        private static final int LINE_CHARS_MAX = 100;

        @Parameters(paramLabel = "NAME|ID", arity = "0..*", description = "The accounts.")
        private List<String> accounts = new ArrayList<>();

        @Option(
                names = "--file",
                paramLabel = "FILE",
                description = "In place of them: a file with a name or an id a line, at most " + SuspendRun.MAX
                        + "; - is the standard input. Empty lines, and those after a #, are left out.")
        private String file;

        @Option(
                names = "--signed-up-from",
                paramLabel = "ADDRESS[/BITS]",
                description =
                        "In place of them: those that have signed up from this network lately, IPv4 from /16 on, IPv6 from /40 to /64, which a single address stands for. Kept for auth.sign-up-address-days.")
        private String from;

        @Option(
                names = "--since",
                paramLabel = "TIME",
                description = "With --signed-up-from: from a moment on, such as 2026-01-02T03:04:05Z, or for so long,"
                        + " such as 90m, 24h or 7d. Default: as far back as is known.")
        private String since;

        @Option(names = "--dry-run", description = "Shows what would be done, and changes nothing.")
        private boolean dryRun;

        private boolean isOne() {
            return accounts.size() == 1 && file == null && from == null && since == null && !dryRun;
        }

        private void check(CommandLine line) {
            int ways = (accounts.isEmpty() ? 0 : 1) + (file == null ? 0 : 1) + (from == null ? 0 : 1);
            if (ways != 1) {
                throw new ParameterException(line, "give names, or --file, or --signed-up-from");
            }
            if (since != null && from == null) {
                throw new ParameterException(line, "--since goes with --signed-up-from");
            }
            if (from != null && network() == null) {
                throw new ParameterException(
                        line,
                        "--signed-up-from must be an address or a network: IPv4 from /16 to /32, IPv6 from /40 to /64");
            }
            if (since != null && sinceMillis() < 0) {
                throw new ParameterException(
                        line,
                        "--since must be a moment such as 2026-01-02T03:04:05Z, or a time such as 90m, 24h or 7d");
            }
        }

        /** Null = none that can be looked for. */
        private SignUpNetworks.Network network() {
            return ClientAddress.CidrBlock.of(from)
                    .map(block -> new SignUpNetworks.Network(block.digits(), block.bits()))
                    .filter(network -> network.bits() >= network.bitsMin())
                    .orElse(null);
        }

        /** 0 = from the beginning; -1 = it is none. */
        private long sinceMillis() {
            if (since == null) {
                return 0;
            }
            Matcher length = LENGTH.matcher(since);
            if (length.matches()) {
                Duration unit = UNITS.get(length.group(2));
                return Math.max(0, Clock.systemUTC().millis() - unit.toMillis() * Long.parseLong(length.group(1)));
            }
            try {
                return Math.max(0, Instant.parse(since).toEpochMilli());
            } catch (DateTimeParseException e) {
                return -1;
            }
        }

        private static final Pattern LENGTH = Pattern.compile("(\\d{1,5})([mhd])");
        private static final Map<String, Duration> UNITS =
                Map.of("m", Duration.ofMinutes(1), "h", Duration.ofHours(1), "d", Duration.ofDays(1));

        private Collection<String> chosen(RemoteStores.Session stores) {
            if (from != null) {
                return signedUp(stores);
            }
            return file == null ? new LinkedHashSet<>(accounts) : read();
        }

        private Collection<String> signedUp(RemoteStores.Session stores) {
            SignUpNetworks networks = stores.signUpNetworks();
            SignUpNetworks.Network network = network();
            Set<String> found = new LinkedHashSet<>();
            long next = sinceMillis();
            do {
                long from = next;
                SignUpNetworks.Page page = stores.askRedis(redis -> networks.find(network, from));
                page.matching().forEach(one -> found.add(Long.toString(one.account())));
                next = page.next();
            } while (next > 0);
            return found;
        }

        private Collection<String> read() {
            Set<String> names = new LinkedHashSet<>();
            try (BufferedReader lines = file.equals("-")
                    ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                    : Files.newBufferedReader(Path.of(file))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String name = line.strip();
                    if (name.length() > LINE_CHARS_MAX) {
                        throw new StartFailed("a line of " + file + " is longer than any name: nothing is suspended");
                    }
                    if (!name.isEmpty() && !name.startsWith("#")) {
                        names.add(name);
                    }
                    if (names.size() > SuspendRun.MAX) {
                        throw new StartFailed(
                                file + " has more than " + SuspendRun.MAX + " accounts: nothing is suspended");
                    }
                }
                return names;
            } catch (IOException e) {
                throw new StartFailed("cannot read " + file + ": " + Reason.of(e));
            }
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
    private static int change(
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
                since("suspended", account)
                        + since("limited", account)
                        + since("sensitized", account)
                        + since("deleted", account));
    }
}
