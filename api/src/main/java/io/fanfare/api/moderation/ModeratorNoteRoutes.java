package io.fanfare.api.moderation;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.feature.Staff;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.view.Timestamps;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModeratorNotes;
import io.fanfare.core.moderation.ModeratorNotes.Note;
import io.fanfare.server.http.AuditLog;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;

/** Moderators note things about accounts, for each other. An account that a role does not reach shows it no notes. */
final class ModeratorNoteRoutes {
    private static final String NOTES = "/api/v1/admin/accounts/:id/notes";

    private final Staff staff;
    private final AdminAccounts accounts;
    private final ModeratorNotes notes;
    private final AuditLog audit;

    ModeratorNoteRoutes(Staff staff, AdminAccounts accounts, ModeratorNotes notes, AuditLog audit) {
        this.staff = staff;
        this.accounts = accounts;
        this.notes = notes;
        this.audit = audit;
    }

    List<Endpoint> endpoints() {
        Access write = Access.user("admin:write:accounts");
        return List.of(
                get(NOTES, Access.user("admin:read:accounts"), this::list),
                post(NOTES, write, this::add),
                delete(NOTES + "/:name", write, this::remove));
    }

    private Future<Void> over(Call call) {
        return staff.requireOver(call, Role.Permission.MANAGE_USERS, call.id())
                .compose(may -> accounts.require(call.id()))
                .mapEmpty();
    }

    private Future<Answer> list(Call call) {
        return over(call)
                .compose(may -> notes.all(call.id()))
                .map(all -> Answer.array(all, ModeratorNoteRoutes::write));
    }

    private Future<Answer> add(Call call) {
        String text = text(call);
        return over(call)
                .compose(may -> {
                    audit.note(call.request(), AuditLog.Event.MODERATED, AuditLog.Subject.of(call.principal()));
                    return notes.add(Actor.account(call.viewer()), call.id(), text);
                })
                .compose(number -> notes.all(call.id()).map(all -> all.stream()
                        .filter(note -> note.number() == number)
                        .findFirst()
                        .orElseThrow(Refusal::unknown)))
                .map(note -> Answer.json(json -> write(json, note)));
    }

    private static String text(Call call) {
        String text = call.parameters().text("text", "").strip();
        ValidationErrors errors = new ValidationErrors();
        if (text.isEmpty()) {
            errors.add("text", "ERR_BLANK", "can't be blank");
        } else if (text.length() > ModeratorNotes.TEXT_MAX) {
            errors.add("text", "ERR_TOO_LONG", "is too long (at most " + ModeratorNotes.TEXT_MAX + " characters)");
        } else {
            errors.addUnlessStreamSafe("text", text);
        }
        errors.refuseIfAny();
        return text;
    }

    private Future<Answer> remove(Call call) {
        long number = Id.parse(call.pathName());
        return over(call)
                .compose(may -> {
                    if (number <= 0) {
                        throw Refusal.unknown();
                    }
                    audit.note(call.request(), AuditLog.Event.MODERATED, AuditLog.Subject.of(call.principal()));
                    return notes.remove(Actor.account(call.viewer()), call.id(), number);
                })
                .map(Answer.EMPTY_OBJECT);
    }

    private static void write(JsonGenerator json, Note note) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(note.number()));
        json.writeStringField("created_at", Timestamps.time(note.atMillis()));
        json.writeStringField("by_account_id", note.author() == 0 ? null : Long.toString(note.author()));
        json.writeStringField("by_operator", note.operator().isEmpty() ? null : note.operator());
        json.writeStringField("text", note.text());
        json.writeEndObject();
    }
}
