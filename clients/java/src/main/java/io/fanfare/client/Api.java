package io.fanfare.client;

import io.fanfare.client.http.Answer;
import io.fanfare.client.http.Arguments;
import io.fanfare.client.http.Call;
import io.fanfare.client.http.Json;
import io.fanfare.client.http.Transport;
import io.fanfare.client.model.Status;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;

/** The calls of the API in their few forms. */
record Api(Transport transport) {
    <T> T get(String path, Class<T> type) {
        return Json.read(transport.send(Call.get(path)).body(), type);
    }

    <T> List<T> list(String path, Class<T> type) {
        return Json.readList(transport.send(Call.get(path)).body(), type);
    }

    <T> Pages<T> pages(String path, Class<T> type, String... query) {
        return new Pages<>(transport, path, query(query), type);
    }

    /** A POST that may arrive twice without harm, such as a follow. */
    <T> T repeat(String path, Class<T> type) {
        return repeat(path, Fields.NONE, type);
    }

    <T> T repeat(String path, Fields fields, Class<T> type) {
        return send(Call.of("POST", path, true).json(fields.values()), type);
    }

    /** A POST that a second arrival would carry out twice: a lost answer is a failure. */
    <T> T once(String path, Fields fields, Class<T> type) {
        return send(Call.of("POST", path, false).json(fields.values()), type);
    }

    /** A POST that the server carries out once for each key. */
    <T> T keyed(String path, Fields fields, String keyOrNull, Class<T> type) {
        String key = keyOrNull == null ? transport.newKey() : keyOrNull;
        return send(Call.of("POST", path, true).json(fields.values()).keyed(key), type);
    }

    <T> T put(String path, Fields fields, Class<T> type) {
        return send(Call.of("PUT", path, true).json(fields.values()), type);
    }

    <T> T patch(String path, Fields fields, Class<T> type) {
        return send(Call.of("PATCH", path, true).json(fields.values()), type);
    }

    /** A DELETE; a second arrival finds nothing, which is a success, too. */
    void delete(String path) {
        Answer unused = transport.send(Call.of("DELETE", path, true));
    }

    /** For a call whose answer has nothing in it. */
    void run(String method, String path, Fields fields, boolean repeatable) {
        Answer unused = transport.send(Call.of(method, path, repeatable).json(fields.values()));
    }

    <T> T send(Call call, Class<T> type) {
        return Json.read(transport.send(call).body(), type);
    }

    /** An action on a status whose answer is the status. */
    Status status(String id, String action) {
        return repeat("/api/v1/statuses/" + Arguments.id(id) + action, Status.class);
    }

    /** Names and values in turn; a value that is null is left out. */
    static String query(String... namesAndValues) {
        StringJoiner query = new StringJoiner("&");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (namesAndValues[i + 1] != null) {
                query.add(namesAndValues[i] + "=" + Arguments.encoded(namesAndValues[i + 1]));
            }
        }
        return query.toString();
    }

    static String ids(String name, Collection<String> ids) {
        StringJoiner query = new StringJoiner("&");
        Arguments.notEmpty(ids, name).forEach(id -> query.add(name + "=" + Arguments.id(id)));
        return query.toString();
    }
}
