package io.fanfare.common.event;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
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
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Many writers at once, each event several times and in any order: what an API process and the jobs that repeat it do.
 */
@ParameterizedClass
@KindsOfRedis
class EventLogRandomTest {
    private static final int STATUSES = 400;

    /** Less than notifications are remembered. */
    private static final int AGE_MAX_MILLIS = 20_000_000;

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
        List<LoggedEvent> received = new CopyOnWriteArrayList<>();
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
                        received.addAll(published.receive(payload));
                    }

                    @Override
                    public void lost() {
                        ready.add("lost");
                    }
                });
        awaitUntil("subscribed", () -> ready.contains("subscribed"));

        Map<String, Set<Long>> seqs = appendAll(random, links, events);

        rebuildStale(new EventLog(links.get(0), random, AppendScriptTest.settings(100_000)), events, seqs);
        assertThat(seqs.keySet()).as("appended").isEqualTo(events.keySet());
        LogPage log = await(new EventLog(links.get(0), random, AppendScriptTest.settings(100_000)).read(0, 100_000));
        long tip = log.state().tip();
        awaitUntil(
                "all heard",
                () -> !received.isEmpty() && received.get(received.size() - 1).seq() == tip);
        Set<Long> deletes = deletes(events);
        Set<String> deleted = deletes.stream().map(id -> "s" + id).collect(Collectors.toCollection(HashSet::new));
        events.values().stream()
                .filter(event -> deletes.contains(event.subjectStatus()))
                .forEach(event -> deleted.add(event.id()));
        Map<String, Long> place = new HashMap<>();
        received.forEach(event -> assertThat(place.put(event.event().id(), event.seq()))
                .as(event.event().id())
                .isNull());
        events.values().forEach(event -> assertPlace(event, seqs.get(event.id()), deleted, place));
        // All of them, but for statuses that came with their deletes.
        Set<Long> takenOut = new HashSet<>();
        deletes.forEach(id -> takenOut.addAll(seqs.get("s" + id)));
        takenOut.removeAll(place.values());
        assertThat(received)
                .as("published, in the order of the log")
                .extracting(LoggedEvent::seq)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, tip)
                        .boxed()
                        .filter(seq -> !takenOut.contains(seq))
                        .toList());
        List<LoggedEvent> expected = received.stream()
                .filter(event -> !deleted.contains(event.event().id()))
                .map(event -> event.without(deletes))
                .toList();
        assertNothingDeletedIsShown(received, place);
        assertThat(log.events()).as("the log").containsExactlyElementsOf(expected);
        assertThat(ready).as("the subscription").doesNotContain("lost");

        await(subscription.close());
        links.forEach(link -> await(link.close()));
        await(vertx.close());
    }

    /** An event has one place, and none or one before its delete if its status was deleted. */
    private static void assertPlace(Event event, Set<Long> given, Set<String> deleted, Map<String, Long> place) {
        given.remove(0L);
        if (deleted.contains(event.id())) {
            // In time, and then taken out again; or too late.
            assertThat(given.size()).as(event.id()).isLessThanOrEqualTo(1);
            long gone = event.subjectStatus() == 0 ? event.subject() : event.subjectStatus();
            given.forEach(
                    seq -> assertThat(place.get("d" + gone)).as(event.id()).isGreaterThan(seq));
        } else {
            assertThat(given).as(event.id()).hasSize(1).containsExactly(place.get(event.id()));
        }
    }

    private static void assertNothingDeletedIsShown(List<LoggedEvent> received, Map<String, Long> place) {
        for (LoggedEvent event : received) {
            for (long shown : event.event().embedded()) {
                assertThat(place.getOrDefault("d" + shown, Long.MAX_VALUE))
                        .as("%s shows what was deleted before", event.event().id())
                        .isGreaterThan(event.seq());
            }
        }
    }

    private static Set<Long> deletes(Map<String, Event> events) {
        return events.values().stream()
                .filter(event -> event.kind() == Event.Kind.DELETE)
                .map(Event::subject)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Renders again the events that show statuses deleted before they came, as jobs do: by now everything is deleted.
     */
    private static void rebuildStale(EventLog log, Map<String, Event> events, Map<String, Set<Long>> seqs) {
        Set<Long> deletes = deletes(events);
        for (Event event : List.copyOf(events.values())) {
            Set<Long> given = seqs.get(event.id());
            if (given.remove(EventLog.STALE) && given.stream().noneMatch(seq -> seq > 0)) {
                Event rebuilt = event.kind() == Event.Kind.NOTIFICATION
                        ? notification(event.subject(), living(event.embedded(), deletes))
                        : showing(event.subject(), living(event.embedded(), deletes));
                put(events, rebuilt);
                given.add(await(log.append(rebuilt)));
            }
        }
    }

    private static List<Long> living(List<Long> shown, Set<Long> deletes) {
        return shown.stream().filter(id -> !deletes.contains(id)).toList();
    }

    /** Statuses, some of which show others, deletes of a third of them, notifications, and edges. */
    private static Map<String, Event> draw(Random random, long now) {
        Map<String, Event> events = new HashMap<>();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < STATUSES; i++) {
            long id = Id.of(now - random.nextInt(AGE_MAX_MILLIS), random.nextInt(16), random.nextInt(4));
            put(events, ids.isEmpty() || random.nextInt(3) > 0 ? plain(id, random) : showing(id, sample(ids, random)));
            ids.add(id);
            if (random.nextInt(3) == 0) {
                put(events, new Event(Event.Kind.DELETE, id, 8, 0, Visibility.PUBLIC, "{}"));
            }
            if (random.nextInt(3) == 0) {
                put(events, new Event(Event.Kind.FOLLOW, id + 1, 8, 12, Visibility.PUBLIC, "{}"));
            }
            if (random.nextInt(4) == 0) {
                put(events, notification(id + 2, sample(ids, random)));
            }
        }
        return events;
    }

    private static Event plain(long id, Random random) {
        String body = "{\"text\":\"|" + random.nextInt() + "\u2028é💬\"}";
        return new Event(Event.Kind.STATUS, id, 8, 0, Visibility.PUBLIC, body);
    }

    private static Event showing(long id, List<Long> shown) {
        return AppendScriptTest.showing(id, shown.toArray(Long[]::new));
    }

    private static Event notification(long id, List<Long> shown) {
        return new Event(Event.Kind.NOTIFICATION, id, 8, 12, Visibility.PRIVATE, Event.match(shown), "{}");
    }

    private static List<Long> sample(List<Long> ids, Random random) {
        return random.ints(1 + random.nextInt(2), 0, ids.size())
                .mapToObj(ids::get)
                .distinct()
                .toList();
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
