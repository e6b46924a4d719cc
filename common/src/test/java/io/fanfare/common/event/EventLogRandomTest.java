package io.fanfare.common.event;

import static io.fanfare.common.testing.TestRedis.await;
import static io.fanfare.common.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.redis.Keys;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Many writers at once, each event several times and in any order: what an API process and the jobs that repeat it do. */
@ParameterizedClass
@EnumSource
class EventLogRandomTest {
    private static final int STATUSES = 400;
    private static final int WRITERS = 4;

    @Parameter
    TestRedis.Kind kind;

    @Test
    void everyEventIsInTheLogOnceAndWhatIsPublishedComesInItsOrder() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        TestRedis redis = kind.redis();
        redis.flush();
        long now = redis.askAt(Keys.BUS_SEQ, "TIME").items().get(0).asLong() * 1000;
        Map<String, Event> events = draw(random, now);
        List<LoggedEvent> heard = new CopyOnWriteArrayList<>();
        PublishedEvents published = new PublishedEvents();
        Set<String> ready = Collections.synchronizedSet(new HashSet<>());
        Vertx vertx = Vertx.vertx();
        List<RedisLink> links = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            links.add(redis.link(vertx));
        }
        RedisLink.Subscription subscription =
                EventLog.subscribe(links.get(0), Keys.busBeat("test"), new RedisLink.Listener() {
                    @Override
                    public void subscribed() {
                        ready.add("subscribed");
                    }

                    @Override
                    public void message(String channel, String payload) {
                        heard.addAll(published.hear(payload));
                    }

                    @Override
                    public void lost() {
                        ready.add("lost");
                    }
                });
        awaitUntil("subscribed", () -> ready.contains("subscribed"));

        Map<String, Set<Long>> seqs = appendAll(random, links, events);

        assertThat(seqs.keySet()).isEqualTo(events.keySet());
        LogPage log = await(new EventLog(links.get(0), random, AppendScriptTest.settings(100_000)).read(0, 100_000));
        long tip = log.state().tip();
        awaitUntil(
                "all heard",
                () -> !heard.isEmpty() && heard.get(heard.size() - 1).seq() == tip);
        Set<String> deleted = new HashSet<>();
        events.values().stream()
                .filter(event -> event.kind() == Event.Kind.DELETE)
                .forEach(event -> deleted.add("s" + event.subject()));
        Map<String, Long> place = new HashMap<>();
        heard.forEach(event -> assertThat(place.put(event.event().id(), event.seq()))
                .as(event.event().id())
                .isNull());
        for (Event event : events.values()) {
            Set<Long> given = seqs.get(event.id());
            given.remove(0L);
            if (deleted.contains(event.id())) {
                // In time, and then taken out again; or too late.
                assertThat(given.size()).as(event.id()).isLessThanOrEqualTo(1);
                given.forEach(
                        seq -> assertThat(place.get("d" + event.subject())).isGreaterThan(seq));
            } else {
                assertThat(given).as(event.id()).hasSize(1).containsExactly(place.get(event.id()));
            }
        }
        // All of them, but for statuses that came with their deletes.
        Set<Long> takenOut = new HashSet<>();
        deleted.forEach(id -> takenOut.addAll(seqs.get(id)));
        takenOut.removeAll(place.values());
        assertThat(heard)
                .extracting(LoggedEvent::seq)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, tip)
                        .boxed()
                        .filter(seq -> !takenOut.contains(seq))
                        .toList());
        List<LoggedEvent> expected = heard.stream()
                .filter(event -> !deleted.contains(event.event().id()))
                .toList();
        assertThat(log.events()).containsExactlyElementsOf(expected);
        assertThat(ready).doesNotContain("lost");

        await(subscription.close());
        links.forEach(link -> await(link.close()));
        await(vertx.close());
    }

    /** Statuses, deletes of a third of them, and edges. */
    private static Map<String, Event> draw(Random random, long now) {
        Map<String, Event> events = new HashMap<>();
        for (int i = 0; i < STATUSES; i++) {
            long id = Id.of(now - random.nextInt(100_000_000), random.nextInt(16), random.nextInt(4));
            put(
                    events,
                    new Event(
                            Event.Kind.STATUS,
                            id,
                            8,
                            0,
                            Visibility.PUBLIC,
                            "{\"text\":\"|" + random.nextInt() + "\u2028é💬\"}"));
            if (random.nextInt(3) == 0) {
                put(events, new Event(Event.Kind.DELETE, id, 8, 0, Visibility.PUBLIC, "{}"));
            }
            if (random.nextInt(3) == 0) {
                put(events, new Event(Event.Kind.FOLLOW, id + 1, 8, 12, Visibility.PUBLIC, "{}"));
            }
        }
        return events;
    }

    private static void put(Map<String, Event> events, Event event) {
        events.put(event.id(), event);
    }

    /** Every event up to three times, from random writers, in random order; what each append answered. */
    private static Map<String, Set<Long>> appendAll(Random random, List<RedisLink> links, Map<String, Event> events) {
        List<Event> turns = new ArrayList<>();
        for (Event event : events.values()) {
            turns.addAll(Collections.nCopies(1 + random.nextInt(3), event));
        }
        Collections.shuffle(turns, random);
        List<EventLog> logs = new ArrayList<>();
        links.forEach(link ->
                logs.add(new EventLog(link, new Random(random.nextLong()), AppendScriptTest.settings(100_000))));
        Map<String, Set<Long>> seqs = new HashMap<>();
        List<Future<Long>> appends = new ArrayList<>();
        for (Event event : turns) {
            appends.add(logs.get(random.nextInt(links.size())).append(event));
        }
        for (int i = 0; i < turns.size(); i++) {
            seqs.computeIfAbsent(turns.get(i).id(), id -> new HashSet<>()).add(await(appends.get(i)));
        }
        return seqs;
    }
}
