package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Warning;
import java.io.IOException;

/** The entity AccountWarning, with its Appeal. Immutable but for the parts that it is made of. */
public final class WarningJson {
    private final AccountJson accounts;

    WarningJson(AccountJson accounts) {
        this.accounts = accounts;
    }

    /**
     * A warning.
     *
     * @param target the account concerned
     */
    public void write(JsonGenerator json, Warning warning, Account target) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(warning.id()));
        json.writeStringField("action", warning.action().wire());
        json.writeStringField("text", warning.text());
        json.writeArrayFieldStart("status_ids");
        for (long status : warning.statuses()) {
            json.writeString(Long.toString(status));
        }
        json.writeEndArray();
        json.writeFieldName("target_account");
        accounts.write(json, target);
        if (warning.appeal() == null) {
            json.writeNullField("appeal");
        } else {
            json.writeObjectFieldStart("appeal");
            json.writeStringField("text", warning.appeal().text());
            json.writeStringField("state", warning.appeal().state().wire());
            json.writeEndObject();
        }
        json.writeStringField("created_at", Timestamps.time(Id.epochMillis(warning.id())));
        json.writeEndObject();
    }
}
