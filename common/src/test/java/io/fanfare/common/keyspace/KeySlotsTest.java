package io.fanfare.common.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.redis.Slots;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeySlotsTest {
    /** One script can change anything of a user only because all of it is in one slot. */
    @Test
    void everythingOfOneUserIsInOneSlot() throws ReflectiveOperationException {
        int shard = 37;
        long user = Id.of(Id.EPOCH_MILLIS + 123_456_789L, shard, 2);
        Set<Integer> slots = keysOf(user, shard).map(Slots::of).collect(Collectors.toSet());
        assertThat(slots).containsExactly(Slots.of("{37}"));
    }

    /**
     * All families of {@link Keys} that are made for a user, a status or a shard, also those that are yet to be added;
     * without those of the event log, the selections, the rankings, the trends and the history of the console, which
     * are everybody's.
     */
    private static Stream<String> keysOf(long user, int shard) throws ReflectiveOperationException {
        List<String> keys = new ArrayList<>();
        for (Method family : Keys.class.getDeclaredMethods()) {
            boolean ofUser = family.getParameterCount() > 0
                    && family.getParameterTypes()[0] == long.class
                    && !family.getName().startsWith("bus")
                    && !family.getName().startsWith("select")
                    && !family.getName().equals("minutes")
                    && !family.getName().equals("trendingTags")
                    && !family.getName().startsWith("article");
            boolean ofShard = family.getParameterCount() > 0 && family.getParameterTypes()[0] == int.class;
            if (Modifier.isPublic(family.getModifiers()) && (ofUser || ofShard)) {
                Object first = ofUser ? (Object) user : (Object) shard;
                keys.add((String)
                        (family.getParameterCount() == 1
                                ? family.invoke(null, first)
                                : family.invoke(null, first, "other")));
            }
        }
        assertThat(keys).hasSizeGreaterThan(15);
        return keys.stream();
    }

    @Test
    void everythingOfTheBusIsInOneSlot() {
        assertThat(Stream.of(
                                Keys.BUS_SEQ,
                                Keys.BUS_EPOCH,
                                Keys.BUS_LOG,
                                Keys.BUS_BATCHES,
                                Keys.busSubjects(5),
                                Keys.busNotified(5),
                                Keys.BUS_CHANNEL)
                        .map(Slots::of)
                        .distinct()
                        .count())
                .isEqualTo(1L);
    }
}
