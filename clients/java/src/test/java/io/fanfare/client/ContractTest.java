package io.fanfare.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.client.model.Account;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/** Holds the calls and the records to openapi.yaml. */
@Timeout(120)
class ContractTest {
    private static final Path FILE = Path.of("../../api/src/main/resources/openapi.yaml");

    /** Fields that the server always sends as null or with one value, or that a record has under another name. */
    private static final Map<String, Set<String>> LEFT_OUT = Map.of(
            "Status", Set.of("card"),
            "Account", Set.of("roles"),
            "MediaAttachment", Set.of("remote_url", "preview_remote_url", "text_url"),
            "ProfileField", Set.of("verified_at"),
            "Report", Set.of("action_taken_at"),
            "Place", Set.of("lat", "long"));

    /** Fields that another schema of the same property has. */
    private static final Map<String, Set<String>> BESIDES =
            Map.of("Quote", Set.of("quoted_status_id"), "Place", Set.of("latitude", "longitude"));

    private static final Map<Class<?>, Object> VALUES = Map.of(
            String.class,
            "7",
            Collection.class,
            List.of("7"),
            Duration.class,
            Duration.ofHours(1),
            Instant.class,
            Instant.EPOCH,
            Path.class,
            Path.of("pom.xml"),
            NewStatus.class,
            NewStatus.text("hi"),
            LongConsumer.class,
            (LongConsumer) bytes -> {},
            boolean.class,
            true);

    private final Map<String, Object> contract = read();

