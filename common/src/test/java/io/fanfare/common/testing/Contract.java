package io.fanfare.common.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.DisallowUnknownKeywordFactory;
import com.networknt.schema.keyword.NonValidationKeyword;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/**
 * {@code openapi.yaml} as the tests' oracle: says which operation a request is, and whether what came back is one of
 * its documented answers. Read once; each schema is compiled when it is first needed.
 */
public final class Contract {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NAME = "urn:fanfare:openapi";
    private static final String ERROR = "#/components/schemas/Error";
    private static final List<String> METHODS =
            List.of("get", "put", "post", "delete", "options", "head", "patch", "trace");

    /** Parts of the file beside schemas, or in them without effect. */
    private static final List<String> NOT_OF_SCHEMAS =
            List.of("openapi", "info", "servers", "tags", "paths", "components", "x-extension");

    /** Statuses that the server sends before it knows the operation. */
    private static final List<Integer> BEFORE_ROUTING = List.of(408, 414, 431);

    /** All or none: clients that find one read the others. */
    private static final List<String> RATE_HEADERS =
            List.of("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");

    private static final Contract INSTANCE = new Contract();

    private final JsonNode document;
    private final List<Operation> operations;
    private final Schema root;
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    private Contract() {
        document = read();
        operations = operations(document);
        root = SchemaRegistry.withDialect(dialect(), builder -> {}).getSchema(SchemaLocation.of(NAME), document);
    }

    /** A word in a schema that says nothing is a mistake: it would allow what it was meant to forbid. */
    private static Dialect dialect() {
        return Dialect.builder(Dialects.getOpenApi31())
                .keywords(NOT_OF_SCHEMAS.stream().map(NonValidationKeyword::new).toList())
                .unknownKeywordFactory(DisallowUnknownKeywordFactory.getInstance())
                .build();
    }

    /**
     * The schema at this place of the file, {@code #/components/schemas/Status} for example, compiled. A schema by its
     * location would hold a copy of the whole file.
     */
    public Schema schema(String pointer) {
        return schemas.computeIfAbsent(
                pointer, at -> root.getRefSchema(SchemaLocation.of(NAME + at).getFragment()));
    }

    /** The contract of this build. */
    public static Contract instance() {
        return INSTANCE;
    }

    /**
     * One operation.
     *
     * @param method in capitals
     * @param path with its variable parts as <code>{name}</code>
     * @param node the operation as it stands in the file
     */
    public record Operation(String id, String method, String path, JsonNode node, Pattern pattern) {
        /** The status codes that are documented. */
        public List<Integer> statuses() {
            List<Integer> statuses = new ArrayList<>();
            node.path("responses").fieldNames().forEachRemaining(status -> statuses.add(Integer.parseInt(status)));
            return statuses;
        }

