package io.fanfare.api.moderation;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.moderation.AdminAccountJson.Shown;
import io.fanfare.common.view.Timestamps;
import io.fanfare.core.moderation.Selection;
import io.fanfare.core.moderation.Selection.Phase;
import io.fanfare.core.moderation.Selection.SelectionAct;
import java.io.IOException;
import java.util.List;

/** The entity AccountSelection, which Mastodon does not have. */
final class SelectionJson {
    /** Accounts of a selection that are shown. */
    static final int SHOWN = 20;

    private final AdminAccountJson accounts;

    SelectionJson(AdminAccountJson accounts) {
        this.accounts = accounts;
    }

    /** @param first the first accounts */
    void write(JsonGenerator json, Selection selection, List<Shown> first) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(selection.number()));
        json.writeStringField("created_at", Timestamps.time(selection.madeMillis()));
        json.writeStringField("by_account_id", id(selection.by()));
        json.writeStringField("criteria", selection.criteria());
        json.writeNumberField("count", selection.count());
        json.writeBooleanField("more", selection.found().more());
        json.writeBooleanField("complete", selection.found().complete());
        long posts = selection.found().postsSinceMillis();
        json.writeStringField("posts_since", posts == 0 ? null : Timestamps.time(posts));
        json.writeArrayFieldStart("accounts");
        for (Shown account : first) {
            accounts.write(json, account);
        }
        json.writeEndArray();
        json.writeFieldName("act");
        if (selection.act() == null) {
            json.writeNull();
        } else {
            write(json, selection.act());
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, SelectionAct act) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", act.action().wire());
        json.writeStringField("state", state(act));
        json.writeStringField("by_account_id", id(act.actor().account()));
        json.writeStringField(
                "by_operator", act.actor().name().isEmpty() ? null : act.actor().name());
        json.writeStringField("text", act.text());
        json.writeStringField("why", act.why());
        json.writeStringField("created_at", Timestamps.time(act.startedMillis()));
        json.writeStringField("undo_until", Timestamps.time(act.undoUntilMillis()));
        json.writeNumberField("settled", act.settled());
        json.writeNumberField("changed", act.changed());
        json.writeNumberField("gone", act.gone());
        json.writeNumberField("skipped", act.skipped());
        json.writeNumberField("restored", act.restored());
        json.writeEndObject();
    }

    private static String state(SelectionAct act) {
        if (act.phase() == Phase.STOPPED) {
            return "stopped";
        }
        boolean done = act.phase() == Phase.DONE;
        return act.undo() ? (done ? "undone" : "undoing") : (done ? "acted" : "acting");
    }

    private static String id(long id) {
        return id == 0 ? null : Long.toString(id);
    }
}
