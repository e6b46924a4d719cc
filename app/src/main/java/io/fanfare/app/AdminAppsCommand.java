package io.fanfare.app;

import io.fanfare.api.oauth.Apps;
import io.fanfare.api.oauth.Apps.Unclaimed;
import io.fanfare.app.operate.Terminal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fanfare admin apps}: client applications that nobody has logged in with. */
@Command(
        name = "apps",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Shows and forgets client applications that have registered, and that nobody has logged in with yet.")
final class AdminAppsCommand {
    private static final int LIST_MAX = 1000;

    @Spec
    private CommandSpec spec;

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description =
                    "Shows them: when each was registered or got its newest token, client id, name. The oldest first.")
    int list(
            @Mixin SettingsOptions options,
            @Option(
                            names = "--max",
                            paramLabel = "N",
                            defaultValue = "100",
                            description = "At most so many, 1 to " + LIST_MAX + ". Default: ${DEFAULT-VALUE}.")
                    int max,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        if (max < 1 || max > LIST_MAX) {
            throw new ParameterException(spec.commandLine(), "--max must be 1 to " + LIST_MAX);
        }
        List<Unclaimed> apps = RemoteStores.askRedis(options.joining(), redis -> new Apps(redis).unclaimed(max));
        System.out.println(json ? json(apps).encodePrettily() : text(apps));
        return 0;
    }

    @Command(
            name = "purge",
            mixinStandardHelpOptions = true,
            description = "Forgets them, with their tokens. Apps that somebody has logged in with stay, always.")
    int purge(
            @Mixin SettingsOptions options,
            @Option(
                            names = "--older-than",
                            paramLabel = "MINUTES",
                            defaultValue = "60",
                            description =
                                    "Only those that have done nothing for so many minutes, so that nobody is interrupted who logs in now. 0 or more. Default: ${DEFAULT-VALUE}.")
                    int minutes,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        if (minutes < 0) {
            throw new ParameterException(spec.commandLine(), "--older-than must be 0 or more");
        }
        long before =
                Clock.systemUTC().instant().minus(Duration.ofMinutes(minutes)).toEpochMilli();
        int purged = RemoteStores.askRedis(options.joining(), redis -> new Apps(redis).purge(before));
        System.out.println(json ? new JsonObject().put("purged", purged).encode() : purged + " apps forgotten");
        return 0;
    }

    private static String text(List<Unclaimed> apps) {
        if (apps.isEmpty()) {
            return "no apps that nobody has logged in with";
        }
        return apps.stream()
                .map(app -> Terminal.time(app.activeAtMillis()) + "  " + app.clientId() + "  "
                        + Terminal.printable(app.name()))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static JsonArray json(List<Unclaimed> apps) {
        JsonArray all = new JsonArray();
        apps.forEach(app -> all.add(new JsonObject()
                .put("client_id", app.clientId())
                .put("name", app.name())
                .put("active_at", Terminal.time(app.activeAtMillis()))));
        return all;
    }
}
