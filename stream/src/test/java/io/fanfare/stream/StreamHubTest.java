package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LogState;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.filter.FirehoseFilter;
import io.fanfare.stream.filter.PredicateFilter;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.filter.SubscriberIndex;
import io.fanfare.stream.match.FilterSpec;
import io.fanfare.stream.session.FilterBudget;
import io.fanfare.stream.session.StartPosition;
import io.fanfare.stream.session.StreamHub;
import io.fanfare.stream.session.StreamOptions;
import io.fanfare.stream.session.StreamSink;
import io.fanfare.stream.session.Subscriber;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Disconnect;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a crowd of streams is served by its event loop. */
class StreamHubTest {
    private static final int CROWD = 3000;

    private StreamServer server;
    private final Vertx vertx = Vertx.vertx();
    private final CountDownLatch serving = new CountDownLatch(1);
    private final CountDownLatch published = new CountDownLatch(1);
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicLong steppedNanos = new AtomicLong();
    private volatile long stepNanos;
    private RedisLink link;
    private StreamHub hub;

    /** Takes everything at once. */
    private abstract static class Reader implements StreamSink {
        @Override
        public boolean isFull() {
            return false;
        }

        @Override
        public void open(int bytesMax, Runnable drained, Runnable gone) {}

        @Override
        public long taken() {
            return 0;
        }

        @Override
        public long waiting() {
            return 0;
        }

        @Override
        public Future<Void> end(Disconnect why) {
            return Future.succeededFuture();
        }

        @Override
        public void abort() {}
    }

    /** Holds everybody up once, while it is given the first status. */
    private final class OneOfTheCrowd extends Reader {
        @Override
        public void write(Buffer events) {
            String received = events.toString();
            writes.incrementAndGet();
            if (received.contains("{\"n\":1}")) {
                serving.countDown();
                awaitLatch(published);
            }
            if (received.contains("{\"n\":3}")) {
                served.incrementAndGet();
            }
        }
    }

    /** Remembers what it was told, and where the log stood for the hub when it began. */
    private static final class Listener extends Reader {
        private final Set<String> received = ConcurrentHashMap.newKeySet();
        private final long tip;

        Listener(long tip) {
            this.tip = tip;
        }

        @Override
        public void write(Buffer events) {
            events.toString().lines().forEach(received::add);
        }

        boolean hasReceived(int n) {
            return received.contains("data: {\"n\":" + n + "}");
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void beginWithAnEmptyLog() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        server = StreamServer.withoutNode(redis);
    }

    @AfterEach
    void stop() {
        await(onLoop(() -> hub.close().compose(closed -> link.close())));
        await(vertx.close());
        server.close();
    }

    @Test
    void eventsThatComeWhileACrowdIsServedGoTogetherWithTheOldOnesToStreamsThatStillWait() {
        await(onLoop(() -> openHub().onSuccess(started -> {
            for (int i = 0; i < CROWD; i++) {
                open(new OneOfTheCrowd(), StartPosition.of("", hub.known()));
            }
        })));
        writes.set(0);
        assertThat(server.append(server.status(1))).isEqualTo(1);
        awaitLatch(serving);

        assertThat(server.append(server.status(2))).isEqualTo(2);
        assertThat(server.append(server.status(3))).isEqualTo(3);
        // An append may be answered before what it publishes is sent; the next command is not.
        server.redis.askAt(Keys.BUS_SEQ, "PING");
        published.countDown();
        awaitUntil("all served", () -> served.get() == CROWD);

        // Everybody apart from those of the first turn is written to once.
        assertThat(writes.get()).isLessThan(2 * CROWD);
    }