        /** Whether the path has this variable part. */
        public boolean has(String variable) {
            return path.contains("{" + variable + "}");
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /** The response. {@code header} finds a header by its name; {@code body} may be empty. */
    public record Answer(int status, Function<String, Optional<String>> header, String body) {
        private String type() {
            return header.apply("Content-Type").orElse("").split(";", 2)[0].strip();
        }
    }

    /** The whole file. */
    public JsonNode document() {
        return document;
    }

    public List<Operation> operations() {
        return operations;
    }

    /** The operation that a request is; fixed paths come before variable ones. HEAD is found as GET. */
    public Optional<Operation> find(String method, String path) {
        String wanted = method.equals("HEAD") ? "GET" : method;
        return at(path).filter(operation -> operation.method().equals(wanted)).findFirst();
    }

    /** Follows a {@code $ref} to where it leads; what is none stays as it is. */
    public JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    /**
     * Throws an AssertionError unless the answer is a documented one. CORS preflights are answered alike everywhere and
     * are not looked at.
     */
    public void check(String method, String path, Answer answer) {
        if (method.equals("OPTIONS")) {
            return;
        }
        Optional<Operation> found = find(method, path);
        String where = method + " " + found.map(Operation::path).orElse(path) + " answered " + answer.status();
        if (BEFORE_ROUTING.contains(answer.status())) {
            conform(where, method, answer, ERROR);
        } else if (found.isEmpty()) {
            boolean known = at(path).findAny().isPresent();
            if (answer.status() != (known ? 405 : 404)) {
                throw new AssertionError(where + ", and openapi.yaml has no such operation");
            }
            // At an address that is none a browser gets a page.
            if (known || !answer.type().equals("text/html")) {
                conform(where, method, answer, ERROR);
            }
        } else {
            check(where, method, found.get(), answer);
        }
    }

    private void check(String where, String method, Operation operation, Answer answer) {
        JsonNode reference = operation.node().path("responses").path(Integer.toString(answer.status()));
        if (reference.isMissingNode()) {
            throw new AssertionError(
                    where + ", which openapi.yaml does not list for " + operation.id() + ": " + answer.body());
        }
        JsonNode response = resolve(reference);
        response.path("headers").fields().forEachRemaining(header -> {
            boolean required = resolve(header.getValue()).path("required").asBoolean();
            if (required && answer.header().apply(header.getKey()).isEmpty()) {
                throw new AssertionError(where + " without the header " + header.getKey());
            }
        });
        if (answer.header().apply("Link").isPresent()
                && !response.path("headers").has("Link")) {
            throw new AssertionError(where + " with a Link header, which openapi.yaml does not list");
        }
        long rates = RATE_HEADERS.stream()
                .filter(name -> answer.header().apply(name).isPresent())
                .count();
        if (rates != 0 && rates != RATE_HEADERS.size()) {
            throw new AssertionError(where + " with some of the rate headers and not all");
        }
        JsonNode content = response.path("content");
        if (content.isEmpty()) {
            return;
        }
        if (!content.has(answer.type())) {
            throw new AssertionError(where + " as " + answer.type() + ", which openapi.yaml does not list");
        }
        if (answer.type().equals("application/json")) {
            String at = reference.has("$ref")
                    ? reference.path("$ref").asText()
                    : "#/paths/" + escape(operation.path()) + "/"
                            + operation.method().toLowerCase(Locale.ROOT) + "/responses/" + answer.status();
            conform(where, method, answer, at + "/content/application~1json/schema");
        }
    }

    private void conform(String where, String method, Answer answer, String pointer) {
        if (method.equals("HEAD")) {
            return;
        }
        List<Error> errors = schema(pointer).validate(json(where, answer.body()));
        if (!errors.isEmpty()) {
            throw new AssertionError(errors.stream()
                    .map(error -> error.getInstanceLocation() + " " + error.getMessage())
                    .distinct()
                    .limit(20)
                    .collect(Collectors.joining(
                            "\n  ", where + " with what openapi.yaml does not allow:\n  ", "\n" + answer.body())));
        }
    }

    private Stream<Operation> at(String path) {
        String plain = path.replaceFirst("\\?.*", "");
        Optional<String> best = operations.stream()
                .filter(operation -> operation.pattern().matcher(plain).matches())
                .map(Operation::path)
                .min(Comparator.comparing(template -> template.contains("{")));
        return operations.stream()
                .filter(operation -> best.isPresent() && operation.path().equals(best.get()));
    }

    private static JsonNode json(String where, String body) {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError(where + " with what is no JSON: " + body, e);
        }
    }

    private static String escape(String path) {
        return path.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D");
    }

    private static List<Operation> operations(JsonNode document) {
        List<Operation> operations = new ArrayList<>();
        document.path("paths")
                .fields()
                .forEachRemaining(path -> METHODS.forEach(method -> {
                    JsonNode node = path.getValue().path(method);
                    if (!node.isMissingNode()) {
                        String id = node.path("operationId").asText();
                        operations.add(new Operation(
                                id, method.toUpperCase(Locale.ROOT), path.getKey(), node, pattern(path.getKey())));
                    }
                }));
        return List.copyOf(operations);
    }

    /** A slash at the end is nothing. */
    private static Pattern pattern(String template) {
        return Pattern.compile(template.replace(".", "\\.").replaceAll("\\{[^}]+}", "[^/]+") + "/?");
    }

    /** Through SnakeYAML, since Jackson does not follow aliases. */
    private static JsonNode read() {
        try (InputStream in = Contract.class.getResourceAsStream("/openapi.yaml")) {
            return JSON.valueToTree(new Yaml().load(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
