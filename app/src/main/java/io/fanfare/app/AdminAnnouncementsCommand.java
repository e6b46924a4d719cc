package io.fanfare.app;

import io.fanfare.app.operate.SiteReport;
import io.fanfare.app.operate.Terminal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fanfare admin announcements}: announcements to everybody who is logged in. */
@Command(
        name = "announcements",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows and changes the announcements to everybody who is logged in, who can dismiss them. Each"
                + " process follows within a few seconds.")
final class AdminAnnouncementsCommand {
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows all of them with their ids, also those that are not shown to users now.")
    int list(
            @Mixin SettingsOptions options,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        print(SiteCommand.ask(options, SiteReport::show), json);
        return 0;
    }

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = "Announces something: at most 3000 characters, in which hashtags and addresses are links.")
    int add(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "TEXT", description = "The announcement.") String text,
            @Option(
                            names = "--from",
                            paramLabel = "TIME",
                            defaultValue = "",
                            description = "Shown from this time on, such as 2026-12-01T08:00Z; default: now.")
                    String from,
            @Option(
                            names = "--starts",
                            paramLabel = "TIME|DAY",
                            defaultValue = "",
                            description = "The beginning of the event that it is about.")
                    String starts,
            @Option(
                            names = "--ends",
                            paramLabel = "TIME|DAY",
                            defaultValue = "",
                            description = "The end of the event; then the announcement is not shown any more.")
                    String ends,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        print(
                SiteCommand.change(
                        options, why, "announcements/add", "", report -> report.announce(text, from, starts, ends)),
                json);
        return 0;
    }

    @Command(
            name = "edit",
            mixinStandardHelpOptions = true,
            description = "Changes the text of one. It stays dismissed for those who have dismissed it.")
    int edit(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As the list shows it.") long id,
            @Parameters(paramLabel = "TEXT", description = "The announcement.") String text,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        print(
                SiteCommand.change(
                        options,
                        why,
                        "announcements/edit",
                        "announcement=" + id,
                        report -> report.editAnnouncement(id, text)),
                json);
        return 0;
    }

    @Command(name = "remove", mixinStandardHelpOptions = true, description = "Removes one.")
    int remove(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As the list shows it.") long id,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        print(
                SiteCommand.change(
                        options,
                        why,
                        "announcements/remove",
                        "announcement=" + id,
                        report -> site -> site.withoutAnnouncement(id)),
                json);
        return 0;
    }

    private static void print(JsonObject site, boolean json) {
        JsonArray all = site.getJsonArray("announcements");
        System.out.println(Terminal.list(all, json, "no announcements", AdminAnnouncementsCommand::line));
    }

    private static String line(JsonObject one) {
        String ends = one.getString("ends_at");
        return one.getLong("id") + "  " + (one.getBoolean("shown") ? "shown" : "not shown") + "  from "
                + one.getString("published_at") + (ends == null ? "" : " until " + ends) + "  "
                + Terminal.printable(one.getString("text"));
    }
}
