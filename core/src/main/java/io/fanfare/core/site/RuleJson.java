package io.fanfare.core.site;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The entity Rule of Mastodon. */
public final class RuleJson {
    private RuleJson() {}

    /** An array of rules. */
    public static void write(JsonGenerator json, List<Rule> rules) throws IOException {
        json.writeStartArray();
        for (Rule rule : rules) {
            json.writeStartObject();
            json.writeStringField("id", Long.toString(rule.id()));
            json.writeStringField("text", rule.text());
            json.writeStringField("hint", rule.hint());
            json.writeObjectFieldStart("translations");
            for (Map.Entry<String, Rule.Wording> translation :
                    rule.translations().entrySet()) {
                json.writeObjectFieldStart(translation.getKey());
                json.writeStringField("text", translation.getValue().text());
                json.writeStringField("hint", translation.getValue().hint());
                json.writeEndObject();
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
