package io.fanfare.app.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Contract.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/**
 * Every operation of openapi.yaml, each with a good request of it, and every place in which a client can say something.
 */
final class Operations {
    private final Town town;
    private final JsonNode rows = rows();
    private final List<Target> targets = new ArrayList<>();
    private final List<Cell> cells = new ArrayList<>();

    Operations(Town town) {
        this.town = town;
        for (Operation operation : Contract.instance().operations()) {
            Target target = target(operation);
            targets.add(target);
            addCells(target);
        }
    }

    /** The part of a request that contains a value. */
    enum Place {
        QUERY,
        FORM,
        MULTIPART,
        JSON,
        PATH,
        HEADER
    }

    /**
     * One parameter of one operation in one place.
     *
     * @param name of the parameter
     * @param takesText whether it may be any text
     */
    record Cell(Target target, Place place, String name, boolean takesText) {
        @Override
        public String toString() {
            return target + " " + place + " " + name;
        }
    }

    /**
     * An operation.
     *
     * @param path with its variable parts filled in
     * @param query of a good request, by name
     * @param fields of the body of a good request, by name
     * @param takesBody whether openapi.yaml has a body for it
     * @param endless whether a good answer is a stream
     */
    record Target(
            Operation operation,
            String path,
            Map<String, String> query,
            Map<String, String> fields,
            boolean takesBody,
            boolean endless) {
        String method() {
            return operation.method();
        }

        /** Path and query, both encoded. */
        String target(Map<String, String> parameters) {
            return parameters.isEmpty() ? path : path + "?" + form(parameters);
        }

        @Override
        public String toString() {
            return operation.toString();
        }
    }

    List<Target> targets() {
        return targets;
    }

    List<Cell> cells() {
        return cells;
    }

    static String form(Map<String, String> fields) {
        StringBuilder form = new StringBuilder();
        fields.forEach((name, value) -> form.append(form.isEmpty() ? "" : "&")
                .append(encoded(name))
                .append('=')
                .append(encoded(value)));
        return form.toString();
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Target target(Operation operation) {
        JsonNode row = rows.path(operation.id());
        String path = operation
                .path()
                .replace("{id}", town.fill(row.path("id").asText("1")))
                .replace("{name}", "owner")
                .replace("{warning}", "1")
                .replace("{tag}", "tag")
                .replace("{conn}", "none");
        boolean endless =
                operation.node().path("responses").path("200").path("content").has("text/event-stream")
                        || path.startsWith("/1.1/");
        return new Target(
                operation,
                path,
                split(town.fill(row.path("query").asText())),
                split(town.fill(row.path("body").asText())),
                operation.node().has("requestBody"),
                endless || path.startsWith("/api/v1/streaming"));
    }

    private void addCells(Target target) {
        Contract contract = Contract.instance();
        for (JsonNode reference : target.operation().node().path("parameters")) {
            JsonNode parameter = contract.resolve(reference);
            Place place = Place.valueOf(parameter.path("in").asText().toUpperCase(Locale.ROOT));
            String name = parameter.path("name").asText();
            JsonNode schema = contract.resolve(parameter.path("schema"));
            boolean pages = name.endsWith("_id") || name.equals("limit");
            cells.add(new Cell(target, place, name, schema.path("type").asText().equals("string") && !pages));
        }
        JsonNode content =
                contract.resolve(target.operation().node().path("requestBody")).path("content");
        if (!content.isEmpty()) {
            contract.resolve(content.elements().next().path("schema"))
                    .path("properties")
                    .fieldNames()
                    .forEachRemaining(name -> {
                        cells.add(new Cell(target, Place.FORM, name, /* takesText= */ false));
                        cells.add(new Cell(target, Place.JSON, name, /* takesText= */ true));
                        cells.add(new Cell(target, Place.MULTIPART, name, /* takesText= */ false));
                    });
        }
    }

    private static Map<String, String> split(String form) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : form.isEmpty() ? new String[0] : form.split("&", -1)) {
            int is = field.indexOf('=');
            fields.put(field.substring(0, is), field.substring(is + 1));
        }
        return fields;
    }

    private static JsonNode rows() {
        try (InputStream in = Operations.class.getResourceAsStream("/io/fanfare/app/authorisation.yaml")) {
            return new ObjectMapper().valueToTree(new Yaml().load(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
