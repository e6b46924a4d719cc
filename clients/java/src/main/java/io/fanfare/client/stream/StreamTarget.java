package io.fanfare.client.stream;

import io.fanfare.client.http.Arguments;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The stream to open.
 *
 * @param name {@code firehose}, {@code sample}, {@code filter} or {@code home}
 * @param filter parameters that can be changed while the stream is open; empty for all but {@code filter}
 * @param parameters the other ones
 */
record StreamTarget(String name, Map<String, String> filter, Map<String, String> parameters) {
    StreamTarget {
        filter = new LinkedHashMap<>(filter);
        parameters = new LinkedHashMap<>(parameters);
    }

    StreamTarget with(Filter other) {
        return new StreamTarget(name, other.parameters(), parameters);
    }

    /** Long filters do not fit into an address. */
    boolean isPost() {
        return name.equals("filter");
    }

    String path() {
        String query = form(parameters);
        String all = "/api/v1/streaming/" + name;
        return query.isEmpty() ? all : all + "?" + query;
    }

    String filterForm() {
        return form(filter);
    }

    private static String form(Map<String, String> values) {
        StringJoiner form = new StringJoiner("&");
        values.forEach((name, value) -> form.add(Arguments.encoded(name) + "=" + Arguments.encoded(value)));
        return form.toString();
    }
}
