package io.fanfare.app;

import java.util.List;
import picocli.CommandLine.Command;

/** {@code fanfare admin}: looks into a running service and mends it, through its Redis or its management server. */
@Command(
        name = "admin",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows the inside of a running service, and mends it.")
final class AdminCommand implements Program.Group {
    @Override
    public List<Class<?>> commands() {
        return List.of(
                AdminQueueCommand.class,
                AdminPostCommand.class,
                AdminHomeCommand.class,
                AdminStreamsCommand.class,
                AdminAccountsCommand.class,
                AdminSignUpsCommand.class,
                AdminSiteCommand.class,
                AdminInvitationsCommand.class,
                AdminBlocksCommand.class,
                AdminAppsCommand.class,
                AdminReportsCommand.class,
                AdminHeldCommand.class,
                AdminAppealsCommand.class,
                AdminRulesCommand.class,
                AdminTextsCommand.class,
                AdminAnnouncementsCommand.class,
                AdminRoleCommand.class,
                AdminAuditCommand.class,
                AdminEmojisCommand.class,
                AdminMailCommand.class,
                AdminArchiveCommand.class,
                AdminSearchCommand.class,
                AdminStatsCommand.class,
                AdminVerifyCommand.class);
    }
}
