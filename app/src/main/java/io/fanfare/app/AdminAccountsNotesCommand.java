package io.fanfare.app;

import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.moderation.ModeratorNotes;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare admin accounts notes}: notes of moderators and operators on an account. */
@Command(
        name = "notes",
        mixinStandardHelpOptions = true,
        description =
                "Shows the notes of moderators and operators on an account, the newest first, after it has added or"
                        + " removed one. The account never reads them.")
final class AdminAccountsNotesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private SettingsOptions options;

    @Parameters(paramLabel = "NAME|ID", description = "The account.")
    private String account;

    @Option(names = "--add", paramLabel = "TEXT", defaultValue = "", description = "A note to add.")
    private String text;

    @Option(names = "--remove", paramLabel = "N", defaultValue = "0", description = "The number of a note to remove.")
    private long number;

    @Option(names = "--json", description = "For programs: an array of objects.")
    private boolean json;

    @Override
    public Integer call() {
        Logging.ofCommand();
        String note = text.strip();
        if (note.length() > ModeratorNotes.TEXT_MAX) {
            throw new ParameterException(
                    spec.commandLine(), "--add must have at most " + ModeratorNotes.TEXT_MAX + " characters");
        }
        try (RemoteStores.Session stores = RemoteStores.open(options.joining())) {
            long id = stores.askModeration(moderation -> moderation.account(account));
            if (!note.isEmpty()) {
                Long unused = audit("note")
                        .of(() ->
                                stores.askModeration(moderation -> moderation.addNote(CommandAudit.actor(), id, note)));
            }
            if (number != 0) {
                Void unused = audit("unnote")
                        .of(() -> stores.askModeration(
                                moderation -> moderation.removeNote(CommandAudit.actor(), id, number)));
            }
            JsonArray notes = stores.askModeration(moderation -> moderation.notes(id));
            System.out.println(Terminal.list(notes, json, "no notes", AdminAccountsNotesCommand::line));
            return 0;
        } catch (Refusal refusal) {
            throw new StartFailed(refusal.getMessage());
        }
    }

    private CommandAudit audit(String verb) {
        return new CommandAudit(
                "accounts/" + verb, "account=" + CommandAudit.logValue(account, AdminAccountsCommand.NAME_CHARS_MAX));
    }

    private static String line(JsonObject note) {
        return note.getString("id") + "  " + note.getString("at") + "  "
                + Terminal.printable(note.getString("by", note.getString("operator"))) + "  "
                + Terminal.printable(note.getString("text"));
    }
}
