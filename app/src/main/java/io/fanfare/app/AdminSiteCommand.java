package io.fanfare.app;

import io.fanfare.app.operate.SwitchReport;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.ModerationLog;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare admin site}: the switches of the whole site, while the service runs. */
@Command(
        name = "site",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Turns switches of the whole site on and off, without a restart. Each process follows within two seconds;"
                    + " what is chosen outlives restarts.",
            "read-only: nobody writes. members-only: nobody reads without an account. no-uploads: nobody uploads files."
        })
final class AdminSiteCommand {
    @Spec
    private CommandSpec spec;

    @Command(name = "status", mixinStandardHelpOptions = true, description = "Shows which switches are on, since when.")
    int status(
            @Mixin SettingsOptions options,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        print(
                RemoteStores.askRedis(options.joining(), redis -> new SwitchReport(redis, Clock.systemUTC()).status()),
                json);
        return 0;
    }

    @Command(name = "on", mixinStandardHelpOptions = true, description = "Turns a switch on.")
    int on(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "SWITCH", description = "read-only, members-only or no-uploads.") String name,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return turn("on", options, name, why, json);
    }

    @Command(name = "off", mixinStandardHelpOptions = true, description = "Turns a switch off.")
    int off(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "SWITCH", description = "read-only, members-only or no-uploads.") String name,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        return turn("off", options, name, why, json);
    }

    private int turn(String verb, SettingsOptions options, String name, WhyOption why, boolean json) {
        if (Switch.of(name).isEmpty()) {
            throw new ParameterException(spec.commandLine(), "SWITCH must be one of " + SwitchReport.names());
        }
        Logging.ofCommand();
        Settings settings = options.joining();
        Act act = Act.on(CommandAudit.actor(), "site." + verb, 0, why.text()).withDetail(name);
        JsonObject done = new CommandAudit("site/" + verb, "switch=" + name)
                .of(() -> RemoteStores.askRedis(settings, redis -> new ModerationLog(
                                redis, settings.log().auditEntries())
                        .during(act, () -> new SwitchReport(redis, Clock.systemUTC()).turn(name, verb.equals("on")))));
        print(done, json);
        return 0;
    }

    private static void print(JsonObject status, boolean json) {
        System.out.println(
                json
                        ? status.encode()
                        : Stream.of(Switch.values())
                                .map(one -> line(one.label(), status.getString(one.label())))
                                .collect(Collectors.joining(System.lineSeparator())));
    }

    private static String line(String name, String since) {
        return name + (since == null ? " is off" : " is on since " + since);
    }
}
