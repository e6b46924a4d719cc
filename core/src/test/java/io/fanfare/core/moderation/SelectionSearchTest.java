package io.fanfare.core.moderation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.core.account.SignUpNetworks;
import io.fanfare.core.moderation.SelectionSearch.Criteria;
import io.fanfare.core.moderation.SelectionSearch.Result;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.testing.TestRedis;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The search for accounts stays within its bounds, whatever there is and whatever is looked for. */
class SelectionSearchTest {
    private static final int SIGN_UPS = 50_000;
    private static final int EVENTS = 2_000;

    private StoreFixture f;
    private EventLog events;
    private long begun;

    @BeforeEach
    void open() {
        f = StoreFixture.on(TestRedis.standalone());
        begun = System.currentTimeMillis();
        events = new EventLog(f.link, new Random(1), f.settings.stream());
    }

    @AfterEach
    void close() {
        f.close();
    }

    private Result run(InstantSource clock, Criteria criteria) {
        return f.get(
                () -> new SelectionSearch(f.link, SignUpNetworks.withoutKeys(f.link), events, clock).run(criteria));
    }

    private static Criteria text(String text) {
        return new Criteria(null, 0, false, 0, 0, text, Set.of());
    }

    private static Criteria since(long millis) {
        return new Criteria(null, 0, false, millis, 0, "", Set.of());
    }

    private void signUps() {
        for (int from = 1; from <= SIGN_UPS; from += 1000) {
            List<Object> entries = new ArrayList<>();
            for (int i = from; i < from + 1000; i++) {
                entries.add(i);
                entries.add((1L << 40) + i);
            }
            f.get(() -> f.link.send(Command.of("ZADD", Keys.SIGN_UP_TIMES, entries.toArray())));
        }
    }

    /** @param ago ms, another one for each event: the log takes no old one */
    private void event(int ago, long author, String text, Visibility visibility) {
        long id = Id.of(begun - ago, 0, 0);
        Status status = new Status(
                id,
                Post.of(author, visibility, new Content(text, "", false, null, List.of(), List.of(), null)),
                Counters.NONE);
        Event event = new Event(
                Event.Kind.STATUS,
                id,
                author,
                0,
                visibility,
                MatchFields.of(status, List.of()).encode(),
                "{}");
        f.get(() -> events.append(event));
    }

    @Test
    void ofMoreSignUpsThanASelectionMayHaveTheEarliestAreFound() {
        signUps();
        Result found = run(InstantSource.system(), since(1));
        assertThat(found.accounts()).hasSize(Selection.MAX).startsWith((1L << 40) + 1, (1L << 40) + 2);
        assertThat(found.found().more()).isTrue();
        assertThat(found.found().complete()).isTrue();
    }

    @Test
    void aSearchThatTakesTooLongEndsWithWhatItHas() {
        signUps();
        AtomicLong now = new AtomicLong(System.currentTimeMillis());
        InstantSource hurrying = () -> Instant.ofEpochMilli(now.addAndGet(1000));
        Result found = run(hurrying, since(1));
        assertThat(found.found().complete()).isFalse();
        assertThat(found.accounts()).hasSizeBetween(1000, Selection.MAX);
    }

    @Test
    void signUpsOfOneMillisecondLeadNowhereAndAreNoLoop() {
        List<Object> entries = new ArrayList<>();
        for (long account = 1; account <= 1500; account++) {
            entries.add(7);
            entries.add(account);
        }
        f.get(() -> f.link.send(Command.of("ZADD", Keys.SIGN_UP_TIMES, entries.toArray())));
        Result found = run(InstantSource.system(), since(1));
        assertThat(found.found().complete()).isFalse();
    }

    @Test
    void aTextThatFitsNearlyEverywhereIsPlainTextAndCheap() {
        String most = "a".repeat(490);
        for (int i = 1; i <= EVENTS; i++) {
            event(i, 1L << 40, most, Visibility.PUBLIC);
        }
        event(EVENTS + 1, (1L << 40) + 1, "(a+)+$", Visibility.UNLISTED);
        event(EVENTS + 2, (1L << 40) + 2, "(a+)+$", Visibility.PRIVATE);
        long begin = System.nanoTime();
        assertThat(run(InstantSource.system(), text("a".repeat(199) + "b")).accounts())
                .isEmpty();
        assertThat(run(InstantSource.system(), text("(a+)+$")).accounts()).containsExactly((1L << 40) + 1);
        Result all = run(InstantSource.system(), text("AAA"));
        assertThat(all.accounts()).containsExactly(1L << 40);
        assertThat(all.found().complete()).isTrue();
        assertThat(all.found().postsSinceMillis()).isBetween(1L, System.currentTimeMillis());
        assertThat(System.nanoTime() - begin).as("ns").isLessThan(10_000_000_000L);
    }
}
