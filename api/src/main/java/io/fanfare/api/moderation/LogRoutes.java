package io.fanfare.api.moderation;

import static io.fanfare.api.endpoint.Endpoint.get;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.Staff;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.view.Timestamps;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.ModerationLog.Entry;
import io.fanfare.core.moderation.ModerationLog.Filter;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;

/** Shows the log of the acts of moderators and operators. */
final class LogRoutes {
    private static final int LIMIT = 40;
    private static final int LIMIT_MAX = 200;
    private static final int ACTION_CHARS_MAX = 40;

    private final Staff staff;
    private final ModerationLog log;

    LogRoutes(Staff staff, ModerationLog log) {
        this.staff = staff;
        this.log = log;
    }

    List<Endpoint> endpoints() {
        return List.of(get("/api/v1/admin/audit_log", Access.user("admin:read"), this::list));
    }

    private Future<Answer> list(Call call) {
        String place = call.parameters().text("max_id", "");
        if (!place.isEmpty() && !ModerationLog.isPlace(place)) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The parameter max_id must be the id of an entry, as an answer has spelled it.");
        }
        String action = call.parameters().text("action", "");
        Filter filter = new Filter(
                call.parameters().id("by_account_id"),
                call.parameters().id("target_account_id"),
                action.length() > ACTION_CHARS_MAX ? action.substring(0, ACTION_CHARS_MAX) : action);
        int limit = call.parameters().number("limit", LIMIT, 1, LIMIT_MAX);
        return staff.require(call, Role.Permission.VIEW_AUDIT_LOG)
                .compose(may -> log.page(filter, place, limit))
                .map(page -> Answer.json(json -> {
                    json.writeStartObject();
                    json.writeArrayFieldStart("entries");
                    for (Entry entry : page.entries()) {
                        write(json, entry);
                    }
                    json.writeEndArray();
                    json.writeStringField("next", page.next().isEmpty() ? null : page.next());
                    json.writeEndObject();
                }));
    }

    private static void write(JsonGenerator json, Entry entry) throws IOException {
        Act act = entry.act();
        json.writeStartObject();
        json.writeStringField("id", entry.id());
        json.writeStringField("created_at", Timestamps.time(entry.atMillis()));
        json.writeStringField("action", act.action());
        json.writeStringField("via", act.actor().via().label());
        json.writeStringField("by_account_id", id(act.actor().account()));
        json.writeStringField(
                "by_operator", act.actor().name().isEmpty() ? null : act.actor().name());
        json.writeStringField("target_account_id", id(act.account()));
        json.writeStringField("report_id", id(act.report()));
        json.writeStringField("status_id", id(act.status()));
        json.writeStringField("detail", act.detail());
        json.writeStringField("why", act.why());
        json.writeEndObject();
    }

    private static String id(long id) {
        return id == 0 ? null : Long.toString(id);
    }
}