    /**
     * Found by the stream oracle: when the log is far ahead the ring begins anew, while pages from before are still
     * kept.
     */
    @Test
    void aNewSubscriberDoesNotReceiveDeletedStatuses() {
        List<Event> statuses =
                IntStream.rangeClosed(1, 400).mapToObj(server::status).toList();
        appendAll(statuses.subList(0, 60));
        await(onLoop(() -> openHub("stream.ring-events=100")));
        Listener before = await(onLoop(() -> Future.succeededFuture(listen(hub.known()))));
        awaitUntil("the oldest page has been read", () -> before.hasReceived(60));
        List<Listener> after = new CopyOnWriteArrayList<>();
        CountDownLatch cut = new CountDownLatch(1);
        onLoopOnly(() -> {
            awaitLatch(cut);
            listenAtEachStep(after, 60, 401);
        });

        StreamFaults.cutSubscriptions(server.redis);
        assertThat(server.append(StreamServer.delete(statuses.get(9)))).isEqualTo(61);
        appendAll(statuses.subList(60, 400));
        cut.countDown();

        awaitUntil(
                "all have heard all",
                () -> !after.isEmpty()
                        && after.get(after.size() - 1).tip == 401
                        && after.stream().allMatch(listener -> listener.hasReceived(400)));
        assertThat(after).as("the ring began anew before it was up to date").hasSizeGreaterThan(1);
        assertThat(before.hasReceived(10)).isTrue();
        assertThat(after).allMatch(listener -> listener.tip >= 61).noneMatch(listener -> listener.hasReceived(10));
    }

    /**
     * Found by the stream oracle: the page that a stream waits for is read again in the new epoch, where other events
     * have its numbers.
     */
    @Test
    void aChangedFilterReceivesARestartedLogFromItsBeginning() {
        appendAll(IntStream.rangeClosed(1001, 1130).mapToObj(server::status).toList());
        await(onLoop(() -> openHub("stream.ring-events=100")));
        List<Listener> listeners = new CopyOnWriteArrayList<>();
        CountDownLatch restarted = new CountDownLatch(1);
        LogState before = hub.known();
        onLoopOnly(() -> {
            awaitLatch(restarted);
            listenUntilTheLogIsKnownToBeAnother(listeners, new ArrayList<>(), before);
        });

        server.redis.flush();
        appendAll(IntStream.rangeClosed(1, 300).mapToObj(server::status).toList());
        restarted.countDown();

        awaitUntil(
                "the last was told",
                () -> !listeners.isEmpty() && listeners.stream().allMatch(listener -> listener.hasReceived(300)));
        assertThat(listeners).allMatch(listener -> IntStream.rangeClosed(1, 300).allMatch(listener::hasReceived));
    }

    /** Somebody begins in the past in every turn of the event loop; then all of them change their filters at once. */
    private void listenUntilTheLogIsKnownToBeAnother(List<Listener> listeners, List<Subscriber> all, LogState before) {
        if (!hub.known().epoch().equals(before.epoch())) {
            all.forEach(
                    subscriber -> assertThat(subscriber.change(FirehoseFilter.WHOLE, FilterBudget.Reservation.NOTHING))
                            .isTrue());
            return;
        }
        Listener listener = new Listener(before.tip());
        listeners.add(listener);
        StartPosition past = new StartPosition(before.epoch(), 120, /* resumed= */ true, null);
        all.add(hub.open("filter", listener, FirehoseFilter.WHOLE, Dialect.NATIVE, StreamOptions.USUAL, past));
        vertx.timer(1, TimeUnit.NANOSECONDS)
                .onComplete(turn -> listenUntilTheLogIsKnownToBeAnother(listeners, all, before));
    }

    /**
     * Numbers of one epoch mean nothing in another: a client that believed them would take for told what it has not
     * heard.
     */
    @Test
    void helloNamesNothingOfAnEpochThatIsNotTheStreams() {
        appendAll(IntStream.rangeClosed(1, 30).mapToObj(server::status).toList());
        await(onLoop(() -> openHub()));
        StartPosition another = new StartPosition("0badcafe", 7, /* resumed= */ true, null);
        Listener listener = await(onLoop(() -> {
            Listener one = new Listener(7);
            open(one, another);
            return Future.succeededFuture(one);
        }));
        awaitUntil("hello", () -> !listener.received.isEmpty());
        assertThat(listener.received).anyMatch(line -> line.contains("\"epoch\":\"0badcafe\",\"tip\":7,\"floor\":8,"));
    }

