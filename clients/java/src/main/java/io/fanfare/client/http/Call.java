package io.fanfare.client.http;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * One request, which may be sent several times.
 *
 * @param path with its query
 * @param contentType empty = no body
 * @param body made for each attempt
 * @param idempotencyKey empty = none; the server carries out a request with a key once
 * @param repeatable whether a second arrival does no harm
 * @param timeLimit of one attempt, from the connection to the last byte; zero = that of the client
 */
public record Call(
        String method,
        String path,
        String contentType,
        Supplier<BodyPublisher> body,
        String idempotencyKey,
        boolean repeatable,
        Duration timeLimit) {

    public static Call of(String method, String path, boolean repeatable) {
        return new Call(method, path, "", BodyPublishers::noBody, "", repeatable, Duration.ZERO);
    }

    public static Call get(String path) {
        return of("GET", path, true);
    }

    /** With a body of JSON. */
    public Call json(Object value) {
        String text = Json.write(value);
        return body("application/json", () -> BodyPublishers.ofString(text), timeLimit);
    }

    public Call body(String type, Supplier<BodyPublisher> publisher, Duration limit) {
        return new Call(method, path, type, publisher, idempotencyKey, repeatable, limit);
    }

    /** With a key, which makes the request repeatable. */
    public Call keyed(String key) {
        return new Call(
                method, path, contentType, body, Arguments.text(key, "the Idempotency-Key", 255), true, timeLimit);
    }

    /** Method and path without the query, for messages. */
    String name() {
        int query = path.indexOf('?');
        return method + " " + (query < 0 ? path : path.substring(0, query));
    }
}
