package io.fanfare.common.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyShapeTest {
    private static final long ID = Id.of(Id.EPOCH_MILLIS + 4711, 5, 1);

    @Test
    void everyKeyThatIsSpelledInKeysHasAShape() throws ReflectiveOperationException {
        for (Field field : Keys.class.getFields()) {
            String key = (String) field.get(null);
            if (!List.of(Keys.BUS_CHANNEL, Keys.VOTES_CHANNEL).contains(key)) {
                assertThat(KeyShape.of(key)).as(key).isPresent();
            }
        }
        for (Method method : Keys.class.getMethods()) {
            boolean isKey = Modifier.isStatic(method.getModifiers())
                    && method.getReturnType() == String.class
                    && !List.of("busBeat", "statusPrefix").contains(method.getName());
            if (isKey) {
                Object[] arguments = Arrays.stream(method.getParameterTypes())
                        .map(type ->
                                type == String.class ? (Object) argument(method) : type == int.class ? 7 : (Object) ID)
                        .toArray();
                String key = (String) method.invoke(null, arguments);
                assertThat(KeyShape.of(key)).as(key).isPresent();
            }
        }
    }

    private static String argument(Method method) {
        return method.getName().equals("lane") ? "high" : "likes";
    }

    @Test
    void theShapeNamesKindAndId() {
        assertThat(KeyShape.of(Keys.home(ID))).contains(new KeyShape(Key.HOME, ID, ""));
        assertThat(KeyShape.of(Keys.likes(ID))).contains(new KeyShape(Key.LIKES, ID, ""));
        assertThat(KeyShape.of(Keys.batch(3, "w.1"))).contains(new KeyShape(Key.QUEUE_BATCH, 3, "batch:w.1"));
        assertThat(KeyShape.of(Keys.login("ann"))).contains(new KeyShape(Key.LOGIN, 0, "ann"));
    }

    @Test
    void otherKeysAndIdsOfAnotherShardHaveNone() {
        for (String key : List.of(
                "session:1",
                "home:{1}:" + ID,
                "home:{5}",
                "home:{5}:" + ID + ":x",
                "idem:{5}:" + ID,
                "queue:{5}:middle",
                "user:{5}:0",
                "{bus}:other",
                "{articles}:other",
                "{articles}:article:x",
                "{articles}:voters:",
                "{articles}:score:",
                "{meta}x",
                "")) {
            assertThat(KeyShape.of(key)).as(key).isEmpty();
        }
    }
}
