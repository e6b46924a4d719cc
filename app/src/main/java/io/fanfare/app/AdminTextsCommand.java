package io.fanfare.app;

import io.fanfare.app.operate.SiteReport;
import io.fanfare.app.operate.SiteReport.TextName;
import io.fanfare.common.model.Refusal;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fanfare admin texts}: the description, the privacy policy, the terms of service and the contact. */
@Command(
        name = "texts",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows and changes the texts about the site: about (a longer description), privacy (the privacy"
                + " policy) and terms (of service). Each process follows within a few seconds.")
final class AdminTextsCommand {
    private static final String NAME = "about, privacy or terms.";

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows which texts there are, and the contact account.")
    int list(
            @Mixin SettingsOptions options,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        print(SiteCommand.ask(options, SiteReport::show), json);
        return 0;
    }

    @Command(name = "show", mixinStandardHelpOptions = true, description = "Shows one text as it was written.")
    int show(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME", description = NAME) String name,
            @Mixin EffectiveOption effective,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        TextName text = effective.of(name);
        JsonObject shown = SiteCommand.ask(options, report -> report.text(text));
        System.out.println(json ? shown.encodePrettily() : shown.getString("text"));
        return 0;
    }

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = "Writes or replaces a text in Markdown: at most 30,000 characters. HTML in it is shown as"
                    + " text.")
    int set(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME", description = NAME) String name,
            @Mixin EffectiveOption effective,
            @Mixin SiteCommand.FileOption file,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        TextName text = effective.of(name);
        String words = file.text();
        print(SiteCommand.change(options, why, "texts/set", "text=" + text, report -> report.write(text, words)), json);
        return 0;
    }

    @Command(name = "remove", mixinStandardHelpOptions = true, description = "Removes a text.")
    int remove(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME", description = NAME) String name,
            @Mixin EffectiveOption effective,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        TextName text = effective.of(name);
        print(SiteCommand.change(options, why, "texts/remove", "text=" + text, report -> text::removedFrom), json);
        return 0;
    }

    @Command(
            name = "contact",
            mixinStandardHelpOptions = true,
            description = "Names the account to which people write about the site. Its address for mail is"
                    + " instance.contact-email.")
    int contact(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME|ID", description = "The account; none = nobody.") String account,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        long id = account.equals("none") ? 0 : id(options, account);
        print(
                SiteCommand.change(
                        options, why, "texts/contact", "account=" + id, report -> site -> site.withContact(id)),
                json);
        return 0;
    }

    private static long id(SettingsOptions options, String account) {
        Logging.ofCommand();
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            return Long.parseLong(
                    stores.askAccounts(accounts -> accounts.look(account)).getString("id"));
        } catch (Refusal refusal) {
            throw new StartFailed(refusal.getMessage());
        }
    }

    /** The day of terms of service. */
    static final class EffectiveOption {
        @Option(
                names = "--effective",
                paramLabel = "DAY",
                defaultValue = "",
                description = "Of terms: the day (UTC) from which they are in force, such as 2026-12-01.")
        private String day;

        TextName of(String name) {
            try {
                return TextName.of(name, day);
            } catch (Refusal refusal) {
                throw new StartFailed(refusal.getMessage());
            }
        }
    }

    private static void print(JsonObject site, boolean json) {
        JsonArray texts = site.getJsonArray("texts");
        if (json) {
            System.out.println(new JsonObject()
                    .put("texts", texts)
                    .put("contact", site.getString("contact"))
                    .encodePrettily());
            return;
        }
        String contact = site.getString("contact");
        System.out.println(
                texts.isEmpty()
                        ? "no texts"
                        : texts.stream()
                                .map(JsonObject.class::cast)
                                .map(AdminTextsCommand::line)
                                .collect(Collectors.joining(System.lineSeparator())));
        System.out.println(contact == null ? "no contact account" : "contact account " + contact);
    }

    private static String line(JsonObject text) {
        String effective = text.getString("effective");
        return text.getString("name") + (effective == null ? "" : " in force from " + effective) + "  "
                + text.getInteger("characters") + " characters, changed " + text.getString("changed_at");
    }
}
