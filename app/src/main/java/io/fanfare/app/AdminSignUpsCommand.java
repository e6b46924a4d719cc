package io.fanfare.app;

import io.fanfare.app.operate.SignUpReport;
import io.fanfare.common.settings.Registrations;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fanfare admin sign-ups}: the mode of sign-ups, while the service runs. */
@Command(
        name = "sign-ups",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Changes how people sign up, without a restart. Each process follows within two seconds; what is chosen"
                        + " outlives restarts.")
final class AdminSignUpsCommand {
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = "Shows the mode of sign-ups, and whether an operator or auth.registrations has chosen it.")
    int status(
            @Mixin SettingsOptions options,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        print(ask(options.joining(), SignUpReport::status), json);
        return 0;
    }

    @Command(
            name = "close",
            mixinStandardHelpOptions = true,
            description = "Closes sign-ups, whatever auth.registrations says: 403 with a sentence. Everybody who has an"
                    + " account logs in as before.")
    int close(
            @Mixin SettingsOptions options,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change("close", options, why, json, signUps -> signUps.choose(Registrations.CLOSED));
    }

    @Command(
            name = "open",
            mixinStandardHelpOptions = true,
            description = "Opens sign-ups to everybody, whatever auth.registrations says.")
    int open(
            @Mixin SettingsOptions options,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change("open", options, why, json, signUps -> signUps.choose(Registrations.OPEN));
    }

    @Command(
            name = "approval",
            mixinStandardHelpOptions = true,
            description = "Lets people apply for an account, whatever auth.registrations says: each gives a reason, and"
                    + " a moderator approves or rejects the account.")
    int approval(
            @Mixin SettingsOptions options,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change("approval", options, why, json, signUps -> signUps.choose(Registrations.APPROVAL));
    }

    @Command(
            name = "invitation",
            mixinStandardHelpOptions = true,
            description = "Lets only people sign up who have an invitation, whatever auth.registrations says.")
    int invitation(
            @Mixin SettingsOptions options,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change("invitation", options, why, json, signUps -> signUps.choose(Registrations.INVITATION));
    }

    @Command(
            name = "default",
            mixinStandardHelpOptions = true,
            description = "Leaves sign-ups to auth.registrations again.")
    int byDefault(
            @Mixin SettingsOptions options,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return change("default", options, why, json, SignUpReport::leaveToSetting);
    }

    private static int change(
            String verb,
            SettingsOptions options,
            WhyOption why,
            boolean json,
            Function<SignUpReport, Future<JsonObject>> change) {
        Logging.ofCommand();
        Settings settings = options.joining();
        Act act = Act.on(CommandAudit.actor(), "sign-ups." + verb, 0, why.text());
        JsonObject done = new CommandAudit("sign-ups/" + verb, "")
                .of(() -> RemoteStores.askRedis(settings, redis -> new ModerationLog(
                                redis, settings.log().auditEntries())
                        .during(act, () -> change.apply(report(redis, settings)))));
        print(done, json);
        return 0;
    }

    private static JsonObject ask(Settings settings, Function<SignUpReport, Future<JsonObject>> question) {
        return RemoteStores.askRedis(settings, redis -> question.apply(report(redis, settings)));
    }

    private static SignUpReport report(Redis redis, Settings settings) {
        return new SignUpReport(redis, settings.auth().registrations(), Clock.systemUTC());
    }

    private static String sentence(String mode) {
        return switch (Registrations.of(mode).orElseThrow()) {
            case APPROVAL -> "sign-ups need approval";
            case INVITATION -> "sign-ups need an invitation";
            case OPEN, CLOSED -> "sign-ups are " + mode;
        };
    }

    private static void print(JsonObject status, boolean json) {
        if (json) {
            System.out.println(status.encode());
            return;
        }
        String since = status.getString("since");
        System.out.println(sentence(status.getString("mode"))
                + (since == null ? ", as auth.registrations says" : ", as an operator has chosen at " + since));
    }
}
