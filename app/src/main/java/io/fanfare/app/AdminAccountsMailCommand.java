package io.fanfare.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fanfare admin accounts mail}: the e-mail address of an account whose user has lost the former one. */
@Command(
        name = "mail",
        mixinStandardHelpOptions = true,
        description = "Gives an account another e-mail address, at once and without a mail. The links in mails to the"
                + " former address end. Make sure that the request is the user's: mails to the address reset the"
                + " password.")
final class AdminAccountsMailCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options;

    @Parameters(index = "0", paramLabel = "NAME|ID", description = "The account.")
    private String account;

    @Parameters(index = "1", paramLabel = "ADDRESS", description = "The new address; no other account may have it.")
    private String address;

    @Mixin
    private WhyOption why;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Override
    public Integer call() {
        return AdminAccountsCommand.change(
                "mail",
                options,
                account,
                why,
                json,
                (accounts, id) -> accounts.changeAddress(id, address),
                done -> done.getString("username") + " has another e-mail address");
    }
}
