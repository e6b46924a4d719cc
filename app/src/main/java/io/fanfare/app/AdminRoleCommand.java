package io.fanfare.app;

import io.fanfare.app.operate.ModerationReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fanfare admin role}: the accounts that moderate the site. */
@Command(
        name = "role",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows and gives the roles of accounts: owner, admin, moderator, user.")
final class AdminRoleCommand {
    private static final int NAME_CHARS_MAX = 60;

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = "Gives an account a role, from its next request on. user takes its role away.")
    int set(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Parameters(paramLabel = "ROLE", description = "owner, admin, moderator or user.") String role,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        Role given = role(role);
        String reason = why.required();
        CommandAudit audit = new CommandAudit(
                "role/set", "account=" + CommandAudit.logValue(account, NAME_CHARS_MAX) + " role=" + given.label());
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            JsonObject done = audit.of(() -> {
                long id = Long.parseLong(
                        stores.askAccounts(accounts -> accounts.look(account)).getString("id"));
                return stores.askModeration(moderation -> moderation.setRole(CommandAudit.actor(), id, given, reason));
            });
            System.out.println(
                    json
                            ? done.encode()
                            : done.getString("username") + " is " + done.getString("role") + " now (before: "
                                    + done.getString("before") + ")");
            return 0;
        }
    }

    private static Role role(String label) {
        try {
            return ModerationReport.role(label.toLowerCase(Locale.ROOT));
        } catch (Refusal refusal) {
            throw new StartFailed(refusal.getMessage());
        }
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows the accounts that have a role, the highest first.")
    int list(
            @Mixin SettingsOptions options,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        JsonArray all;
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            all = stores.<JsonArray>askModeration(ModerationReport::roles);
        }
        System.out.println(Terminal.list(
                all,
                json,
                "no account has a role: fanfare admin role set NAME owner --why TEXT gives one",
                AdminRoleCommand::line));
        return 0;
    }

    private static String line(JsonObject account) {
        return String.format(
                Locale.ROOT,
                "%-10s  %-16s  @%s%s",
                account.getString("role"),
                account.getString("id"),
                account.getString("username"),
                account.getBoolean("suspended") ? "  suspended" : "");
    }
}
