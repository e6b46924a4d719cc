package io.fanfare.common.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares {@link Keys} with the tables of docs/redis.md. */
class KeysTest {
    private static final Path PAGE = Path.of("../docs/redis.md");

    /** The first cell of a row whose first cell begins with code. */
    private static final Pattern KEY_CELL = Pattern.compile("^\\| (`[^|]+) \\|", Pattern.MULTILINE);

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** {@code {s}} is a shard, {@code u} and {@code p} are ids, {@code <words>} stand for any text. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{s}|(?<=:)[up](?=:|$)|<[^>]+>");

    /** Arguments for methods that take text: sets, the lanes, a batch. */
    private static final List<String> TEXTS =
            List.of("likes", "notifications", "conversations", "high", "normal", "low", "suspect", "worker.1");

    @Test
    void everyKeyIsDocumented() throws IOException, ReflectiveOperationException {
        List<Pattern> documented = documented();
        List<String> missing = new ArrayList<>();
        keys().forEach((name, keys) -> {
            if (documented.stream().noneMatch(row -> keys.stream().anyMatch(row.asMatchPredicate()))) {
                missing.add(name);
            }
        });
        assertThat(missing)
                .as("methods and constants of Keys without a row in docs/redis.md")
                .isEmpty();
    }

    @Test
    void everyDocumentedKeyExists() throws IOException, ReflectiveOperationException {
        List<String> keys = keys().values().stream().flatMap(Set::stream).toList();
        assertThat(documented())
                .as("rows of docs/redis.md without a method or constant of Keys")
                .filteredOn(row -> keys.stream().noneMatch(row.asMatchPredicate()))
                .isEmpty();
    }

    /** The keys of the page; {@code :normal} after {@code queue:{s}:high} stands for {@code queue:{s}:normal}. */
    private static List<Pattern> documented() throws IOException {
        List<Pattern> documented = new ArrayList<>();
        Matcher cell = KEY_CELL.matcher(Files.readString(PAGE));
        while (cell.find()) {
            String before = "";
            Matcher code = CODE.matcher(cell.group(1));
            while (code.find()) {
                String key = code.group(1);
                before = key.startsWith(":") ? before.substring(0, before.lastIndexOf(':')) + key : key;
                documented.add(pattern(before));
            }
        }
        assertThat(documented).hasSizeGreaterThan(50);
        return documented;
    }

    private static Pattern pattern(String documented) {
        StringBuilder regex = new StringBuilder();
        Matcher placeholder = PLACEHOLDER.matcher(documented);
        int end = 0;
        while (placeholder.find()) {
            regex.append(Pattern.quote(documented.substring(end, placeholder.start())));
            regex.append(
                    switch (placeholder.group()) {
                        case "{s}" -> "\\{\\d+}";
                        case "u", "p" -> "\\d+";
                        default -> "[^:{}]+";
                    });
            end = placeholder.end();
        }
        return Pattern.compile(
                regex.append(Pattern.quote(documented.substring(end))).toString());
    }

    /** By the name of the constant or method, its key; of a method that takes text, one for each of {@link #TEXTS}. */
    private static Map<String, Set<String>> keys() throws ReflectiveOperationException {
        Map<String, Set<String>> keys = new TreeMap<>();
        for (Field field : Keys.class.getFields()) {
            keys.put(field.getName(), Set.of((String) field.get(null)));
        }
        for (Method method : Keys.class.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) && !method.getName().endsWith("Prefix")) {
                Set<String> made = new TreeSet<>();
                for (String text : TEXTS) {
                    made.add((String) method.invoke(null, arguments(method, text)));
                }
                keys.put(method.getName(), made);
            }
        }
        assertThat(keys).hasSizeGreaterThan(50);
        return keys;
    }

    private static Object[] arguments(Method method, String text) {
        return Arrays.stream(method.getParameterTypes())
                .map(type -> type == String.class ? (Object) text : type == int.class ? (Object) 7 : (Object) 4711L)
                .toArray();
    }
}
