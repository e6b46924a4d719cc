package io.fanfare.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fanfare.common.testing.Contract.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.yaml.snakeyaml.Yaml;

/**
 * One good call of an operation, made from its row in {@code authorisation.yaml}: {@code {status}} and the like stand
 * for what the cast has.
 *
 * @param query with its question mark, or empty
 * @param body a form; null = none
 */
record Request(String method, String path, String query, String body) {
    /** The row of each operation. */
    static JsonNode rows() {
        try (InputStream in = Request.class.getResourceAsStream("authorisation.yaml")) {
            return new ObjectMapper().valueToTree(new Yaml().load(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Request of(Operation operation, JsonNode row, Cast cast) {
        return of(operation, row, cast, cast.fill(row.path("id").asText()));
    }

    static Request of(Operation operation, JsonNode row, Cast cast, String id) {
        if (isOfStaff(operation)) {
            cast.promoteOwner();
        }
        String path = operation.path().replace("{id}", id);
        path = path.replace("{conn}", "none");
        if (operation.has("name")) {
            path = path.replace("{name}", cast.fill("{name}"));
        }
        if (operation.has("warning")) {
            path = path.replace("{warning}", cast.fill("{warning}"));
        }
        if (operation.has("held")) {
            path = path.replace("{held}", cast.fill("{held}"));
        }
        if (operation.has("tag")) {
            path = path.replace("{tag}", "tag");
        }
        String query = row.has("query") ? "?" + cast.fill(row.path("query").asText()) : "";
        String body = row.has("body") ? cast.fill(row.path("body").asText()) : null;
        return new Request(operation.method(), path, query, body);
    }

    /** Whether an operation is for accounts with a role. */
    static boolean isOfStaff(Operation operation) {
        return operation.path().contains("/admin/");
    }

    ContractServer.Answer send(ContractServer server, String token) {
        return server.send(method, path + query, token, body);
    }

    /** The same with an Idempotency-Key; null = none. */
    ContractServer.Answer send(ContractServer server, String token, String idempotencyKey) {
        return server.send(method, path + query, token, "application/x-www-form-urlencoded", body, idempotencyKey);
    }

    /** The same with another body. */
    ContractServer.Answer sendAs(String type, String other, ContractServer server, String token) {
        return server.send(method, path + query, token, type, other);
    }

    /** The same with one parameter more in the query; the last of one name counts. */
    Request asking(String parameter, String encoded) {
        return new Request(method, path, query + (query.isEmpty() ? "?" : "&") + parameter + "=" + encoded, body);
    }

    /** The same with one field more in the form. */
    Request saying(String field, String encoded) {
        return new Request(method, path, query, (body == null ? "" : body + "&") + field + "=" + encoded);
    }

    @Override
    public String toString() {
        return method + " " + path + query;
    }
}
