package io.fanfare.app;

import io.fanfare.app.operate.BlockReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.siteblock.SiteBlock.Kind;
import io.fanfare.common.siteblock.SiteBlocks;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fanfare admin blocks}: networks, mail domains and user names that the site refuses. */
@Command(
        name = "blocks",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Shows and changes the blocks of networks, mail domains and user names. Each process follows within"
                        + " two seconds.")
final class AdminBlocksCommand {
    private static final String KINDS = "network, mail or name";
    private static final int TEXT_CHARS_MAX = 80;
    private static final long FILE_BYTES_MAX = 1 << 20;

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Shows the blocks, the oldest first.")
    int list(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "KIND", arity = "0..1", description = "Only these: " + KINDS + ".") String kind,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        List<Kind> kinds = kind == null ? List.of(Kind.values()) : List.of(kind(kind));
        JsonArray all = ask(options.joining(), report -> report.list(kinds));
        System.out.println(Terminal.list(all, json, "no blocks", AdminBlocksCommand::line));
        return 0;
    }

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = "Blocks networks, mail domains or user names, up to " + SiteBlocks.CHANGES_MAX + " at once."
                    + " Those that are blocked already stay as they are.")
    int add(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "KIND", description = KINDS + ".") String kind,
            @Parameters(
                            paramLabel = "VALUE",
                            arity = "0..*",
                            description = "192.0.2.0/24 or 2001:db8::/48; example.org with its subdomains; a name, in"
                                    + " which up to four stars stand for any letters.")
                    List<String> values,
            @Option(names = "--file", paramLabel = "FILE", description = "Also those of the file, one a line.")
                    Path file,
            @Option(
                            names = "--severity",
                            paramLabel = "WORD",
                            defaultValue = "sign_up_block",
                            description = "Of networks: sign_up_requires_approval, sign_up_block or no_access, which"
                                    + " refuses every request and ends open streams. Default: ${DEFAULT-VALUE}.")
                    String severity,
            @Option(names = "--days", paramLabel = "N", description = "Networks: the block ends after so many days.")
                    Integer days,
            @Mixin WhyOption why,
            @Option(names = "--json", description = "For programs: an array of the new blocks.") boolean json) {
        Kind of = kind(kind);
        String reason = why.text();
        if (days != null && days < 1) {
            throw new StartFailed("--days must be 1 to " + BlockReport.DAYS_MAX);
        }
        List<String> all = values(values, file);
        JsonObject done = change(
                options,
                "add",
                of,
                all,
                report -> report.add(CommandAudit.actor(), of, all, severity, days == null ? 0 : days, reason));
        JsonArray added = done.getJsonArray("added");
        if (json) {
            System.out.println(added.encodePrettily());
        } else {
            if (!added.isEmpty()) {
                System.out.println(Terminal.lines(added, AdminBlocksCommand::line));
            }
            System.out.println(added.size() + " added, " + done.getInteger("known") + " there already");
        }
        return 0;
    }

    @Command(name = "remove", mixinStandardHelpOptions = true, description = "Removes blocks by their values.")
    int remove(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "KIND", description = KINDS + ".") String kind,
            @Parameters(paramLabel = "VALUE", arity = "0..*", description = "As list shows them.") List<String> values,
            @Option(names = "--file", paramLabel = "FILE", description = "Also those of the file, one a line.")
                    Path file,
            @Mixin WhyOption why) {
        Kind of = kind(kind);
        String reason = why.text();
        List<String> all = values(values, file);
        JsonObject done =
                change(options, "remove", of, all, report -> report.remove(CommandAudit.actor(), of, all, reason));
        System.out.println(done.getInteger("removed") + " removed, " + done.getInteger("unknown") + " not there");
        return 0;
    }

    private static JsonObject change(
            SettingsOptions options,
            String verb,
            Kind kind,
            List<String> values,
            Function<BlockReport, Future<JsonObject>> change) {
        Logging.ofCommand();
        Settings settings = options.joining();
        String shown = values.size() == 1 ? values.get(0) : values.size() + " values";
        return new CommandAudit(
                        "blocks/" + verb,
                        "kind=" + kind.label() + " values=" + CommandAudit.logValue(shown, TEXT_CHARS_MAX))
                .of(() -> ask(settings, change));
    }

    private static <T> T ask(Settings settings, Function<BlockReport, Future<T>> question) {
        return RemoteStores.askRedis(
                settings,
                redis -> question.apply(new BlockReport(
                        redis, new ModerationLog(redis, settings.log().auditEntries()), Clock.systemUTC())));
    }

    private static Kind kind(String label) {
        try {
            return BlockReport.kind(label);
        } catch (Refusal refusal) {
            throw new StartFailed(refusal.getMessage());
        }
    }

    /** The values of the command line and of the file. */
    private static List<String> values(List<String> given, Path file) {
        return Stream.concat(
                        Optional.ofNullable(given).orElse(List.of()).stream(),
                        file == null ? Stream.of() : BlockReport.lines(text(file)))
                .toList();
    }

    private static String text(Path file) {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new StartFailed(file + " has more than " + FILE_BYTES_MAX + " bytes");
            }
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new StartFailed("cannot read " + file + ": " + e.getMessage());
        }
    }

    private static String line(JsonObject block) {
        String end = block.getString("ends");
        String comment = block.getString("comment");
        return String.format(
                Locale.ROOT,
                "%-7s  %-28s%s%s%s",
                block.getString("kind"),
                block.getString("value"),
                block.getString("kind").equals(Kind.NETWORK.label()) ? "  " + block.getString("severity") : "",
                end == null ? "" : "  until " + end,
                comment.isEmpty() ? "" : "  because: " + Terminal.printable(comment));
    }
}
