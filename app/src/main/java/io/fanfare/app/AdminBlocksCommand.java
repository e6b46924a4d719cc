package io.fanfare.app;

import io.fanfare.api.siteblock.BlockValues;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.siteblock.SiteBlock;
import io.fanfare.common.siteblock.SiteBlock.Kind;
import io.fanfare.common.siteblock.SiteBlock.Severity;
import io.fanfare.common.siteblock.SiteBlocks;
import io.fanfare.common.siteblock.SiteBlocks.Change;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.redis.Redis;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
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
    private static final int DAYS_MAX = 3650;
    private static final long FILE_BYTES_MAX = 1 << 20;

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Shows the blocks, the oldest first.")
    int list(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "KIND", arity = "0..1", description = "Only these: " + KINDS + ".") String kind,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        List<Kind> kinds = kind == null ? List.of(Kind.values()) : List.of(kind(kind));
        long now = Clock.systemUTC().millis();
        List<SiteBlock> all = RemoteStores.askRedis(
                options.joining(), redis -> blocks(redis).read().map(read -> kinds.stream()
                        .flatMap(one -> read.of(one, now).stream())
                        .toList()));
        if (json) {
            System.out.println(
                    new JsonArray(all.stream().map(AdminBlocksCommand::json).toList()).encodePrettily());
        } else {
            System.out.println(
                    all.isEmpty()
                            ? "no blocks"
                            : all.stream()
                                    .map(AdminBlocksCommand::line)
                                    .collect(Collectors.joining(System.lineSeparator())));
        }
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
        Logging.ofCommand();
        Kind of = kind(kind);
        long now = Clock.systemUTC().millis();
        List<SiteBlock> wanted = values(of, values, file).stream()
                .map(value -> new SiteBlock(
                        0,
                        of,
                        value,
                        of == Kind.NETWORK ? severity(severity) : Severity.SIGN_UP_BLOCK,
                        why.text(),
                        now,
                        of == Kind.NETWORK && days != null ? end(now, days) : 0))
                .toList();
        List<SiteBlock> added = change(
                options.joining(),
                "add",
                of,
                wanted.stream().map(SiteBlock::text).toList(),
                why,
                all -> {
                    Set<String> known =
                            all.of(of, now).stream().map(SiteBlock::value).collect(Collectors.toSet());
                    return Change.put(wanted.stream()
                            .filter(block -> !known.contains(block.value()))
                            .toList());
                });
        if (json) {
            System.out.println(
                    new JsonArray(added.stream().map(AdminBlocksCommand::json).toList()).encodePrettily());
        } else {
            added.forEach(block -> System.out.println(line(block)));
            System.out.println(added.size() + " added, " + (wanted.size() - added.size()) + " there already");
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
        Logging.ofCommand();
        Kind of = kind(kind);
        Set<String> wanted = new HashSet<>(values(of, values, file));
        List<Long> removed = new ArrayList<>();
        List<SiteBlock> unused = change(options.joining(), "remove", of, List.copyOf(wanted), why, all -> {
            removed.clear();
            all.blocks().stream()
                    .filter(block -> block.kind() == of && wanted.contains(block.value()))
                    .forEach(block -> removed.add(block.id()));
            return Change.remove(removed);
        });
        System.out.println(removed.size() + " removed, " + (wanted.size() - removed.size()) + " not there");
        return 0;
    }

    private static List<SiteBlock> change(
            Settings settings,
            String verb,
            Kind kind,
            List<String> values,
            WhyOption why,
            Function<SiteBlocks.Snapshot, Change> decide) {
        String shown = values.size() == 1 ? values.get(0) : values.size() + " values";
        Act act = Act.on(CommandAudit.actor(), "blocks." + verb, 0, why.text()).withDetail(kind.label() + " " + shown);
        return new CommandAudit(
                        "blocks/" + verb,
                        "kind=" + kind.label() + " values=" + CommandAudit.logValue(shown, TEXT_CHARS_MAX))
                .of(() -> RemoteStores.askRedis(settings, redis -> new ModerationLog(
                                redis, settings.log().auditEntries())
                        .during(act, () -> blocks(redis).change(decide))));
    }

    private static SiteBlocks blocks(Redis redis) {
        return new SiteBlocks(redis, Clock.systemUTC());
    }

    private static Kind kind(String label) {
        return Kind.of(label).orElseThrow(() -> new StartFailed("the kind must be " + KINDS));
    }

    private static Severity severity(String label) {
        return Severity.of(label)
                .orElseThrow(() ->
                        new StartFailed("--severity must be sign_up_requires_approval, sign_up_block or no_access"));
    }

    private static long end(long now, int days) {
        if (days < 1 || days > DAYS_MAX) {
            throw new StartFailed("--days must be 1 to " + DAYS_MAX);
        }
        return now + Duration.ofDays(days).toMillis();
    }

    /** The values of the command line and of the file, as they are stored, each once. */
    private static List<String> values(Kind kind, List<String> given, Path file) {
        List<String> texts = Stream.concat(
                        Optional.ofNullable(given).orElse(List.of()).stream(), file == null ? Stream.of() : lines(file))
                .toList();
        if (texts.isEmpty() || texts.size() > SiteBlocks.CHANGES_MAX) {
            throw new StartFailed("name 1 to " + SiteBlocks.CHANGES_MAX + " values, as arguments or by --file");
        }
        try {
            return texts.stream()
                    .map(text -> BlockValues.of(kind, Terminal.printable(text), text))
                    .distinct()
                    .toList();
        } catch (Refusal refusal) {
            throw new StartFailed(refusal.getMessage());
        }
    }

    /** Empty lines, and those that begin with a {@code #}, are left out. */
    private static Stream<String> lines(Path file) {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new StartFailed(file + " has more than " + FILE_BYTES_MAX + " bytes");
            }
            return Arrays.stream(Files.readString(file, StandardCharsets.UTF_8).split("\\R"))
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"));
        } catch (IOException e) {
            throw new StartFailed("cannot read " + file + ": " + e.getMessage());
        }
    }

    private static JsonObject json(SiteBlock block) {
        return new JsonObject()
                .put("id", Long.toString(block.id()))
                .put("kind", block.kind().label())
                .put("value", block.text())
                .put("severity", block.severity().label())
                .put("comment", block.comment())
                .put("created", Terminal.time(block.createdMillis()))
                .put("ends", block.endMillis() == 0 ? null : Terminal.time(block.endMillis()));
    }

    private static String line(SiteBlock block) {
        return String.format(
                Locale.ROOT,
                "%-7s  %-28s%s%s%s",
                block.kind().label(),
                block.text(),
                block.kind() == Kind.NETWORK ? "  " + block.severity().label() : "",
                block.endMillis() == 0 ? "" : "  until " + Terminal.time(block.endMillis()),
                block.comment().isEmpty() ? "" : "  because: " + Terminal.printable(block.comment()));
    }
}
