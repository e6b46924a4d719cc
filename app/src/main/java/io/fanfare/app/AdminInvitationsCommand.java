package io.fanfare.app;

import io.fanfare.app.operate.InvitationReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.account.Invitations;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare admin invitations}: codes with which people sign up. */
@Command(
        name = "invitations",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Makes, shows and revokes invitations to sign up.")
final class AdminInvitationsCommand {
    private static final int DAYS_MAX = (int) Invitations.LIFE_MAX.toDays();

    @Spec
    private CommandSpec spec;

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows the invitations of all accounts and of operators, the newest first.")
    int list(
            @Mixin SettingsOptions options,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        Settings settings = options.joining();
        JsonArray found =
                RemoteStores.askRedis(settings, redis -> report(redis, settings).list());
        System.out.println(Terminal.list(found, json, "no invitations", InvitationReport::line));
        return 0;
    }

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            description = "Makes an invitation and shows the address of its page.")
    int create(
            @Mixin SettingsOptions options,
            @Option(
                            names = "--uses",
                            paramLabel = "N",
                            description = "How many people may sign up with it. Default: as many as like.")
                    int uses,
            @Option(names = "--days", paramLabel = "N", description = "How long it is good. Default: for ever.")
                    int days,
            @Option(names = "--comment", paramLabel = "TEXT", defaultValue = "", description = "What it is for.")
                    String comment,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        check(uses >= 0 && uses <= Invitations.USES_MAX, "--uses must be 1 to " + Invitations.USES_MAX);
        check(days >= 0 && days <= DAYS_MAX, "--days must be 1 to " + DAYS_MAX);
        check(
                comment.length() <= Invitations.COMMENT_MAX,
                "--comment must have at most " + Invitations.COMMENT_MAX + " characters");
        JsonObject made =
                change("create", options, why, report -> report.make(Duration.ofDays(days), uses, comment.strip()));
        System.out.println(json ? made.encode() : made.getString("url"));
        return 0;
    }

    @Command(
            name = "revoke",
            mixinStandardHelpOptions = true,
            description = "Revokes an invitation: nobody signs up with it any more. Accounts that have done so stay.")
    int revoke(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "CODE", description = "As the list shows it.") String code,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        JsonObject done = change("revoke", options, why, report -> report.revoke(code));
        System.out.println(
                json
                        ? done.encode()
                        : done.getBoolean("changed") ? "the invitation is revoked" : "there is no such invitation");
        return 0;
    }

    private void check(boolean possible, String sentence) {
        if (!possible) {
            throw new ParameterException(spec.commandLine(), sentence);
        }
    }

    private static JsonObject change(
            String verb,
            SettingsOptions options,
            WhyOption why,
            Function<InvitationReport, Future<JsonObject>> change) {
        Logging.ofCommand();
        Settings settings = options.joining();
        Act act = Act.on(CommandAudit.actor(), "invitations." + verb, 0, why.text());
        // The code stays out of the audit log: it is still valid when the act fails.
        return new CommandAudit("invitations/" + verb, "")
                .of(() -> RemoteStores.askRedis(settings, redis -> new ModerationLog(
                                redis, settings.log().auditEntries())
                        .during(act, () -> change.apply(report(redis, settings)))));
    }

    private static InvitationReport report(Redis redis, Settings settings) {
        return new InvitationReport(redis, settings.http().publicUrl(), Clock.systemUTC());
    }
}
