package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Role;
import java.io.IOException;

/** The entity Role. */
public final class RoleJson {
    private RoleJson() {}

    public static void write(JsonGenerator json, Role role) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", role.id());
        json.writeStringField("name", role.title());
        json.writeStringField("permissions", Integer.toString(role.permissions()));
        json.writeStringField("color", "");
        json.writeBooleanField("highlighted", false);
        json.writeEndObject();
    }
}