    @Test
    void aFilterThatHasMissedEventsCatchesUpBeforeItsNextCall() {
        server.append(server.status(1));
        Learner learner = new Learner();
        Listener listener = await(onLoop(() -> openHub().map(started -> {
            Listener one = new Listener(hub.known().tip());
            open(one, StartPosition.of("", hub.known()), learner);
            return one;
        })));
        server.append(server.status(2));
        awaitUntil("asked", () -> learner.readings.size() == 1);
        onLoopOnly(() -> learner.readings.get(0).fail("Redis is away"));
        awaitUntil("asked again", () -> learner.readings.size() == 2);
        assertThat(listener.hasReceived(2)).isFalse();
        onLoopOnly(() -> {
            learner.knows = true;
            learner.readings.get(1).complete();
        });

        awaitUntil("told", () -> listener.hasReceived(2));
        assertThat(learner.calledTooEarly).isFalse();
    }

    @Test
    void aStatusThatIsNotSentAnyMoreUsesUpNothingOfACap() {
        Event original = server.post(8, "secret words");
        server.append(original);
        Status shown = new Status(original.subject(), Post.of(8, "secret words"), Counters.NONE);
        Post quote = new Post(
                12,
                Visibility.PUBLIC,
                Post.Kind.POST,
                Content.of("look"),
                null,
                null,
                new Reference(shown.id(), 8),
                null);
        Status quoting = new Status(server.newId(), quote, Counters.NONE);
        FilterSpec secret = FilterSpec.builder(new FilterSpec.Bounds(1, 1, 1))
                .track("secret")
                .build();
        Stalling stalling = new Stalling();
        await(onLoop(() -> openHub()));
        Subscriber stream = await(onLoop(() -> Future.succeededFuture(hub.open(
                "filter",
                stalling,
                new PredicateFilter(secret),
                Dialect.NATIVE,
                new StreamOptions(false, false, 1, false, Long.MAX_VALUE),
                StartPosition.of(null, hub.known())))));
        awaitUntil("called", stream::isIndexed);
        stalling.full = true;
        server.append(new Event(
                Event.Kind.STATUS,
                quoting.id(),
                12,
                0,
                Visibility.PUBLIC,
                MatchFields.of(quoting, List.of(shown)).encode(),
                "{\"text\":\"look\"}"));
        server.append(server.post(8, "a secret of its own"));
        server.append(StreamServer.delete(original));
        awaitUntil("all looked at", () -> await(onLoop(() -> Future.succeededFuture(hub.evaluated()))) == 4);

        stalling.full = false;
        onLoopOnly(stalling.drained);
        awaitUntil(
                "told of the delete", () -> String.join("", stalling.received).contains("event: delete"));
        assertThat(String.join("", stalling.received))
                .contains("a secret of its own")
                .doesNotContain("look")
                .doesNotContain("event: limit");
    }

    /**
     * As with texts and phrases of which each takes long: the next turn goes on where one has ended, and whoever joins
     * meanwhile misses nothing.
     */
    @Test
    void matchingThatTakesLongIsCutIntoTurns() {
        await(onLoop(() -> openHub()));
        List<Stalling> readers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Stalling reader = new Stalling();
            readers.add(reader);
            onLoopOnly(() -> open(reader, StartPosition.of(null, hub.known()), tracking("hello")));
        }
        awaitUntil("called", () -> await(onLoop(() -> Future.succeededFuture(hub.indexed()))) == 5);
        // Whatever is done takes longer than a turn.
        stepNanos = 9_000_000;
        appendAll(IntStream.range(0, 300)
                .mapToObj(n -> server.post(8, n % 3 == 0 ? "hello " + n : "nothing"))
                .toList());
        Stalling late = new Stalling();
        onLoopOnly(() -> open(late, StartPosition.of("0", hub.known()), tracking("hello")));
        for (Stalling reader : readers) {
            awaitUntil("told", () -> events(reader).size() == 100);
        }
        awaitUntil("told", () -> events(late).size() == 100);
        stepNanos = 0;
        for (Stalling reader : readers) {
            assertThat(events(reader)).isEqualTo(events(late)).doesNotHaveDuplicates();
        }
        server.append(server.post(8, "hello again"));
        awaitUntil(
                "told",
                () -> events(late).size() == 101 && events(readers.get(0)).size() == 101);
        awaitUntil("all called", () -> await(onLoop(() -> Future.succeededFuture(hub.indexed()))) == 6);
    }

