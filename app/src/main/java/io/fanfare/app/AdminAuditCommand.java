package io.fanfare.app;

import io.fanfare.app.operate.ModerationReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.ModerationLog.Filter;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fanfare admin audit}: the log of what moderators and operators did. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description = "Shows what moderators and operators did: when, who, what, whom and why. The newest first.")
final class AdminAuditCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private SettingsOptions options;

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "50",
            description = "At most so many, 1 to " + ModerationReport.ENTRIES_MAX + ". Default: ${DEFAULT-VALUE}.")
    private int max;

    @Option(
            names = "--before",
            paramLabel = "ID",
            defaultValue = "",
            description = "Only older ones than this entry, to go on from the last line of a page.")
    private String before;

    @Option(names = "--account", paramLabel = "NAME|ID", defaultValue = "", description = "Only acts on this account.")
    private String account;

    @Option(names = "--by", paramLabel = "NAME|ID", defaultValue = "", description = "Only acts of this account.")
    private String by;

    @Option(
            names = "--action",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "Only actions that begin so, such as accounts. or role.set.")
    private String action;

    @Option(names = "--json", description = "For programs: one object, with next where there are more.")
    private boolean json;

    @Override
    public Integer call() {
        Logging.ofCommand();
        if (max < 1 || max > ModerationReport.ENTRIES_MAX) {
            throw new ParameterException(spec.commandLine(), "--max must be 1 to " + ModerationReport.ENTRIES_MAX);
        }
        if (!before.isEmpty() && !ModerationLog.isPlace(before)) {
            throw new ParameterException(spec.commandLine(), "--before must be the id of an entry");
        }
        JsonObject page;
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            page = stores.askModeration(
                    moderation -> moderation.accountOrNone(account).compose(whom -> moderation
                            .accountOrNone(by)
                            .compose(who -> moderation.log(new Filter(who, whom, action), before, max))));
        } catch (Refusal refusal) {
            throw new StartFailed(refusal.getMessage());
        }
        System.out.println(json ? page.encodePrettily() : text(page));
        return 0;
    }

    private static String text(JsonObject page) {
        String lines = page.getJsonArray("entries").stream()
                .map(JsonObject.class::cast)
                .map(AdminAuditCommand::line)
                .collect(Collectors.joining(System.lineSeparator()));
        String next = page.getString("next");
        String shown = lines.isEmpty() ? "no acts" : lines;
        return next == null ? shown : shown + System.lineSeparator() + "older ones: --before " + next;
    }

    private static String line(JsonObject entry) {
        String by = entry.getString("by");
        StringBuilder line = new StringBuilder(entry.getString("id"))
                .append("  ")
                .append(entry.getString("at"))
                .append("  ")
                .append(entry.getString("via"))
                .append(' ')
                .append(by == null ? Terminal.printable(entry.getString("operator")) : "@" + by)
                .append("  ")
                .append(entry.getString("action"));
        append(line, "  @", entry.getString("account"));
        append(line, "  report ", entry.getString("report"));
        append(line, "  post ", entry.getString("status"));
        append(line, "  ", Terminal.printable(entry.getString("detail")));
        append(line, "  because: ", Terminal.printable(entry.getString("why")));
        return line.toString();
    }

    private static void append(StringBuilder line, String before, String text) {
        if (text != null && !text.isEmpty()) {
            line.append(before).append(text);
        }
    }
}
