package io.fanfare.common.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.KeyShape.Owner;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares {@link Key} with {@link Keys} and with the tables of the documents. */
class KeysTest {
    private static final Path PAGE = Path.of("../docs/redis.md");
    private static final Path SECURITY = Path.of("../docs/security.md");

    /** The first two cells of a row whose first cell begins with code. */
    private static final Pattern ROW = Pattern.compile("^\\| (`[^|]+) \\| (\\w+) \\|", Pattern.MULTILINE);

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** Arguments for methods that take text: sets, the lanes, a batch. */
    private static final List<String> TEXTS =
            List.of("likes", "notifications", "conversations", "high", "normal", "low", "suspect", "worker.1");

    @Test
    void thePageHasARowForEachKindOfKeyWithItsSpellingAndItsType() throws IOException {
        Map<String, String> declared = Arrays.stream(Key.values())
                .collect(Collectors.toMap(
                        Key::form,
                        key -> key.type() == Key.Type.CHANNEL
                                ? "channel"
                                : key.type().name(),
                        (one, other) -> one,
                        TreeMap::new));
        assertThat(declared).hasSameSizeAs(Key.values());
        assertThat(documented()).isEqualTo(declared);
    }

    /**
     * Type by spelling, as the page has them; {@code :normal} after {@code queue:{s}:high} stands for
     * {@code queue:{s}:normal}.
     */
    private static Map<String, String> documented() throws IOException {
        Map<String, String> documented = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(PAGE));
        while (row.find()) {
            String before = "";
            Matcher code = CODE.matcher(row.group(1));
            while (code.find()) {
                String key = code.group(1);
                before = key.startsWith(":") ? before.substring(0, before.lastIndexOf(':')) + key : key;
                assertThat(documented.put(before, row.group(2)))
                        .as("another row of " + before)
                        .isNull();
            }
        }
        return documented;
    }

    @Test
    void everyKindOfKeyIsSpelledByAMethodOrConstantOfKeys() throws ReflectiveOperationException {
        Set<Key> spelled = new HashSet<>();
        for (String key : keys()) {
            KeyShape.of(key).map(KeyShape::kind).ifPresent(spelled::add);
        }
        Set<Key> ended = Arrays.stream(Key.values())
                .filter(key -> key.family().startsWith("ended-"))
                .collect(Collectors.toSet());
        assertThat(Arrays.stream(Key.values()).filter(key -> key.type() != Key.Type.CHANNEL && !ended.contains(key)))
                .allSatisfy(key -> assertThat(spelled).contains(key));
        for (Key key : ended) {
            String family = key.family().substring("ended-".length());
            assertThat(KeyShape.of(Keys.ended(family, 4711)).map(KeyShape::kind))
                    .contains(key);
        }
    }

    /** The table names what would be looked for in it; what an account owns goes with the account. */
    @Test
    void theTableOfPersonalDataNamesEveryKeyThatHasSomeAndThatNoAccountOrStatusOwns() throws IOException {
        String page = Files.readString(SECURITY);
        String data = page.substring(page.indexOf("\n## Data\n"), page.indexOf("\n## Cryptography\n"));
        assertThat(Arrays.stream(Key.values())
                        .filter(key -> key.isPersonal() && key.owner() == Owner.NONE)
                        .map(key -> "`" + key.family() + "`")
                        .filter(family -> !data.contains(family)))
                .as("families of keys that docs/security.md, Data, does not name")
                .isEmpty();
    }

    @Test
    void keysOfAnAccountOrAStatusArePersonal() {
        assertThat(Arrays.stream(Key.values())
                        .filter(key -> key.owner() == Owner.ACCOUNT || key.owner() == Owner.STATUS))
                .allMatch(Key::isPersonal);
    }

    @Test
    void noTwoKindsHaveAKeyInCommon() throws ReflectiveOperationException {
        for (String key : keys()) {
            Optional<KeyShape> shape = KeyShape.of(key);
            assertThat(Arrays.stream(Key.values())
                            .filter(kind -> kind.type() != Key.Type.CHANNEL && kind.isSpelledLike(key)))
                    .as(key)
                    .hasSize(shape.isPresent() ? 1 : 0);
        }
    }

    /** All that {@link Keys} spells; of a method that takes text, a key for each of {@link #TEXTS} that it takes. */
    private static Set<String> keys() throws ReflectiveOperationException {
        Set<String> keys = new HashSet<>();
        for (Field field : Keys.class.getFields()) {
            keys.add((String) field.get(null));
        }
        for (Method method : Keys.class.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) && !method.getName().endsWith("Prefix")) {
                for (String text : method.getName().equals("ended") ? List.of("likes") : TEXTS) {
                    keys.add((String) method.invoke(null, arguments(method, text)));
                }
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

    @Test
    void aChannelHasNoShape() {
        assertThat(Stream.of(Keys.BUS_CHANNEL, Keys.VOTES_CHANNEL, Keys.busBeat("relay"))
                        .map(KeyShape::of))
                .allMatch(Optional::isEmpty);
    }
}