    /** A mistake of ours in one filter is one stream's misfortune. */
    @Test
    void aFilterThatThrowsEndsItsStreamOnly() {
        await(onLoop(() -> openHub()));
        Broken scanned = new Broken(/* joins= */ false);
        Broken called = new Broken(/* joins= */ true);
        List<Stalling> ends = List.of(new Stalling(), new Stalling());
        List<Stalling> stays = List.of(new Stalling(), new Stalling(), new Stalling());
        onLoopOnly(() -> {
            open(stays.get(0), StartPosition.of(null, hub.known()), FirehoseFilter.WHOLE);
            open(ends.get(0), StartPosition.of(null, hub.known()), scanned);
            open(ends.get(1), StartPosition.of(null, hub.known()), called);
            open(stays.get(1), StartPosition.of(null, hub.known()), tracking("hello"));
            open(stays.get(2), StartPosition.of(null, hub.known()), FirehoseFilter.WHOLE);
        });
        awaitUntil("called", () -> await(onLoop(() -> Future.succeededFuture(hub.indexed()))) == 2);

        server.append(server.post(8, "hello 1"));
        awaitUntil("ended", () -> hub.connections() == 3);
        server.append(server.post(8, "hello 2"));

        stays.forEach(stream -> awaitUntil("told", () -> events(stream).size() == 2));
        assertThat(ends).allSatisfy(stream -> assertThat(String.join("", stream.received))
                .contains("event: disconnect", "\"code\":10,")
                .doesNotContain("hello 1"));
        assertThat(hub.failures().count(Failures.Scope.STREAM)).isEqualTo(2);
    }

    /** Each event is looked at by each stream, when the index that finds the streams has failed on it. */
    @Test
    void anEventIsSentEvenIfTheIndexFails() {
        await(onLoop(() -> openHub()));
        Stalling stays = new Stalling();
        onLoopOnly(() -> {
            open(new Stalling(), StartPosition.of(null, hub.known()), new Misleading());
            open(stays, StartPosition.of(null, hub.known()), tracking("hello"));
        });
        awaitUntil("called", () -> await(onLoop(() -> Future.succeededFuture(hub.indexed()))) == 2);

        server.append(server.post(8, "hello 1"));
        server.append(server.post(8, "hello 2"));

        awaitUntil("told", () -> events(stays).size() == 2);
        assertThat(hub.failures().count(Failures.Scope.EVENT)).isPositive();
    }

    @Test
    void aFilterUpdateThatThrowsEndsItsStreamAndHoldsNothing() {
        await(onLoop(() -> openHub()));
        Stalling ends = new Stalling();
        boolean[] released = new boolean[1];
        await(onLoop(() -> {
            Subscriber stream = hub.open(
                    "filter",
                    ends,
                    new Broken(/* joins= */ true),
                    Dialect.NATIVE,
                    StreamOptions.USUAL,
                    StartPosition.of(null, hub.known()));
            stream.whenEnded(() -> {
                throw new IllegalStateException("a mistake");
            });
            stream.whenEnded(() -> released[0] = true);
            assertThatThrownBy(() -> stream.change(FirehoseFilter.WHOLE, FilterBudget.Reservation.NOTHING))
                    .isInstanceOf(IllegalStateException.class);
            return Future.succeededFuture();
        }));
        assertThat(String.join("", ends.received)).contains("\"code\":10,");
        assertThat(hub.connections()).isZero();
        assertThat(released[0]).isTrue();
    }

    /** Throws whenever it is asked. */
    private record Broken(boolean joins) implements StreamFilter {
        @Override
        public boolean wants(StreamEvent event) {
            throw new IllegalStateException("secret words of " + event.event().body());
        }

