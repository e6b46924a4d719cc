package io.fanfare.client;

import io.fanfare.client.http.Arguments;
import java.util.LinkedHashMap;
import java.util.Map;

/** Named values of a body; immutable. */
record Fields(Map<String, Object> values) {
    static final Fields NONE = new Fields(Map.of());

    Fields with(String name, Object value) {
        Map<String, Object> all = new LinkedHashMap<>(values);
        Object unused = all.put(name, Arguments.present(value, name));
        return new Fields(all);
    }

    /** A text in its field; a server limits its length. */
    Fields withText(String name, String value) {
        Arguments.check(value != null && !value.isBlank(), name + " is empty: pass a text");
        return with(name, value);
    }
}
