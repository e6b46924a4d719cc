package io.fanfare.app;

import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code fanfare config print}: the settings in force, as a file that could be given to --config, were it not for the
 * masked secrets.
 */
@Command(
        name = "config",
        description = "Shows the settings.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class ConfigCommand {
    @Command(
            name = "print",
            mixinStandardHelpOptions = true,
            description =
                    "Prints every setting in force, where it differs from the default with its origin; secrets are"
                            + " masked.")
    void print(@Mixin SettingsOptions options) {
        List<SettingsLayer> layers = options.layers();
        String group = "";
        for (SettingsLoader.Effective line : SettingsLoader.explain(layers)) {
            int dot = line.key().lastIndexOf('.');
            if (!group.equals(line.key().substring(0, dot))) {
                group = line.key().substring(0, dot);
                System.out.println(group + ":");
            }
            System.out.println("  " + line.key().substring(dot + 1) + ": " + quoted(line.text()) + origin(line));
        }
    }

    private static String quoted(String text) {
        return text.matches("[\\w.-]+") ? text : '"' + text + '"';
    }

    private static String origin(SettingsLoader.Effective line) {
        return line.place().startsWith(SettingsLayer.DEFAULTS_PLACE) ? "" : "   # " + line.place();
    }
}