        @Override
        public StreamFilter changedTo(StreamFilter other) {
            throw new IllegalStateException("a mistake");
        }

        @Override
        public <S> boolean join(SubscriberIndex<S> subscriberIndex, S listener) {
            return joins && tracking("hello").join(subscriberIndex, listener);
        }
    }

    /** The index meets a listener that throws in its own place. */
    private record Misleading() implements StreamFilter {
        @Override
        public boolean wants(StreamEvent event) {
            return false;
        }

        @Override
        public <S> boolean join(SubscriberIndex<S> subscriberIndex, S listener) {
            // One that is none makes the index throw when it calls it.
            return tracking("hello").join(subscriberIndex, null);
        }
    }

    private static List<String> events(Stalling reader) {
        return String.join("", reader.received)
                .lines()
                .filter(line -> line.startsWith("data: ") && line.contains("hello "))
                .toList();
    }

    private static PredicateFilter tracking(String track) {
        return new PredicateFilter(
                FilterSpec.builder(new FilterSpec.Bounds(1, 1, 1)).track(track).build());
    }

    private long nanos() {
        return System.nanoTime() + steppedNanos.addAndGet(stepNanos);
    }

    /** Takes nothing while it is full. */
    private static final class Stalling extends Reader {
        private final List<String> received = new CopyOnWriteArrayList<>();
        private volatile boolean full;
        private volatile Runnable drained;

        @Override
        public boolean isFull() {
            return full;
        }

        @Override
        public void open(int bytesMax, Runnable whenDrained, Runnable gone) {
            drained = whenDrained;
        }

        @Override
        public void write(Buffer events) {
            received.add(events.toString());
        }
    }

    /** Knows nothing of the log until it has read something. */
    private static final class Learner implements StreamFilter {
        private final List<Promise<Void>> readings = new CopyOnWriteArrayList<>();
        private volatile boolean knows;
        private volatile boolean calledTooEarly;

        @Override
        public boolean wants(StreamEvent event) {
            calledTooEarly |= !knows;
            return true;
        }

        @Override
        public boolean knows(String epoch, long seq) {
            return knows;
        }

        @Override
        public Future<Void> learnUpTo(String epoch, long seq) {
            Promise<Void> reading = Promise.promise();
            readings.add(reading);
            return reading.future();
        }
    }

    private void appendAll(List<Event> events) {
        await(Future.join(events.stream().map(server.log::append).toList()).<Void>mapEmpty());
    }

    private Listener listen(LogState known) {
        Listener listener = new Listener(known.tip());
        open(listener, StartPosition.of("0", known));
        return listener;
    }

    /** Begins to listen whenever the hub knows more, in every turn of the event loop. */
    private void listenAtEachStep(List<Listener> listeners, long known, long last) {
        LogState now = hub.known();
        if (now.tip() > known) {
            listeners.add(listen(now));
        }
        if (now.tip() < last) {
            vertx.timer(1, TimeUnit.NANOSECONDS).onComplete(turn -> listenAtEachStep(listeners, now.tip(), last));
        }
    }

    private Future<Void> openHub(String... assignments) {
        return RedisLink.open(vertx, server.redis.options()).compose(opened -> {
            link = opened;
            Settings settings = SettingsLoader.defaultsWith(assignments);
            Statuses statuses = new Statuses(link, settings);
            hub = new StreamHub(
                    vertx, link, statuses, new Random(1), this::nanos, InstantSource.system(), settings.stream(), 1);
            return hub.start();
        });
    }

    private void open(StreamSink sink, StartPosition start) {
        open(sink, start, FirehoseFilter.WHOLE);
    }

    private void open(StreamSink sink, StartPosition start, StreamFilter filter) {
        var unused = hub.open("firehose", sink, filter, Dialect.NATIVE, StreamOptions.USUAL, start);
    }

    private void onLoopOnly(Runnable work) {
        vertx.getOrCreateContext().runOnContext(turn -> work.run());
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        vertx.getOrCreateContext().runOnContext(turn -> work.get().onComplete(done));
        return done.future();
    }
}
