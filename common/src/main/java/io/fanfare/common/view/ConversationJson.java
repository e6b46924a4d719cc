package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Status;
import java.io.IOException;
import java.util.Collection;

/** The entity Conversation. Immutable but for the parts that it is made of. */
public final class ConversationJson {
    private final AccountJson accounts;
    private final StatusJson statuses;

    ConversationJson(AccountJson accounts, StatusJson statuses) {
        this.accounts = accounts;
        this.statuses = statuses;
    }

    /**
     * A conversation.
     *
     * @param people the other participants; the viewer alone if there is no other
     * @param last the newest status that the viewer may see
     */
    public void write(
            JsonGenerator json, long id, boolean unread, Collection<Account> people, Status last, RenderContext context)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(id));
        json.writeBooleanField("unread", unread);
        json.writeArrayFieldStart("accounts");
        for (Account person : people) {
            accounts.write(json, person);
        }
        json.writeEndArray();
        json.writeFieldName("last_status");
        statuses.write(json, last, context);
        json.writeEndObject();
    }
}
