package io.fanfare.app;

import io.fanfare.app.operate.AccountReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fanfare admin accounts factor}: the second factors of accounts. */
@Command(
        name = "factor",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Removes the second factor of an account whose user has lost it.")
final class AdminAccountsFactorCommand {
    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Removes the second factor and the recovery codes of an account: its password alone logs in."
                    + " Its user sees in the settings that it was removed. Make sure that the request is"
                    + " the user's: everybody who has the password gets in.")
    int remove(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account.") String account,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return AdminAccountsCommand.change(
                "factor.remove",
                options,
                account,
                why,
                json,
                AccountReport::removeFactor,
                done -> done.getString("username")
                        + (done.getBoolean("changed") ? " has no second factor any more" : " has no second factor"));
    }
}
