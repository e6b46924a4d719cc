package io.fanfare.api.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** A note is what was noted last, for whoever noted it alone, and there are never more than allowed. */
@ParameterizedClass
@KindsOfRedis
class NotesTest {
    /** About whom notes are made: a few more than fit. Notes do not look whether these accounts exist. */
    private static final List<Long> OTHERS =
            LongStream.rangeClosed(1, Notes.MAX + 5).boxed().toList();

    private static final List<String> TEXTS = List.of("", "", "lent me a book", "Grüße 💬", "\"}{\n\u0000");

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Notes notes;
    private ViewerRelationshipsReader relationships;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        notes = new Notes(f.link);
        relationships = new ViewerRelationshipsReader(f.link, InstantSource.system());
    }

    @AfterEach
    void close() {
        f.close();
    }

    /** Why it was refused; null when it was not. */
    private Reason set(long account, long about, String text) {
        try {
            f.get(() -> notes.set(account, about, text));
            return null;
        } catch (Refusal refusal) {
            return refusal.reason();
        }
    }

    @Test
    void notesAreThoseOfASimpleMapWhateverIsDone() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        long[] users = f.users(2);
        AccountAccess access = new AccountAccess(f.link);
        List<Map<Long, String>> model = List.of(new TreeMap<>(), new TreeMap<>());
        boolean suspended = false;
        // Nearly full, so that the limit is met from both sides.
        for (long about : OTHERS.subList(0, Notes.MAX - 3)) {
            assertThat(set(users[0], about, "old")).isNull();
            model.get(0).put(about, "old");
        }
        for (int step = 0; step < 300; step++) {
            int who = random.nextInt(2);
            Map<Long, String> noted = model.get(who);
            // Half of the steps among the few at the end, where notes come and go.
            int last = OTHERS.size() - 1;
            long about = OTHERS.get(random.nextBoolean() ? last - random.nextInt(10) : random.nextInt(last));
            String text = TEXTS.get(random.nextInt(TEXTS.size()));
            if (random.nextInt(20) == 0) {
                boolean ends = suspended;
                f.get(() -> ends ? access.unsuspend(users[1]) : access.suspend(users[1]));
                suspended = !ends;
            }
            String at = "seed " + seed + ", step " + step;
            Reason refused = set(users[who], about, text);
            if (text.isEmpty()) {
                assertThat(refused).as(at).isNull();
                noted.remove(about);
            } else if (suspended && who == 1) {
                assertThat(refused).as(at).isEqualTo(Reason.FORBIDDEN);
            } else if (noted.size() >= Notes.MAX && !noted.containsKey(about)) {
                assertThat(refused).as(at).isEqualTo(Reason.INVALID);
            } else {
                assertThat(refused).as(at).isNull();
                noted.put(about, text);
            }
            List<Long> picked = new ArrayList<>(OTHERS.subList(OTHERS.size() - 10, OTHERS.size()));
            picked.add(about);
            for (int i = 0; i < users.length; i++) {
                long viewer = users[i];
                Map<Long, String> expected = new TreeMap<>(model.get(i));
                expected.keySet().retainAll(picked);
                assertThat(f.get(() -> relationships.details(viewer, picked)).notes())
                        .as(at)
                        .isEqualTo(expected);
            }
        }
        for (int i = 0; i < users.length; i++) {
            Map<String, String> stored = new TreeMap<>();
            model.get(i).forEach((about, text) -> stored.put(about.toString(), text));
            assertThat(f.hash(Keys.notes(users[i]))).as("seed %d", seed).isEqualTo(stored);
        }
    }
}
