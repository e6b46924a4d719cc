package io.fanfare.app.listen;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The stream to open.
 *
 * @param stream {@code firehose}, {@code sample}, {@code filter} or {@code home}
 * @param form its parameters, encoded as a form or as the query of an address
 * @param ends whether the server ends it after all requested events (a negative {@code count})
 */
record StreamRequest(String stream, String form, boolean ends) {
    /** Long filters do not fit into an address. */
    boolean asPost() {
        return stream.equals("filter");
    }

    String uri() {
        return "/api/v1/streaming/" + stream + (asPost() || form.isEmpty() ? "" : "?" + form);
    }

    /** Puts together the parameters that have a value. */
    static final class Form {
        private final List<String> fields = new ArrayList<>();

        Form put(String name, Object valueOrNull) {
            if (valueOrNull != null) {
                fields.add(name + "=" + URLEncoder.encode(valueOrNull.toString(), StandardCharsets.UTF_8));
            }
            return this;
        }

        Form putAll(String name, List<String> valuesOrNull) {
            if (valuesOrNull != null) {
                valuesOrNull.forEach(
                        value -> fields.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
            }
            return this;
        }

        String encoded() {
            return String.join("&", fields);
        }
    }
}
