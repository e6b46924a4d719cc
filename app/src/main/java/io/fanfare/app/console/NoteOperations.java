package io.fanfare.app.console;

import io.fanfare.app.operate.ModerationReport;
import io.fanfare.core.moderation.ModeratorNotes;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Notes of moderators and operators on an account, like {@code fanfare admin accounts notes}. One event loop. */
final class NoteOperations {
    private NoteOperations() {}

    static List<Operation> of(ConsoleLoop loop) {
        return List.of(
                Operation.get("accounts/notes", List.of("account"), given -> report(loop)
                                .compose(report -> report.account(given.text("account"))
                                        .compose(report::notes)
                                        .map(notes -> new JsonObject().put("notes", notes))))
                        .forOperators(),
                Operation.moderation("accounts/note", List.of("account", "text"), (given, by) -> {
                            String text = given.text("text", ModeratorNotes.TEXT_MAX);
                            if (text.isEmpty()) {
                                throw Arguments.malformed("text must be the note.");
                            }
                            return report(loop).compose(report -> report.account(given.text("account"))
                                    .compose(id -> report.addNote(by, id, text))
                                    .map(number -> new JsonObject().put("id", Long.toString(number))));
                        })
                        .withBody(Operation.BODY_BYTES_MAX * 2)
                        .logging("account"),
                Operation.moderation("accounts/unnote", List.of("account", "note"), (given, by) -> {
                    long number = given.id("note");
                    return report(loop).compose(report -> report.account(given.text("account"))
                            .compose(id -> report.removeNote(by, id, number))
                            .map(done -> new JsonObject().put("removed", number)));
                }));
    }

    private static Future<ModerationReport> report(ConsoleLoop loop) {
        return loop.stores()
                .link()
                .map(redis -> new ModerationReport(redis, loop.shards(), loop.settings(), loop.random()));
    }
}
