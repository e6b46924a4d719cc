package io.fanfare.app;

import io.fanfare.app.operate.SiteReport;
import io.fanfare.app.operate.Terminal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fanfare admin rules}: the rules of the site. */
@Command(
        name = "rules",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows and changes the rules of the site, which people read before they sign up and reports name."
                + " Each process follows within a few seconds.")
final class AdminRulesCommand {
    @Command(name = "list", mixinStandardHelpOptions = true, description = "Shows the rules with their ids, in order.")
    int list(
            @Mixin SettingsOptions options,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        print(SiteCommand.ask(options, SiteReport::show), json);
        return 0;
    }

    @Command(name = "add", mixinStandardHelpOptions = true, description = "Adds a rule behind the last one.")
    int add(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "TEXT", description = "The rule: at most 300 characters.") String text,
            @Option(
                            names = "--hint",
                            paramLabel = "TEXT",
                            defaultValue = "",
                            description = "An explanation: at most 1000 characters.")
                    String hint,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        print(SiteCommand.change(options, why, "rules/add", "", report -> SiteReport.addRule(text, hint)), json);
        return 0;
    }

    @Command(
            name = "edit",
            mixinStandardHelpOptions = true,
            description = "Changes the words of a rule. Reports that name it show the new ones.")
    int edit(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As the list shows it.") long id,
            @Option(names = "--text", paramLabel = "TEXT", description = "The rule.") String text,
            @Option(names = "--hint", paramLabel = "TEXT", description = "The explanation; empty = none.") String hint,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        print(
                SiteCommand.change(
                        options, why, "rules/edit", "rule=" + id, report -> SiteReport.editRule(id, text, hint)),
                json);
        return 0;
    }

    @Command(
            name = "translate",
            mixinStandardHelpOptions = true,
            description = "Adds or replaces the translation of a rule; an empty text removes it.")
    int translate(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As the list shows it.") long id,
            @Parameters(paramLabel = "LANGUAGE", description = "A tag such as zh or pt-BR.") String language,
            @Parameters(paramLabel = "TEXT", description = "The rule in that language.") String text,
            @Option(
                            names = "--hint",
                            paramLabel = "TEXT",
                            defaultValue = "",
                            description = "The explanation in that language.")
                    String hint,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        print(
                SiteCommand.change(
                        options,
                        why,
                        "rules/translate",
                        "rule=" + id,
                        report -> SiteReport.translateRule(id, language, text, hint)),
                json);
        return 0;
    }

    @Command(name = "move", mixinStandardHelpOptions = true, description = "Moves a rule to another place.")
    int move(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As the list shows it.") long id,
            @Parameters(paramLabel = "PLACE", description = "1 = the first.") int place,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        print(
                SiteCommand.change(
                        options, why, "rules/move", "rule=" + id, report -> site -> site.withRuleAt(id, place)),
                json);
        return 0;
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Removes a rule. Reports that name it still show it to moderators.")
    int remove(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As the list shows it.") long id,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        print(
                SiteCommand.change(options, why, "rules/remove", "rule=" + id, report -> site -> site.withoutRule(id)),
                json);
        return 0;
    }

    private static void print(JsonObject site, boolean json) {
        JsonArray rules = site.getJsonArray("rules");
        System.out.println(Terminal.list(rules, json, "no rules", AdminRulesCommand::line));
    }

    private static String line(JsonObject rule) {
        String hint = rule.getString("hint");
        String languages = String.join(" ", rule.getJsonObject("translations").fieldNames());
        return rule.getLong("id") + "  " + Terminal.printable(rule.getString("text"))
                + (hint.isEmpty() ? "" : "  (" + Terminal.printable(hint) + ")")
                + (languages.isEmpty() ? "" : "  [" + languages + "]");
    }
}
