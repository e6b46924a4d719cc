package io.fanfare.app.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fanfare.app.fuzz.Attack.Expectation;
import io.fanfare.app.fuzz.Operations.Cell;
import io.fanfare.app.fuzz.Operations.Place;
import io.fanfare.app.fuzz.Operations.Target;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Good requests with one parameter that is dear. */
final class Values implements Generator {
    /** The room for a value in the request line and the headers; a letter may take nine characters there. */
    private static final int LINE_BYTES_MAX = 14 << 10;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Operations operations;
    private final Tokens tokens;

    Values(Operations operations, Tokens tokens) {
        this.operations = operations;
        this.tokens = tokens;
    }

    @Override
    public String name() {
        return "values";
    }

    @Override
    public int kinds() {
        return Shape.DEAR.size() + Shape.OTHERS.size();
    }

    @Override
    public Attack attack(int kind, RandomGenerator random, int bytes) {
        List<Cell> cells = operations.cells();
        Shape shape = kind < Shape.DEAR.size() ? Shape.DEAR.get(kind) : Shape.OTHERS.get(kind - Shape.DEAR.size());
        return attack(cells.get(random.nextInt(cells.size())), shape, bytes, random);
    }

    /** Each parameter that takes a text, in each place, with each of the shapes; and the others with one of them. */
    List<Planned> all(List<Shape> shapes) {
        List<Planned> all = new ArrayList<>();
        for (Cell cell : operations.cells()) {
            if (cell.takesText()) {
                shapes.forEach(shape -> all.add((random, bytes) -> attack(cell, shape, bytes, random)));
            } else {
                all.add((random, bytes) -> attack(cell, shapes.get(random.nextInt(shapes.size())), bytes, random));
            }
        }
        return all;
    }

    /** An attack that is made when its turn comes. */
    interface Planned {
        Attack attack(RandomGenerator random, int bytes);
    }

    private Attack attack(Cell cell, Shape shape, int bytes, RandomGenerator random) {
        Target target = cell.target();
        Map<String, String> query = new LinkedHashMap<>(target.query());
        Map<String, String> fields = new LinkedHashMap<>(target.fields());
        String path = target.path();
        String header = null;
        String value = shape.of(cell.place() == Place.JSON || cell.place() == Place.MULTIPART ? bytes : bytes / 3);
        switch (cell.place()) {
            case QUERY -> query.put(cell.name(), fitting(shape));
            case PATH ->
                path = target.operation()
                        .path()
                        .replaceAll("\\{[^}]+}", java.util.regex.Matcher.quoteReplacement(fitting(shape)));
            case HEADER -> header = plain(shape.of(LINE_BYTES_MAX / 2));
            default -> fields.put(cell.name(), value);
        }
        String token = tokens.draw(random, target);
        String line = query.isEmpty() ? path : path + "?" + Operations.form(query);
        if (cell.place() == Place.PATH) {
            line = line.contains("?") ? line : pathEncoded(line);
        }
        RawRequest request = new RawRequest(target.method(), line).token(token);
        if (header != null) {
            request.header(cell.name(), header);
        }
        if (!fields.isEmpty()) {
            addBody(request, cell.place(), fields);
        }
        String what = cell + ": " + shape.name() + (token == null ? "" : ", with a token");
        return Attack.of(
                name() + ": " + shape.name(),
                what,
                target.endless() ? Expectation.HEAD : Expectation.ANSWER,
                request.bytes());
    }

    private static String fitting(Shape shape) {
        String text = shape.of(LINE_BYTES_MAX / 3);
        while (Operations.encoded(text).length() > LINE_BYTES_MAX) {
            text = text.substring(0, text.length() / 2);
        }
        return text;
    }

    private static String pathEncoded(String path) {
        StringBuilder encoded = new StringBuilder();
        for (String part : path.split("/", 6)) {
            encoded.append(encoded.isEmpty() && part.isEmpty() ? "" : "/").append(Operations.encoded(part));
        }
        return encoded.toString().replace("%40", "@");
    }

    private static String plain(String text) {
        return text.replaceAll("[\\x00-\\x1f]", "?");
    }

    private static void addBody(RawRequest request, Place place, Map<String, String> fields) {
        if (place == Place.JSON) {
            request.body("application/json", json(fields));
        } else if (place == Place.MULTIPART) {
            StringBuilder parts = new StringBuilder();
            fields.forEach((name, value) -> parts.append("--b\r\nContent-Disposition: form-data; name=\"")
                    .append(name)
                    .append("\"\r\n\r\n")
                    .append(value)
                    .append("\r\n"));
            request.body(
                    "multipart/form-data; boundary=b", parts.append("--b--\r\n").toString());
        } else {
            request.body("application/x-www-form-urlencoded", Operations.form(fields));
        }
    }

    private static byte[] json(Map<String, String> fields) {
        Map<String, Object> object = new LinkedHashMap<>();
        fields.forEach((name, value) -> {
            boolean list = name.endsWith("[]");
            object.put(list ? name.substring(0, name.length() - 2) : name, list ? List.of(value) : value);
        });
        try {
            return JSON.writeValueAsString(object).getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
