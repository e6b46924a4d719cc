package io.fanfare.api.moderation;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Role;
import io.fanfare.common.store.Accounts.Inspected;
import io.fanfare.common.view.RoleJson;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import java.io.IOException;

/** The entity Admin::Account. Addresses are not kept, so {@code ip} is null and {@code ips} is empty. */
final class AdminAccountJson {
    /** An account with its role. */
    record Shown(Inspected inspected, Role role) {}

    private final Views views;

    AdminAccountJson(Views views) {
        this.views = views;
    }

    void write(JsonGenerator json, Shown shown) throws IOException {
        Inspected found = shown.inspected();
        long id = found.account().id();
        json.writeStartObject();
        json.writeStringField("id", Long.toString(id));
        json.writeStringField("username", found.account().username());
        json.writeNullField("domain");
        json.writeStringField("created_at", Timestamps.time(Id.epochMillis(id)));
        json.writeStringField("email", found.email());
        json.writeNullField("ip");
        json.writeArrayFieldStart("ips");
        json.writeEndArray();
        json.writeNullField("locale");
        json.writeStringField("invite_request", found.reason());
        json.writeBooleanField("confirmed", found.confirmed());
        json.writeBooleanField("approved", !found.isApplicant());
        json.writeBooleanField("disabled", false);
        json.writeBooleanField("silenced", found.limitedAt() > 0);
        json.writeBooleanField("suspended", found.suspendedAt() > 0);
        json.writeBooleanField("sensitized", found.sensitizedAt() > 0);
        json.writeFieldName("role");
        RoleJson.write(json, shown.role());
        if (found.inviter() > 0) {
            json.writeStringField("invited_by_account_id", Long.toString(found.inviter()));
        }
        json.writeFieldName("account");
        views.accounts().write(json, found.account());
        json.writeEndObject();
    }
}