    @Test
    void eachCallIsAnOperationOfTheContract() throws Exception {
        Set<String> unknown = new TreeSet<>();
        int calls = 0;
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.answer(418, "", "{}"))) {
            Fanfare client = Fanfare.at(server.url()).attempts(1).build();
            for (Object group : List.of(
                    client.accounts(),
                    client.statuses(),
                    client.timelines(),
                    client.notifications(),
                    client.media(),
                    client.lists(),
                    client.articles(),
                    client.apps())) {
                for (Method method : group.getClass().getDeclaredMethods()) {
                    if (!Modifier.isPublic(method.getModifiers())) {
                        continue;
                    }
                    calls++;
                    int before = server.requests().size();
                    call(group, method);
                    assertThat(server.requests()).as("%s", method).hasSizeGreaterThan(before);
                    String line = server.requests().get(before).line();
                    if (!isKnown(line)) {
                        unknown.add(method.getName() + ": " + line);
                    }
                }
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(calls).isGreaterThan(90);
    }

    private static void call(Object group, Method method) {
        try {
            Object[] arguments =
                    Arrays.stream(method.getParameterTypes()).map(VALUES::get).toArray();
            if (method.getName().equals("vote") && arguments.length == 2) {
                arguments[1] = List.of(0);
            }
            Object result = method.invoke(group, arguments);
            if (result instanceof Pages<?> pages) {
                Object unused = pages.first();
            } else if (result instanceof Stream<?> items) {
                long unused = items.count();
            }
        } catch (ReflectiveOperationException | RuntimeException refused) {
            // 418 from this server.
        }
    }

    private boolean isKnown(String line) {
        String[] parts = line.split(" ", -1);
        String[] target = parts[1].split("\\?", 2);
        for (Map.Entry<String, Object> path : map(contract.get("paths")).entrySet()) {
            String pattern = Pattern.quote(path.getKey()).replaceAll("\\{\\w+}", "\\\\E[^/]+\\\\Q");
            Map<String, Object> operations = map(path.getValue());
            Object operation = operations.get(parts[0].toLowerCase(Locale.ROOT));
            if (target[0].matches(pattern) && operation != null) {
                return target.length == 1 || names(map(operation)).containsAll(queryNames(target[1]));
            }
        }
        return false;
    }

    private Set<String> names(Map<String, Object> operation) {
        Set<String> names = new TreeSet<>();
        for (Object parameter : (List<?>) operation.getOrDefault("parameters", List.of())) {
            names.add(plain((String) resolved(map(parameter)).get("name")));
        }
        return names;
    }

    /** The server reads both forms of the name of a list. */
    private static String plain(String name) {
        return name.replace("[]", "");
    }

    private static Set<String> queryNames(String query) {
        Set<String> names = new TreeSet<>();
        for (String pair : query.split("&", -1)) {
            names.add(plain(pair.substring(0, pair.indexOf('='))));
        }
        return names;
    }

    @Test
    void eachRecordHasTheFieldsOfItsSchema() throws Exception {
        List<String> differences = new ArrayList<>();
        int records = 0;
        Path folder = Path.of("src/main/java/io/fanfare/client/model");
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> !path.endsWith("package-info.java"))
                    .sorted()
                    .toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                Class<?> type = Class.forName(Account.class.getPackageName() + "." + name);
                compare(
                        name,
                        type,
                        map(map(map(contract.get("components")).get("schemas")).get(name)),
                        differences);
                records++;
            }
        }
        assertThat(differences).isEmpty();
        assertThat(records).isGreaterThan(30);
    }

    private void compare(String name, Class<?> type, Map<String, Object> schema, List<String> differences) {
        Map<String, Map<String, Object>> properties = new java.util.TreeMap<>();
        collect(schema, properties);
        properties.keySet().removeAll(LEFT_OUT.getOrDefault(name, Set.of()));
        if (name.equals("CredentialAccount")) {
            properties.keySet().removeAll(LEFT_OUT.get("Account"));
        }
        Set<String> fields = new TreeSet<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String field = component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            fields.add(field);
            Map<String, Object> property = properties.get(field);
            if (property != null && !fits(property, component.getGenericType())) {
                differences.add(name + "." + field + " is " + component.getGenericType() + ": " + property);
            }
        }
        fields.removeAll(BESIDES.getOrDefault(name, Set.of()));
        if (!fields.equals(properties.keySet())) {
            differences.add(name + " has " + fields + ", its schema " + properties.keySet());
        }
    }

    private void collect(Map<String, Object> schema, Map<String, Map<String, Object>> properties) {
        for (Object part : (List<?>) schema.getOrDefault("allOf", List.of())) {
            collect(resolved(map(part)), properties);
        }
        map(schema.getOrDefault("properties", Map.of())).forEach((key, value) -> properties.put(key, map(value)));
    }

    /** Whether a value of the property can be read into the type, and null into a type that has it. */
    private boolean fits(Map<String, Object> property, Type type) {
        Map<String, Object> schema = resolved(property);
        Set<String> types = new TreeSet<>();
        types(schema, types);
        if (types.contains("null") && type instanceof Class<?> raw && raw.isPrimitive()) {
            return false;
        }
        types.remove("null");
        if (type instanceof ParameterizedType list) {
            return types.equals(Set.of(list.getRawType().equals(List.class) ? "array" : "object"));
        }
        Class<?> raw = (Class<?>) type;
        if (raw.equals(String.class) || raw.equals(Instant.class)) {
            return types.equals(Set.of("string"));
        }
        if (raw.equals(boolean.class) || raw.equals(Boolean.class)) {
            return types.equals(Set.of("boolean"));
        }
        if (raw.equals(long.class) || raw.equals(Long.class)) {
            return types.equals(Set.of("integer"));
        }
        if (raw.equals(double.class) || raw.equals(Double.class)) {
            return types.contains("number");
        }
        return raw.isRecord() && types.equals(Set.of("object"));
    }

    private void types(Map<String, Object> schema, Set<String> types) {
        Object type = schema.get("type");
        if (type instanceof List<?> several) {
            several.forEach(each -> types.add((String) each));
        } else if (type != null) {
            types.add((String) type);
        } else if (schema.containsKey("properties") || schema.containsKey("allOf")) {
            types.add("object");
        }
        for (String choice : List.of("anyOf", "oneOf")) {
            for (Object each : (List<?>) schema.getOrDefault(choice, List.of())) {
                types(resolved(map(each)), types);
            }
        }
    }

    private Map<String, Object> resolved(Map<String, Object> object) {
        Object reference = object.get("$ref");
        if (reference == null) {
            return object;
        }
        Map<String, Object> at = contract;
        for (String step : ((String) reference).substring(2).split("/", -1)) {
            at = map(at.get(step));
        }
        return resolved(at);
    }

    @SuppressWarnings("unchecked") // The file is an object of objects.
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    private static Map<String, Object> read() {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(1000);
        try {
            return new Yaml(options).load(Files.readString(FILE));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
